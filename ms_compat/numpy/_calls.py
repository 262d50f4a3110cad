"""`mindspore.numpy` functions that call a user's function, comparisons with one result, and random numbers."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import tensor, to_dtype
from ms_compat.ops.function.random import draws
from ms_compat.ops.function.shape import create, join
from ms_compat.ops.function.shape import views as shape


@faces("numpy")
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """The results of a 1-d function along an axis."""
    arr = tensor(arr)
    if not arr.shape or not -len(arr.shape) <= axis < len(arr.shape):
        raise ValueError(f"For 'numpy.apply_along_axis', the 'axis' must fit the shape {arr.shape}, but got {axis}.")
    axis = axis % len(arr.shape)
    rest = arr.shape[:axis] + arr.shape[axis + 1 :]
    rows = shape.reshape(shape.movedim(arr, axis, -1), (-1, arr.shape[axis]))
    out = join.stack([tensor(func1d(row, *args, **kwargs)) for row in rows], 0)
    inner = out.shape[1:]
    out = shape.reshape(out, (*rest, *inner))
    for i in range(len(inner)):
        out = shape.movedim(out, len(rest) + i, axis + i)
    return out


@faces("numpy")
def apply_over_axes(func, a, axes):
    """A function `func(a, axis=...)` applied over several axes in turn, whose dimensions stay with size 1."""
    a = tensor(a)
    for axis in (axes,) if isinstance(axes, int) else axes:
        out = func(a, axis=axis)
        a = shape.expand_dims(out, axis) if len(out.shape) == len(a.shape) - 1 else out
        if len(out.shape) not in (len(a.shape), len(a.shape) - 1):
            raise ValueError("For 'numpy.apply_over_axes', the function must keep or drop the axis.")
    return a


@faces("numpy")
def piecewise(x, condlist, funclist, *args, **kw):
    """Values, or what functions of `x` give, where conditions are true; the last of one more is for elsewhere."""
    x = tensor(x)
    if isinstance(condlist, bool):
        condlist = [condlist]
    if not isinstance(condlist, (tuple, list)):
        condlist = list(condlist) if len(condlist.shape) else [condlist]
    conditions = [tensor(c) for c in condlist]
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"For 'numpy.piecewise', there must be {len(conditions)} or {len(conditions) + 1} functions, but got "
            f"{len(funclist)}."
        )
    values = [f(x, *args, **kw) if callable(f) else tensor(f) for f in funclist]
    out = values.pop() if len(values) > len(conditions) else create.zeros((), values[0].dtype)
    out = shape.broadcast_to(out, x.shape)
    for condition, value in zip(conditions, values, strict=True):
        out = join.where(create.cast(condition, mstype.bool_), value, out)
    return out


@faces("numpy")
def array_equiv(a1, a2):
    """Whether two tensors are equal after broadcasting, as a 0-d Bool Tensor."""
    return Tensor(bool(np.array_equiv(tensor(a1).asnumpy(), tensor(a2).asnumpy())))


@faces("numpy")
def array_str(a):
    """The text that `print` gives for a tensor."""
    return str(tensor(a))


@faces("numpy")
def rand(*shape, dtype=mstype.float32):
    """Random numbers in [0, 1).

    >>> from ms_compat import numpy
    >>> print(numpy.rand(2, 3).shape)
    (2, 3)
    """
    return draws.rand(*shape, dtype=to_dtype(dtype))


@faces("numpy")
def randn(*shape, dtype=mstype.float32):
    """Standard normal random numbers.

    >>> from ms_compat import numpy
    >>> print(numpy.randn(2, 3).shape)
    (2, 3)
    """
    return draws.randn(*shape, dtype=to_dtype(dtype))


@faces("numpy")
def randint(minval, maxval=None, shape=None, dtype=mstype.int32):
    """Random integers from 0 to `minval`, or from `minval` to `maxval`, without the end; one number if `shape` is None.

    >>> from ms_compat import numpy
    >>> print(numpy.randint(0, 5, (2, 3)).shape)
    (2, 3)
    """
    low, high = (0, minval) if maxval is None else (minval, maxval)
    if isinstance(low, int) and isinstance(high, int) and high <= low:
        raise ValueError(f"For 'numpy.randint', the 'minval' must be below the 'maxval', but got {low} and {high}.")
    shape = 1 if shape is None else shape
    size = (shape,) if isinstance(shape, int) else tuple(shape)
    return draws.randint(low, high, size, dtype=to_dtype(dtype))
