"""`mutable`: turn a constant argument of a compiled function into a variable, differentiable one.

As in MindSpore, a compiled function takes Tensors as variables, and numbers, tuples, lists and dicts as constants of
its key. `mutable` marks a value by a subclass of its own type (`isinstance(x, tuple)` stays true). `tree.py` reads the
marks when it splits the arguments, and `_autograd/select.py` when a gradient selects its inputs.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.errors import check_bool
from ms_compat._core.jax_compat import eval_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.traced_number import TracedNumber, number
from ms_compat._core.trace import scopes


class MutableInt(int):
    """An int that is a variable of compiled functions."""


class MutableBool(int):
    """A bool that is a variable of compiled functions; an int, because Python's bool cannot be derived from."""

    stands_for_bool = True

    def __repr__(self) -> str:
        return repr(bool(self))


class MutableFloat(float):
    """A float that is a variable of compiled functions."""


_ALIKE = (
    "The element type do not match: when the queue is dynamic length, its elements must have one type, shape and dtype."
)


def _is_array(value: Any) -> bool:
    """Whether a value is a Tensor, and not a number that compiled code does not know yet."""
    return isinstance(value, Tensor) and not isinstance(value, TracedNumber)


def _sequence(cls: Any) -> Any:
    """Give a class of variable sequences what makes them of one another: of variable length if one of the parts is.

    The methods are put into the class itself, whose only base is then the sequence's own type.
    """
    base = cls.__base__

    def like(self: Any, items: Any, other: Any = None) -> Any:
        made = type(self)(items)
        made.dynamic_len = self.dynamic_len or getattr(other, "dynamic_len", False)
        if made.dynamic_len and scopes.compiling() and not alike(made):
            raise TypeError(_ALIKE)
        return made

    def add(self: Any, other: Any) -> Any:
        if _is_array(other):  # the Tensor adds the elements to its own
            return NotImplemented
        return like(self, [*self, *other], other)

    def reversed_add(self: Any, other: Any) -> Any:
        if _is_array(other):
            return NotImplemented
        return like(self, [*other, *self], other)

    def multiply(self: Any, times: Any) -> Any:
        if _is_array(times):
            return NotImplemented
        made = like(self, list(self) * int(times))
        made.dynamic_len = made.dynamic_len or isinstance(times, TracedNumber)
        return made

    def item(self: Any, index: Any) -> Any:
        found = base.__getitem__(self, index)
        return like(self, found) if isinstance(index, slice) else found

    cls.__add__, cls.__radd__, cls.__mul__, cls.__rmul__ = add, reversed_add, multiply, multiply
    cls.__getitem__ = item
    return cls


@_sequence
class MutableTuple(tuple):
    """A tuple whose leaves are variables of compiled functions."""

    dynamic_len = False


@_sequence
class MutableList(list):
    """A list whose leaves are variables of compiled functions, also those that are put into it there."""

    dynamic_len = False

    def _variable(self, item: Any) -> Any:
        if not scopes.compiling():
            return item
        item = _as_variables(item)
        if self.dynamic_len and self and _kind(item) != _kind(self[0]):
            raise TypeError(_ALIKE)
        return item

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, slice):
            super().__setitem__(index, self._variable(value))
            return
        if self.dynamic_len and scopes.compiling() and not alike(value):
            raise ValueError(_ALIKE)
        super().__setitem__(index, [self._variable(item) for item in value])

    def insert(self, index: Any, item: Any) -> None:
        super().insert(index, self._variable(item))

    def extend(self, items: Any) -> None:
        if self.dynamic_len and scopes.compiling():
            raise RuntimeError("A list of variable length cannot be extended in compiled code; add the lists.")
        super().extend([self._variable(item) for item in items])

    def append(self, item: Any) -> None:
        super().append(self._variable(item))


class MutableDict(dict):
    """A dict whose leaves are variables of compiled functions."""


# Each kind of value has a marked class of its own; a bool comes before int, whose subclass it is.
_KINDS: tuple[tuple[Any, Any], ...] = (
    ((bool, MutableBool), MutableBool), (int, MutableInt), (float, MutableFloat), (dict, MutableDict),
    (list, MutableList), (tuple, MutableTuple),
)  # fmt: skip
_MARKED = tuple([kind for _, kind in _KINDS])
# The attributes by which MindSpore marks what `mutable` returns.
for _marked in _MARKED:
    _marked.__ms_mutable__ = True
    _marked.__ms_dynamic_len__ = property(lambda value: getattr(value, "dynamic_len", False))


def _of_marked_tensors(name: str, value_of: Any) -> Any:
    def value(self: Any) -> Any:
        if self._mutable:
            return value_of(self)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    return property(value)


for _name, _value_of in (
    ("__ms_mutable__", lambda tensor: True),
    ("__ms_dynamic_len__", lambda tensor: False),
    ("__ms_origin_object__", lambda tensor: tensor),
):
    setattr(Tensor, _name, _of_marked_tensors(_name, _value_of))


def is_mutable(value: Any) -> bool:
    """Whether `mutable` was applied to the value itself."""
    return isinstance(value, _MARKED) or (isinstance(value, Tensor) and value._mutable)


def _kind(value: Any) -> Any:
    """What the elements of a variable-length sequence have in common."""
    if isinstance(value, Tensor) and not isinstance(value, TracedNumber):
        return value.shape, value.dtype
    return tuple(map(_kind, value)) if isinstance(value, (tuple, list)) else _class(value)


def _outline(value: Any) -> Any:
    """The shapes of a value without its dtypes; numbers have none."""
    if isinstance(value, (tuple, list)):
        return isinstance(value, list), *map(_outline, value)
    return value.shape if isinstance(value, Tensor) and not isinstance(value, TracedNumber) else None


def _class(value: Any) -> type:
    """The class of an element as the program sees it."""
    if isinstance(value, TracedNumber):
        return value.python_class
    return next((c for c in (Tensor, tuple, list) if isinstance(value, c)), None) or python_class(value)


def alike(items: Any) -> bool:
    """Whether values that compiled code joins can be one variable-length sequence."""
    return len(set(map(_kind, items))) < 2


def check_variable_length(items: Any) -> None:
    """Raise where compiled functions do not take items as a variable-length sequence.

    As in MindSpore, elements of one class whose shapes or lengths differ are accepted whatever their dtypes.

    Raises:
        ValueError: their classes differ.
        TypeError: all have the same shapes, but not the same dtypes; or one is a dict.
    """
    if any(isinstance(item, dict) for item in items):
        raise TypeError("A sequence of variable length cannot have dicts as its elements.")
    if len(set(map(_class, items))) > 1:
        raise ValueError(_ALIKE)
    if len(set(map(_outline, items))) == 1 and not alike(items):
        raise TypeError(_ALIKE)


def python_class(value: Any) -> type:
    """The class of a number as the program sees it: int also for a `mutable` int."""
    if isinstance(value, MutableBool):
        return bool
    return next((kind for kind in (bool, int, float) if isinstance(value, kind)), type(value))


def _check(value: Any) -> None:
    if isinstance(value, (list, tuple)):
        for item in value:
            _check(item)
    elif isinstance(value, dict):
        for item in value.values():
            _check(item)
    elif not isinstance(value, (int, float, Tensor)):
        raise TypeError(
            "For 'mutable', the argument 'input_data' must be a bool, int, float, Tensor, tuple, list, dict or a "
            f"nesting of these, but got {value!r:.80} of type {type(value).__name__}."
        )


def _as_variables(value: Any) -> Any:
    """In compiled code: a value whose numbers and Tensors count as variables, though they are known."""
    if isinstance(value, Tensor):
        if isinstance(value, TracedNumber):
            return value
        marked = wrap(value._v)
        marked._mutable = True
        return marked
    if isinstance(value, (bool, int, float)):
        with eval_context():
            return number(jax.numpy.asarray(value))
    if isinstance(value, dict):
        return {key: _as_variables(item) for key, item in value.items()}
    return type(value)([_as_variables(item) for item in value]) if isinstance(value, (tuple, list)) else value


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Mark a value as a variable of compiled functions.

    Args:
        input_data: a bool, int, float, Tensor, or a tuple, list or dict of these, nested as you like.
        dynamic_len: declare that the length of a tuple or list changes between calls. XLA compiles per structure: the
            first lengths are compiled, a later one runs operation by operation until it has come a few times.

    Returns:
        A Tensor itself; another value as an instance of its type's subclass.

    Raises:
        TypeError: the value is something else, or `dynamic_len` is given for what is not a tuple or list.
        ValueError, TypeError: in compiled code, or where a compiled function gets the value: with `dynamic_len`, the
            elements differ in type, or in dtype where their shapes are the same.
        RuntimeError: in compiled code, a sequence of variable length without `dynamic_len`.

    >>> from ms_compat import Tensor, mutable
    >>> isinstance(mutable((Tensor([1.0]), 2)), tuple)
    True
    """
    check_bool("mutable", "dynamic_len", dynamic_len)
    if isinstance(input_data, np.generic) and scopes.compiling():
        input_data = input_data.item()  # an element of an array, which is a number there
    _check(input_data)
    if dynamic_len and not isinstance(input_data, (list, tuple)):
        raise TypeError(
            "For 'mutable' with 'dynamic_len', when the variable_len is True, the first input should be list or tuple, "
            f"but is {type(input_data).__name__}."
        )
    if scopes.compiling():
        if dynamic_len:
            check_variable_length(input_data)
        if not dynamic_len and getattr(input_data, "dynamic_len", False):
            raise RuntimeError("For 'mutable', can not convert a dynamic length sequence to constant length.")
        input_data = _as_variables(input_data)
        if isinstance(input_data, Tensor):
            return input_data
    if isinstance(input_data, Tensor):
        input_data._mutable, input_data.const_arg = True, False
        return input_data
    out = next(kind for base, kind in _KINDS if isinstance(input_data, base))(input_data)
    if dynamic_len:
        out.dynamic_len = True
    out.__ms_origin_object__ = input_data
    return out
