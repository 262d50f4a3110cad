"""`mindspore.numpy.gradient`."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import distinct, tensor
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.indexing import gather
from ms_compat.ops.function.shape import create


@faces("numpy")
def gradient(f, *varargs, axis=None, edge_order=1):
    """Central differences, one tensor an axis (a list for several); at the edges one-sided.

    Args:
        f: a tensor.
        varargs: the distance of the points, a number, or one for each axis.
        axis: None (all), an int or several.
        edge_order: 1.

    Raises:
        NotImplementedError: positions in place of a distance, or another order at the edges; as in MindSpore.
        TypeError: distances for more or fewer axes than there are.
        ValueError: an axis that is not there or occurs twice, or fewer than 2 points along it.
    """
    if edge_order != 1:
        raise NotImplementedError(f"For 'numpy.gradient', the 'edge_order' must be 1, but got {edge_order}.")
    f = tensor(f)
    rank = len(f.shape)
    axis = range(rank) if axis is None else axis
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if any(not -rank <= at < rank for at in axes):
        raise ValueError(f"For 'numpy.gradient', the 'axis' must fit the shape {f.shape}, but got {axis}.")
    distinct(axes, rank)
    axes = tuple(sorted([at % rank for at in axes]))  # in rising order, however they are given, as in MindSpore
    if not axes:
        return []
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(f"For 'numpy.gradient', there must be 1 or {len(axes)} distances, but got {len(varargs)}.")
    distances = [_distance(v) for v in (varargs or (1,)) * (1 if len(varargs) == len(axes) else len(axes))]
    if f.dtype.np_dtype.kind in "iub" or f.dtype is mstype.float16:
        f = create.cast(f, mstype.float32)
    out = [_differences(f, at, gap) for at, gap in zip(axes, distances, strict=True)]
    return out[0] if len(out) == 1 else out


def _distance(value) -> float | Tensor:
    if isinstance(value, Tensor) and not value.shape and value.dtype is not mstype.bool_:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotImplementedError("For 'numpy.gradient', the points must have one distance along an axis, a number.")
    return value


def _differences(f: Tensor, axis: int, distance: float | Tensor) -> Tensor:
    size = f.shape[axis]
    if size < 2:
        raise ValueError(f"For 'numpy.gradient', there must be at least 2 points along axis {axis}, but got {size}.")
    left = np.maximum(np.arange(size) - 1, 0)
    right = np.minimum(np.arange(size) + 1, size - 1)
    width = [1] * len(f.shape)
    width[axis] = size
    steps = (right - left).reshape(width)
    if isinstance(distance, Tensor):
        gap = arithmetic.mul(Tensor(steps.astype(f.dtype.np_dtype)), create.cast(distance, f.dtype))
    else:
        gap = Tensor((steps * distance).astype(f.dtype.np_dtype))
    upper, lower = (gather.gather(f, Tensor(at), axis) for at in (right, left))
    return arithmetic.div(arithmetic.sub(upper, lower), gap)
