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


# The kernels below work on images as (H, W * C): an inner loop over three channels costs numpy 4 times as much as one
# over a whole line (0.12 against 0.027 ms for a multiplication of 200 x 224 x 3 values).


@functools.lru_cache(maxsize=256)
def _places(source: int, target: int, channels: int, area: bool, taps: int, k: int) -> np.ndarray:
    """For every value of a line of the new image, the place of its k-th neighbour in a line of the old one."""
    left = _cubic(source, target)[0] - 1 if taps == 4 else _linear(source, target, area, True)[0]
    column = np.clip(left + k, 0, source - 1)
    return (column[:, None] * channels + np.arange(channels)).reshape(-1)


def _across(lines: np.ndarray, source: int, channels: int, area: bool, weights: np.ndarray) -> np.ndarray:
    """Blends the columns of (H, W * C) lines; `weights` are (taps, new W) and choose the dtype."""
    taps, target = weights.shape
    total = None
    for k in range(taps):
        found = np.take(lines, _places(source, target, channels, area, taps, k), axis=1)
        part = np.multiply(found, np.repeat(weights[k], channels), dtype=weights.dtype)
        total = part if total is None else np.add(total, part, out=total)
    return total


def _lines(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    return np.take(values, np.clip(index, 0, len(values) - 1), axis=0)


def _float_kind(dtype: np.dtype) -> type:
    return np.float64 if dtype == np.float64 else np.float32


def _resize_linear(image: np.ndarray, height: int, width: int, area: bool) -> np.ndarray:
    rows, columns, channels = image.shape
    right_weight = _linear(columns, width, area, True)[1]
    top, bottom_weight = _linear(rows, height, area, False)
    exact = image.dtype == np.uint8
    kind = np.int32 if exact else _float_kind(image.dtype)
    alpha, beta = (np.stack([1 - weight, weight]) for weight in (right_weight, bottom_weight))
    alpha, beta = (_fixed(alpha), _fixed(beta)) if exact else (alpha.astype(kind), beta.astype(kind))
    blended = _across(image.reshape(rows, columns * channels), columns, channels, area, alpha)
    if exact:
        return _rows_of_bytes(blended, top, beta).reshape(height, width, channels)
    upper, lower = _lines(blended, top), _lines(blended, top + 1)
    upper *= beta[0][:, None]
    lower *= beta[1][:, None]
    upper += lower
    return _cast(upper, image.dtype).reshape(height, width, channels)


def _rows_of_bytes(blended: np.ndarray, top: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Blends two rows into each new one, from columns blended to 19 bits; sums of products cut to their upper half."""
    short = np.right_shift(blended, 4, out=blended).astype(np.int16)  # at most 255 << 7
    total = np.multiply(_lines(short, top), beta[0][:, None], dtype=np.int32)
    total >>= 16
    lower = np.multiply(_lines(short, top + 1), beta[1][:, None], dtype=np.int32)
    lower >>= 16
    total += lower
    total += 2
    total >>= 2
    return total.astype(np.uint8)


def _resize_cubic(image: np.ndarray, height: int, width: int) -> np.ndarray:
    rows, columns, channels = image.shape
    alpha, (top, beta) = _cubic(columns, width)[1], _cubic(rows, height)
    exact = image.dtype == np.uint8
    kind = np.dtype(np.float32) if exact else np.dtype(_float_kind(image.dtype))
    alpha = _fixed(alpha) if exact else alpha.astype(kind)
    # Columns are blended exactly; rows in float32, as OpenCV's vector units do it (in int64 it took 4 times as long).
    beta = _fixed(beta).astype(kind) * kind.type(1 / _ONE**2) if exact else beta.astype(kind)
    blended = _across(image.reshape(rows, columns * channels), columns, channels, False, alpha)
    blended = blended.astype(kind, copy=False)
    total = _lines(blended, top - 1)
    total *= beta[0][:, None]
    for k in range(1, 4):
        part = _lines(blended, top + k - 1)
        part *= beta[k][:, None]
        total += part
    return _cast(total, image.dtype).reshape(height, width, channels)


@functools.lru_cache(maxsize=64)
def _area(source: int, target: int) -> tuple[np.ndarray, np.ndarray]:
    """First source pixel and weights (taps, target) of every target pixel when shrinking: the share of its cell."""
    scale = source / target
    first = np.zeros(target, np.int64)
    shares = np.zeros((math.ceil(scale) + 2, target), np.float32)
    for k in range(target):
        start, stop = k * scale, min((k + 1) * scale, source)
        cell = min(scale, source - start)
        last = min(math.floor(stop), source - 1)
        whole = min(math.ceil(start), last)
        parts = [(whole - 1, (whole - start) / cell)] if whole - start > 1e-3 else []
        parts += [(at, 1.0 / cell) for at in range(whole, last)]
        if stop - last > 1e-3:
            parts.append((last, min(min(stop - last, 1.0), cell) / cell))
        first[k] = parts[0][0]
        for at, share in parts:
            shares[at - first[k], k] += share
    return first, shares


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
    rows, columns, channels = image.shape
    kind = _float_kind(image.dtype)
    left, alpha = _area(columns, width)
    top, beta = _area(rows, height)
    lines = image.reshape(rows, columns * channels)
    wide, total = None, None
    for k, weight in enumerate(alpha.astype(kind)):
        place = (np.minimum(left + k, columns - 1)[:, None] * channels + np.arange(channels)).reshape(-1)
        part = np.multiply(np.take(lines, place, axis=1), np.repeat(weight, channels), dtype=kind)
        wide = part if wide is None else np.add(wide, part, out=wide)
    for k, weight in enumerate(beta.astype(kind)):
        part = _lines(wide, top + k) * weight[:, None]
        total = part if total is None else np.add(total, part, out=total)
    return _cast(total, image.dtype).reshape(height, width, channels)


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
