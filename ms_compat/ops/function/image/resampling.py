"""Images: hue and saturation, and resampling by area, by scale and translation, and in one or three dimensions."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces
from ms_compat.ops.function.image.interpolate import coordinates, resize
from ms_compat.ops.function.nn.checks import floating


def _channels(api: str, x, least: int = 3):
    if floating(api, "images", x).ndim < least or x.shape[-1] != 3:
        raise ValueError(f"For '{api}', at least {least} dimensions, the last of 3, are needed, but got {x.shape}.")
    return x.astype(jnp.promote_types(x.dtype, jnp.float32))


def _to_hsv(x):
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    # of equal channels the first is the highest and the last the lowest, which have the gradient in MindSpore
    highest, lowest = jnp.argmax(x, -1), 2 - jnp.argmin(x[..., ::-1], -1)
    high, low = (jnp.take_along_axis(x, at[..., None], -1)[..., 0] for at in (highest, lowest))
    span = high - low
    safe = jnp.where(span > 0, span, 1)
    h = jnp.where(high == r, (g - b) / safe, jnp.where(high == g, 2 + (b - r) / safe, 4 + (r - g) / safe))
    h = jnp.where(span > 0, h / 6 % 1, 0)
    return h, jnp.where(high > 0, span / jnp.where(high > 0, high, 1), 0), high


def _to_rgb(h, s, v):
    h = h * 6
    wave = jnp.clip(jnp.stack([jnp.abs(h - 3) - 1, 2 - jnp.abs(h - 2), 2 - jnp.abs(h - 4)], -1), 0, 1)
    return ((1 - s)[..., None] + s[..., None] * wave) * v[..., None]


@faces(primitive="HSVToRGB()(x)")
@op(name="HSVToRGB")
def hsv_to_rgb(x):
    """Hue, saturation and value in [0, 1] as red, green and blue; images [..., 3].

    Raises:
        TypeError: the dtype is not a float.
        ValueError: another shape.
    """
    v = _channels("HSVToRGB", x)
    return _to_rgb(v[..., 0], v[..., 1], v[..., 2]).astype(x.dtype)


@faces(primitive="RGBToHSV()(images)")
@op(name="RGBToHSV")
def rgb_to_hsv(images):
    """Red, green and blue in [0, 1] as hue, saturation and value; arguments as for `hsv_to_rgb`."""
    return jnp.stack(_to_hsv(_channels("RGBToHSV", images, 1)), -1).astype(images.dtype)


@faces(primitive="AdjustHue()(images, delta)")
@op(name="AdjustHue", tensors="delta")
def adjust_hue(image, delta):
    """Images [..., 3] of RGB with their hue turned by `delta` (1 is a full turn).

    Raises:
        TypeError: the dtype is not a float.
        ValueError: another shape.
    """
    h, s, v = _to_hsv(_channels("AdjustHue", image))
    return _to_rgb((h + delta) % 1, s, v).astype(image.dtype)


@faces(primitive="AdjustSaturation()(images, scale)")
@op(name="AdjustSaturation", tensors="scale")
def adjust_saturation(image, scale):
    """Images [..., 3] of RGB with their saturation multiplied by `scale`; arguments as for `adjust_hue`."""
    h, s, v = _to_hsv(_channels("AdjustSaturation", image))
    return _to_rgb(h, jnp.clip(s * scale, 0, 1), v).astype(image.dtype)


def _nhwc(api: str, images, size) -> tuple[int, int]:
    check_rank(api, "images", images, 4)
    if not isinstance(size, tuple) or len(size) != 2 or min(size) <= 0:
        raise ValueError(f"For '{api}', the 'size' must be two positive ints, but got {size}.")
    return size


def _shares(size: int, out: int, align_corners: bool) -> np.ndarray:
    """Each input pixel's share in each output pixel, as a mean."""
    scale = (size - 1) / (out - 1) if align_corners and out > 1 else size / out
    start = np.arange(out)[:, None] * scale
    pixel = np.arange(size)
    share = np.clip(np.minimum(start + scale, pixel + 1) - np.maximum(start, pixel), 0, None)
    return share / share.sum(1, keepdims=True)


@faces(primitive="ResizeArea(align_corners=False)(images, size)")
@op(static=("size", "align_corners"), name="ResizeArea", tensors="images")
def resize_area(images, size, align_corners=False):
    """Means over the area of each new pixel: [N, H, W, C] to [N, *size, C], Float32.

    Raises:
        ValueError: another rank, or a size that is not positive.
    """
    high, wide = _nhwc("ResizeArea", images, size)
    rows = jnp.asarray(_shares(images.shape[1], high, align_corners), jnp.float32)
    columns = jnp.asarray(_shares(images.shape[2], wide, align_corners), jnp.float32)
    return jnp.einsum("nhwc,ah,bw->nabc", images.astype(jnp.float32), rows, columns, precision="highest")


def _cubic(t, a, b):
    """The piecewise cubic of Mitchell and Netravali with parameters B = a and C = b."""
    near = ((12 - 9 * a - 6 * b) * t**3 + (-18 + 12 * a + 6 * b) * t**2 + 6 - 2 * a) / 6
    far = ((-a - 6 * b) * t**3 + (6 * a + 30 * b) * t**2 + (-12 * a - 48 * b) * t + 8 * a + 24 * b) / 6
    return jnp.where(t < 1, near, jnp.where(t < 2, far, 0.0))


def _lanczos(radius):
    return lambda t: jnp.where(t < radius, jnp.sinc(t) * jnp.sinc(t / radius), 0.0)


# kernel -> its radius and its weight at the distance t.
_KERNELS = {
    "lanczos1": (1.0, _lanczos(1.0)),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, lambda t: jnp.where(t < 1.5, jnp.exp(-2 * t * t), 0.0)),
    "box": (1.0, lambda t: jnp.where(t < 0.5, 1.0, jnp.where(t == 0.5, 0.5, 0.0))),
    "triangle": (1.0, lambda t: jnp.clip(1 - t, 0, None)),
    "keyscubic": (2.0, lambda t: _cubic(t, 0.0, 0.5)),
    "mitchellcubic": (2.0, lambda t: _cubic(t, 1 / 3, 1 / 3)),
}


@faces(primitive="ScaleAndTranslate(kernel_type='lanczos3', antialias=True)(images, size, scale, translation)")
@op(static=("size", "kernel_type", "antialias"), name="ScaleAndTranslate", tensors="images scale translation")
def scale_and_translate(images, size, scale, translation, kernel_type="lanczos3", antialias=True):
    """Images [N, H, W, C] scaled, moved and sampled with a kernel: [N, *size, C], Float32. Zeros outside.

    Args:
        images: a Tensor.
        size: the new height and width.
        scale: two factors.
        translation: how far the images are moved, in new pixels.
        kernel_type (str): 'lanczos1', 'lanczos3', 'lanczos5', 'gaussian', 'box', 'triangle', 'keyscubic' or
            'mitchellcubic'.
        antialias (bool): widen the kernel where images shrink.

    Raises:
        ValueError: there is no such kernel, or a shape does not fit.
    """
    check_one_of("ScaleAndTranslate", "kernel_type", kernel_type, tuple(_KERNELS))
    target = _nhwc("ScaleAndTranslate", images, size)
    _, kernel = _KERNELS[kernel_type]
    out = images.astype(jnp.float32)
    for axis, name in ((1, "h"), (2, "w")):
        count = images.shape[axis]
        inverse = 1 / scale[axis - 1].astype(jnp.float32)
        width = jnp.maximum(inverse, 1) if antialias else jnp.ones_like(inverse)
        at = (jnp.arange(target[axis - 1]) + 0.5) * inverse - translation[axis - 1] * inverse
        weights = kernel(jnp.abs(at[:, None] - jnp.arange(count) - 0.5) / width)
        total = weights.sum(1, keepdims=True)
        weights = jnp.where(jnp.abs(total) > 1e-3 * 1.1920929e-07, weights / jnp.where(total == 0, 1, total), 0)
        inside = (at >= 0) & (at <= count)
        weights = jnp.where(inside[:, None], weights, 0).astype(jnp.float32)
        out = jnp.einsum(f"nhwc,a{name}->n{'awc' if axis == 1 else 'hac'}", out, weights, precision="highest")
    return out


@faces(primitive="ResizeLinear1D(coordinate_transformation_mode='align_corners')(x, size)")
@op(static=("size", "coordinate_transformation_mode"), name="ResizeLinear1D")
def resize_linear_1d(x, size, coordinate_transformation_mode="align_corners"):
    """[N, C, W] to [N, C, *size] by linear interpolation.

    Args:
        x: a floating Tensor.
        size: the new width, alone in a tuple.
        coordinate_transformation_mode (str): 'align_corners' or 'half_pixel'.

    Raises:
        TypeError: the dtype is not a float.
        ValueError: another rank or size, or there is no such mode.
    """
    mode = coordinate_transformation_mode
    check_one_of("ResizeLinear1D", "coordinate_transformation_mode", mode, ("align_corners", "half_pixel"))
    check_rank("ResizeLinear1D", "input", floating("ResizeLinear1D", "x", x), 3)
    size = size if isinstance(size, tuple) else (size,)
    return resize.fn(x, size, "linear", mode == "align_corners", mode == "half_pixel")


def _volume(api: str, x, output_size, scales) -> tuple[tuple[int, ...], tuple[float, ...]]:
    check_rank(api, "input", floating(api, "x", x), 5)
    if (output_size is None) == (scales is None):
        raise ValueError(f"For '{api}', either output_size or scales should be defined.")
    given = output_size if scales is None else scales
    if not isinstance(given, tuple) or len(given) != 3 or min(given) <= 0:
        raise ValueError(f"For '{api}', three positive sizes or scales are needed, but got {given}.")
    if scales is None:
        return given, tuple(n / o for n, o in zip(x.shape[2:], given, strict=True))
    sizes = tuple(math.floor(n * s) for n, s in zip(x.shape[2:], scales, strict=True))
    return sizes, (1.0,) * 3 if sizes == x.shape[2:] else tuple(1 / s for s in scales)  # what keeps its size stays


@faces(primitive="UpsampleNearest3D()(x, output_size=None, scales=None)")
@op(static=("output_size", "scales"), name="UpsampleNearest3D")
def upsample_nearest_3d(x, output_size=None, scales=None):
    """[N, C, D, H, W] to a new size by the nearest element.

    Args:
        x: a floating Tensor.
        output_size: three ints, or None.
        scales: three factors in its place.

    Raises:
        TypeError: the dtype is not a float.
        ValueError: another rank, or not exactly one of `output_size` and `scales`.
    """
    sizes, steps = _volume("UpsampleNearest3D", x, output_size, scales)
    for axis, (size, step) in enumerate(zip(sizes, steps, strict=True), 2):
        at = np.minimum(np.floor(np.arange(size) * step), x.shape[axis] - 1).astype(int)
        x = jnp.take(x, at, axis)
    return x


@faces(primitive="UpsampleTrilinear3D(align_corners=False)(x, output_size=None, scales=None)")
@op(static=("output_size", "scales", "align_corners"), name="UpsampleTrilinear3D")
def upsample_trilinear_3d(x, output_size=None, scales=None, align_corners=False):
    """[N, C, D, H, W] to a new size by linear interpolation; arguments as for `upsample_nearest_3d`."""
    sizes, steps = _volume("UpsampleTrilinear3D", x, output_size, scales)
    out = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    for axis, (size, step) in enumerate(zip(sizes, steps, strict=True), 2):
        count = x.shape[axis]
        if align_corners:
            at = coordinates(count, size, True, False)
        else:
            at = np.clip((np.arange(size) + 0.5) * step - 0.5, 0, count - 1)
        low = np.minimum(np.floor(at).astype(int), count - 1)
        high = np.minimum(low + 1, count - 1)
        part = jnp.asarray((at - low).reshape(-1, *[1] * (4 - axis)), out.dtype)
        out = jnp.take(out, low, axis) * (1 - part) + jnp.take(out, high, axis) * part
    return jax.lax.convert_element_type(out, x.dtype)
