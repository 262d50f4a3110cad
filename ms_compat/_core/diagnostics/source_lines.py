"""Where in the user's own files something comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ms_compat._core.jax_compat import HERE, STANDARD, traceback_of


def users_lines(eqn: Any) -> Iterator[tuple[str, int]]:
    """The places, file and line, that an equation of a jaxpr comes from, innermost first.

    Places in installed packages and in this one are left out. Places in rewritten functions are in a generated file.
    """
    traceback = traceback_of(eqn)
    for frame in traceback.frames if traceback is not None else ():
        if is_users_file(frame.file_name):
            yield frame.file_name, frame.line_num


def is_users_file(name: str) -> bool:
    """Whether a file is neither of this package, nor installed, nor Python's."""
    return not name.startswith((HERE, "<", STANDARD)) and "site-packages" not in name
