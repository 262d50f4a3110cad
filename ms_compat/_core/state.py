"""What a trace must put back: the stack of open traces and the write barrier of every in-place change.

A Tensor's array lives in its `_v`. While JAX traces a function, Parameters hold tracers; whatever is written to a
Tensor in that time is written through `assign`, which remembers the first value so that the trace can (a) return only
what changed and (b) restore everything in `finally`, also after an exception. Reads of Parameters that were reached
through a closure are noted by `TraceScope.reads`, so that one discovery trace finds them.

`tracing` counts the open traces of all threads: the hot path of an eager operation reads this one module attribute and
asks for the thread's own scope only when it is not zero. `lock` is held while Parameters hold tracers, because other
threads that call the same Cell must not see them.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

ABSENT = object()  # in the place of an attribute's value: there was none
lock = threading.RLock()
tracing = 0

# Raised by every change that a compiled function must notice: Parameters or Cells added or removed, train mode, flags.
structure_version = 0


class _Local(threading.local):
    scope: TraceScope | None = None
    precision: Any = None


_local = _Local()


class TraceScope:
    """One region of tracing; scopes nest (a gradient inside a compiled function opens one of its own).

    `swapped` tensors hold tracers of this scope; `writes` maps id -> (tensor, value before, node before) in order of
    the first write; `reads` holds the Parameters that were used without having been swapped in; `created` the tensors
    that were made inside, whose changes are nobody else's business (kept alive, so that an id is not used twice).
    `observers` maps id -> whether the function came by it, for the Parameters that a linearization can write the
    statistics of a cotangent into (`_autograd/observed.py`).
    """

    __slots__ = (
        "attributes", "checks", "convert", "created", "forward_mode", "observers", "outer", "owned", "reads", "rng",
        "swapped", "writes",
    )  # fmt: skip

    def __init__(self) -> None:
        self.writes: dict[int, tuple[Any, Any, Any]] = {}
        self.reads: dict[int, Any] = {}
        self.swapped: list[tuple[Any, Any, Any]] = []
        self.owned: set[int] = set()
        self.created: dict[int, Any] = {}
        self.attributes: dict[tuple[int, str], list[Any]] = {}  # see note_attribute
        self.observers: dict[int, bool] = {}
        self.rng: Any = None
        self.convert = False  # the user's functions run with their control flow rewritten
        self.forward_mode = False  # jvp differentiates this trace: loops must not use reverse-mode rules
        self.checks = False  # an assert or raise was left to run time
        self.outer: TraceScope | None = None

    def swap(self, tensors, values) -> None:
        """Put tracers into `tensors`; `__exit__` puts the arrays back."""
        for tensor, value in zip(tensors, values, strict=True):
            self.swapped.append((tensor, tensor._v, tensor._node))
            self.owned.add(id(tensor))
            tensor._v = value
            tensor._node = None

    def owns(self, tensor) -> bool:
        """Whether this scope or one around it holds a tracer for `tensor`."""
        scope: TraceScope | None = self
        key = id(tensor)
        while scope is not None:
            if key in scope.owned or key in scope.writes:
                return True
            scope = scope.outer
        return False

    def note_read(self, parameter) -> None:
        """Remember a Parameter that is used here but was not swapped in by any open scope."""
        if not self.owns(parameter):
            scope: TraceScope | None = self
            while scope is not None:
                scope.reads[id(parameter)] = parameter
                scope = scope.outer

    def note_attribute(self, attributes: dict[str, Any], name: str, before: Any, after: Any) -> None:
        """Remember that a plain attribute was assigned: a compiled function does it again after each of its calls."""
        scope: TraceScope | None = self
        while scope is not None:
            found = scope.attributes.setdefault((id(attributes), name), [attributes, name, before, after])
            found[3] = after
            scope = scope.outer

    def changed(self) -> list:
        """The tensors whose value differs from the one at entry, in order of first write."""
        created = self.created
        return [t for key, (t, before, _) in self.writes.items() if t._v is not before and key not in created]

    def __enter__(self) -> TraceScope:
        global tracing
        lock.acquire()
        tracing += 1
        self.outer = _local.scope
        if self.outer is not None:
            self.convert = self.outer.convert
            self.forward_mode = self.forward_mode or self.outer.forward_mode
        _local.scope = self
        return self

    def __exit__(self, *exc) -> None:
        global tracing
        for tensor, value, node in reversed(self.writes.values()):
            tensor._v = value
            tensor._node = node
        for tensor, value, node in reversed(self.swapped):
            tensor._v = value
            tensor._node = node
        _local.scope = self.outer
        tracing -= 1
        lock.release()


def current_scope() -> Any:
    """The innermost open trace of this thread, or None."""
    return _local.scope if tracing else None


def precision() -> Any:
    """What `computing_in` set for this thread, or None."""
    return _local.precision


@contextlib.contextmanager
def computing_in(change: Any) -> Iterator[None]:
    """For a block of code, let operations of this thread run on `change(operation, args)` in place of their arguments.

    `tracing` counts these blocks, too, so that operations leave their hot path.
    """
    global tracing
    former, _local.precision = _local.precision, change
    with lock:
        tracing += 1
    try:
        yield
    finally:
        with lock:
            tracing -= 1
        _local.precision = former


def set_attributes(changes) -> None:
    """Give plain attributes `(attributes, name, value)` these values, and tell compiled functions of what is new."""
    global structure_version
    for attributes, name, value in changes:
        if value is ABSENT:
            attributes.pop(name, None)
        elif attributes.get(name, ABSENT) is not value:
            attributes[name] = value
        else:
            continue
        structure_version += 1


def assign(tensor, value, node=None) -> None:
    """Replace a Tensor's array: the one place through which every in-place change goes."""
    if tracing:
        scope = _local.scope
        if scope is not None and id(tensor) not in scope.writes:
            scope.writes[id(tensor)] = (tensor, tensor._v, tensor._node)
    tensor._v = value
    tensor._node = node
