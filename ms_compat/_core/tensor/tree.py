"""The tree of a value: its leaves (Tensors), and a hashable spec from which to unflatten it.

`flatten` and `unflatten` serve the arguments of compiled functions (the spec is the static part of their key),
outputs, and the inputs of gradients. Tensors are leaves everywhere, also as the parts of sparse tensors, whose shape is
a constant; numbers are leaves only under `mutable`, constants of the spec otherwise.

`jax.tree_util` does not fit: it takes numbers as leaves, sorts dictionaries, and handles neither Parameters, which are
constants of a key, nor `mutable` values.

The nodes are named tuples, because keys are hashed and compared at each compiled call and tuples do that in C. Tuples
do not compare their own classes; the nodes differ in length, in the class that they name first, or in what stands next.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import numpy as np

from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.mutable import (
    MutableBool,
    MutableDict,
    MutableFloat,
    MutableInt,
    MutableList,
    MutableTuple,
    check_variable_length,
)
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.traced_array import TracedArray
from ms_compat._core.tensor.traced_number import number


class Leaf:
    """The place of a variable; there are two, `TENSOR` and `NUMBER`."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __deepcopy__(self, memo: Any) -> Leaf:
        return self  # distinguished by identity


TENSOR = Leaf("TENSOR")
NUMBER = Leaf("NUMBER")  # a number under `mutable`


class Identity:
    """Stands in a spec for an object that has no value equality: the object itself, kept alive by it."""

    __slots__ = ("value",)

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"{type(self.value).__name__} object"


class Content:
    """Stands in a spec for a NumPy array: two with the same elements are equal, and each reader gets a copy."""

    __slots__ = ("array", "data")

    def __init__(self, array: np.ndarray):
        self.array = array.copy()
        self.data = (array.dtype.str, array.shape, array.tobytes())

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Content) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"array of {self.array.dtype} {self.array.shape}"


class Constant(NamedTuple):
    """A value that is part of the spec: `True`, 1 and 1.0 differ by their class."""

    kind: type
    value: Any  # an Identity where there is no value equality; the text of a float


class Sequence(NamedTuple):
    """A tuple or list, or one under `mutable`."""

    kind: type
    items: tuple[Any, ...]
    dynamic: bool  # of variable length: `mutable(dynamic_len=True)`


class Record(NamedTuple):
    """A named tuple."""

    kind: type
    items: tuple[Any, ...]


class Mapping(NamedTuple):
    """A dictionary, in its own order."""

    kind: type
    pairs: tuple[tuple[Any, Any], ...]


class Object(NamedTuple):
    """An object by its parts: its attributes and, of a class derived from dict, its items."""

    kind: type
    keys: tuple[Any, ...]
    names: tuple[tuple[str, int | None], ...]  # of the attributes, with the item that is one's value
    items: tuple[Any, ...]  # the values, and the other attributes' values


class SparseTensor(NamedTuple):
    """A sparse tensor: its parts are variables, its shape is not."""

    kind: type
    shape: tuple[int, ...]
    items: tuple[Any, ...]


class Slice(NamedTuple):
    """A slice of three items."""

    items: tuple[Any, Any, Any]


class Hooked(NamedTuple):
    """A Tensor with hooks, which the gradient of a compiled function calls."""

    kind: type
    hooks: tuple[Identity, ...]
    items: tuple[Any, ...]


def hooked(value: Any, leaves: list[Any]) -> Any:
    """As `flatten`, for a Tensor with hooks; at its second occurrence it is a Tensor like others."""
    again = any(leaf is value for leaf in leaves)
    leaves.append(value)
    return TENSOR if again else Hooked(Tensor, tuple(map(Identity, value._leaf_hooks.values())), (TENSOR,))


def by_identity(value: Any) -> Constant:
    """The node of an object that represents itself, whatever it holds."""
    return Constant(value.__class__, Identity(value))


def by_content(value: np.ndarray) -> Constant:
    """The node of a NumPy array, which is a constant to compiled functions, as in MindSpore."""
    return by_identity(value) if value.dtype.hasobject else Constant(np.ndarray, Content(value))


def call_spec(positional: tuple[Any, ...], named: tuple[tuple[str, Any], ...]) -> Sequence:
    """What `flatten((args, kwargs), leaves)` returns, from the arguments' specs."""
    return Sequence(tuple, (Sequence(tuple, positional, False), Mapping(dict, named)), False)


def flatten(value: Any, leaves: list[Any], inside_mutable: bool = False) -> Any:
    """Append the leaves of `value` (Tensors, or Python numbers under `mutable`) and return its spec."""
    # The cases stand by how often they come, not by kind: a call of a compiled function goes through here for each of
    # its arguments. By class before by `isinstance`, which costs more.
    kind = value.__class__
    if kind is Tensor:
        if value.const_arg:
            return by_identity(value)
        leaves.append(value)
        return TENSOR
    if kind is int or kind is float or kind is str or kind is bool or value is None:
        if inside_mutable and (kind is int or kind is float):
            leaves.append(value)
            return NUMBER
        # floats by their text: 0.0 and -0.0 are equal and compute differently, nan equals nothing
        return Constant(kind, repr(value) if kind is float else value)
    if kind is MutableInt or kind is MutableFloat or kind is MutableBool:
        leaves.append({MutableInt: int, MutableFloat: float}.get(kind, bool)(value))
        return NUMBER
    if isinstance(value, Tensor):
        if isinstance(value, Parameter):
            return Constant(Parameter, Identity(value))
        leaves.append(value)
        return TENSOR
    if isinstance(value, (tuple, list)):
        return _flatten_sequence(value, leaves, inside_mutable)
    if isinstance(value, dict):
        if is_dict_object(kind):
            return by_parts(value, lambda item: flatten(item, leaves, inside_mutable))
        is_mutable = kind is MutableDict
        inner = inside_mutable or is_mutable
        pairs = tuple([(key, flatten(item, leaves, inner)) for key, item in value.items()])
        return Mapping(kind if is_mutable else dict, pairs)
    if kind is TracedArray:
        leaves.append(value)
        return TENSOR
    if kind is np.ndarray:
        return by_content(value)
    if isinstance(value, jax.Array):
        leaves.append(Tensor(value))
        return TENSOR
    if isinstance(value, Sparse):
        return SparseTensor(kind, value._shape, tuple([flatten(part, leaves) for part in value._parts()]))
    if isinstance(value, slice):
        first, last, step = value.start, value.stop, value.step
        return Slice((flatten(first, leaves), flatten(last, leaves), flatten(step, leaves)))
    try:
        hash(value)
    except TypeError:
        return by_identity(value)
    return by_identity(value) if kind.__eq__ is object.__eq__ else Constant(kind, value)


def _flatten_sequence(value: Any, leaves: list[Any], inside_mutable: bool) -> Any:
    kind = value.__class__
    is_mutable = kind is MutableTuple or kind is MutableList
    inner = inside_mutable or is_mutable
    items = tuple([flatten(item, leaves, inner) for item in value])
    if is_mutable:
        if value.dynamic_len:
            check_variable_length(value)
        return Sequence(kind, items, value.dynamic_len)
    if hasattr(value, "_fields"):
        return Record(kind, items)
    return Sequence(tuple if isinstance(value, tuple) else list, items, False)


def is_dict_object(kind: type) -> bool:
    """Whether a class derived from dict is a program's own."""
    own = kind is not dict and kind is not MutableDict and kind.__module__ != "collections"
    return own and bool(kind.__dictoffset__)


def by_parts(value: Any, flattened: Callable[[Any], Any]) -> Object:
    """The node of an object, derived from dict or not; `flattened` makes the nodes of what it holds."""
    keys = tuple(dict.keys(value)) if isinstance(value, dict) else ()
    held = [dict.__getitem__(value, key) for key in keys]
    names: list[tuple[str, int | None]] = []
    items = [flattened(item) for item in held]
    for name, attribute in vars(value).items():
        place = next((i for i, item in enumerate(held) if item is attribute), None)
        names.append((name, place))
        if place is None:
            items.append(flattened(attribute))
    return Object(type(value), keys, tuple(names), tuple(items))


def _object_of(spec: Object, items: list[Any]) -> Any:
    """The object again, without its class's effects when it is made or written into: these have run before."""
    kind: Any = spec.kind
    made = kind.__new__(kind)
    base = collections.OrderedDict if issubclass(kind, collections.OrderedDict) else dict
    for key, item in zip(spec.keys, items, strict=False):
        base.__setitem__(made, key, item)
    others = iter(items[len(spec.keys) :])
    made.__dict__.update({name: next(others) if place is None else items[place] for name, place in spec.names})
    return made


def unflatten(spec: Any, leaves: Iterator[Any]) -> Any:
    """Put a value together; `leaves` gives its Tensors (and numbers) in order."""
    # A case for each class of node, the frequent ones first, as in `flatten`. Not as methods of the nodes, which would
    # be a call more for each.
    if spec is TENSOR:
        return next(leaves)
    if spec is NUMBER:
        leaf = next(leaves)
        return number(leaf._v) if isinstance(leaf, Tensor) and isinstance(leaf._v, Tracer) else leaf
    node = spec.__class__
    if node is Constant:
        value = spec.value
        if value.__class__ is Identity:
            return value.value
        if value.__class__ is Content:
            return value.array.copy()
        return float(value) if spec.kind is float else value
    if node is Sequence:
        made = spec.kind([unflatten(item, leaves) for item in spec.items])
        if spec.dynamic:
            made.dynamic_len = True
        return made
    if node is Mapping:
        return spec.kind([(key, unflatten(item, leaves)) for key, item in spec.pairs])
    items = [unflatten(item, leaves) for item in spec.items]
    if node is Hooked:
        items[0]._leaf_hooks = {i: hook.value for i, hook in enumerate(spec.hooks)}
        return items[0]
    if node is Record:
        return spec.kind(*items)
    if node is Object:
        return _object_of(spec, items)
    if node is Slice:
        return slice(*items)
    return spec.kind._of(items, spec.shape)


def walk(spec: Any) -> Iterator[Any]:
    """The nodes of a spec, leaves included, each before its children."""
    yield spec
    if spec.__class__ is Mapping:
        for _, item in spec.pairs:
            yield from walk(item)
    elif spec.__class__ is not Constant and spec.__class__ is not Leaf:
        for item in spec.items:
            yield from walk(item)


def leaf_count(spec: Any) -> int:
    """How many leaves `unflatten` takes."""
    return sum(1 for node in walk(spec) if node.__class__ is Leaf)


def as_tensors(value: Any, found: list[tuple[Tensor, Parameter]]) -> Any:
    """The value with a Tensor of the same value and record in place of each Parameter; `found` gets the pairs.

    So `flatten` makes leaves of them, for rules that differentiate inputs of any kind.
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


def arrays_of(leaves: list[Any]) -> list[Any]:
    """The jax arrays (or Python numbers) of leaves."""
    return [leaf._v if isinstance(leaf, Tensor) else leaf for leaf in leaves]


def wrap_leaves(values: Any) -> list[Tensor]:
    """Fresh Tensors around arrays or tracers."""
    return [wrap(value) for value in values]
