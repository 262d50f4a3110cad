"""What the gradient primitives share: the pullback of a function, shapes given as Tensors, zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._autograd.vjp import vjp
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.shape import create


def pull(function: Callable, cotangent: Any, *inputs: Any) -> Any:
    """The gradients of `function(*inputs)` with respect to its inputs: one Tensor, or a tuple for several inputs."""
    # One Tensor given twice would be one variable of the gradient.
    inputs = tuple([x.copy() if any(x is other for other in inputs[:i]) else x for i, x in enumerate(inputs)])
    out, pullback = vjp(function, *inputs)
    if isinstance(out, Tensor) and out.dtype is not cotangent.dtype:
        cotangent = cotangent.astype(out.dtype)
    grads = pullback(cotangent)
    return grads[0] if len(inputs) == 1 else grads


def ints(value: Any) -> tuple[int, ...]:
    """A shape or positions given as numbers, or as a Tensor whose value is known."""
    if isinstance(value, Tensor):
        return tuple([int(n) for n in value.asnumpy().reshape(-1)])
    return (value,) if isinstance(value, int) else tuple([int(n) for n in value])


def zeros(shape: Any, dtype: Any) -> Tensor:
    """A Tensor of zeros to differentiate a linear function at."""
    return create.zeros(ints(shape), dtype)
