"""A level of mixed precision for a block of code: other arguments for the operations that run in it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from ms_compat._core.trace import scopes


class _Local(threading.local):
    precision: Any = None


_local = _Local()


def current_precision() -> Any:
    """What `computing_in` set for this thread, or None."""
    return _local.precision


@contextlib.contextmanager
def computing_in(change: Any) -> Iterator[None]:
    """For a block of code, let operations of this thread run on `change(operation, args)` in place of their arguments.

    `scopes.tracing` counts these blocks, too, so that operations leave their hot path.
    """
    former, counted = _local.precision, False
    try:
        with scopes.lock:
            scopes.tracing += 1
            counted = True
        _local.precision = change
        yield
    finally:
        _local.precision = former
        if counted:
            with scopes.lock:
                scopes.tracing -= 1
