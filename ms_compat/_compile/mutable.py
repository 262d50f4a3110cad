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

    def __repr__(self) -> str:
        return repr(bool(self))


class MutableFloat(float):
    """A float that is a variable of compiled functions."""

    __slots__ = ()


class _Sequence:
    """What is made of a variable sequence is one, too, and of variable length if one of its parts is."""

    dynamic_len = False

    def _like(self, items: Any, other: Any = None) -> Any:
        made: Any = type(self)(items)  # type: ignore[call-arg]
        made.dynamic_len = self.dynamic_len or getattr(other, "dynamic_len", False)
        return made

    def __add__(self, other: Any) -> Any:
        return self._like([*self, *other], other)  # type: ignore[misc]

    def __radd__(self, other: Any) -> Any:
        return self._like([*other, *self], other)  # type: ignore[misc]

    def __mul__(self, times: Any) -> Any:
        made = self._like(list(self) * int(times))  # type: ignore[call-overload]
        made.dynamic_len = made.dynamic_len or isinstance(times, TracedNumber)
        return made

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)  # type: ignore[misc]
        return self._like(found) if isinstance(index, slice) else found


class MutableTuple(_Sequence, tuple):
    """A tuple whose leaves are variables of compiled functions."""


class MutableList(_Sequence, list):
    """A list whose leaves are variables of compiled functions."""


class MutableDict(dict):
    """A dict whose leaves are variables of compiled functions."""


_MARKED = (MutableBool, MutableInt, MutableFloat, MutableTuple, MutableList, MutableDict)


def is_mutable(value: Any) -> bool:
    """Whether `mutable` was applied to the value itself."""
    return isinstance(value, _MARKED) or (isinstance(value, Tensor) and value._mutable)


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
        kinds = {(item.shape, item.dtype) if isinstance(item, Tensor) else type(item) for item in input_data}
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
