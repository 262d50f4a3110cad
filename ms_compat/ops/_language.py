"""What MindSpore's compiler makes of Python's own control flow: `ops.switch`, `ops.switch_layer`, `ops.tail`, ...

They are primitives there because a graph needs them; here they are Python, in both modes, one row of a table each
(`_scalars.py` has the ones for numbers, tuples and dicts). A condition that a trace knows only on the device chooses
between results that are both computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._compile.control_flow.branches import is_traced, select_call
from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import MutableList, MutableTuple, python_class
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.traced_number import TracedNumber, number
from ms_compat.ops import ones_like, select, typeof, zeros_like
from ms_compat.ops.composite import HyperMap
from ms_compat.ops.primitive import Primitive


class HelperPrimitive(Primitive):
    """An instance of a primitive without settings: its call is a Python function.

    >>> from ms_compat import ops
    >>> ops.switch(True, 1, 2)
    1
    """

    def __init__(self, name: str, fn: Callable):
        super().__init__(name)
        self._fn = fn
        self.__doc__ = fn.__doc__

    def __call__(self, *args: Any) -> Any:
        return self._fn(*args)


def _hastype(value: Any, kind: Any) -> bool:
    """Whether a value, or a type, is of a type."""
    return (value if isinstance(value, mstype.Type) else typeof(value)) == kind


def _choose(condition: Any, chosen: Any, other: Any) -> Any:
    if isinstance(chosen, (tuple, list)):
        return type(chosen)([_choose(condition, a, b) for a, b in zip(chosen, other, strict=True)])
    chosen = chosen if isinstance(chosen, Tensor) else Tensor(chosen)
    other = other if isinstance(other, Tensor) else Tensor(other)
    return select(condition, chosen, other)


def _switch(condition: Any, chosen: Any, other: Any) -> Any:
    """The second input if the first is true, else the third; both may be functions."""
    if not is_traced(condition):
        return chosen if bool(condition) else other
    if callable(chosen) and not isinstance(chosen, Tensor):
        return lambda *args: _choose(condition, chosen(*args), other(*args))
    return _choose(condition, chosen, other)


def _switch_layer(index: Any, layers: Any) -> Callable:
    """The function at an index."""
    if not is_traced(index):
        return layers[int(index)]
    return select_call(index, layers, "switch_layer")


def _is_tensor_bool_cond(value: Any) -> Any:
    """A condition as a bool; a Tensor that is traced stays one."""
    if isinstance(value, Tensor) and value.shape not in ((), (1,)):
        raise ValueError(f"Only a tensor of shape () or (1,) can be a condition, but got shape {value.shape}.")
    return value if is_traced(value) else bool(value)


def _has_variables(sequence: Any) -> bool:
    """Whether a sequence's elements are variables of compiled code."""
    return isinstance(sequence, (MutableList, MutableTuple)) or any(map(is_traced, sequence))


def _has_variable_length(sequence: Any) -> bool:
    """Whether a sequence counts as of variable length in compiled code."""
    return isinstance(sequence, (MutableList, MutableTuple)) and sequence.dynamic_len


def _has_unknown_elements(sequence: Any) -> bool:
    """Whether a sequence of variable length has no element yet, so that its content is unknown."""
    if not _has_variable_length(sequence):
        raise TypeError("For 'IsElementUnknown', the input should be variable length sequence.")
    return not sequence


def tail(sequence: Any) -> Any:
    """A sequence without its first element."""
    return sequence[1:]


def zip_operation(*sequences: Any) -> tuple:
    """Tuples of the elements at the same places of several sequences."""
    return tuple(zip(*sequences, strict=False))


class TensorToTuple(Primitive):
    """`TensorToTuple()(x)`: the elements of a Tensor whose value is known, as numbers in a tuple."""

    def __init__(self) -> None:
        super().__init__("TensorToTuple")

    def __call__(self, x: Tensor) -> tuple:
        return tuple(x.asnumpy().tolist())


# Name in mindspore.ops -> (the primitive's name, what it does).
_TABLE: dict[str, tuple[str, Callable]] = {
    "hastype": ("hastype", _hastype),
    "switch": ("Switch", _switch),
    "switch_layer": ("switch_layer", _switch_layer),
    "array_to_scalar": ("array_to_scalar", lambda x: x.item()),
    "is_tensor_bool_cond": ("IsTensorBoolCond", _is_tensor_bool_cond),
    "is_sequence_value_unknown": ("IsShapeUnKnown", _has_variables),
    "is_sequence_shape_unknown": ("IsDimUnKnown", _has_variable_length),
    "is_dynamic_sequence_element_unknown": ("IsElementUnknown", _has_unknown_elements),
}
globals().update({name: HelperPrimitive(label, fn) for name, (label, fn) in _TABLE.items()})


def _ones(value: Any) -> Any:
    if value is None or isinstance(value, mstype.Type):
        return value
    if isinstance(value, TracedNumber):
        return number(jnp.ones((), value._v.dtype))
    if isinstance(value, Tensor):
        return ones_like(value)
    if isinstance(value, Sparse):
        return value._with_values(ones_like(value.values))
    if isinstance(value, dict):
        return {key: _ones_like_for_grad(item) for key, item in value.items()}
    if isinstance(value, (bool, int, float)):
        return python_class(value)(1)
    raise ValueError(f"Ones like {value!r:.60} of type {type(value).__name__} are not defined.")


def _zeros(value: Any) -> Any:
    if value is None or isinstance(value, mstype.Type):
        return value
    if isinstance(value, TracedNumber):
        return number(jnp.zeros((), value._v.dtype))
    if isinstance(value, Tensor):
        return zeros_like(value)
    if isinstance(value, Sparse):
        return value._with_values(zeros_like(value.values))
    if isinstance(value, dict):
        return {key: zeros_like_nested(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        raise TypeError("For 'zeros_like', an array of NumPy is not taken; make a Tensor of it.")
    return 0.0 if isinstance(value, float) else 0


# zeros and ones like any value in a compiled function; not the Tensor functions with these names
zeros_like_nested = HyperMap(_zeros)
_ones_like_for_grad = HyperMap(_ones)
