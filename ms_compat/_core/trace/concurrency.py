"""Arrays of Tensors that another thread's compiled function may be about to donate, or has replaced by tracers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from ms_compat._core.jax_compat import ArrayImpl, Tracer, is_deleted_error
from ms_compat._core.trace import scopes


class _Local(threading.local):
    in_callback = False  # of a running program: the thread that runs it holds `lock`, and waits for this one


_local = _Local()


def held_value(tensor: Any) -> Any:
    """The array of a tensor, which nobody gives away while the caller holds it.

    A compiled function of another thread may be about to donate the array, or have a tracer in its place: this waits
    for it, and then takes the new array. A function that begins later finds that somebody holds the array, and copies
    it.
    """
    with holding():
        return tensor._v


def holding() -> contextlib.AbstractContextManager[Any]:
    """A block in which no other thread runs or traces a compiled function."""
    return contextlib.nullcontext() if _local.in_callback else scopes.lock  # forked processes get a new one


@contextlib.contextmanager
def in_callback() -> Iterator[None]:
    """User Python that a running program has called: `holding` does not wait for that program."""
    before, _local.in_callback = _local.in_callback, True
    try:
        yield
    finally:
        _local.in_callback = before


def changed_meanwhile(values: list[Any], tensors: list[Any]) -> bool:
    """Whether another thread's compiled function was given one of these arrays, and put another one in its place."""
    with holding():  # until the function has
        return any(
            v.__class__ is ArrayImpl and v.is_deleted() and t.__class__ is not ArrayImpl and t._v is not v
            for v, t in zip(values, tensors, strict=True)
        )


def traced_elsewhere(values: list[Any], tensors: list[Any]) -> bool:
    """Whether one of these values was the tracer of another thread's trace, which has ended when this returns."""
    with holding():
        return any(
            isinstance(v, Tracer) and isinstance(getattr(t, "_v", v), ArrayImpl)
            for v, t in zip(values, tensors, strict=True)
        )


def is_anothers(value: Any, error: BaseException) -> bool:
    """Whether a reader has failed because another thread runs or traces a function that changes the tensor."""
    if isinstance(value, Tracer):
        return scopes.current_scope() is None
    return is_deleted_error(error)
