"""Recordings by `jax.profiler` that show Cells by name.

In compiled programs the names are part of each operation's XLA metadata. Code that runs operation by operation is
marked call by call during a recording. While one is open, compiled functions run their programs from the first call on,
because NumPy's interpretation of a first call shows no operations.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax

from ms_compat._compile import first_calls
from ms_compat.nn.cell import Cell

logger = logging.getLogger("ms_compat")

_lock = threading.Lock()
_open = 0
_plain_call: Any = None
_around: str | None = None  # the folder of the current `recorded` region


def start(folder: str) -> None:
    """Starts recording into a folder, which is made if it is missing.

    In a `recorded` region it only logs a warning: JAX makes one recording at a time.

    Raises:
        RuntimeError: JAX records already.
    """
    if _around is not None:
        logger.warning("Nothing is recorded into '%s': all is, into '%s'", folder, _around)
        return
    jax.profiler.start_trace(folder)
    _mark(1)


def stop() -> None:
    """Ends the recording and writes it."""
    if _around is None:
        _mark(-1)
        jax.profiler.stop_trace()


def folders_in(folder: str | os.PathLike) -> list[str]:
    """The folders below a folder that hold recordings."""
    return sorted({str(path.parent) for path in Path(folder).rglob("*.xplane.pb")})


@contextlib.contextmanager
def recorded(folder: str) -> Iterator[None]:
    """Records a region, even if code inside it starts or stops a recording."""
    global _around
    start(folder)
    before, _around = _around, folder
    try:
        yield
    finally:
        _around = before
        stop()


def _mark(by: int) -> None:
    """Marks Cell calls while a recording is open; otherwise calls have no extra cost."""
    global _open, _plain_call
    with _lock:
        before, _open = _open, _open + by
        first_calls.state.recordings = _open
        if not before and _open:
            _plain_call = Cell.__call__
            Cell.__call__ = _marked  # type: ignore[method-assign]
        elif before and not _open:
            Cell.__call__ = _plain_call  # type: ignore[method-assign]


def _marked(self: Cell, *args: Any, **kwargs: Any) -> Any:
    with jax.profiler.TraceAnnotation(self._scope_name()):
        return _plain_call(self, *args, **kwargs)
