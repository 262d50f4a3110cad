"""What a user's backward rule returned, as one gradient for each input Tensor.

A rule (of `Cell.bprop`, `ops.Custom` or `custom_vjp`) returns at least as many gradients as it has inputs; the rest is
ignored. None is not a gradient, nor is a value for an input that is not a Tensor. A gradient has the input's
shape, or one that the input broadcasts to. Too few gradients, or values that are not Tensors, raise what MindSpore
raises.

The gradients of a tuple form a nested tuple, or in PYNATIVE_MODE follow one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import is_mutable
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.tree import flatten
from ms_compat._core.trace import scopes

_CONSTANT = object()  # replaces an input that is not a leaf


def gradients_of(inputs: tuple, returned: Any, api: str, numbers: bool = False) -> list[Tensor | None]:
    """One gradient, or None, for each leaf of the inputs.

    Args:
        inputs: the inputs of the rule's function.
        returned: what the rule gave.
        api: the name for messages.
        numbers: whether a number is the gradient of each element. If not, it is one without dimensions.

    Raises:
        RuntimeError: there are fewer gradients than inputs, or one has another shape.
        TypeError: a gradient is not a Tensor, or, in compiled code, the rule did not return a tuple.
    """
    compiled = scopes.as_compiled()
    if returned is None or (compiled and not isinstance(returned, tuple)):
        raise TypeError(
            f"For bprop function, output should be a tuple, but '{api}' returned a {type(returned).__name__}."
        )
    grads = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    if len(grads) == 2 and isinstance(grads[0], tuple) and isinstance(grads[1], dict):
        grads = grads[0]  # the second holds the weights' gradients, which MindSpore does not read either
    pairs = _paired(inputs, grads[: len(inputs)])
    if pairs is None:
        if compiled and len(grads) >= len(inputs):
            raise TypeError(f"For '{api}', 'bprop' must return the gradients of a tuple as a tuple of the same length.")
        places, row = (list(inputs), grads) if compiled else (list(_places(inputs)), list(_in_a_row(grads)))
        if len(row) < len(places):
            raise RuntimeError(
                f"For '{api}', 'bprop' must return one gradient per input ({len(places)}), but returned {len(row)}."
            )
        pairs = list(zip(places, row, strict=False))
    return [_checked(leaf, grad, api, numbers, compiled) for leaf, grad in pairs if leaf is not _CONSTANT]


def _items(value: Any) -> list[Any] | None:
    """The items of a tuple, list, dict or sparse tensor; None for anything else."""
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (tuple, list)):
        return list(value)
    return list(value._parts()) if isinstance(value, Sparse) else None


def _places(value: Any, mutable: bool = False) -> Iterator[Any]:
    """The leaves of an input as `flatten` finds them, and `_CONSTANT` for each constant."""
    items = _items(value)
    if items is None:
        leaves: list[Any] = []
        flatten(value, leaves, mutable)
        yield from leaves or [_CONSTANT]
        return
    for item in items:
        yield from _places(item, mutable or is_mutable(value))


def _paired(value: Any, grad: Any, mutable: bool = False) -> list[tuple[Any, Any]] | None:
    """Each place of an input with its gradient; None if the gradient has another structure."""
    items, grads = _items(value), _items(grad)
    if items is None or (isinstance(value, Sparse) and grad is None):
        return None if grads is not None else [(place, grad) for place in _places(value, mutable)]
    if grads is None or len(items) != len(grads):
        return None
    pairs: list[tuple[Any, Any]] = []
    for item, part in zip(items, grads, strict=True):
        found = _paired(item, part, mutable or is_mutable(value))
        if found is None:
            return None
        pairs += found
    return pairs


def _in_a_row(grad: Any) -> Iterator[Any]:
    items = _items(grad) if isinstance(grad, (tuple, list)) else None
    if items is None:
        yield grad
        return
    for item in items:
        yield from _in_a_row(item)


def _checked(leaf: Any, grad: Any, api: str, numbers: bool, compiled: bool) -> Tensor | None:
    if grad is None or not isinstance(leaf, Tensor):
        return None
    if isinstance(grad, (bool, int, float)) and (numbers or not compiled):
        grad = Tensor(np.full(leaf.shape if numbers else (), grad), leaf.dtype)
    if not isinstance(grad, Tensor):
        raise TypeError(f"For '{api}', 'bprop' must return Tensors, but got {type(grad).__name__}.")
    return fitted(leaf, grad)


def fitted(leaf: Tensor, grad: Tensor) -> Tensor:
    """A gradient in the dtype of its input, summed over the dimensions in which the input broadcasts to its shape."""
    if grad.shape != leaf.shape:
        grad = sum_to_shape(grad, leaf.shape)
    return grad if grad.dtype is leaf.dtype else grad.astype(leaf.dtype)


@op(static=("shape",))
def sum_to_shape(x, shape):
    """The sum over the dimensions in which `shape` was broadcast to the shape of `x`."""
    extra = x.ndim - len(shape)
    if extra < 0 or any(n not in (1, m) for n, m in zip(shape, x.shape[extra:], strict=True)):
        raise RuntimeError(f"A gradient of shape {x.shape} does not fit an input of shape {shape}.")
    axes = [*range(extra), *[extra + i for i, n in enumerate(shape) if n == 1 and x.shape[extra + i] != 1]]
    return jnp.sum(x, axis=tuple(axes), dtype=x.dtype).reshape(shape)
