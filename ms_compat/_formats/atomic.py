"""Atomic replacement of files: the old file or the whole new one, never half; and cleanup after killed processes.

A file is written in a separate folder beside its final place, because libraries make temporary files under their own
names next to the one that they write. The writer holds a lock on that folder, which ends with its process:
the next writer beside it removes the folders without a lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # Windows, where folders cannot be locked: nothing is taken away there
    fcntl = None  # type: ignore[assignment]

READ_ONLY = 0o400  # MindSpore leaves its checkpoints so; replacing one needs no permission on the file itself
READ_WRITE = 0o600
_REFUSES_READ_ONLY = os.name == "nt"  # Windows neither replaces nor deletes files that are read-only
_LEFT = re.compile(r"\.ms_compat-([0-9a-f]{8})-\w{8}\.tmp")
_LONG_AGO = 24 * 3600.0  # seconds after which nobody on another machine, whose locks may not be seen here, writes still

logger = logging.getLogger("ms_compat")


def _machine() -> str:
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def _locked(folder: str, wait: bool) -> int | None:
    """A descriptor that holds a folder's lock; None if another process has it, or the folder cannot be locked."""
    if fcntl is None:
        return None
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return handle
    except OSError:  # held by another, or a file system without locks
        os.close(handle)
        return None


def _own_folder(directory: str) -> tuple[str, int | None]:
    """A new folder and its lock."""
    while True:
        folder = tempfile.mkdtemp(prefix=f".ms_compat-{_machine()}-", suffix=".tmp", dir=directory)
        handle = _locked(folder, wait=True)
        if os.path.isdir(folder):  # it was not taken for a leftover before it was locked
            return folder, handle
        if handle is not None:
            os.close(handle)


def _newest(folder: str) -> float:
    times = [os.lstat(folder).st_mtime]
    with os.scandir(folder) as entries:
        times += [entry.stat(follow_symlinks=False).st_mtime for entry in entries]
    return max(times)


def clean(directory: str) -> None:
    """Removes the folders that killed writers left in a directory."""
    with contextlib.suppress(OSError), os.scandir(directory or ".") as entries:
        left = [(entry.path, found) for entry in entries if (found := _LEFT.fullmatch(entry.name))]
        for folder, found in left:
            handle = _locked(folder, wait=False)
            if handle is None:
                continue
            try:
                with contextlib.suppress(OSError):
                    if found[1] == _machine() or time.time() - _newest(folder) > _LONG_AGO:
                        shutil.rmtree(folder)
                        logger.info("%s, which a save that was killed had left, was removed.", folder)
            finally:
                os.close(handle)


def remove(path: str) -> None:
    """Deletes a file, also where one that is read-only has to be made writable first."""
    if _REFUSES_READ_ONLY:
        os.chmod(path, stat.S_IWRITE)
    os.remove(path)


def _flush(path: str, flags: int) -> None:
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def replaced(path: str, mode: int = READ_ONLY) -> Iterator[str]:
    """Give the name of a temporary file near `path`; at the end it is flushed to disk and takes the place of `path`.

    A symbolic link stays, and its target is replaced, as if the target were opened for writing.

    If the body raises, the temporary file goes and what was at `path` stays. Leftovers beside `path` go first.

    Args:
        path: the final name; its directory must exist.
        mode: the permissions of the final file.

    Returns:
        a context manager that yields the temporary name.
    """
    path = os.path.realpath(path)
    directory = os.path.dirname(path)
    clean(directory)
    folder, handle = _own_folder(directory)
    try:
        temporary = os.path.join(folder, "file")
        yield temporary
        _flush(temporary, os.O_RDWR)  # Windows flushes only what is open for writing
        os.chmod(temporary, mode)
        if _REFUSES_READ_ONLY and os.path.isfile(path):
            os.chmod(path, stat.S_IWRITE)
        os.replace(temporary, path)
        with contextlib.suppress(OSError):  # not every system can flush a directory
            _flush(directory, os.O_RDONLY)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle is not None:
            os.close(handle)
