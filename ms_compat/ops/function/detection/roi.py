"""Regions of feature maps resampled to one size (He et al., Mask R-CNN, arXiv:1703.06870), and glimpses of images.

A region is read at points between the pixels. Each point reads four rows of a table [N * H * W, C], so that the
channels of a pixel are contiguous and a read is one contiguous copy.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank, check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import UnsupportedError, check_bool, check_one_of, check_type, value_error
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.nn.checks import HALVES, floating, integer


def _points(start: Any, bin_size: Any, bins: int, grid: Any, most: int) -> tuple[Any, Any]:
    """Coordinates [R, bins, most] of each bin's points, and which of them are among its `grid` points."""
    at = jnp.arange(most, dtype=start.dtype)
    offset = (at + 0.5) * (bin_size / grid)[:, None, None]
    return start[:, None, None] + jnp.arange(bins, dtype=start.dtype)[:, None] * bin_size[:, None, None] + offset, (
        at < grid[:, None, None]
    )


def _corners(at: Any, size: int) -> tuple[Any, Any, Any]:
    """The pixels below and above each point, and the upper one's weight; a point up to one pixel outside is clipped."""
    at = jnp.maximum(at, 0)
    low = jnp.minimum(jnp.floor(at), size - 1)
    share = jnp.where(low >= size - 1, 0, at - low)
    return low.astype(np.int32), jnp.minimum(low + 1, size - 1).astype(np.int32), share


@op(static=("height", "width", "scale", "sample_num", "end_mode", "most"), name="ROIAlign")
def _roi_align(features, rois, height, width, scale, sample_num, end_mode, most):
    api = "ROIAlign"
    check_rank(api, "features", floating(api, "features", features), 4)
    if floating(api, "rois", rois).ndim != 2 or rois.shape[1] != 5:
        raise ValueError(f"For '{api}', the 'rois' must have shape (N, 5), but got {rois.shape}.")
    n, c, h, w = features.shape
    total = np.float32 if features.dtype in HALVES else features.dtype
    box = rois.astype(total)
    low = box[:, 1:3] * scale
    span = (box[:, 3:] + end_mode) * scale - low
    if end_mode == 0:
        span = jnp.maximum(span, 1)
    bins = span / np.array([width, height], total)
    if sample_num > 0:
        grid = jnp.full_like(bins, sample_num)
    else:
        grid = jnp.maximum(jnp.floor(bins), 1)
    x, x_used = _points(low[:, 0], bins[:, 0], width, grid[:, 0], most[0])
    y, y_used = _points(low[:, 1], bins[:, 1], height, grid[:, 1], most[1])
    x_used &= (x >= -1) & (x <= w)
    y_used &= (y >= -1) & (y <= h)
    table = features.astype(total).transpose(0, 2, 3, 1).reshape(n * h * w, c)
    base = box[:, 0].astype(np.int32)[:, None, None, None, None] * (h * w)
    top, down, y_share = _corners(y, h)
    left, right, x_share = _corners(x, w)
    out: Any = 0
    for row, row_share in ((top, 1 - y_share), (down, y_share)):
        row_share = jnp.where(y_used, row_share, 0)
        for column, column_share in ((left, 1 - x_share), (right, x_share)):
            column_share = jnp.where(x_used, column_share, 0)
            at = base + row[:, :, :, None, None] * w + column[:, None, None]
            weight = row_share[:, :, :, None, None] * column_share[:, None, None]
            out = out + jnp.sum(table[at] * weight[..., None], (2, 4))
    out = out / (grid[:, 0] * grid[:, 1])[:, None, None, None]
    return out.transpose(0, 3, 1, 2).astype(features.dtype)


def _most(rois: Any, height: int, width: int, scale: float, end_mode: int) -> tuple[int, int]:
    """The largest number of points per bin that any region needs, rounded up to a power of two: few compilations."""
    if not isinstance(rois, Tensor) or isinstance(rois._v, Tracer):
        raise UnsupportedError(
            "For 'ROIAlign', a 'sample_num' of 0 takes as many points as the regions' sizes need, and these are not "
            "known while compiling. Give a 'sample_num'."
        )
    box = np.asarray(rois.asnumpy(), np.float64)
    if box.ndim != 2 or box.shape[1] != 5 or not len(box):
        return 1, 1
    span = ((box[:, 3:] + end_mode) - box[:, 1:3]).max(0) * scale
    counts = np.maximum(np.ceil(span / np.array([width, height])), 1)
    x, y = (1 << (int(n) - 1).bit_length() for n in counts)
    return x, y


def roi_align(features, rois, pooled_height, pooled_width, spatial_scale, sample_num=2, roi_end_mode=1):
    """Means of bilinear samples in the bins of regions: [R, C, pooled_height, pooled_width].

    Args:
        features (Tensor): [N, C, H, W], floating type.
        rois (Tensor): [R, 5]: the image's number, and x0, y0, x1, y1 in pixels of the image.
        pooled_height, pooled_width (int): bins of a region.
        spatial_scale (float): the features' size over the image's.
        sample_num (int): points per bin and axis; 0 for floor(size of a bin), at least one.
        roi_end_mode (int): 1: the last pixel belongs to the region; 0: not, and a region has at least one pixel.

    Raises:
        TypeError: data that is not floating.
        ValueError: shapes that do not fit.
        UnsupportedError: a `sample_num` of 0 in compiled code.
    """
    if sample_num > 0:
        most = (sample_num, sample_num)
    else:
        most = _most(rois, pooled_height, pooled_width, spatial_scale, roi_end_mode)
    return _roi_align(features, rois, pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode, most)


def check_roi_align(pooled_height, pooled_width, spatial_scale, sample_num, roi_end_mode) -> None:
    """Checks the constructor's arguments of `ops.ROIAlign`."""
    integer("ROIAlign", "pooled_height", pooled_height, 1), integer("ROIAlign", "pooled_width", pooled_width, 1)
    check_type("ROIAlign", "spatial_scale", spatial_scale, float)
    integer("ROIAlign", "sample_num", sample_num)
    if integer("ROIAlign", "roi_end_mode", roi_end_mode) not in (0, 1):
        raise value_error("ROIAlign", "roi_end_mode", "in range of [0, 1]", roi_end_mode)


# -- glimpses --------------------------------------------------------------------------------------------------------
def _noise(key: Any, kind: str, shape: tuple, like: Any) -> Any:
    if kind == "zero":
        return jnp.zeros(shape, np.float32)
    if kind == "uniform":
        return jax.random.uniform(key, shape, np.float32, 0.0, 255.0)
    return like.mean() + like.std() * jax.random.normal(key, shape, np.float32)


@random_op(static=("size", "centered", "normalized", "noise"))
def _glimpse(key, x, offsets, size, centered, normalized, noise):
    api = "ExtractGlimpse"
    check_rank(api, "x", floating(api, "x", x), 4)
    check_shape(api, "offsets", offsets, (x.shape[0], 2))
    if len(size) != 2 or min(size) <= 0:
        raise ValueError(f"For '{api}', the 'size' must be two positive ints, but got {size}.")
    place, inside = [], []
    for axis in (0, 1):
        count = x.shape[1 + axis]
        middle = offsets[:, axis].astype(np.float32)
        if normalized:
            middle = middle * count
        if centered:
            middle = (middle + count) / 2
        start = middle - size[axis] / 2
        whole = jnp.round(start)  # a product and a difference may be fused, which must not lose a pixel
        start = jnp.where(jnp.abs(start - whole) < 1e-4, whole, jnp.trunc(start))
        at = start.astype(np.int32)[:, None] + jnp.arange(size[axis], dtype=np.int32)
        inside.append((at >= 0) & (at < count))
        place.append(jnp.clip(at, 0, count - 1))
    rows = jnp.arange(x.shape[0], dtype=np.int32)[:, None, None]
    out = x.astype(np.float32)[rows, place[0][:, :, None], place[1][:, None, :]]
    known = (inside[0][:, :, None] & inside[1][:, None, :])[..., None]
    return jnp.where(known, out, _noise(key, noise, out.shape, x.astype(np.float32)))


def extract_glimpse(x, size, offsets, centered=True, normalized=True, uniform_noise=True, noise="uniform"):
    """Windows cut out of images [N, H, W, C] around given places; noise fills the places outside the image.

    Args:
        x (Tensor): [N, H, W, C].
        size (Tensor): height and width of the windows, constants.
        offsets (Tensor): [N, 2]: rows and columns of the windows' centres.
        centered (bool): count them from the image's centre; otherwise from its first pixel.
        normalized (bool): in images; otherwise in pixels. If `centered`, in halves of either.
        uniform_noise (bool): only together with the `noise` "uniform".
        noise (str): "uniform" in [0, 255), "gaussian" with the image's mean and deviation, or "zero".

    Returns:
        Tensor [N, height, width, C], Float32.

    Raises:
        TypeError: an argument of another type.
        ValueError: shapes that do not fit, an unknown `noise`, or one that contradicts `uniform_noise`.
    """
    check_glimpse(centered, normalized, uniform_noise, noise)
    if isinstance(size, Tensor):
        size = tuple(size.asnumpy().tolist())
    return _glimpse(x, offsets, tuple(size), centered, normalized, noise)


def check_glimpse(centered, normalized, uniform_noise, noise) -> None:
    """Checks the constructor's arguments of `ops.ExtractGlimpse`."""
    given = {"centered": centered, "normalized": normalized, "uniform_noise": uniform_noise}
    for name, value in given.items():
        check_bool("ExtractGlimpse", name, value)
    check_one_of("ExtractGlimpse", "noise", noise, ("uniform", "gaussian", "zero"))
    if uniform_noise and noise != "uniform":
        raise value_error("ExtractGlimpse", "noise", "'uniform' when 'uniform_noise' is True", noise)
