"""What a compiled function writes into Tensors that it did not make.

As in MindSpore, the caller's Tensor has the new value after the call where an operation wrote it: `x += y`,
`x.add_(y)`, `ops.assign(x, y)`. There are two exceptions:

- An assignment by index makes a new `x`, which is the function's own from then on: arguments, attributes and globals
  keep the value of before.
- In a branch or a loop on Tensors, or behind one that writes, an argument counts as the function's own unless an
  operation used it before: MindSpore runs these parts as programs of their own, which take a copy.

Parameters are written in every case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ms_compat._core.dispatch import shared_storage
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import scopes

_OPEN = object()
_NAME = "_for_caller"  # in an argument's dictionary, for a function that runs in Python: the value for the caller


class Arguments:
    """The arguments of a compiled function while it is traced.

    Args:
        tensors: what stands for the caller's Tensors.
    """

    def __init__(self, tensors: Sequence[Any]):
        self._unused = {id(t): t for t in tensors}  # by operations in front of control flow
        self.behind_control_flow = False

    def note_use(self, operands: Sequence[Any], scope: scopes.TraceScope) -> None:
        """Note that an operation reads these."""
        if self._unused and not self.behind_control_flow and not scope.within:
            for operand in operands:
                self._unused.pop(id(operand), None)

    def before_write(self, tensor: Tensor, scope: scopes.TraceScope) -> None:
        """Note that an operation is about to write into a Tensor."""
        if id(tensor) in self._unused:
            if scope.within or self.behind_control_flow:
                hide_writes(tensor)
            else:
                del self._unused[id(tensor)]


def note_control_flow() -> None:
    """Note that the trace has met a loop, or a branch that writes."""
    scope = scopes.current_scope()
    if scope is not None and scope.written is not None and not scope.within:
        scope.written.behind_control_flow = True


def hide_writes(tensor: Tensor) -> None:
    """Say that nobody outside of the function sees what is written into `tensor` from here on."""
    scope = scopes.current_scope()
    if tensor.__dict__.get(_NAME) is _OPEN:
        tensor.__dict__[_NAME] = tensor._v
    elif scope is not None and scope.compiling and not tensor._is_parameter:
        value = tensor._v
        while scope.staged:  # a branch or a loop, whose values are of that alone
            value = scope.value_before(tensor)
            scope = scope.outer
        scope.hidden_writes.setdefault(id(tensor), (tensor, value))


def end(scope: scopes.TraceScope) -> None:
    """Let such Tensors have the values that are seen outside of the function whose trace ends."""
    for tensor, value in scope.hidden_writes.values():
        tensor._v = value


def follow(tensor: Tensor) -> None:
    """Note that a Tensor represents one of the caller's, in a function that runs in Python."""
    tensor.__dict__[_NAME] = _OPEN


def for_caller(tensor: Tensor) -> Any:
    """The value that the caller gets; `tensor` is like any other from then on."""
    value = tensor.__dict__.pop(_NAME, _OPEN)
    return tensor._v if value is _OPEN else value


def hand_back(callers: Sequence[Any], values: Sequence[Any]) -> None:
    """Write a call's results into the caller's Tensors, with their records on the tape; skip other arguments."""
    for tensor, value in zip(callers, values, strict=True):
        if isinstance(tensor, Tensor):
            shared_storage.write(tensor, value if isinstance(value, Tensor) else wrap(value))
