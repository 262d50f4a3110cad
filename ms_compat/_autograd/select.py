"""Which inputs and which weights a gradient is taken of, and in what structure it is returned.

Shared by `GradOperation`, `grad`, `value_and_grad`, `vjp`, the Jacobians and `ForwardValueAndGrad`, on the tape and
under a trace. A Tensor is one leaf. A tuple, list or dict is differentiated when it is `mutable`, and its gradient has
its own structure; on the tape only when it holds a Tensor. Of a sparse tensor the values are differentiated. Numbers,
strings and None have no gradient and are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor, parameter_like, tree, wrap
from ms_compat._core.tensor.mutable import is_mutable
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.tree import TENSOR, unflatten
from ms_compat._core.trace import scopes

ALL = "all"


class Selection:
    """The inputs picked out of one call's arguments.

    `tensors` are the leaves in order; `specs` says for each picked input how its gradient is put together.
    """

    __slots__ = ("specs", "tensors")

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.specs: list[Any] = []

    def add(self, value: Any) -> None:
        """Pick one argument."""
        if isinstance(value, Sparse):
            self.specs.append(_of_values(value))
            self.tensors.append(value.values)
            return
        self.specs.append(_pick(value, self.tensors))

    def pack(self, gradients: list[Tensor]) -> tuple:
        """The gradients of the leaves, one item per picked input, each in the input's own structure."""
        leaves = iter(gradients)
        return tuple([unflatten(spec, leaves) for spec in self.specs])


def _of_values(value: Sparse) -> Any:
    """The spec of a sparse tensor's gradient: its values' spec, as a Tensor in PYNATIVE_MODE and as a sparse tensor
    with the same places in GRAPH_MODE."""
    if _eager():
        return TENSOR
    places = [tree.by_identity(part) for part in value._parts()[:-1]]
    return tree.SparseTensor(type(value), value._shape, (*places, TENSOR))


def _pick(value: Any, tensors: list[Tensor]) -> Any:
    """The spec of a value's gradient: plain containers, with a leaf for each Tensor, Parameter or number."""
    if isinstance(value, Tensor):
        tensors.append(value)
        return TENSOR
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        tensors.append(Tensor(value))
        return TENSOR
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return tree.Record(type(value), tuple([_pick(item, tensors) for item in value]))
    if isinstance(value, (tuple, list)):
        kind = tuple if isinstance(value, tuple) else list
        return tree.Sequence(kind, tuple([_pick(item, tensors) for item in value]), False)
    if isinstance(value, dict):
        return tree.Mapping(dict, tuple([(key, _pick(item, tensors)) for key, item in value.items()]))
    if isinstance(value, Sparse):
        parts = tuple([_pick(part, tensors) for part in value._parts()])
        return tree.SparseTensor(type(value), value._shape, parts)
    return tree.by_identity(value)


def differentiable(value: Any) -> bool:
    """Whether an argument has a gradient of its own."""
    if isinstance(value, Tensor) and value.const_arg:  # a constant of compiled code
        return _eager()
    if isinstance(value, (Tensor, Sparse)):
        return True
    if not is_mutable(value) or isinstance(value, (int, float)):
        return False
    return not _eager() or _holds_tensor(value)


def _eager() -> bool:
    return context.state.mode != context.GRAPH_MODE and scopes.current_scope() is None


def _holds_tensor(value: Any) -> bool:
    """Whether there is a Tensor in a container, at any depth."""
    if isinstance(value, (tuple, list)):
        return any(map(_holds_tensor, value))
    if isinstance(value, dict):
        return any(map(_holds_tensor, value.values()))
    return isinstance(value, (Tensor, Sparse))


def select_inputs(args: tuple, position: Any, api: str) -> Selection:
    """Pick arguments.

    Args:
        args: the positional arguments of the call.
        position: an index, a tuple of them, `ALL` for every differentiable one, or None for none.
        api: the name for messages.

    What has no gradient is left out, as MindSpore does.

    Raises:
        RuntimeError: `position` is empty, or names an argument that was not given.
        IndexError: in compiled code, in place of the latter.
        TypeError: in compiled code, if `ForwardValueAndGrad` has no arguments at all.
    """
    # MindSpore's rules one after the other; which class is raised depends on the mode and on whether there are inputs
    if position == ():
        raise RuntimeError(f"For '{api}', 'grad_position' must name at least one input; None means that there is none.")
    selection = Selection()
    compiled = scopes.current_scope() is not None
    if position is None or (not args and not compiled):
        return selection
    if position is ALL:
        for value in args:
            if differentiable(value):
                selection.add(value)
        return selection
    for index in position if isinstance(position, tuple) else (position,):
        if not -len(args) <= index < len(args):
            if not args and api == "GradOperation":
                return selection
            error: type[Exception] = TypeError if not args and api == "ForwardValueAndGrad" else IndexError
            if not compiled:
                error = RuntimeError
            raise error(f"For '{api}', there is no input {index}: the function was called with {len(args)}.")
        if differentiable(args[index]):
            selection.add(args[index])
    return selection


def single_if_one(items: tuple) -> Any:
    """MindSpore returns a single requested gradient without its tuple."""
    return items[0] if len(items) == 1 else items


def check_position(position: Any, api: str) -> Any:
    """An int, a tuple of different ints, or None; TypeError/ValueError otherwise."""
    if position is None or position is ALL:
        return position
    items = position if isinstance(position, tuple) else (position,)
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(
                f"For '{api}', the argument 'grad_position' must be an int or a tuple of ints, but got {position!r}."
            )
        if item < 0:
            raise ValueError(f"For '{api}', the elements of 'grad_position' must be >= 0, but got {position}.")
    if len(set(items)) != len(items):
        raise ValueError(f"For '{api}', the elements of 'grad_position' must differ, but got {position}.")
    return position


def check_weights(weights: Any, api: str) -> tuple[list[Any], bool]:
    """The weights as a list, and whether a single one was given (its gradient is then not in a tuple).

    They are Parameters; in PYNATIVE_MODE, as in MindSpore, any Tensor may stand among them (see `variables_of`).
    """
    kind = Tensor if _eager() else Parameter
    if weights is None:
        return [], False
    if isinstance(weights, kind):
        return [weights], True
    if isinstance(weights, (ParameterTuple, list, tuple)):
        for item in weights:
            if not isinstance(item, kind):
                raise TypeError(f"For '{api}', each of 'weights' must be a Parameter, but got {type(item).__name__}.")
        return list(weights), False
    raise TypeError(
        f"For '{api}', 'weights' must be a Parameter, ParameterTuple or list of Parameters, but got "
        f"{type(weights).__name__}."
    )


def variables_of(weights: list[Any]) -> list[Tensor]:
    """What stands for weights when they are differentiated: nothing depends on Tensors that are not Parameters."""
    return [w if isinstance(w, Parameter) or parameter_like.is_trained(w) else wrap(w._v) for w in weights]


def check_function(fn: Any, api: str, error: type[Exception] = TypeError) -> Callable:
    """A callable, or an error: a TypeError, or what MindSpore raises for this function."""
    if not callable(fn):
        raise error(f"For '{api}', the argument 'fn' must be a function or a Cell, but got {type(fn).__name__}.")
    return fn
