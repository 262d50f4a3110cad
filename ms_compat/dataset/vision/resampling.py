"""Resizing as OpenCV 4 does it, in numpy, for the interpolations of `Inter`.

uint8 images go through OpenCV's fixed-point arithmetic (weights of 11 bits), so bilinear results are equal bit for
bit; bicubic and area ones may differ by one level where OpenCV's vector units round intermediate sums otherwise. Both
axes are separable: rows are blended first (a gather of whole rows), then columns.

Source of the formulas: OpenCV's documentation of `cv::resize` (pixel centres at +0.5, cubic with a = -0.75).
"""

import functools
import math

import numpy as np

_BITS = 11
_ONE = 1 << _BITS


@functools.lru_cache(maxsize=64)
def _nearest(source: int, target: int) -> np.ndarray:
    # OpenCV multiplies with the inverse of a rounded ratio; the order of operations matters at exact halves.
    step = 1.0 / (target / source)
    return np.minimum(np.floor(np.arange(target) * step).astype(np.int64), source - 1)


@functools.lru_cache(maxsize=64)
def _linear(source: int, target: int, area: bool, clip: bool) -> tuple[np.ndarray, np.ndarray]:
    """Index of the left neighbour and the weight of the right one (float32) for every target pixel.

    With `clip`, weights beyond the border are 0 (what OpenCV does for columns, not for rows).
    """
    step = 1.0 / (target / source)
    x = np.arange(target)
    if area:
        left = np.floor(x * step).astype(np.int64)
        weight = ((x + 1) - (left + 1) * (target / source)).astype(np.float32)
        weight = np.where(weight <= 0, np.float32(0), weight - np.floor(weight))
    else:
        place = ((x + 0.5) * step - 0.5).astype(np.float32)
        left = np.floor(place).astype(np.int64)
        weight = place - left.astype(np.float32)
    if clip:
        weight = np.where((left < 0) | (left >= source - 1), np.float32(0), weight)
    if clip:
        left = np.clip(left, 0, source - 1)
    return left, weight.astype(np.float32)


@functools.lru_cache(maxsize=64)
def _cubic(source: int, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Index of the second of four neighbours, and the four weights (float32), for every target pixel."""
    step = 1.0 / (target / source)
    place = ((np.arange(target) + 0.5) * step - 0.5).astype(np.float32)
    left = np.floor(place).astype(np.int64)
    x = place - left.astype(np.float32)
    a = np.float32(-0.75)
    one = np.float32(1)
    w0 = ((a * (x + one) - 5 * a) * (x + one) + 8 * a) * (x + one) - 4 * a
    w1 = ((a + 2) * x - (a + 3)) * x * x + one
    w2 = ((a + 2) * (one - x) - (a + 3)) * (one - x) * (one - x) + one
    return left, np.stack([w0, w1, w2, one - w0 - w1 - w2]).astype(np.float32)


def _fixed(weights: np.ndarray) -> np.ndarray:
    return np.rint(weights * np.float32(_ONE)).astype(np.int32)


def _rows(image: np.ndarray, index: np.ndarray) -> np.ndarray:
    return image[np.clip(index, 0, image.shape[0] - 1)]


def _columns(image: np.ndarray, index: np.ndarray) -> np.ndarray:
    return image[:, np.clip(index, 0, image.shape[1] - 1)]


def _resize_linear(image: np.ndarray, height: int, width: int, area: bool) -> np.ndarray:
    left, right_weight = _linear(image.shape[1], width, area, True)
    top, bottom_weight = _linear(image.shape[0], height, area, False)
    if image.dtype == np.uint8:
        alpha = _fixed(np.stack([1 - right_weight, right_weight]))[..., None]
        beta = _fixed(np.stack([1 - bottom_weight, bottom_weight]))[..., None, None]
        wide = image.astype(np.int32)
        blended = (_columns(wide, left) * alpha[0] + _columns(wide, left + 1) * alpha[1]) >> 4
        upper, lower = _rows(blended, top), _rows(blended, top + 1)
        return ((((beta[0] * upper) >> 16) + ((beta[1] * lower) >> 16) + 2) >> 2).astype(np.uint8)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    alpha = np.stack([1 - right_weight, right_weight])[..., None].astype(kind)
    beta = np.stack([1 - bottom_weight, bottom_weight])[..., None, None].astype(kind)
    wide = image.astype(kind)
    blended = _columns(wide, left) * alpha[0] + _columns(wide, left + 1) * alpha[1]
    return _cast(_rows(blended, top) * beta[0] + _rows(blended, top + 1) * beta[1], image.dtype)


def _resize_cubic(image: np.ndarray, height: int, width: int) -> np.ndarray:
    left, alpha = _cubic(image.shape[1], width)
    top, beta = _cubic(image.shape[0], height)
    if image.dtype == np.uint8:
        wide, alpha, beta = image.astype(np.int64), _fixed(alpha).astype(np.int64), _fixed(beta).astype(np.int64)
    else:
        kind = np.float64 if image.dtype == np.float64 else np.float32
        wide, alpha, beta = image.astype(kind), alpha.astype(kind), beta.astype(kind)
    blended = sum(_columns(wide, left + k - 1) * alpha[k][:, None] for k in range(4))
    total = sum(_rows(blended, top + k - 1) * beta[k][:, None, None] for k in range(4))
    if image.dtype == np.uint8:
        return np.clip((total + (1 << (2 * _BITS - 1))) >> (2 * _BITS), 0, 255).astype(np.uint8)
    return _cast(total, image.dtype)


@functools.lru_cache(maxsize=64)
def _area_matrix(source: int, target: int) -> np.ndarray:
    """The share of every source pixel in every target pixel when shrinking, (target, source)."""
    scale = source / target
    shares = np.zeros((target, source), np.float32)
    for k in range(target):
        start, stop = k * scale, min((k + 1) * scale, source)
        cell = min(scale, source - start)
        first, last = math.ceil(start), min(math.floor(stop), source - 1)
        first = min(first, last)
        if first - start > 1e-3:
            shares[k, first - 1] += (first - start) / cell
        shares[k, first:last] += 1.0 / cell
        if stop - last > 1e-3:
            shares[k, last] += min(min(stop - last, 1.0), cell) / cell
    return shares


def _resize_area(image: np.ndarray, height: int, width: int) -> np.ndarray:
    scale_y, scale_x = image.shape[0] / height, image.shape[1] / width
    if scale_x < 1 or scale_y < 1:
        return _resize_linear(image, height, width, True)
    if scale_x == int(scale_x) and scale_y == int(scale_y):
        shape = (height, int(scale_y), width, int(scale_x), image.shape[2])
        kind = np.int64 if image.dtype.kind in "iu" else image.dtype
        total = image.reshape(shape).sum(axis=(1, 3), dtype=kind)
        if image.dtype == np.uint8 and scale_x == scale_y == 2:
            return ((total + 2) >> 2).astype(np.uint8)
        return _cast(total.astype(np.float32) * np.float32(1 / (scale_x * scale_y)), image.dtype)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    wide = np.einsum("hwc,xw->hxc", image.astype(kind), _area_matrix(image.shape[1], width).astype(kind))
    return _cast(np.einsum("hwc,yh->ywc", wide, _area_matrix(image.shape[0], height).astype(kind)), image.dtype)


def _cast(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)
    return values.astype(dtype)


def resize(image: np.ndarray, height: int, width: int, method: str) -> np.ndarray:
    """Resizes an image of shape (H, W, C).

    Args:
        image: uint8, int16, uint16, float32 or float64.
        height: the new height.
        width: the new width.
        method: "nearest", "linear", "cubic" or "area".

    Returns:
        The image of shape (height, width, C), in its dtype.
    """
    source = image.shape[:2]
    if source == (height, width):
        return image.copy()
    if method == "nearest":
        return image[_nearest(source[0], height)[:, None], _nearest(source[1], width)]
    if method == "cubic":
        return _resize_cubic(image, height, width)
    # Halving with weights 1/2 is the mean of four pixels; OpenCV takes its area code for it.
    if method == "area" or (source == (2 * height, 2 * width)):
        return _resize_area(image, height, width)
    return _resize_linear(image, height, width, False)
