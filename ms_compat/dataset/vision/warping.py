"""Affine and perspective warps as OpenCV 4.11 does them, and so MindSpore.

A warp looks every target pixel up in the source, at 1/32 of a pixel: coordinates are integers with 10 fraction bits for
affine warps, and the neighbours' weights come from 15-bit tables. This module computes the coordinates, and OpenCV's
`remap` blends the pixels, because `warpAffine` and `warpPerspective` use other coordinates since OpenCV 4.12 and 5.0
(other pixels for a tenth of the images, with bilinear weights up to 5 levels); `remap` with these coordinates returns
the same in all versions. Bicubic weights are the exception: OpenCV 5 blends them in floating point (one byte in 400
differs by one level) and cuts doubles to whole numbers, so this module blends them itself.

Source of the formulas: OpenCV's documentation of `cv::warpAffine`, `cv::warpPerspective` and `cv::remap`.
"""

import functools
from typing import Any

import numpy as np

from ms_compat.dataset.vision.base import saturated, with_channels
from ms_compat.dataset.vision.opencv import call, opencv
from ms_compat.dataset.vision.resampling import FLAGS

_STEPS = 32
_INT32 = np.iinfo(np.int32)
_PLACES = (-(2**15) + 1, 2**15 - 3)  # the limits for the neighbours in a bicubic blend
_WEIGHT = 1 << 15


def _invert(matrix: np.ndarray) -> np.ndarray:
    """The inverse of a 2x3 affine matrix; zeros if it has no inverse."""
    m = matrix.reshape(-1).tolist()
    d = m[0] * m[4] - m[1] * m[3]
    d = 1.0 / d if d else 0.0
    a11, a22 = m[4] * d, m[0] * d
    b, c = m[1] * -d, m[3] * -d
    return np.array([[a11, b, -a11 * m[2] - b * m[5]], [c, a22, -c * m[2] - a22 * m[5]]])


def _whole(places: np.ndarray) -> np.ndarray:
    """The nearest 32-bit integers."""
    return np.clip(np.rint(places), _INT32.min, _INT32.max).astype(np.int32)


def _remapped(
    image: np.ndarray, x: np.ndarray, y: np.ndarray, bits: int, method: str, fill: tuple[int, ...], api: str
) -> np.ndarray:
    """The pixels at places with `bits` fraction bits."""
    cv2 = opencv()
    place = np.empty((*x.shape, 2), np.int16)
    np.clip(x >> bits, *_PLACES, out=place[..., 0], casting="unsafe")
    np.clip(y >> bits, *_PLACES, out=place[..., 1], casting="unsafe")
    value = fill * 3 if len(fill) == 1 else fill  # a fourth channel gets 0
    edge = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": value}
    if method == "nearest":
        return call(api, "remap", image, place, None, cv2.INTER_NEAREST, **edge)
    entry = (y & (_STEPS - 1)) * _STEPS + (x & (_STEPS - 1))
    if method != "cubic":
        return call(api, "remap", image, place, entry.astype(np.uint16), getattr(cv2, FLAGS[method]), **edge)
    return _cubic(image, place, entry, value, api)


def _cubic(image: np.ndarray, place: np.ndarray, entry: np.ndarray, fill: tuple[int, ...], api: str) -> np.ndarray:
    """Blends 4 x 4 neighbours by the weights of a table's entries."""
    cv2, exact, wide = opencv(), image.dtype == np.uint8, with_channels(image)
    # float32 holds a sum of bytes exactly: the weights of an entry add up to 1.9 * 2**15 without their signs.
    kind = np.float64 if image.dtype == np.float64 else np.float32
    planes = [np.ascontiguousarray(wide[..., c], kind) for c in range(wide.shape[2])]
    totals = np.zeros((len(planes), *entry.shape), kind)
    fills, beside = (*map(float, fill), 0.0), place.copy()
    for k in range(16):
        # from (-1, -1) in the 4 x 4 block to the right, and from each row's end to the next row's beginning
        if k % 4:
            beside[..., 0] += 1
        else:
            beside += (-3, 1) if k else (-1, -1)
        weight = np.take(_cubic_table()[exact][:, k].astype(kind), entry)
        for plane, total, value in zip(planes, totals, fills, strict=False):
            edge = {"borderMode": cv2.BORDER_CONSTANT, "borderValue": value}
            part = call(api, "remap", plane, beside, None, cv2.INTER_NEAREST, **edge)
            call(api, "accumulateProduct", part, weight, total)
    if exact:
        totals = (totals.astype(np.int32) + (_WEIGHT >> 1)) >> 15
    return saturated(np.moveaxis(totals, 0, -1), image.dtype).reshape(*entry.shape, *image.shape[2:])


@functools.cache
def _cubic_table() -> tuple[np.ndarray, np.ndarray]:
    """Weights of 4 x 4 neighbours for each of 32 x 32 fractions: float32, and integers that add up to 2**15."""
    x = (np.arange(_STEPS) / _STEPS).astype(np.float32)
    a = np.float32(-0.75)
    w0 = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    w1 = ((a + 2) * x - (a + 3)) * x * x + 1
    w2 = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    line = np.stack([w0, w1, w2, 1 - w0 - w1 - w2], axis=-1).astype(np.float32)
    real = (line[:, None, :, None] * line[None, :, None, :]).reshape(_STEPS * _STEPS, 16).astype(np.float32)
    whole = np.rint(real * np.float32(_WEIGHT)).astype(np.int32)
    # What rounding added or lost goes to the largest or the smallest of four middle weights, so that each table adds up
    # to 2**15.
    for entry in whole:
        difference = int(entry.sum()) - _WEIGHT
        if difference:
            pick = (max if difference < 0 else min)((10, 11, 14, 15), key=entry.__getitem__)
            entry[pick] -= difference
    return real, whole


def warp_affine(
    image: np.ndarray, matrix: np.ndarray, height: int, width: int, method: str, fill: tuple[int, ...], api: str
) -> np.ndarray:
    """Warps an image of shape (H, W, C) by a 2x3 matrix that maps source to target.

    Args:
        image: the image.
        matrix: maps source pixels (x, y) to target pixels.
        height: the new height.
        width: the new width.
        method: "nearest", "linear", "cubic" or "area" (which is "linear" here).
        fill: the value outside, one for all channels or one for each of three.
        api: the transform to name in errors.

    Raises:
        RuntimeError: if OpenCV refuses the image: without pixels, or of more than four channels.
    """
    back = _invert(matrix)
    x, y = np.arange(width), np.arange(height)[:, None]
    drop = 0 if method == "nearest" else 5  # of 10 fraction bits, "nearest" needs all, blending five
    half = 512 if method == "nearest" else 16
    at_x = (_whole((back[0, 1] * y + back[0, 2]) * 1024) + half + _whole(back[0, 0] * x * 1024)) >> drop
    at_y = (_whole((back[1, 1] * y + back[1, 2]) * 1024) + half + _whole(back[1, 0] * x * 1024)) >> drop
    return _remapped(image, at_x, at_y, 10 - drop, method, fill, api)


def perspective_matrix(source: Any, target: Any) -> np.ndarray:
    """The 3x3 matrix that maps four points (x, y) to four others."""
    return opencv().getPerspectiveTransform(np.array(source, np.float32), np.array(target, np.float32))


def warp_perspective(
    image: np.ndarray, matrix: np.ndarray, height: int, width: int, method: str, fill: tuple[int, ...], api: str
) -> np.ndarray:
    """Warps an image of shape (H, W, C) by a 3x3 matrix that maps source to target.

    The arguments are `warp_affine`'s.
    """
    back = opencv().invert(matrix)[1]
    x, y = np.arange(width), np.arange(height)[:, None]
    steps, bits = (1, 0) if method == "nearest" else (_STEPS, 5)
    depth = back[2, 0] * x + (back[2, 1] * y + back[2, 2])
    scale = np.divide(steps, depth, out=np.zeros_like(depth), where=depth != 0)
    at_x = _whole((back[0, 0] * x + (back[0, 1] * y + back[0, 2])) * scale)
    at_y = _whole((back[1, 0] * x + (back[1, 1] * y + back[1, 2])) * scale)
    return _remapped(image, at_x, at_y, bits, method, fill, api)


def rotate(
    image: np.ndarray,
    degrees: float,
    method: str,
    expand: bool,
    center: tuple[float, float] | None,
    fill: tuple[int, ...],
    api: str,
) -> np.ndarray:
    """Turns an image of shape (H, W, C) counter-clockwise.

    Args:
        image: the image.
        degrees: the angle.
        method: "nearest", "linear", "cubic" or "area".
        expand: enlarges the image so that nothing is cut.
        center: (x, y) to turn around; None is the middle.
        fill: the value outside, one for all channels or one for each of three.
        api: the transform to name in errors.
    """
    height, width = image.shape[:2]
    angle = float(np.float32(degrees % 360))
    middle = center or ((width - 1) / 2, (height - 1) / 2)
    matrix = opencv().getRotationMatrix2D((float(middle[0]), float(middle[1])), angle, 1.0)
    if expand:
        # The bounding box of the turned image, in float32; the new image has its rounded size.
        corners = opencv().boxPoints((middle, (width, height), angle))
        box_width, box_height = (corners.max(axis=0) - corners.min(axis=0)).tolist()
        matrix[0, 2] += box_width / 2 - width / 2
        matrix[1, 2] += box_height / 2 - height / 2
        width, height = round(box_width), round(box_height)
    return warp_affine(image, matrix, height, width, method, fill, api)
