"""Affine and perspective warps as OpenCV 4 does them, in numpy.

OpenCV looks every target pixel up in the source, at 1/32 of a pixel: coordinates are integers of 10 fraction bits for
affine warps, and the weights of the neighbours come from tables of 15 bits. Doing the same arithmetic gives uint8
results that are equal bit for bit.

Source of the formulas: OpenCV's documentation of `cv::warpAffine`, `cv::getRotationMatrix2D` and `cv::remap`.
"""

import functools
import math
from typing import Any

import numpy as np

_STEPS = 32
_WEIGHT = 1 << 15


def rotation_matrix(center: tuple[float, float], degrees: float) -> np.ndarray:
    """The 2x3 matrix that turns counter-clockwise around a point (x, y)."""
    angle = math.radians(degrees)
    alpha, beta = math.cos(angle), math.sin(angle)
    x, y = center
    return np.array([[alpha, beta, (1 - alpha) * x - beta * y], [-beta, alpha, beta * x + (1 - alpha) * y]])


def invert(matrix: np.ndarray) -> np.ndarray:
    """The inverse of a 2x3 affine matrix."""
    m = matrix.reshape(-1).tolist()
    d = m[0] * m[4] - m[1] * m[3]
    d = 1.0 / d if d else 0.0
    a11, a22 = m[4] * d, m[0] * d
    b, c = m[1] * -d, m[3] * -d
    return np.array([[a11, b, -a11 * m[2] - b * m[5]], [c, a22, -c * m[2] - a22 * m[5]]])


def _cubic_weights(x: np.ndarray) -> np.ndarray:
    a = np.float32(-0.75)
    w0 = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    w1 = ((a + 2) * x - (a + 3)) * x * x + 1
    w2 = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return np.stack([w0, w1, w2, 1 - w0 - w1 - w2], axis=-1).astype(np.float32)


@functools.lru_cache(maxsize=4)
def _table(taps: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights of taps x taps neighbours for each of 32 x 32 fractions: float32, and integers that add up to 2**15."""
    fraction = (np.arange(_STEPS) / _STEPS).astype(np.float32)
    line = np.stack([1 - fraction, fraction], axis=-1) if taps == 2 else _cubic_weights(fraction)
    real = (line[:, None, :, None] * line[None, :, None, :]).reshape(_STEPS * _STEPS, taps, taps).astype(np.float32)
    whole = np.clip(np.rint(real * np.float32(_WEIGHT)), -(2**15), 2**15 - 1).astype(np.int64)
    # What rounding added or lost goes to the largest or the smallest of the middle weights, so that each table adds up
    # to 2**15.
    for entry in whole:
        difference = int(entry.sum()) - _WEIGHT
        if difference:
            low = taps // 2
            middle = [(i, j) for i in range(low, min(low + 2, taps)) for j in range(low, min(low + 2, taps))]
            pick = (max if difference < 0 else min)(middle, key=entry.__getitem__)
            entry[pick] -= difference
    return real, whole


class _Surface:
    """An image with a margin of the fill value, so that a place outside of it is a place in the margin."""

    def __init__(self, image: np.ndarray, fill: np.ndarray, margin: int) -> None:
        self.height, self.width, self.channels = image.shape
        self.margin, self.stride = margin, self.width + 2 * margin
        framed = np.empty((self.height + 2 * margin, self.stride, self.channels), image.dtype)
        framed[...] = fill
        framed[margin : margin + self.height, margin : margin + self.width] = image
        self.pixels = framed.reshape(-1, self.channels)

    def at(self, y: np.ndarray, x: np.ndarray) -> np.ndarray:
        """The pixels at integer places, as lines (H, W * C)."""
        margin = self.margin
        place = np.clip(y, -margin, self.height + margin - 1) + margin
        place *= self.stride
        place += np.clip(x, -margin, self.width + margin - 1) + margin
        return np.take(self.pixels, place, axis=0).reshape(place.shape[0], -1)


def _blend(image: np.ndarray, x: np.ndarray, y: np.ndarray, fill: np.ndarray, taps: int) -> np.ndarray:
    """Blends the neighbours of places given in 1/32 of a pixel."""
    real, whole = _table(taps)
    channels, exact = image.shape[2], image.dtype == np.uint8
    kind = np.int32 if exact else np.float64 if image.dtype == np.float64 else np.float32
    weights = (whole if exact else real).astype(kind)
    entry = (y & (_STEPS - 1)) * _STEPS + (x & (_STEPS - 1))
    left, top = (x >> 5) - (taps // 2 - 1), (y >> 5) - (taps // 2 - 1)
    surface, total = _Surface(image, fill, taps), None
    for i in range(taps):
        for j in range(taps):
            weight = np.repeat(weights[:, i, j][entry], channels, axis=1)
            part = np.multiply(surface.at(top + i, left + j), weight, dtype=kind)
            total = part if total is None else np.add(total, part, out=total)
    if exact:
        total = np.clip((total + (_WEIGHT >> 1)) >> 15, 0, 255)
    elif image.dtype.kind in "iu":
        limits = np.iinfo(image.dtype)
        total = np.clip(np.rint(total), limits.min, limits.max)
    return total.astype(image.dtype).reshape(*x.shape, channels)


_TAPS = {"linear": 2, "cubic": 4, "area": 2}


def _fill(image: np.ndarray, fill: Any) -> np.ndarray:
    values = np.atleast_1d(np.array(fill))
    if image.shape[2] != len(values):
        # OpenCV's scalar has four numbers: a single one given fills the first three channels.
        values = np.resize(values, image.shape[2])
    return values.astype(image.dtype)


def warp_affine(image: np.ndarray, matrix: np.ndarray, height: int, width: int, method: str, fill: Any) -> np.ndarray:
    """Warps an image of shape (H, W, C) by a 2x3 matrix that maps source to target.

    Args:
        image: the image.
        matrix: where source pixels (x, y) go.
        height: the new height.
        width: the new width.
        method: "nearest", "linear", "cubic" or "area".
        fill: the value outside, one for all channels or one a channel.
    """
    back = invert(matrix)
    x, y = np.arange(width), np.arange(height)[:, None]
    shift = 512 if method == "nearest" else 16
    at_x = (
        np.rint((back[0, 1] * y + back[0, 2]) * 1024).astype(np.int64)
        + shift
        + np.rint(back[0, 0] * x * 1024).astype(np.int64)
    )
    at_y = (
        np.rint((back[1, 1] * y + back[1, 2]) * 1024).astype(np.int64)
        + shift
        + np.rint(back[1, 0] * x * 1024).astype(np.int64)
    )
    values = _fill(image, fill)
    if method == "nearest":
        return _Surface(image, values, 1).at(at_y >> 10, at_x >> 10).reshape(height, width, -1)
    return _blend(image, at_x >> 5, at_y >> 5, values, _TAPS[method])


def perspective_matrix(source: Any, target: Any) -> np.ndarray:
    """The 3x3 matrix that maps four points (x, y) to four others."""
    rows, right = [], []
    for (x, y), (u, _) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -x * u, -y * u])
        right.append(u)
    for (x, y), (_, v) in zip(source, target, strict=True):
        rows.append([0, 0, 0, x, y, 1, -x * v, -y * v])
        right.append(v)
    return np.append(np.linalg.solve(np.array(rows, float), np.array(right, float)), 1.0).reshape(3, 3)


def warp_perspective(
    image: np.ndarray, matrix: np.ndarray, height: int, width: int, method: str, fill: Any
) -> np.ndarray:
    """Warps an image of shape (H, W, C) by a 3x3 matrix that maps source to target.

    The arguments are `warp_affine`'s.
    """
    back = np.linalg.inv(matrix)
    x, y = np.arange(width), np.arange(height)[:, None]
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    scale = np.divide(1.0 if method == "nearest" else _STEPS, depth, out=np.zeros_like(depth), where=depth != 0)
    at_x = np.rint((back[0, 0] * x + back[0, 1] * y + back[0, 2]) * scale).astype(np.int64)
    at_y = np.rint((back[1, 0] * x + back[1, 1] * y + back[1, 2]) * scale).astype(np.int64)
    values = _fill(image, fill)
    if method == "nearest":
        return _Surface(image, values, 1).at(at_y, at_x).reshape(height, width, -1)
    return _blend(image, at_x, at_y, values, _TAPS[method])


def rotate(
    image: np.ndarray, degrees: float, method: str, expand: bool, center: tuple[float, float] | None, fill: Any
) -> np.ndarray:
    """Turns an image of shape (H, W, C) counter-clockwise.

    Args:
        image: the image.
        degrees: the angle.
        method: "nearest", "linear", "cubic" or "area".
        expand: enlarges the image so that nothing is cut.
        center: (x, y) to turn around; None is the middle.
        fill: the value outside.
    """
    height, width = image.shape[:2]
    matrix = rotation_matrix(center or ((width - 1) / 2, (height - 1) / 2), degrees)
    if expand:
        # The bounding box of the turned image: the shift takes its exact size, the new image the rounded one.
        b, a = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
        box_width, box_height = a * height + b * width, b * height + a * width
        matrix[0, 2] += box_width / 2 - width / 2
        matrix[1, 2] += box_height / 2 - height / 2
        width, height = round(box_width), round(box_height)
    return warp_affine(image, matrix, height, width, method, fill)
