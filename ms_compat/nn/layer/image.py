"""Layers on images: differences, cropping, and measures of likeness.

`SSIM` and `MSSSIM` are Wang et al., "Image quality assessment: from error visibility to structural similarity" (2004),
and "Multi-scale structural similarity" (2003).
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import Range, check_above, check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_positive_int, check_type
from ms_compat.nn._table import REQUIRED, table_cell


@op(name="ImageGradients")
def _differences(images):
    check_rank("ImageGradients", "images", images, 4)
    down = jnp.pad(jnp.diff(images, axis=2), ((0, 0), (0, 0), (0, 1), (0, 0)))
    right = jnp.pad(jnp.diff(images, axis=3), ((0, 0), (0, 0), (0, 0), (0, 1)))
    return down, right


@op(static=("fraction",), name="CentralCrop")
def _crop(image, fraction):
    check_rank("CentralCrop", "image", image, 3, 4)
    if fraction == 1.0:
        return image
    height, width = image.shape[-2:]
    top, left = int((height - height * fraction) / 2), int((width - width * fraction) / 2)
    return image[..., top : height - top, left : width - left]


def _pair(api, img1, img2):
    """Both images as Float32."""
    if img1.ndim != 4 or img1.shape != img2.shape or img1.dtype != img2.dtype:
        raise ValueError(
            f"For '{api}', 'img1' and 'img2' must be [N, C, H, W] of one shape and dtype, but got shapes {img1.shape} "
            f"and {img2.shape}, dtypes {img1.dtype} and {img2.dtype}."
        )
    return img1.astype(jnp.float32), img2.astype(jnp.float32)


def _gaussian(size, sigma):
    offsets = np.arange(size, dtype=np.float32) - (size - 1) / 2
    weights = np.exp(-(offsets**2) / (2 * sigma**2))
    return (weights / weights.sum()).astype(np.float32)


def _smooth(x, weights):
    """Weighted means of windows; rows and columns one after the other."""
    channels, size = x.shape[1], len(weights)
    for shape in ((1, 1, size, 1), (1, 1, 1, size)):
        kernel = jnp.broadcast_to(jnp.asarray(weights).reshape(shape), (channels, *shape[1:]))
        x = lax.conv_general_dilated(
            x, kernel, (1, 1), "VALID", feature_group_count=channels, precision=lax.Precision.HIGHEST
        )
    return x


def _similarity(x, y, max_val, size, sigma, k1, k2):
    """Means over pixels of the likeness and its contrast and structure, per sample and channel."""
    if x.shape[2] < size or x.shape[3] < size:
        raise ValueError(f"For 'SSIM', the images must be at least {size} in height and width, but got {x.shape}.")
    weights = _gaussian(size, sigma)
    c1, c2 = (k1 * max_val) ** 2, (k2 * max_val) ** 2
    mean_x, mean_y = _smooth(x, weights), _smooth(y, weights)
    products, squares = mean_x * mean_y * 2, lax.square(mean_x) + lax.square(mean_y)
    luminance = (products + c1) / (squares + c1)
    covariance = _smooth(x * y, weights) * 2 - products
    variances = _smooth(lax.square(x) + lax.square(y), weights) - squares
    structure = (covariance + c2) / (variances + c2)
    return jnp.mean(luminance * structure, (2, 3)), jnp.mean(structure, (2, 3))


@op(static=("max_val", "size", "sigma", "k1", "k2"), name="SSIM")
def _ssim(img1, img2, max_val, size, sigma, k1, k2):
    x, y = _pair("SSIM", img1, img2)
    return jnp.mean(_similarity(x, y, max_val, size, sigma, k1, k2)[0], -1)


@op(static=("max_val", "factors", "size", "sigma", "k1", "k2"), name="MSSSIM")
def _msssim(img1, img2, max_val, factors, size, sigma, k1, k2):
    x, y = _pair("MSSSIM", img1, img2)
    out = jnp.ones(x.shape[:2], jnp.float32)
    for level, factor in enumerate(factors):
        if level:
            x, y = (lax.reduce_window(v, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 2, 2), "VALID") / 4 for v in (x, y))
        whole, structure = _similarity(x, y, max_val, size, sigma, k1, k2)
        out = out * jnp.maximum(whole if level == len(factors) - 1 else structure, 0) ** factor
    return jnp.mean(out, -1)


@op(static=("max_val",), name="PSNR")
def _psnr(img1, img2, max_val):
    x, y = _pair("PSNR", img1, img2)
    error = jnp.mean(lax.square(x - y), (-3, -2, -1))
    return 10 * jnp.log10(max_val**2 / error)


def _check_max(api, max_val):
    check_type(api, "max_val", max_val, (int, float))
    check_above(api, "max_val", max_val, 0)
    return float(max_val)


def _check_window(api, max_val, filter_size, filter_sigma, k1, k2):
    check_positive_int(api, "filter_size", filter_size)
    for name, value in (("filter_sigma", filter_sigma), ("k1", k1), ("k2", k2)):
        check_type(api, name, value, float)
        check_above(api, name, value, 0)
    return _check_max(api, max_val), filter_size, filter_sigma, k1, k2


def _check_ssim(max_val, filter_size, filter_sigma, k1, k2):
    return _check_window("SSIM", max_val, filter_size, filter_sigma, k1, k2)


def _check_msssim(max_val, power_factors, filter_size, filter_sigma, k1, k2):
    check_type("MSSSIM", "power_factors", power_factors, (tuple, list))
    first, *rest = _check_window("MSSSIM", max_val, filter_size, filter_sigma, k1, k2)
    return first, tuple(power_factors), *rest


def _check_psnr(max_val):
    return (_check_max("PSNR", max_val),)


_WINDOW = {"filter_size": 11, "filter_sigma": 1.5, "k1": 0.01, "k2": 0.03}
_POWERS = {"power_factors": (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)}
_BOTH = ("img1", "img2")
# name: (operation, inputs, settings, check, text)
_TABLE: dict[str, tuple] = {
    "ImageGradients": (_differences, ("images",), {}, None, "Differences to the next pixel, down and right"),
    "CentralCrop": (_crop, ("image",), {"central_fraction": REQUIRED}, {"central_fraction": Range(0, 1, "(]", float)},
                    "The centre of [C, H, W] or [N, C, H, W] images"),
    "SSIM": (_ssim, _BOTH, {"max_val": 1.0, **_WINDOW}, _check_ssim, "Structural similarity of two images, per sample"),
    "MSSSIM": (_msssim, _BOTH, {"max_val": 1.0, **_POWERS, **_WINDOW}, _check_msssim,
               "Structural similarity over several scales, per sample"),
    "PSNR": (_psnr, _BOTH, {"max_val": 1.0}, _check_psnr, "Peak signal-to-noise ratio in dB, per sample"),
}  # fmt: skip
_ABOUT = {
    "max_val": "(Union[int, float]): the largest value that pixels can have, > 0",
    "filter_size": "(int): edge of the Gaussian window, in pixels",
    "filter_sigma": "(float): its standard deviation, in pixels",
    "k1": "(float): keeps the comparison of means finite",
    "k2": "(float): keeps the comparison of variances finite",
    "power_factors": "(Union[tuple, list]): the exponents, one for each scale",
    "central_fraction": "(float): the share of height and width, in (0, 1]",
    "images": "[N, C, H, W]",
    "image": "[C, H, W] or [N, C, H, W]",
    "img1": "[N, C, H, W]",
    "img2": "the other images, in the shape and dtype of `img1`",
}
_PAIR_RAISES = """
        Outputs:
            Tensor [N], Float32.

        Raises:
            TypeError: an argument has another type.
            ValueError: a wrong value, or the shapes or dtypes differ.

        Source: Wang et al., Image quality assessment: from error visibility to structural similarity (2004).
"""
# name: the rest of the docstring
_HELP = {
    "ImageGradients": """
        Outputs:
            Two Tensors in the input's shape. The last row and the last column are zeros.

        Raises:
            ValueError: the input does not have 4 dimensions.

        >>> from ms_compat import Tensor, nn
        >>> down, right = nn.ImageGradients()(Tensor([[[[1.0, 2.0], [5.0, 7.0]]]]))
        >>> print(down.flatten(), right.flatten())
        [4. 5. 0. 0.] [1. 0. 2. 0.]
        """,
    "CentralCrop": """
        Raises:
            TypeError: `central_fraction` is not a float.
            ValueError: `central_fraction` is out of range, or the input has another number of dimensions.

        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> nn.CentralCrop(0.5)(Tensor(np.ones((3, 4, 6), np.float32))).shape
        (3, 2, 4)
        """,
    "SSIM": _PAIR_RAISES + """
        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(36, dtype=np.float32).reshape(1, 1, 6, 6) / 36)
        >>> print(nn.SSIM(filter_size=3)(x, x).asnumpy().round(3))
        [1.]
        """,
    "MSSSIM": _PAIR_RAISES + """
        >>> import numpy as np
        >>> from ms_compat import Tensor, nn
        >>> x = Tensor(np.arange(64, dtype=np.float32).reshape(1, 1, 8, 8) / 64)
        >>> print(nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=3)(x, x).asnumpy().round(3))
        [1.]
        """,
    "PSNR": """
        10 * log10(max_val ** 2 / mean((img1 - img2) ** 2)).

        Outputs:
            Tensor [N], Float32; infinity for equal images.

        Raises:
            TypeError: `max_val` is not a number.
            ValueError: `max_val` is not positive, or the shapes or dtypes differ.

        >>> from ms_compat import Tensor, nn
        >>> x, y = Tensor([[[[0.5, 0.5]]]]), Tensor([[[[0.4, 0.6]]]])
        >>> print(nn.PSNR()(x, y).asnumpy().round(3))
        [20.]
        """,
}  # fmt: skip
for _name, (_operation, _inputs, _settings, _check, _text) in _TABLE.items():
    globals()[_name] = table_cell(
        _name, __name__, _operation, _inputs, _settings, _text, _check, about=_ABOUT, more=_HELP[_name]
    )
