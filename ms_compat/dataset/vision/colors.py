"""Colour arithmetic as MindSpore does it: grey, hue, smoothing and histograms by OpenCV, the rest here.

This module blends with grey itself because OpenCV's `addWeighted` rounds differently from MindSpore's matrix
expression: for a saturation by 3.3, one byte in 20 would differ. It also implements the automatic contrast, whose
cut-offs OpenCV lacks, and HSV for doubles, which OpenCV supports in float32 only.

Source of the formulas: the definitions of the adjustments that `torchvision` and Pillow share: a blend of the image
with black, its mean grey, its grey version or its smoothed version.
"""

import numpy as np

from ms_compat.dataset.vision.base import saturated
from ms_compat.dataset.vision.opencv import call, opencv


def gray(image: np.ndarray, api: str) -> np.ndarray:
    """The grey version, (H, W), of an RGB image."""
    return call(api, "cvtColor", image, opencv().COLOR_RGB2GRAY)


def looked_up(image: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Looks up a uint8 image's values in a table with 256 entries."""
    return call("LUT", "LUT", image, table).reshape(image.shape) if image.size else table[image]


def _scaled(image: np.ndarray, factor: float) -> np.ndarray:
    """The image times a factor, rounded to float32, as float64; bytes go through a table."""
    if image.dtype == np.uint8:
        table = (np.arange(256) * factor).astype(np.float32).astype(np.float64)
        return looked_up(image, table)
    wide = image.astype(np.float64) * factor
    return wide if image.dtype == np.float64 else wide.astype(np.float32).astype(np.float64)


def blend(image: np.ndarray, other: np.ndarray, alpha: float) -> np.ndarray:
    """`alpha` of the image and the rest of another one, (H, W) or in its shape, rounded and cut to the dtype.

    float32 with one fused multiply-add, as OpenCV's vector units compute it: the second product is not rounded before
    the addition.
    """
    first, second = float(np.float32(alpha)), float(np.float32(1) - np.float32(alpha))
    total = _scaled(image, first)
    rest = looked_up(other, np.arange(256) * second) if other.dtype == np.uint8 else other.astype(np.float64) * second
    if other.ndim == 2 and image.ndim == 3:
        rest = np.repeat(rest, image.shape[2], axis=1).reshape(image.shape)
    total += rest
    return saturated(total if image.dtype == np.float64 else total.astype(np.float32), image.dtype)


def brightness(image: np.ndarray, alpha: float) -> np.ndarray:
    """Scales all values."""
    if image.dtype == np.uint8:
        table = np.arange(256, dtype=np.uint8)
        return looked_up(image, saturated(table.astype(np.float32) * np.float32(alpha), table.dtype))
    kind = np.dtype(np.float64 if image.dtype in (np.float64, np.int32) else np.float32)
    return saturated(image.astype(kind) * np.float32(alpha).astype(kind), image.dtype)


def contrast(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the mean grey."""
    mean = np.array(gray(image, "AdjustContrast").mean(dtype=np.float64))
    if image.dtype.kind in "iu":
        mean = np.rint(mean)
    if image.dtype == np.uint8:
        return looked_up(image, blend(np.arange(256, dtype=np.uint8), mean, alpha))
    return blend(image, np.full(image.shape, mean), alpha)


def saturation(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the grey version."""
    return blend(image, gray(image, "AdjustSaturation"), alpha)


def _sextants(h: np.ndarray, s: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Converts hue in sextants (0 to 6), saturation and value, all float, to RGB."""
    sector = np.floor(h)
    f = h - sector
    table = np.stack([v, v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))]).reshape(4, -1)
    order = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]]) * table.shape[1]
    base = np.arange(table.shape[1])
    number = sector.astype(np.int64).reshape(-1) % 6
    picked = [np.take(table.reshape(-1), order[:, c][number] + base).reshape(h.shape) for c in range(3)]
    return np.stack(picked, axis=-1)


def rgb_to_hsv(image: np.ndarray) -> np.ndarray:
    """Converts a float RGB image (..., 3) in 0 to 1 to HSV, each in 0 to 1."""
    r, g, b = image[..., 0], image[..., 1], image[..., 2]
    value = image.max(axis=-1)
    span = value - image.min(axis=-1)
    safe = np.where(span == 0, 1, span)
    s = np.where(span == 0, 0, span / np.where(value == 0, 1, value))
    h = np.where(value == r, (g - b) / safe, np.where(value == g, 2 + (b - r) / safe, 4 + (r - g) / safe))
    return np.stack([np.where(span == 0, 0, (h / 6) % 1.0), s, value], axis=-1)


def hsv_to_rgb(image: np.ndarray) -> np.ndarray:
    """The inverse of `rgb_to_hsv`."""
    return _sextants(image[..., 0] * 6, image[..., 1], image[..., 2])


def hue(image: np.ndarray, factor: float) -> np.ndarray:
    """Turns the hue of a uint8 image by a share of the circle."""
    hsv = call("AdjustHue", "cvtColor", image, opencv().COLOR_RGB2HSV_FULL)
    hsv[..., 0] += np.uint8(int(factor * 255) & 255)
    return call("AdjustHue", "cvtColor", hsv, opencv().COLOR_HSV2RGB_FULL)


def gamma(image: np.ndarray, power: float, gain: float) -> np.ndarray:
    """`gain * 255 * (value / 255) ** power`; a floating image must be in 0 to 1."""
    if image.dtype == np.int8:
        return gamma(image.view(np.uint8), power, gain).view(np.int8)
    if image.dtype == np.uint8:
        # Cut, not rounded, after a factor just short of 256: the table that torchvision and Pillow code share.
        table = np.minimum((255 + 1 - 1e-3) * gain * (np.arange(256) / 255.0) ** power, 255.0)
        return looked_up(image, table.astype(np.uint8))
    return np.clip(gain * image.astype(np.float32) ** np.float32(power), 0, 1).astype(
        np.float32 if image.dtype.kind == "f" else image.dtype
    )


def sharpness(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the smoothed image; border pixels stay."""
    if min(image.shape[:2]) < 3:
        return image.copy()
    kernel = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / np.float32(13)
    smooth = image.astype(image.dtype.newbyteorder("="))
    smooth[1:-1, 1:-1] = call("AdjustSharpness", "filter2D", image, -1, kernel)[1:-1, 1:-1]
    first = np.float32(alpha)
    return call("AdjustSharpness", "addWeighted", image, float(first), smooth, float(np.float32(1) - first), 0)


def equalize(image: np.ndarray) -> np.ndarray:
    """Spreads each channel's values in a uint8 image evenly."""
    planes = [call("Equalize", "equalizeHist", image[..., c]) for c in range(image.shape[2])]
    return np.stack(planes, axis=-1)


def auto_contrast(image: np.ndarray, cutoff: float, ignore: list[int]) -> np.ndarray:
    """Stretches each channel's values in a uint8 image to 0 to 255, leaving out a share at both ends."""
    out = np.empty_like(image)
    for c in range(image.shape[2]):
        counts = np.bincount(image[..., c].reshape(-1), minlength=256).astype(np.int64)
        counts[ignore] = 0
        total = int(counts.sum())
        if cutoff:
            cut = int(total * (cutoff / 100))
            for order in (range(256), range(255, -1, -1)):
                left = cut
                for k in order:
                    taken = min(left, int(counts[k]))
                    counts[k] -= taken
                    left -= taken
                    if left <= 0:
                        break
        used = np.flatnonzero(counts)
        low, high = (int(used[0]), int(used[-1])) if len(used) else (0, 255)
        if low >= high:
            out[..., c] = image[..., c]
            continue
        scale = np.float32(255.0) / np.float32(high - low)
        table = np.arange(256, dtype=np.float32) * scale + np.float32(-low * scale)
        table = np.clip(np.trunc(table), 0, 255).astype(np.uint8)
        out[..., c] = table[image[..., c]]
    return out
