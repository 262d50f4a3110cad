"""Checks of axes, shapes and tensors that many operations share. They run while an operation is traced."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.checks import check_within
from ms_compat._core.dispatch.operands import number_kind
from ms_compat._core.jax_compat import is_symbolic_size


def tensor(api: str, x: Any, argument: str = "input") -> jax.Array:
    """The array of a Tensor; TypeError for a Python number, as in MindSpore's operations of one tensor."""
    if x is None or number_kind(x) is not None or isinstance(x, (tuple, list)):
        kind = "a number" if x is not None and not isinstance(x, (tuple, list)) else type(x).__name__
        raise TypeError(f"For '{api}', the '{argument}' must be a Tensor, but got {kind}.")
    return x


def integer(api: str, argument: str, value: Any) -> Any:
    """The value if it is an int and not a bool."""
    if value.__class__ is int:
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        if is_symbolic_size(value):
            return value
        raise TypeError(
            f"For '{api}', the '{argument}' must be an int, but got {value!r} of type {type(value).__name__}."
        )
    return int(value)


def axis_of(api: str, axis: Any, ndim: int, argument: str = "axis") -> int:
    """One axis as a non-negative int; a 0-d tensor has the axes -1 and 0."""
    axis = integer(api, argument, axis)
    limit = ndim or 1
    check_within(api, argument, axis, -limit, limit, "[)")
    return axis % limit


def dim_of(api: str, axis: Any, ndim: int, argument: str = "axis") -> int:
    """One axis as a non-negative int, for an operation that needs one: ValueError for a 0-d tensor."""
    if not ndim:
        raise ValueError(f"For '{api}', the input must have at least 1 dimension, but got a 0-d Tensor.")
    return axis_of(api, axis, ndim, argument)


def axes_of(api: str, axis: Any, ndim: int, argument: str = "axis") -> tuple[int, ...]:
    """Axes to reduce as a tuple of non-negative ints; None and () mean all."""
    if axis is None or axis == ():
        return tuple(range(ndim))
    many = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple([axis_of(api, a, ndim, argument) for a in many])
    if len(set(found)) != len(found):
        raise RuntimeError(f"For '{api}', each axis in '{argument}' must occur once, but got {axis}.")
    return found if ndim else ()


def shape_of(api: str, shape: Any, argument: str = "shape", single: bool = False) -> tuple[int, ...]:
    """A shape as a tuple of ints; `single` admits an int for one dimension."""
    if single and (isinstance(shape, int) and not isinstance(shape, bool) or is_symbolic_size(shape)):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(
            f"For '{api}', the '{argument}' must be a tuple or list of int{' or an int' if single else ''}, but got "
            f"{shape!r} of type {type(shape).__name__}."
        )
    return tuple([integer(api, argument, n) for n in shape])


def sizes_of(api: str, shape: Any, argument: str = "shape") -> tuple[int, ...]:
    """A shape for a new tensor: an int or a sequence of ints, none negative."""
    sizes = shape_of(api, shape, argument, single=True)
    if any(n < 0 for n in sizes):
        raise ValueError(f"For '{api}', every size in '{argument}' must be at least 0, but got {sizes}.")
    return sizes
