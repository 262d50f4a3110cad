"""What a compiled function writes into Tensors that it did not make.

As in MindSpore, the caller's Tensor has the new value after the call where an operation wrote it: `x += y`,
`x.add_(y)`, `ops.assign(x, y)`. An assignment by index makes a new `x` there, which is the function's own from then on:
arguments, attributes and globals keep the value of before. Parameters are written by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ms_compat._core import alias, state
from ms_compat._core.tensor import Tensor, wrap

_OPEN = object()
_NAME = "_for_caller"  # in the dictionary of an argument of a function that runs in Python: the value for the caller


def settle(tensor: Tensor) -> None:
    """Say that an item of `tensor` is about to be assigned: nobody outside of the function sees what follows."""
    scope = state.current_scope()
    if scope is None:
        if tensor.__dict__.get(_NAME) is _OPEN:
            tensor.__dict__[_NAME] = tensor._v
    elif scope.compiling and not tensor._is_parameter:
        value = tensor._v
        while scope.staged:  # a branch or a loop, whose values are of that alone
            value = scope.value_before(tensor)
            scope = scope.outer
        scope.settled.setdefault(id(tensor), (tensor, value))


def end(scope: state.TraceScope) -> None:
    """Let settled Tensors have the values that are seen outside of the function whose trace ends."""
    for tensor, value in scope.settled.values():
        tensor._v = value


def follow(tensor: Tensor) -> None:
    """Say that a Tensor stands for one of the caller's, in a function that runs in Python."""
    tensor.__dict__[_NAME] = _OPEN


def for_caller(tensor: Tensor) -> Any:
    """The value that the caller gets; `tensor` is like any other from then on."""
    value = tensor.__dict__.pop(_NAME, _OPEN)
    return tensor._v if value is _OPEN else value


def hand_back(callers: Sequence[Any], values: Sequence[Any]) -> None:
    """Write values, as Tensors with their records, into the caller's Tensors; what is no Tensor stays as it is."""
    for tensor, value in zip(callers, values, strict=True):
        if isinstance(tensor, Tensor):
            alias.write(tensor, value if isinstance(value, Tensor) else wrap(value))
