"""A recording by `jax.profiler`, in which Cells stand with their names.

In compiled programs the names are part of what XLA knows of each operation. What runs operation by operation is marked
call by call while a recording is made.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import jax

from ms_compat.nn.cell import Cell

_lock = threading.Lock()
_open = 0
_plain_call: Any = None


def start(folder: str) -> None:
    """Begins to record into a folder, which is made where it is not there.

    Raises:
        RuntimeError: JAX records already.
    """
    jax.profiler.start_trace(folder)
    _mark(1)


def stop() -> None:
    """Ends the recording and writes it."""
    _mark(-1)
    jax.profiler.stop_trace()


@contextlib.contextmanager
def recorded(folder: str) -> Iterator[None]:
    """A region that is recorded."""
    start(folder)
    try:
        yield
    finally:
        stop()


def _mark(by: int) -> None:
    """Let calls of Cells be marked while a recording is open; otherwise they cost what they did."""
    global _open, _plain_call
    with _lock:
        before, _open = _open, _open + by
        if not before and _open:
            _plain_call = Cell.__call__
            Cell.__call__ = _marked  # type: ignore[method-assign]
        elif before and not _open:
            Cell.__call__ = _plain_call  # type: ignore[method-assign]


def _marked(self: Cell, *args: Any, **kwargs: Any) -> Any:
    with jax.profiler.TraceAnnotation(self._scope_name()):
        return _plain_call(self, *args, **kwargs)
