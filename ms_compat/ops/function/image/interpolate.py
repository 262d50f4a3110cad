"""Resizing of images, one axis at a time: each output position is a weighted sum of a few input positions.

The weights of an axis are a small host matrix [output, input]; the resize is one product per axis, and so is its
gradient (a gather's gradient would be a scatter, which costs more on every backend). Nearest neighbours are a
gather by constant indices. `coordinates` holds the three conventions that MindSpore mixes: corners aligned, half
pixels, and neither.
"""

from __future__ import annotations

import functools
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import has_symbolic_size
from ms_compat.ops.function.image.open_sizes import resize_openly, scaled_size
from ms_compat.ops.function.nn.checks import floating, integer, wide
from ms_compat.ops.function.pooling.adaptive import mean_to

_DIMS = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


def coordinates(size: int, out: int, align_corners: bool, half_pixel: bool, factor: float | None = None) -> np.ndarray:
    """The input position, in float32, of every output position.

    Unless corners are aligned, a step is as long as a given `factor` says, whose product with `size` may not be a whole
    number; else as both sizes say.
    """
    at = np.arange(out, dtype=np.float32)
    if align_corners:
        return at * np.float32((size - 1) / (out - 1) if out > 1 else 0)
    scale = np.float32(size / out if factor is None else 1 / factor)
    return (at + np.float32(0.5)) * scale - np.float32(0.5) if half_pixel else at * scale


def _linear_matrix(size: int, out: int, align_corners: bool, half_pixel: bool, factor: float | None) -> np.ndarray:
    at = np.clip(coordinates(size, out, align_corners, half_pixel, factor), 0, size - 1)
    low = np.floor(at).astype(int)
    share = at - low
    return _matrix(size, [low, np.minimum(low + 1, size - 1)], [1 - share, share])


def _cubic_matrix(
    size: int, out: int, align_corners: bool, half_pixel: bool, factor: float | None, exact: bool = False
) -> np.ndarray:
    """Cubic convolution with fractions rounded to 1/1024, as MindSpore tabulates them for the CPU.

    With half pixels the free parameter is -0.5 and weights outside the image are dropped; otherwise it is -0.75 and the
    border is repeated. `exact` fractions go with the latter always, as in `mint`.
    """
    at = coordinates(size, out, align_corners, half_pixel, factor)
    low = np.floor(at).astype(int)
    t = at - low if exact else np.round((at - low) * 1024) / 1024
    dropped = half_pixel and not exact
    a = -0.5 if dropped else -0.75
    near = lambda d: ((a + 2) * d - (a + 3)) * d * d + 1  # noqa: E731
    far = lambda d: ((a * d - 5 * a) * d + 8 * a) * d - 4 * a  # noqa: E731
    weights = np.stack([far(t + 1), near(t), near(1 - t), far(2 - t)])
    positions = np.stack([low + i for i in (-1, 0, 1, 2)])
    if dropped:
        weights = np.where((positions >= 0) & (positions < size), weights, 0)
        weights = weights / weights.sum(0)
    return _matrix(size, list(np.clip(positions, 0, size - 1)), list(weights))


def _matrix(size: int, positions: list, weights: list) -> np.ndarray:
    matrix = np.zeros((len(positions[0]), size), np.float64)
    for position, weight in zip(positions, weights, strict=True):
        np.add.at(matrix, (np.arange(len(position)), position), weight)
    return matrix


def _apply(x: Any, matrices: list[np.ndarray]) -> Any:
    out = wide(x)
    for axis, matrix in enumerate(matrices, x.ndim - len(matrices)):
        if matrix.shape[0] == matrix.shape[1] and (matrix == np.eye(matrix.shape[0])).all():
            continue
        product = jnp.tensordot(out, matrix.astype(out.dtype), axes=((axis,), (1,)), precision=lax.Precision.HIGHEST)
        out = jnp.moveaxis(product, -1, axis)
    return out.astype(x.dtype)


@op(static=("size", "method", "align_corners", "half_pixel", "factors"), tensors="x")
def resize(x, size, method, align_corners, half_pixel, factors=None):
    """Resizes the last axes.

    Args:
        x (Tensor): [N, C, *].
        size (tuple): new sizes of the last axes.
        method (str): "nearest", "linear", "cubic" or "exact cubic".
        align_corners (bool): first and last positions coincide.
        half_pixel (bool): positions are the pixels' centres.
        factors (tuple): of which `size` is the whole part, where they say how far apart the positions are.

    Returns:
        Tensor [N, C, *size] of the same type.
    """
    if has_symbolic_size((*x.shape[-len(size) :], *size)):
        return resize_openly(x, size, method, align_corners, half_pixel, factors)
    axes = list(zip(x.shape[-len(size) :], size, factors or (None,) * len(size), strict=True))
    if method == "nearest":
        out = x
        for axis, (n, o, factor) in enumerate(axes, x.ndim - len(size)):
            if not half_pixel and o in (n, 2 * n):  # MindSpore keeps or doubles such an axis, whatever the factor
                factor = None
            at = coordinates(n, o, align_corners, half_pixel, factor)
            at = np.floor(at + np.float32(0.5)) if align_corners or half_pixel else np.floor(at)
            index = np.clip(at, 0, n - 1).astype(np.int32)
            if o == n and (index == np.arange(n)).all():
                continue
            if o % n == 0 and (index == np.arange(o) // (o // n)).all():
                out = jnp.repeat(out, o // n, axis)  # a broadcast, whose gradient is a sum and no scatter
            else:
                out = jnp.take(out, index, axis)
        return out
    build = _linear_matrix if method == "linear" else functools.partial(_cubic_matrix, exact=method == "exact cubic")
    return _apply(x, [build(n, o, align_corners, half_pixel, factor) for n, o, factor in axes])


@op(static=("size",))
def _resize_area(x, size):
    return mean_to(x, size)


def _factors(api: str, x: Any, scale_factor: Any, kinds: tuple[type, ...]) -> tuple[float, ...]:
    """The factors, one for each spatial axis.

    Args:
        kinds: the types of a factor.
    """
    if not isinstance(scale_factor, (tuple, list)):
        _check_factor(api, "scale_factor", scale_factor, kinds)
        return (float(scale_factor),) * (x.ndim - 2)
    for k, factor in enumerate(scale_factor):
        _check_factor(api, f"scale_factor[{k}]", factor, kinds)
    if len(scale_factor) != x.ndim - 2:
        raise value_error(api, "scale_factor", f"of {x.ndim - 2} factors for an input of shape {x.shape}", scale_factor)
    return tuple(float(factor) for factor in scale_factor)


def _check_factor(api: str, argument: str, value: Any, kinds: tuple[type, ...]) -> None:
    """Raise TypeError unless a factor has one of the types; a bool has none."""
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise type_error(api, argument, "float" if int not in kinds else "float or int", value)


def _size(
    api: str, x: Any, size: Any, scale_factor: Any, kinds: tuple[type, ...]
) -> tuple[tuple[int, ...], tuple[float, ...] | None]:
    """The new size, and the factors if it was given by them."""
    spatial = x.shape[2:]
    if size is not None and scale_factor is not None:
        raise ValueError(f"For '{api}', 'size' and 'scale_factor' cannot be set at the same time.")
    if size is not None:
        size = (int(size),) * len(spatial) if isinstance(size, (int, np.integer)) else size
        check_type(api, "size", size, (tuple, list))
        if len(size) != len(spatial):
            raise value_error(api, "size", f"of {len(spatial)} sizes for an input of shape {x.shape}", size)
        return tuple(integer(api, "size", n, 1) for n in size), None
    if scale_factor is None:
        raise ValueError(f"For '{api}', 'size' and 'scale_factor' cannot be both None.")
    factors = _factors(api, x, scale_factor, kinds)
    return tuple(scaled_size(api, n, f) for n, f in zip(spatial, factors, strict=True)), factors


@faces("ops")
def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """Resizes the spatial axes of [N, C, *].

    Args:
        input (Tensor): 3 to 5 dimensions, floating type.
        size (Union[int, tuple]): new spatial sizes.
        scale_factor (Union[float, tuple]): factors (no ints) instead of `size`, of which it is the whole part. Without
            `recompute_scale_factor` they tell how far apart positions are, too, which is served for 5 dimensions.
        mode (str): "nearest", "linear" (3 dimensions), "bilinear", "bicubic" (4), "trilinear" (5), "area" or
            "nearest-exact".
        align_corners (bool): whether first and last positions coincide; for the linear and cubic modes.
        recompute_scale_factor (bool): compute `size` from `scale_factor`.

    Returns:
        Tensor [N, C, *size] of the same type.

    Raises:
        TypeError: an argument of a wrong type, data that is not floating.
        ValueError: arguments that do not fit each other or the input.

    >>> from ms_compat import Tensor
    >>> from ms_compat.ops.function.image.interpolate import interpolate
    >>> print(interpolate(Tensor([[[1.0, 3.0]]]), 4))
    [[[1. 1. 3. 3.]]]
    """
    if scale_factor is not None and size is None:
        _factors("interpolate", input, scale_factor, (float,))
    if scale_factor is not None and size is None and not recompute_scale_factor and mode != "area" and input.ndim != 5:
        raise ValueError(
            f"For 'interpolate', 'scale_factor' with mode '{mode}' and {input.ndim} dimensions needs "
            "recompute_scale_factor=True or 'size'."
        )
    return _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, "cubic", (float,))


def _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, cubic, kinds):
    api = "interpolate"
    check_choice(api, "mode", mode, ("nearest", "area", "nearest-exact", *_DIMS))
    floating(api, "input", input._v)
    spatial = input.ndim - 2
    if mode in _DIMS and spatial != _DIMS[mode] or not 1 <= spatial <= 3:
        raise ValueError(f"For '{api}', the mode '{mode}' does not take an input of shape {input.shape}.")
    if align_corners is not None and mode not in _DIMS:
        raise ValueError(f"For '{api}', 'align_corners' cannot be set with the mode '{mode}'.")
    target, factors = _size(api, input, size, scale_factor, kinds)
    if recompute_scale_factor or target == input.shape[2:]:  # what keeps its size stays as it is
        factors = None
    if mode == "area":
        if spatial == 1 and input.shape[-1] % target[0]:
            raise ValueError(
                f"For '{api}', the mode 'area' needs a divisor of {input.shape[-1]} here, but got {target[0]}."
            )
        return _resize_area(input, target)
    corners = bool(align_corners)
    if mode.startswith("nearest"):
        return resize(input, target, "nearest", False, mode == "nearest-exact", factors)
    return resize(input, target, cubic if mode == "bicubic" else "linear", corners, not corners, factors)


def interpolate_exact(input, size, scale_factor, mode, align_corners, recompute_scale_factor):
    """As `interpolate`, with the cubic convolution of `mint` (and of PyTorch): parameter -0.75, border repeated."""
    check_choice("interpolate", "mode", mode, ("nearest", *_DIMS))
    kinds = (float, np.floating, int, np.integer) if recompute_scale_factor else (float, np.floating)
    return _interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor, "exact cubic", kinds)


@faces("ops")
def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
    """Same as `interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners, recompute_scale_factor)
