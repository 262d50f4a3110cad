"""`x[index] = value`: one compiled function casts and broadcasts the value, then `views.write` writes it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import tape
from ms_compat._core.dispatch import written_arguments
from ms_compat._core.index import functions
from ms_compat._core.index.entries import constant, dynamic, has_tracer, run_traced, setter
from ms_compat._core.index.spec import INT, NEW, Spec, mask_error, parse, with_positions
from ms_compat._core.index.views import write
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tape import CompiledOp
from ms_compat._core.tensor import Tensor, no_init
from ms_compat._core.trace import scopes

_scalars: dict[Any, Any] = {}
_SCALAR_LIMIT = 512
_UNSTACK_LIMIT = 64


def setitem(tensor: Tensor, index: Any, value: Any) -> Tensor:
    """`tensor[index] = value`: the value is cast to the tensor's dtype and broadcast; nothing changes after an error.

    Args:
        tensor: of any shape and dtype.
        index: as `getitem` takes it.
        value: Tensor, number, or list or tuple of numbers.

    Returns:
        `tensor`.

    Raises:
        IndexError: the index is out of range or not an index; the value is of an unsupported type.
        TypeError: the value is None or a numpy array.
        ValueError: the value cannot be broadcast; a position tensor is out of range.

    >>> from ms_compat import Tensor
    >>> x = Tensor([1, 2, 3])
    >>> x[1:] = 9.5
    >>> print(x)
    [1 9 9]
    """
    if tensor.init is not None:
        no_init.require(tensor, "Tensor.__setitem__")
    scope = scopes.current_scope() if scopes.tracing else None
    if scope is not None and id(tensor) in scope.index_reads:
        raise scopes.NeedsRewriting
    v = tensor._v
    traced = scope is not None or isinstance(v, Tracer) or has_tracer(index)
    if index is None:
        index = Ellipsis
        in_place = False
    else:
        in_place = index is not Ellipsis and index is not True
    if index is Ellipsis and isinstance(value, Tensor):
        value = _without_leading_axes(value, tensor.ndim)
    spec = parse(index, v.shape, setting=True, traced=traced)
    source, new_value, sequence = _value(value, v.dtype, spec)
    if spec.nothing:
        return tensor
    if sequence and isinstance(index, Tensor):
        _check_sequence(index, value, traced)
    if spec.mask is not None:
        new = _set_mask(tensor, spec, source, new_value, scope, traced)
    else:
        new = _set(tensor, spec, source, new_value, scope, traced)
    if new is not None:
        written_arguments.hide_writes(tensor)
        behind = write(tensor, new, in_place and spec.basic)
        if behind is not None:
            setitem(*behind)
    return tensor


def _without_leading_axes(value: Tensor, rank: int) -> Tensor:
    """A value whose leading axes of 1 are dropped, which MindSpore does for `...` or None alone."""
    more = value.ndim - rank
    return value.reshape(value.shape[more:]) if more > 0 and value.shape[:more] == (1,) * more else value


def _set(tensor: Tensor, spec: Spec, source: Any, value: Any, scope: Any, traced: bool) -> Tensor | None:
    """The tensor's new value; None if nothing is selected."""
    if any(array.size == 0 for array in spec.arrays) or any(
        code.__class__ is tuple and not code[0] for code in spec.key
    ):
        return None
    entry = setter(spec.key)
    if traced or isinstance(value, Tracer):
        if source is None:
            return run_traced(entry, [tensor], spec, scope, value)
        return run_traced(entry, [tensor, source], spec, scope)
    values = [tensor._v, value, *dynamic(spec)]
    links = [tensor._node, None if source is None else source._node] + [None] * (len(values) - 2)
    return tape.run(entry, values, links)


def _set_mask(tensor: Tensor, spec: Spec, source: Any, value: Any, scope: Any, traced: bool) -> Tensor | None:
    """A value that is the same for every True element is put in by `where`, without a look at the mask's values."""
    rest = tensor._v.ndim - spec.mask.ndim
    if value.ndim <= rest or value.ndim == rest + 1 and value.shape[0] == 1:
        whole = Spec()
        whole.arrays.append(spec.mask)
        if traced or isinstance(value, Tracer):
            if source is None:
                return run_traced(_WHERE, [tensor], whole, scope, value)
            return run_traced(_WHERE, [tensor, source], whole, scope)
        links = [tensor._node, None if source is None else source._node, None]
        return tape.run(_WHERE, [tensor._v, value, spec.mask], links)
    if isinstance(spec.mask, Tracer):
        raise mask_error(True)
    return _set(tensor, with_positions(spec, tensor._v.ndim), source, value, scope, traced)


_WHERE = CompiledOp(functions.put_where, "setitem")


def _check_sequence(index: Tensor, value: Any, traced: bool) -> None:
    """MindSpore takes a list for a tensor index only where it need not be spread over a selection."""
    if index._v.dtype == np.bool_:
        mask = None if traced else np.asarray(index._v)
        if mask is not None and (mask.all() or not mask.any()):
            return
    elif index._v.ndim or traced:
        return
    raise ValueError(
        f"For 'Tensor.__setitem__', a {type(value).__name__} cannot be assigned through a tensor index of shape "
        f"{index.shape} and dtype {index.dtype}; make it a Tensor: x[index] = Tensor(values)."
    )


def _value(value: Any, dtype: np.dtype, spec: Spec) -> tuple[Any, Any, bool]:
    """The value as (its Tensor or None, its array, whether it was a list or tuple)."""
    if isinstance(value, Tensor):
        if value.init is not None:
            no_init.require(value, "Tensor.__setitem__")
        return value, value._v, False
    if isinstance(value, (bool, int, float)):
        # Where MindSpore writes into the storage itself a float passes through Float32 (0.1 -> 0.10000000149).
        return None, _scalar(value, dtype, spec.basic and NEW not in spec.key), False
    if isinstance(value, (list, tuple)):
        made = Tensor(value) if value else Tensor(np.zeros(0, np.float32))
        if INT in spec.key and spec.basic and all(code == INT for code in spec.key):
            raise ValueError(
                f"For 'Tensor.__setitem__', the value must be a number for a single element, but got {value!r:.80}."
            )
        return made, made._v, True
    if value is None or isinstance(value, np.ndarray):
        raise TypeError(
            "For 'Tensor.__setitem__', only support numbers, Tensor, tuple, list as value, but got "
            f"{value!r:.80} of type {type(value).__name__}."
        )
    raise IndexError(
        f"For 'Tensor.__setitem__', the value must be a number, Tensor, list or tuple, but got {value!r:.80} of type "
        f"{type(value).__name__}."
    )


def _scalar(value: Any, dtype: np.dtype, narrow: bool) -> Any:
    """A device scalar of the tensor's dtype, cast as C casts: integers wrap, NaN becomes the lowest integer."""
    kind = value.__class__
    key = (dtype, kind, value, narrow)
    found = _scalars.get(key)
    if found is not None and (value != 0 or kind is not float):  # -0.0 == 0.0
        return found
    if isinstance(value, float) and narrow:
        value = np.float32(value) if abs(value) < 3e38 or not np.isfinite(value) else np.float64(value)
    with np.errstate(all="ignore"):
        try:
            array = np.asarray(value, np.int64 if kind is int else None).astype(dtype)
        except OverflowError:
            raise RuntimeError(f"For 'Tensor.__setitem__', the integer {value} does not fit into 64 bits.") from None
    if scopes.tracing:
        return array
    if len(_scalars) >= _SCALAR_LIMIT:
        _scalars.clear()
    found = _scalars[key] = constant(array)
    return found
