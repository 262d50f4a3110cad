"""Resizing of images whose sizes are open while a program is traced, as an exported file has them.

Positions and weights are arrays of the trace here, computed as `interpolate.py` computes them of known sizes. Each
output position gathers the few input positions that it is a sum of: a matrix of open sizes would mostly hold zeros.
"""

from __future__ import annotations

import fractions
import functools
import math
import operator
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import array_of_size, is_symbolic_size
from ms_compat.ops.function.nn.checks import wide

_MOST_PARTS = 4096  # a factor's denominator
_MOST_SIZE = 1 << 16  # up to which the size that a factor gives is compared


def scaled_size(api: str, size: Any, factor: float) -> Any:
    """The whole part of a size times a factor, also of an open size.

    Raises:
        UnsupportedError: the size is open, and whole numbers do not give this part.

    >>> scaled_size("interpolate", 5, 1.5)
    7
    """
    if not is_symbolic_size(size):
        return math.floor(size * factor)
    ratio = fractions.Fraction(factor).limit_denominator(_MOST_PARTS)
    sizes = np.arange(_MOST_SIZE)
    if (np.floor(sizes * factor) != sizes * ratio.numerator // ratio.denominator).any():
        raise UnsupportedError(
            f"{api} of an open size with the factor {factor}", "Take a factor that is a fraction such as 1.5."
        )
    return size * ratio.numerator // ratio.denominator


def number_of(size: Any, dtype: Any) -> Any:
    """A size as a number of a dtype, for computations with arrays."""
    return array_of_size(size).astype(dtype) if is_symbolic_size(size) else np.asarray(size, dtype)


def _positions(size: Any, out: Any, align_corners: bool, half_pixel: bool, step: Any) -> Any:
    """The input position, in float32, of every output position, `step` apart; None is the ratio of the sizes."""
    at = jnp.arange(out, dtype=np.float32)
    whole, parts = number_of(size, np.float32), number_of(out, np.float32)
    if align_corners:
        return at * jnp.where(parts > 1, (whole - 1) / jnp.maximum(parts - 1, 1), 0)
    scale = whole / parts if step is None else step
    return (at + np.float32(0.5)) * scale - np.float32(0.5) if half_pixel else at * scale


def _taken(x: Any, index: Any, axis: int) -> Any:
    return jnp.take(x, index.astype(np.int32), axis, mode="clip")


def _along(weight: Any, x: Any, axis: int) -> Any:
    return weight.astype(x.dtype).reshape(-1, *[1] * (x.ndim - axis - 1))


def _linear(x: Any, at: Any, axis: int) -> Any:
    at = jnp.clip(at, 0, number_of(x.shape[axis], np.float32) - 1)
    low = jnp.floor(at)
    share = _along(at - low, x, axis)
    return _taken(x, low, axis) * (1 - share) + _taken(x, low + 1, axis) * share


def _cubic(x: Any, at: Any, axis: int, dropped: bool, exact: bool) -> Any:
    size, low = number_of(x.shape[axis], np.float32), jnp.floor(at)
    t = at - low if exact else jnp.round((at - low) * 1024) / 1024
    a = -0.5 if dropped else -0.75
    near = lambda d: ((a + 2) * d - (a + 3)) * d * d + 1  # noqa: E731
    far = lambda d: ((a * d - 5 * a) * d + 8 * a) * d - 4 * a  # noqa: E731
    weights = [far(t + 1), near(t), near(1 - t), far(2 - t)]
    positions = [low + offset for offset in (-1, 0, 1, 2)]
    if dropped:
        weights = [jnp.where((p >= 0) & (p < size), w, 0) for p, w in zip(positions, weights, strict=True)]
        total = sum(weights)
        weights = [weight / total for weight in weights]
    return sum(
        _taken(x, position, axis) * _along(weight, x, axis) for position, weight in zip(positions, weights, strict=True)
    )


def resize_openly(
    x: Any, size: tuple, method: str, align_corners: bool, half_pixel: bool, factors: tuple | None
) -> Any:
    """`resize` where sizes before or after it are open."""
    axes = list(zip(x.shape[-len(size) :], size, factors or (None,) * len(size), strict=True))
    same = [number_of(n, np.int32) == number_of(o, np.int32) for n, o, _ in axes]
    all_same = functools.reduce(operator.and_, same)
    out = x if method == "nearest" else wide(x)
    for axis, (n, o, factor) in enumerate(axes, x.ndim - len(size)):
        if n is o and factor is None:
            continue
        step = None
        if factor is not None:
            by_sizes = all_same
            if method == "nearest" and not half_pixel:  # MindSpore keeps or doubles such an axis, whatever the factor
                by_sizes = same[axis - x.ndim] | (2 * number_of(n, np.int32) == number_of(o, np.int32))
            ratio = number_of(n, np.float32) / number_of(o, np.float32)
            step = jnp.where(by_sizes, ratio, np.float32(1 / factor))
        at = _positions(n, o, align_corners, half_pixel, step)
        if method == "nearest":
            at = jnp.floor(at + np.float32(0.5)) if align_corners or half_pixel else jnp.floor(at)
            out = _taken(out, at, axis)
        elif method == "linear":
            out = _linear(out, at, axis)
        else:
            exact = method == "exact cubic"
            out = _cubic(out, at, axis, half_pixel and not exact, exact)
    return out.astype(x.dtype)
