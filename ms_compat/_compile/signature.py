"""Splitting a call into the static key and the variable leaves, and values into leaves and a rebuildable spec.

The spec of a value is hashable and says how to put it together again: `LEAF` for a Tensor, `("tuple", ...)` for
containers, `("const", type, value)` for constants. Tensors are leaves wherever they stand, also as the parts of sparse
tensors, whose shape is a constant; numbers are leaves only under `mutable`. One pair of functions (`split`, `build`)
serves arguments, outputs, and the inputs of gradients.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._compile.mutable import MutableBool, MutableDict, MutableFloat, MutableInt, MutableList, MutableTuple
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.parameter import Parameter
from ms_compat._core.sparse import Sparse
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.traced_array import TracedArray
from ms_compat._core.traced_number import number

LEAF = "tensor"
SCALAR = "scalar"


class Identity:
    """Key part for an object that has no value equality: the object itself, kept alive by the key."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"{type(self.value).__name__} object"


def split(value: Any, leaves: list[Any], inside_mutable: bool = False) -> Any:
    """Append the leaves of `value` (Tensors, or jax arrays for mutable numbers) and return its spec."""
    kind = value.__class__
    if kind is Tensor:
        if value.const_arg:
            return ("const", Tensor, Identity(value))
        leaves.append(value)
        return LEAF
    if kind is int or kind is float or kind is str or kind is bool or value is None:
        if inside_mutable and (kind is int or kind is float):
            leaves.append(value)
            return SCALAR
        # floats by their text: 0.0 and -0.0 are equal and compute differently, nan equals nothing
        return ("float", repr(value)) if kind is float else ("const", kind, value)
    if kind is MutableInt or kind is MutableFloat or kind is MutableBool:
        leaves.append(int(value) if kind is MutableInt else float(value) if kind is MutableFloat else bool(value))
        return SCALAR
    if isinstance(value, Parameter):
        return ("const", Parameter, Identity(value))
    if isinstance(value, Tensor):
        leaves.append(value)
        return LEAF
    if isinstance(value, tuple):
        inner = inside_mutable or kind is MutableTuple
        parts = tuple([split(item, leaves, inner) for item in value])
        if hasattr(value, "_fields"):
            return ("namedtuple", kind, parts)
        return (_kind_of(value) if kind is MutableTuple else "tuple", parts)
    if isinstance(value, list):
        inner = inside_mutable or kind is MutableList
        parts = tuple([split(item, leaves, inner) for item in value])
        return (_kind_of(value) if kind is MutableList else "list", parts)
    if isinstance(value, dict):
        inner = inside_mutable or kind is MutableDict
        parts = tuple([(key, split(item, leaves, inner)) for key, item in value.items()])
        return ("mutable_dict" if kind is MutableDict else "dict", parts)
    if kind is TracedArray:
        leaves.append(value)
        return LEAF
    if isinstance(value, (np.ndarray, jax.Array)):
        leaves.append(Tensor(value))
        return LEAF
    if isinstance(value, Sparse):
        return ("sparse", kind, value._shape, tuple([split(part, leaves) for part in value._parts()]))
    if isinstance(value, slice):
        return ("slice", tuple([split(part, leaves) for part in (value.start, value.stop, value.step)]))
    try:
        hash(value)
    except TypeError:
        return ("const", kind, Identity(value))
    if kind.__eq__ is object.__eq__:
        return ("const", kind, Identity(value))
    return ("const", kind, value)


def as_tensors(value: Any, found: list[tuple[Tensor, Parameter]]) -> Any:
    """The value with a Tensor of the same value and record in the place of each Parameter; `found` gets the pairs.

    So `split` makes leaves of them, for rules that differentiate inputs of any kind.
    """
    if isinstance(value, Parameter):
        shown = wrap(value._v)
        shown._node = value._node
        found.append((shown, value))
        return shown
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        before = len(found)
        items = [as_tensors(item, found) for item in value]
        return value if len(found) == before else type(value)(items)
    if isinstance(value, dict):
        before = len(found)
        parts = {key: as_tensors(item, found) for key, item in value.items()}
        return value if len(found) == before else parts
    return value


def _kind_of(value: Any) -> str:
    """The name of a mutable sequence in a spec."""
    return f"{'dynamic' if value.dynamic_len else 'mutable'}_{'tuple' if isinstance(value, tuple) else 'list'}"


def _dynamic(kind: Any) -> Any:
    def make(items: Any) -> Any:
        made = kind(items)
        made.dynamic_len = True
        return made

    return make


_CONTAINERS = {
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "mutable_tuple": MutableTuple,
    "mutable_list": MutableList,
    "mutable_dict": MutableDict,
    "dynamic_tuple": _dynamic(MutableTuple),
    "dynamic_list": _dynamic(MutableList),
}


def build(spec: Any, leaves: Any) -> Any:
    """Put a value together; `leaves` is an iterator over Tensors."""
    if spec is LEAF or spec == LEAF:
        return next(leaves)
    if spec == SCALAR:
        leaf = next(leaves)
        return number(leaf._v) if isinstance(leaf, Tensor) and isinstance(leaf._v, Tracer) else leaf
    kind = spec[0]
    if kind == "const":
        value = spec[2]
        return value.value if value.__class__ is Identity else value
    if kind == "float":
        return float(spec[1])
    if kind in ("dict", "mutable_dict"):
        return _CONTAINERS[kind]((key, build(part, leaves)) for key, part in spec[1])
    if kind == "namedtuple":
        return spec[1](*[build(part, leaves) for part in spec[2]])
    if kind == "sparse":
        return spec[1]._of([build(part, leaves) for part in spec[3]], spec[2])
    if kind == "slice":
        return slice(*[build(part, leaves) for part in spec[1]])
    return _CONTAINERS[kind](build(part, leaves) for part in spec[1])


def arrays_of(leaves: list[Any]) -> list[Any]:
    """The jax arrays (or Python numbers) of split leaves."""
    return [leaf._v if isinstance(leaf, Tensor) else leaf for leaf in leaves]


def wrap_leaves(values: Any) -> list[Tensor]:
    """Fresh Tensors around arrays or tracers."""
    return [wrap(value) for value in values]
