"""Colour arithmetic as OpenCV 4 does it, in numpy: grey, HSV, blending, histograms, blur.

uint8 follows OpenCV's fixed-point forms, so results are equal bit for bit; floating images are computed in float32.

Source of the formulas: OpenCV's documentation of `cv::cvtColor` (full-range HSV for bytes) and, for the adjustments,
the definitions that `torchvision` and Pillow share: a blend of the image with black, its mean grey, its grey version
or its smoothed version.
"""

import functools

import numpy as np

from ms_compat.dataset.vision.resampling import _cast


def gray(image: np.ndarray, bgr: bool = False) -> np.ndarray:
    """The grey version, (H, W), of an RGB (or BGR) image."""
    exact = image.dtype == np.uint8
    # Integers of 15 bits; every sum is below 2**24, so float32 holds it exactly and BLAS may add.
    weights = np.array([9798, 19235, 3735] if exact else [0.299, 0.587, 0.114], np.float32)
    total = image[..., :3].astype(np.float32) @ (weights[::-1] if bgr else weights)
    if exact:
        return ((total.astype(np.int32) + (1 << 14)) >> 15).astype(np.uint8)
    return _cast(total, image.dtype)


def _scaled(image: np.ndarray, factor: float) -> np.ndarray:
    """The image times a factor, rounded to float32, as float64; bytes go through a table."""
    if image.dtype == np.uint8:
        table = (np.arange(256) * factor).astype(np.float32).astype(np.float64)
        return np.take(table, image)
    wide = image.astype(np.float64) * factor
    return wide if image.dtype == np.float64 else wide.astype(np.float32).astype(np.float64)


def blend(image: np.ndarray, other: np.ndarray, alpha: float) -> np.ndarray:
    """`alpha` of the image and the rest of another one, (H, W) or in its shape, rounded and cut to the dtype.

    float32 with one fused multiply-add, as OpenCV's vector units compute it: the second product is not rounded before
    the addition.
    """
    first, second = float(np.float32(alpha)), float(np.float32(1) - np.float32(alpha))
    total = _scaled(image, first)
    rest = np.take(np.arange(256) * second, other) if other.dtype == np.uint8 else other.astype(np.float64) * second
    if other.ndim == 2 and image.ndim == 3:
        rest = np.repeat(rest, image.shape[2], axis=1).reshape(image.shape)
    total += rest
    return _cast(total if image.dtype == np.float64 else total.astype(np.float32), image.dtype)


def brightness(image: np.ndarray, alpha: float) -> np.ndarray:
    """Scales all values."""
    if image.dtype == np.uint8:
        table = np.arange(256, dtype=np.uint8)
        return np.take(_cast(table.astype(np.float32) * np.float32(alpha), table.dtype), image)
    kind = np.float64 if image.dtype == np.float64 else np.float32
    return _cast(image.astype(kind) * kind(alpha), image.dtype)


def contrast(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the mean grey."""
    mean = np.array(int(gray(image).mean(dtype=np.float64) + 0.5))
    if image.dtype == np.uint8:
        return np.take(blend(np.arange(256, dtype=np.uint8), mean, alpha), image)
    return blend(image, np.full(image.shape, mean), alpha)


def saturation(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the grey version."""
    return blend(image, gray(image), alpha)


@functools.lru_cache(maxsize=1)
def _divisors() -> tuple[np.ndarray, np.ndarray]:
    k = np.arange(1, 256)
    saturate = np.concatenate([[0], np.rint((255 << 12) / (1.0 * k))]).astype(np.int32)
    hue = np.concatenate([[0], np.rint((256 << 12) / (6.0 * k))]).astype(np.int32)
    return saturate, hue


def rgb_to_hsv_bytes(image: np.ndarray) -> np.ndarray:
    """HSV of a uint8 RGB image, with hue, saturation and value in 0 to 255."""
    saturate, hue = _divisors()
    r, g, b = np.ascontiguousarray(image.transpose(2, 0, 1)).astype(np.int32)
    value = np.maximum(np.maximum(r, g), b)
    span = value - np.minimum(np.minimum(r, g), b)
    s = (span * saturate[value] + (1 << 11)) >> 12
    h = np.where(value == r, g - b, np.where(value == g, b - r + 2 * span, r - g + 4 * span))
    h = (h * hue[span] + (1 << 11)) >> 12
    h = np.where(h < 0, h + 256, h)
    return np.stack([np.clip(h, 0, 255), s, value], axis=-1).astype(np.uint8)


def _sextants(h: np.ndarray, s: np.ndarray, v: np.ndarray) -> np.ndarray:
    """RGB of hue in sextants (0 to 6), saturation and value, all float."""
    sector = np.floor(h)
    f = h - sector
    table = np.stack([v, v * (1 - s), v * (1 - s * f), v * (1 - s * (1 - f))]).reshape(4, -1)
    order = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]]) * table.shape[1]
    base = np.arange(table.shape[1])
    number = sector.astype(np.int64).reshape(-1) % 6
    picked = [np.take(table.reshape(-1), order[:, c][number] + base).reshape(h.shape) for c in range(3)]
    return np.stack(picked, axis=-1)


def hsv_to_rgb_bytes(image: np.ndarray) -> np.ndarray:
    """The uint8 RGB image of `rgb_to_hsv_bytes`'s form; OpenCV counts 255 steps of hue here, 256 there."""
    h = image[..., 0].astype(np.float32) * np.float32(6.0 / 255)
    s = image[..., 1].astype(np.float32) * np.float32(1 / 255)
    v = image[..., 2].astype(np.float32) * np.float32(1 / 255)
    return np.clip(np.rint(_sextants(h, s, v) * np.float32(255)), 0, 255).astype(np.uint8)


def rgb_to_hsv(image: np.ndarray) -> np.ndarray:
    """HSV, each in 0 to 1, of a float RGB image (..., 3) in 0 to 1."""
    r, g, b = image[..., 0], image[..., 1], image[..., 2]
    value = image.max(axis=-1)
    span = value - image.min(axis=-1)
    safe = np.where(span == 0, 1, span)
    s = np.where(span == 0, 0, span / np.where(value == 0, 1, value))
    h = np.where(value == r, (g - b) / safe, np.where(value == g, 2 + (b - r) / safe, 4 + (r - g) / safe))
    return np.stack([np.where(span == 0, 0, (h / 6) % 1.0), s, value], axis=-1)


def hsv_to_rgb(image: np.ndarray) -> np.ndarray:
    """The float RGB image of `rgb_to_hsv`'s form."""
    return _sextants(image[..., 0] * 6, image[..., 1], image[..., 2])


def hue(image: np.ndarray, factor: float) -> np.ndarray:
    """Turns the hue of a uint8 image by a share of the circle."""
    hsv = rgb_to_hsv_bytes(image)
    hsv[..., 0] = (hsv[..., 0].astype(np.int64) + int(factor * 255)) & 255
    return hsv_to_rgb_bytes(hsv)


def gamma(image: np.ndarray, power: float, gain: float) -> np.ndarray:
    """`gain * 255 * (value / 255) ** power`; a floating image is taken to be in 0 to 1."""
    if image.dtype == np.uint8:
        # Cut, not rounded, after a factor just short of 256: the table that torchvision and Pillow code share.
        table = np.minimum((255 + 1 - 1e-3) * gain * (np.arange(256) / 255.0) ** power, 255.0)
        return table.astype(np.uint8)[image]
    return np.clip(gain * image.astype(np.float32) ** np.float32(power), 0, 1).astype(image.dtype)


def _reflect(size: int, places: np.ndarray) -> np.ndarray:
    """Mirrors places at the border pixels (d c b | a b c d | c b a)."""
    if size == 1:
        return np.zeros_like(places)
    around = np.abs(places) % (2 * size - 2)
    return np.minimum(around, 2 * size - 2 - around)


def sharpness(image: np.ndarray, alpha: float) -> np.ndarray:
    """Moves all values away from the smoothed image; border pixels stay."""
    if min(image.shape[:2]) < 3:
        return image.copy()
    wide = image.astype(np.float32)
    height, width = image.shape[:2]
    total = 4 * wide[1:-1, 1:-1]
    for i in range(3):
        for j in range(3):
            total = total + wide[i : height - 2 + i, j : width - 2 + j]
    smooth = image.copy()
    smooth[1:-1, 1:-1] = _cast(total / np.float32(13), image.dtype)
    return blend(image, smooth, alpha)


@functools.lru_cache(maxsize=64)
def gaussian_kernel(size: int, sigma: float) -> np.ndarray:
    """A Gaussian of `size` taps that adds up to 1; sigma <= 0 takes OpenCV's default for the size."""
    small = {1: [1], 3: [0.25, 0.5, 0.25], 5: [0.0625, 0.25, 0.375, 0.25, 0.0625]}
    if sigma <= 0 and size in small:
        return np.array(small[size])
    sigma = sigma if sigma > 0 else ((size - 1) * 0.5 - 1) * 0.3 + 0.8
    x = np.arange(size) - (size - 1) * 0.5
    weights = np.exp(-0.5 * (x / sigma) ** 2)
    return weights / weights.sum()


def gaussian_blur(image: np.ndarray, kernel_x: np.ndarray, kernel_y: np.ndarray) -> np.ndarray:
    """Blurs an image of shape (H, W, C) with two one-dimensional kernels, mirrored at the border."""
    if image.dtype == np.uint8:
        # OpenCV works with weights of 8 bits for bytes.
        kernel_x, kernel_y = (_fixed_kernel(kernel) for kernel in (kernel_x, kernel_y))
    kind = np.int32 if image.dtype == np.uint8 else np.float64
    rows, columns, channels = image.shape
    wide = image.reshape(rows, columns * channels)
    for axis, kernel in ((1, kernel_x), (0, kernel_y)):
        total = None
        for k, weight in enumerate(kernel):
            shift = np.arange(columns if axis else rows) + k - len(kernel) // 2
            place = _reflect(columns if axis else rows, shift)
            if axis:
                place = (place[:, None] * channels + np.arange(channels)).reshape(-1)
            part = np.multiply(np.take(wide, place, axis=axis), kind(weight), dtype=kind)
            total = part if total is None else np.add(total, part, out=total)
        wide = total
    wide = wide.reshape(image.shape)
    if image.dtype == np.uint8:
        return np.clip((wide + (1 << 15)) >> 16, 0, 255).astype(np.uint8)
    return _cast(wide, image.dtype)


def _fixed_kernel(kernel: np.ndarray) -> np.ndarray:
    """Weights in 1/256 that add up to 256: each rounding error is carried to the next weight, as OpenCV does."""
    half = len(kernel) // 2
    fixed = np.zeros(len(kernel), np.int64)
    error, total = 0.0, 0
    for k in range(half):
        exact = kernel[k] * 256 + error
        value = int(np.rint(exact))
        error = exact - value
        fixed[k] = fixed[len(kernel) - 1 - k] = value
        total += value
    fixed[half] = 256 - 2 * total
    return fixed


def equalize(image: np.ndarray) -> np.ndarray:
    """Spreads the values of each channel of a uint8 image evenly."""
    out = np.empty_like(image)
    for c in range(image.shape[2]):
        counts = np.bincount(image[..., c].reshape(-1), minlength=256)
        first = int(np.flatnonzero(counts)[0])
        rest = image[..., c].size - counts[first]
        if rest == 0:
            out[..., c] = image[..., c]
            continue
        scale = np.float32(255.0) / np.float32(rest)
        table = np.rint(np.cumsum(np.where(np.arange(256) > first, counts, 0)).astype(np.float32) * scale)
        out[..., c] = np.clip(table, 0, 255).astype(np.uint8)[image[..., c]]
    return out


def auto_contrast(image: np.ndarray, cutoff: float, ignore: list[int]) -> np.ndarray:
    """Stretches the values of each channel of a uint8 image to 0 to 255, leaving out a share at both ends."""
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
