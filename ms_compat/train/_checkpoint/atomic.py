"""Files that are either the old one or the whole new one, never half of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

READ_ONLY = 0o400  # MindSpore leaves its checkpoints so; replacing one needs no permission on the file itself
READ_WRITE = 0o600


@contextlib.contextmanager
def replaced(path: str, mode: int = READ_ONLY) -> Iterator[str]:
    """Give the name of a temporary file beside `path`; at the end it is flushed to disk and takes the place of `path`.

    If the body raises, the temporary file goes and what was at `path` stays.

    Args:
        path: the final name; its directory must exist.
        mode: the permissions of the final file.

    Returns:
        a context manager that yields the temporary name.
    """
    directory, base = os.path.split(path)
    handle, temporary = tempfile.mkstemp(prefix=f".{base}.", suffix=".tmp", dir=directory or ".")
    os.close(handle)
    try:
        yield temporary
        handle = os.open(temporary, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
