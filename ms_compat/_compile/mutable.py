"""`mutable`: turn a constant argument of a compiled function into a variable, differentiable one.

A compiled function takes Tensors as variables and numbers, tuples, lists and dicts as constants of its key, as
MindSpore does. `mutable` marks a value by a subclass of its own type (`isinstance(x, tuple)` stays true); the marks are
read when the arguments are split (`signature.py`) and when a gradient selects its inputs (`_autograd/select.py`).
"""

from __future__ import annotations

from typing import Any

import jax

from ms_compat._core import state
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.traced_number import TracedNumber, number


class MutableInt(int):
    """An int that is a variable of compiled functions."""

    __slots__ = ()


class MutableBool(int):
    """A bool that is a variable of compiled functions; an int, because Python's bool cannot be derived from."""

    __slots__ = ()
    stands_for_bool = True

    def __repr__(self) -> str:
        return repr(bool(self))


class MutableFloat(float):
    """A float that is a variable of compiled functions."""

    __slots__ = ()


def _sequence(cls: Any) -> Any:
    """Give a class of variable sequences what makes them of one another: of variable length if one of the parts is.

    The methods are put into the class itself, whose only base is then the sequence's own type.
    """
    base = cls.__base__

    def like(self: Any, items: Any, other: Any = None) -> Any:
        made = type(self)(items)
        made.dynamic_len = self.dynamic_len or getattr(other, "dynamic_len", False)
        return made

    def add(self: Any, other: Any) -> Any:
        return like(self, [*self, *other], other)

    def reversed_add(self: Any, other: Any) -> Any:
        return like(self, [*other, *self], other)

    def multiply(self: Any, times: Any) -> Any:
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
        if not state.compiling():
            return item
        item = _as_variables(item)
        if self.dynamic_len and self and _kind(item) != _kind(self[0]):
            raise TypeError("The elements of a list of variable length must have one type, shape and dtype.")
        return item

    def __setitem__(self, index: Any, value: Any) -> None:
        items = [self._variable(item) for item in value] if isinstance(index, slice) else self._variable(value)
        super().__setitem__(index, items)

    def append(self, item: Any) -> None:
        super().append(self._variable(item))


class MutableDict(dict):
    """A dict whose leaves are variables of compiled functions."""


_MARKED = (MutableBool, MutableInt, MutableFloat, MutableTuple, MutableList, MutableDict)


def is_mutable(value: Any) -> bool:
    """Whether `mutable` was applied to the value itself."""
    return isinstance(value, _MARKED) or (isinstance(value, Tensor) and value._mutable)


def _kind(value: Any) -> Any:
    """What the elements of a sequence of variable length have in common."""
    if isinstance(value, Tensor):
        return value.shape, value.dtype
    return tuple(map(_kind, value)) if isinstance(value, (tuple, list)) else type(value)


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
        with jax.ensure_compile_time_eval():
            return number(jax.numpy.asarray(value))
    if isinstance(value, dict):
        return {key: _as_variables(item) for key, item in value.items()}
    return type(value)([_as_variables(item) for item in value]) if isinstance(value, (tuple, list)) else value


def mutable(input_data: Any, dynamic_len: bool = False) -> Any:
    """Mark a value as a variable of compiled functions.

    Args:
        input_data: a bool, int, float, Tensor, or a tuple, list or dict of these, nested as you like.
        dynamic_len: declare that the length of a tuple or list changes between calls. XLA compiles per structure, so
            a new length still costs one compile, an old one none.

    Returns:
        The value itself, as an instance of a subclass of its type.

    Raises:
        TypeError: the value is something else, or `dynamic_len` is given for what is not a tuple or list.
        ValueError: with `dynamic_len`, the elements differ in shape or dtype (outside of compiled code).

    >>> from ms_compat import Tensor, mutable
    >>> isinstance(mutable((Tensor([1.0]), 2)), tuple)
    True
    """
    if not isinstance(dynamic_len, bool):
        raise TypeError(f"For 'mutable', the argument 'dynamic_len' must be a bool, but got {dynamic_len!r}.")
    _check(input_data)
    inside = state.compiling()
    if dynamic_len:
        if not isinstance(input_data, (list, tuple)):
            raise TypeError(
                "For 'mutable', 'dynamic_len' is for a list or tuple, but 'input_data' is of type "
                f"{type(input_data).__name__}."
            )
        kinds = set(map(_kind, input_data))
        if len(kinds) > 1 and not inside:
            raise ValueError(
                f"For 'mutable', with 'dynamic_len' all elements must have one shape and dtype; got {kinds}."
            )
    if inside:
        input_data = _as_variables(input_data)
        if isinstance(input_data, Tensor):
            return input_data
    if isinstance(input_data, Tensor):
        marked = wrap(input_data._v)
        marked._node = input_data._node
        marked._mutable = True
        return marked
    if isinstance(input_data, bool):
        return MutableBool(input_data)
    if isinstance(input_data, int):
        return MutableInt(input_data)
    if isinstance(input_data, float):
        return MutableFloat(input_data)
    if isinstance(input_data, dict):
        return MutableDict(input_data)
    out = MutableList(input_data) if isinstance(input_data, list) else MutableTuple(input_data)
    if dynamic_len:
        out.dynamic_len = True
    return out
