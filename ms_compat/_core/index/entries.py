"""Shared parts of index reads and writes: compiled functions by key, device copies of positions, the inline run."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import tape
from ms_compat._core.compiled import integer_grad
from ms_compat._core.index import functions
from ms_compat._core.index.spec import Spec
from ms_compat._core.jax_compat import Tracer, eval_context, is_watched, of_scalar
from ms_compat._core.tape import CompiledOp
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import concurrency

_getters: dict[Any, CompiledOp] = {}
_setters: dict[Any, CompiledOp] = {}

_POSITION_LIMIT = 4096


class _Positions(dict):
    """Device scalars of positions by number: handing jit a Python int costs 4 us more than an array.

    Past the limit they are numpy's, which have the same type for the compiler.
    """

    def __missing__(self, index: int) -> Any:
        value = np.int64(index)
        if len(self) < _POSITION_LIMIT:
            value = self[index] = constant(value)
        return value


def constant(value: Any) -> Any:
    """A concrete device array, also inside a user's own trace."""
    with eval_context():
        return of_scalar(value)


positions = _Positions()


def getter(key: tuple) -> CompiledOp:
    """The compiled reading for a key of `spec.py`."""
    if is_watched(key):
        return CompiledOp(functions.make_get(key), "getitem")
    entry = _getters.get(key)
    if entry is None:
        entry = _getters[key] = CompiledOp(functions.make_get(key), "getitem", key)
    return entry


def setter(key: tuple) -> CompiledOp:
    """The compiled writing for a key of `spec.py`."""
    if is_watched(key):
        return CompiledOp(functions.make_set(key), "setitem")
    entry = _setters.get(key)
    if entry is None:
        entry = _setters[key] = CompiledOp(functions.make_set(key), "setitem", key)
    return entry


def get_eager(tensor: Tensor, spec: Spec) -> Tensor:
    """Read and record, with no trace open."""
    values = [tensor._v, *dynamic(spec)]
    entry = getter(spec.key)
    return run_eager(entry, values, tensor)


def run_eager(entry: CompiledOp, values: list[Any], tensor: Tensor) -> Tensor:
    """Read a tensor, whose array is the first value; once more if another thread has given that away."""
    try:
        if tensor._node is None:
            return wrap(entry.jit(*values))
        return tape.run(entry, values, [tensor._node] + [None] * (len(values) - 1))
    except (RuntimeError, ValueError):
        if not concurrency.changed_meanwhile(values[:1], [tensor]):
            raise
    return run_eager(entry, [concurrency.held_value(tensor), *values[1:]], tensor)


def dynamic(spec: Spec) -> list:
    """The values that go with a key, as arguments of its compiled function."""
    return [*[positions[i] for i in spec.starts], *spec.arrays]


def has_tracer(index: Any) -> bool:
    """Whether a tensor in the index is only known at run time."""
    if isinstance(index, (tuple, list)):
        return any(has_tracer(item) for item in index)
    return isinstance(index, Tensor) and isinstance(index._v, Tracer)


def run_traced(entry: CompiledOp, tensors: list, spec: Spec, scope: Any, value: Any = None) -> Tensor:
    """Run inline into the open trace with the positions as constants; constants alone are computed now."""
    values = [t._v for t in tensors] + ([value] if value is not None else [])
    constant = not any(isinstance(v, Tracer) for v in (*values, *spec.arrays))
    if is_watched((*spec.key, *spec.starts)):
        constant = False
    for t in tensors:
        if isinstance(t, Parameter) and scope is not None and not isinstance(t._v, Tracer):
            scope.note_read(t)
            constant = False
    if constant:
        with eval_context():
            out = entry.jit(*values, *[np.int64(i) for i in spec.starts], *spec.arrays)
    else:
        out = entry.fn(*values, *spec.starts, *spec.arrays)
    result = wrap(out)
    if scope is not None:
        scope.created[id(result)] = result
        if scope.integers:
            integer_grad.check_traced(entry, tensors, [*values, *spec.starts, *spec.arrays], result, scope)
        if scope.casts is not None and scope.casts.tensors:
            scope.casts.note(entry, tensors, [*values, *spec.starts, *spec.arrays], result)
    return result
