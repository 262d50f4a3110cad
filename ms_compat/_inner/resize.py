"""`nn.ResizeBilinear` and `ops.ResizeBilinear` of MindSpore 1.x: two linear interpolations between pixels."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_positive_int
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive


def _lines(x: Any, axis: int, target: int, align: bool, half: bool) -> Any:
    size = x.shape[axis]
    at = np.arange(target, dtype=np.float32)
    if align:
        at = at * np.float32((size - 1) / (target - 1) if target > 1 else 0)
    else:
        scale = np.float32(size / target)
        at = np.maximum((at + np.float32(0.5)) * scale - np.float32(0.5), 0) if half else at * scale
    low = np.minimum(np.floor(at).astype(int), size - 1)
    high = np.minimum(low + 1, size - 1)
    shape = [1] * x.ndim
    shape[axis] = target
    share = jnp.asarray((at - low).reshape(shape), x.dtype)
    left, right = jnp.take(x, low, axis), jnp.take(x, high, axis)
    return left + (right - left) * share


@op(static=("size", "align", "half"), name="ResizeBilinear")
def _resize(x, size, align, half):
    if x.ndim != 4:
        raise ValueError(f"For 'ResizeBilinear', the input must have 4 dimensions, but got shape {x.shape}.")
    data = x if jnp.issubdtype(x.dtype, jnp.floating) and x.dtype.itemsize >= 4 else x.astype(jnp.float32)
    out = _lines(_lines(data, 2, size[0], align, half), 3, size[1], align, half)
    return out.astype(x.dtype) if jnp.issubdtype(x.dtype, jnp.floating) else out


def _flags(align_corners: Any, half_pixel_centers: Any) -> tuple[bool, bool]:
    align = check_bool("ResizeBilinear", "align_corners", align_corners)
    half = check_bool("ResizeBilinear", "half_pixel_centers", half_pixel_centers)
    if align and half:
        raise ValueError("For 'ResizeBilinear', 'align_corners' and 'half_pixel_centers' can not both be True.")
    return align, half


def _size(size: Any) -> tuple[int, int]:
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise ValueError(f"For 'ResizeBilinear', the 'size' must be two ints, but got {size}.")
    height, width = (check_positive_int("ResizeBilinear", "size", int(s)) for s in size)
    return height, width


class ResizeBilinearCell(Cell):
    """Images [N, C, H, W] of another size.

    Args:
        half_pixel_centers (bool): whether pixels are areas, not points.

    Inputs:
        x (Tensor): the images.
        size (tuple): height and width of the result; or
        scale_factor (int): how many times larger it is.
        align_corners (bool): whether the corner pixels stay where they are.

    Raises:
        ValueError: both or neither of `size` and `scale_factor`.

    >>> import ms_compat as ms
    >>> print(ResizeBilinearCell()(ms.Tensor([[[[1.0, 2.0]]]]), size=(1, 4)))
    [[[[1.  1.5 2.  2. ]]]]
    """

    def __init__(self, half_pixel_centers=False):
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x, size=None, scale_factor=None, align_corners=False):
        if (size is None) == (scale_factor is None):
            raise ValueError("For 'ResizeBilinear', give one of 'size' and 'scale_factor'.")
        if size is None:
            size = (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        return _resize(x, _size(size), *_flags(align_corners, self.half_pixel_centers))


class ResizeBilinear(Primitive):
    """The primitive; see `ResizeBilinearCell`.

    Args:
        size (tuple): height and width of the result.
        align_corners (bool): whether the corner pixels stay where they are.
        half_pixel_centers (bool): whether pixels are areas, not points.
    """

    def __init__(self, size, align_corners=False, half_pixel_centers=False):
        super().__init__("ResizeBilinear")
        self._settings = (_size(size), *_flags(align_corners, half_pixel_centers))

    def __call__(self, x):
        return _resize(x, *self._settings)
