"""Tensors that are both an argument of a function and a variable from outside it, in its closure.

Transformations put tracers into Tensors, which they know as objects. A Tensor that a closure holds is a constant for
MindSpore's compiler and for its `jvp`, `jacrev`, `jacfwd` and `vmap`. So an argument that is the same object gets a
Tensor of its own. The same holds for a Parameter that is an argument and also a weight, or one that the function
reaches through a Cell: the gradient by the argument does not hold what the weight adds, and the gradient by the weight
does not hold what the argument adds. Gradients in PYNATIVE_MODE know objects in MindSpore, too, and give the sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ms_compat._compile.analysis.inspection import closed_over
from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes


def held_by(fn: Any, found: dict[int, Any] | None = None) -> dict[int, Any]:
    """What the closure of a function holds, and the closures of functions in it, by id."""
    found = {} if found is None else found
    if hasattr(type(fn), "construct"):  # a Cell: its attributes are not a closure
        return found
    held = [getattr(fn, name, None) for name in ("__func__", "fn", "func")]  # of methods, transformations and partials
    held += [value for _, value in closed_over(fn)]
    for value in held:
        if id(value) not in found:
            found[id(value)] = value
            if callable(value):
                held_by(value, found)
    return found


def own_argument(tensor: Tensor) -> Tensor:
    """A Tensor with the same value that stands for an argument. What is written into it does not reach the argument."""
    copy = wrap(tensor._v)
    copy._node = tensor._node
    copy._leaf_hooks = tensor._leaf_hooks
    return copy


def reached_by(fn: Any) -> set[int]:
    """What `held_by` gives, and the Parameters of the function's Cell and of the Cells that it holds, by id."""
    held = held_by(fn)
    cells = [value for value in (fn, *held.values()) if hasattr(type(value), "construct")]
    return set(held).union(*[{id(p) for p in cell.get_parameters()} for cell in cells])


def own_parameters(fn: Any, args: tuple, weights: Iterable[Tensor]) -> tuple:
    """The arguments of a gradient in compiled code, with own Tensors for Parameters that the function reaches, too."""
    if not any(isinstance(value, Parameter) for value in args):
        return args
    if not scopes.as_compiled() and context.state.mode != context.GRAPH_MODE:
        return args
    taken = reached_by(fn).union(map(id, weights))
    return tuple([own_argument(a) if isinstance(a, Parameter) and id(a) in taken else a for a in args])


def apart(fn: Callable, args: tuple, tensors: list[Tensor]) -> tuple[tuple, list[Tensor]]:
    """The arguments and the Tensors to differentiate, with own Tensors for arguments that the closure holds, too.

    PYNATIVE_MODE knows objects: there they stay as they are.
    """
    if not scopes.as_compiled():
        return args, tensors
    held, differentiated = held_by(fn), {id(t) for t in tensors}
    own = {
        id(value): own_argument(value)
        for value in args
        if type(value) is Tensor and id(value) in held and id(value) in differentiated
    }
    if not own:
        return args, tensors
    return tuple([own.get(id(value), value) for value in args]), [own.get(id(t), t) for t in tensors]
