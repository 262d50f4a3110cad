"""Indices and class numbers out of range. MindSpore's CPU kernels raise where JAX clamps, fills or drops.

On a CPU reading the values is free: eagerly before the operation, and in a compiled function before it runs,
where they are (casts and reshapes of) its arguments, so that nothing has changed when it raises. On an accelerator,
and for indices that the compiled function itself computes, a read out of range gives NaN (the smallest integer for
integers), never a neighbour's value, and a write is dropped.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_integers, check_tensors
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes


def visible(index: Any) -> np.ndarray | None:
    """The values of an index tensor if they can be read without waiting for an accelerator, else None."""
    if not isinstance(index, Tensor):
        raise TypeError(f"Indices must be a Tensor, but got {index!r:.80} of type {type(index).__name__}.")
    value = index._v
    if value.__class__ is not ArrayImpl or value.platform() != "cpu":
        return None
    if scopes.tracing and isinstance(index, Parameter):
        return None  # a variable of the compiled function, whose value may be another at the next call
    return np.asarray(value)


def look(index: Tensor, facts: Any, check: Callable[[np.ndarray], None]) -> None:
    """Run `check` on the values of an index tensor, now or before each run of the compiled function that is traced.

    Args:
        index: the tensor.
        facts: what `check` depends on; that a value has passed is remembered with its tensor under these.
        check: raises if it finds a value that it does not like.
    """
    if isinstance(index, Tensor):
        known = index._checked
        if known is not None and known[1] == facts and known[0]() is index._v:
            return
    values = visible(index)
    if values is None:
        if scopes.tracing:
            scopes.check_input(index._v, check)
        return
    check(values)
    index._checked = (weakref.ref(index._v), facts)


def check_index(
    api: str,
    index: Any,
    size: int,
    low: int,
    name: str = "index",
    error: type = RuntimeError,
    ignored: int | None = None,
    what: str = "",
) -> None:
    """Raise if an index tensor has an element outside [low, size); TypeError if it does not hold integers.

    The tensor records that its value has passed, so that a table of indices is checked once. `ignored` is
    a value that may occur whatever the range. `what` replaces the range in the message.
    """
    if isinstance(index, Tensor) and index.dtype.np_dtype.kind not in "iu":
        raise TypeError(f"For '{api}', the '{name}' must hold integers, but got {index.dtype}.")

    def check(values):
        if not values.size:
            return
        worst = values.max()
        if worst < size:
            worst = values.min()
        if low <= worst < size:
            return
        outside = values[(values < low) | (values >= size)]
        if ignored is not None:
            outside = outside[outside != ignored]
        if outside.size:
            wanted = what or f"in range [{low}, {size})"
            raise error(f"For '{api}', the '{name}' must be {wanted}, but got {outside[0]}.")

    look(index, (low, size, ignored), check)


def check_coordinates(api: str, x: Any, indices: Tensor, error: type, negative: type = RuntimeError) -> None:
    """Check coordinates in the last dimension of `indices` against the leading sizes of `x`; see `check_index`.

    `error` is raised for those that are too large, `negative` for negative ones, as MindSpore does.
    """
    check_tensors(api, input_x=x)
    shape = x.shape
    if isinstance(indices, Tensor):
        depth = indices.shape[-1] if indices.shape else 0
        check_integers(api, "indices", indices)
        if not indices.shape or depth > len(shape):
            raise ValueError(
                f"For '{api}', the last dimension of 'indices' must be at most {len(shape)}, but got {indices.shape}."
            )
        whole = indices.shape

    def check(values):
        values = values.reshape(whole)
        if values.size and ((values >= shape[:depth]).any() or (values < 0).any()):
            refusal = error if (values >= shape[:depth]).any() else negative
            raise refusal(f"For '{api}', the 'indices' do not lie within the shape {shape}.")

    look(indices, shape, check)


def looks_at_classes(
    api: str,
    wrap: bool = False,
    error: type = RuntimeError,
    ignored_at: int | None = None,
    axis: int = -1,
    name: str = "labels",
    when: Callable[..., bool] = lambda *more: True,
) -> Callable[..., None]:
    """The `look` of an operation on (values, class numbers, ...), for `op`.

    Args:
        api: its name.
        wrap: whether -C to -1 count from the end.
        error: the exception to raise.
        ignored_at: which argument is the class number that counts for nothing.
        axis: the values' class axis.
        name: the name that the class numbers have in the message.
        when: whether to look, from the arguments after the first two.
    """

    def look_at_classes(values, labels, *more):
        for value in (values, labels, *more[:1]):  # JAX would take these
            if isinstance(value, np.ndarray):
                raise TypeError(f"For '{api}', Tensors are wanted, but got a NumPy array; wrap it: Tensor(array).")
        # other arguments are refused by the operation itself
        is_readable = isinstance(values, Tensor) and isinstance(labels, Tensor) and labels.dtype.np_dtype.kind in "iu"
        if is_readable and when(*more):
            shape = values.shape
            if shape and shape[axis if len(shape) > 1 else -1]:
                classes = shape[axis if len(shape) > 1 else -1]
                ignored = None if ignored_at is None else more[ignored_at - 2]
                what = f"class numbers in range [0, {classes}), as the scores of shape {shape} are of {classes} classes"
                check_index(api, labels, classes, -classes if wrap else 0, name, error, ignored, what)

    return look_at_classes
