"""Bringing the results of two branches, or of a loop's start and end, to one structure.

Values are compared as Python structures in which each Tensor stands as a `Leaf` (its aval and number). Equal constants
stay constants; numbers that differ become tensors; an undefined variable takes the other side's structure, filled with
zeros, which is never read where Python would have raised. Values that cannot be merged raise an error with the
variable's name.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._compile.analysis.refusals import Unbound, Unjoined, UnjoinedError
from ms_compat._core.errors import JoinError
from ms_compat._core.jax_compat import as_weak, is_weak
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.traced_number import TracedNumber, number
from ms_compat._core.tensor.tree import Identity, flatten, unflatten
from ms_compat._core.trace import scopes

INTEGERS_BRANCH = "The gradient of an integer Tensor passes an 'if' or a loop, which XLA cannot do."


class Leaf:
    """A Tensor's place in a structure: its aval, whether it is a number to the program, and its index."""

    __slots__ = ("dtype", "index", "number", "shape", "weak")

    def __init__(self, shape, dtype, weak, number, index):
        self.number = number
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.weak = weak
        self.index = index

    def same(self, other: Leaf) -> bool:
        """Whether both have one shape and type."""
        return (self.shape, self.dtype, self.weak, self.number) == (other.shape, other.dtype, other.weak, other.number)


class Merge:
    """The common structure (`template`, with Leafs numbered anew) and, for each side, where its leaves come from."""

    def __init__(self) -> None:
        self.targets: list[Leaf] = []
        self.sources: tuple[list[Any], list[Any]] = ([], [])
        self.template: Any = None

    def add(self, shape, dtype, weak, number, a: Any, b: Any) -> Leaf:
        """One more leaf; `a` and `b` are Leafs, numbers or None (undefined)."""
        leaf = Leaf(shape, dtype, weak, number, len(self.targets))
        self.targets.append(leaf)
        self.sources[0].append(a)
        self.sources[1].append(b)
        return leaf

    def keep(self, count: int) -> None:
        """Take all leaves back but the first."""
        for found in (self.targets, *self.sources):
            del found[count:]

    def values(self, side: int, arrays: Sequence[Any]) -> list[Any]:
        """The leaves of one side, in the common types."""
        out = []
        for target, source in zip(self.targets, self.sources[side], strict=True):
            if source is None:
                value = jnp.zeros(target.shape, target.dtype)
            elif isinstance(source, Leaf):
                value = arrays[source.index]
            else:
                value = jnp.full(target.shape, source, target.dtype)
            convert = as_weak if target.weak else jax.lax.convert_element_type
            out.append(convert(value.reshape(target.shape), target.dtype))
        return out


def has_integer_gradients(value: Any) -> bool:
    """Whether integer Tensors with a gradient are in a value. Results of casts are noted as read."""
    scope = scopes.current_scope()
    if scope is None or not (scope.integers or (scope.casts is not None and scope.casts.tensors)):
        return False
    leaves: list[Any] = []
    flatten(value, leaves)
    if scope.casts is not None and any(id(leaf) in scope.casts.tensors for leaf in leaves):
        scope.casts.read = True
    return any(id(leaf) in scope.integers for leaf in leaves)


def structure(value: Any) -> tuple[Any, list[Any]]:
    """A value with Leafs for its Tensors, and the Tensors' arrays. Parameters stay as they are."""
    leaves: list[Any] = []
    spec = flatten(value, leaves)
    arrays = [leaf._v if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    marks = [
        Leaf(np.shape(a), a.dtype, is_weak(a), isinstance(leaf, TracedNumber), i)
        for i, (leaf, a) in enumerate(zip(leaves, arrays, strict=True))
    ]
    return unflatten(spec, iter(marks)), arrays


def fill(template: Any, arrays: Sequence[Any], wrap: Callable[[Any], Tensor]) -> Any:
    """A structure with Tensors in place of its Leafs."""
    if isinstance(template, Leaf):
        return (number if template.number else wrap)(arrays[template.index])
    if isinstance(template, tuple) and hasattr(template, "_fields"):
        return type(template)(*[fill(item, arrays, wrap) for item in template])
    if isinstance(template, (tuple, list)):
        return type(template)([fill(item, arrays, wrap) for item in template])
    if isinstance(template, Sparse):
        return template._of([fill(part, arrays, wrap) for part in template._parts()], template._shape)
    if isinstance(template, dict):
        return type(template)({key: fill(item, arrays, wrap) for key, item in template.items()})
    return template


@functools.cache
def malt_variables() -> ModuleType:
    """malt's module of variables. Importing malt takes 10 ms, and only programs with branches and loops need it."""
    from malt.operators import variables

    return variables


def is_undefined(value: Any) -> bool:
    """Whether a variable has no value yet."""
    malts = malt_variables()
    return type(value) in (malts.Undefined, malts.UndefinedReturnValue, Unbound)


_NUMBERS = (bool, int, float)


def merge(a: Any, b: Any, names: Sequence[str], where: str) -> Merge:
    """Bring two tuples of variables together.

    Raises:
        NotTraceableError: a variable has values that cannot be one (None and a Tensor, two strings, two shapes).
    """
    result = Merge()
    result.template = tuple([merge_into(result, x, y, name, where) for x, y, name in zip(a, b, names, strict=True)])
    return result


def merge_into(result: Merge, a: Any, b: Any, name: str, where: str) -> Any:
    """The template of one variable, whose leaves are added to `result`."""
    # A case for each pair of kinds that the two branches may leave in a variable; the first that fits decides.
    if type(a) is Unjoined or type(b) is Unjoined:
        raise UnjoinedError(a if type(a) is Unjoined else b)
    if is_undefined(a) and is_undefined(b):
        return a
    if is_undefined(a) or is_undefined(b):
        return _fill_undefined(result, b if is_undefined(a) else a, is_undefined(a))
    if isinstance(a, Leaf) or isinstance(b, Leaf):
        return _merge_leaf(result, a, b, name, where)
    if isinstance(a, _NUMBERS) and isinstance(b, _NUMBERS):
        if type(a) is type(b) and (a == b or a != a and b != b):
            return a
        dtype, weak = _number_type(a, b)
        return result.add((), dtype, weak, True, a, b)
    if isinstance(a, (tuple, list)) and type(a) is type(b):
        if len(a) != len(b):
            raise _mismatch(name, where, f"a {type(a).__name__} of {len(a)} and one of {len(b)} elements")
        items = [merge_into(result, x, y, f"{name}[{i}]", where) for i, (x, y) in enumerate(zip(a, b, strict=True))]
        return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
    if isinstance(a, Sparse) and type(a) is type(b):
        if a._shape != b._shape:
            raise _mismatch(name, where, f"a {a._kind} of shape {a._shape} and one of shape {b._shape}")
        pairs = zip(a._names, a._parts(), b._parts(), strict=True)
        return a._of([merge_into(result, x, y, f"{name}.{part}", where) for part, x, y in pairs], a._shape)
    if isinstance(a, dict) and isinstance(b, dict):
        if list(a) != list(b):
            raise _mismatch(name, where, f"a dict with keys {list(a)} and one with {list(b)}")
        return {key: merge_into(result, a[key], b[key], f"{name}[{key!r}]", where) for key in a}
    if a is b or (type(a) is type(b) and not isinstance(a, Identity) and _equal(a, b)):
        return a
    raise _mismatch(name, where, f"{_describe(a)} and {_describe(b)}")


def _merge_leaf(result: Merge, a: Any, b: Any, name: str, where: str) -> Leaf:
    if isinstance(a, Leaf) and isinstance(b, Leaf):
        if a.shape != b.shape:
            raise _mismatch(name, where, f"shapes {list(a.shape)} and {list(b.shape)}")
        both = a.number and b.number
        if a.dtype == b.dtype:
            return result.add(a.shape, a.dtype, a.weak and b.weak, both, a, b)
        if a.weak != b.weak and not both:
            strong = b if a.weak else a
            return result.add(a.shape, strong.dtype, False, False, a, b)
        return result.add(a.shape, promote(a.dtype, b.dtype), both, both, a, b)
    leaf, other = (a, b) if isinstance(a, Leaf) else (b, a)
    if not isinstance(other, _NUMBERS):
        raise _mismatch(name, where, f"a Tensor and {_describe(other)}")
    if leaf.shape not in ((), (1,)):
        raise _mismatch(name, where, f"a Tensor of shape {list(leaf.shape)} and the number {other}")
    dtype = leaf.dtype
    if isinstance(other, float) and dtype.kind in "biu":
        dtype = np.dtype(np.float32)
    elif isinstance(other, int) and not isinstance(other, bool) and dtype.kind == "b":
        dtype = np.dtype(np.int64)
    weak = dtype.kind != "b" if leaf.number else leaf.weak and dtype == leaf.dtype
    return result.add(leaf.shape, dtype, weak, leaf.number, a, b)


def _fill_undefined(result: Merge, value: Any, first: bool) -> Any:
    """The defined side's structure; the other side's leaves are zeros."""
    if isinstance(value, Leaf):
        sides = (None, value) if first else (value, None)
        return result.add(value.shape, value.dtype, value.weak, value.number, *sides)
    if isinstance(value, (tuple, list)):
        items = [_fill_undefined(result, item, first) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, Sparse):
        return value._of([_fill_undefined(result, part, first) for part in value._parts()], value._shape)
    if isinstance(value, dict):
        return {key: _fill_undefined(result, item, first) for key, item in value.items()}
    return value


def _number_type(a: Any, b: Any) -> tuple[np.dtype, bool]:
    """The dtype that holds two different numbers, and whether it is weak, which JAX's bool never is."""
    if isinstance(a, bool) and isinstance(b, bool):
        return np.dtype(np.bool_), False
    if isinstance(a, float) or isinstance(b, float):
        return np.dtype(np.float32), True
    return np.dtype(np.int64), True


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:  # values that refuse comparison are different
        return False


def _describe(value: Any) -> str:
    if isinstance(value, Leaf):
        return f"a Tensor of shape {list(value.shape)}"
    if isinstance(value, Parameter):
        return f"the Parameter '{value.name}'"
    return (
        repr(value) if isinstance(value, (str, type(None), *_NUMBERS)) else f"an object of type {type(value).__name__}"
    )


def shown(name: str) -> str:
    """A variable in an error."""
    return "the returned value" if name.startswith("retval_") else f"'{name}'"


def _mismatch(name: str, where: str, what: str) -> JoinError:
    return JoinError(f"In a compiled function, {shown(name)} must have one kind after {where}, but it is {what}.")
