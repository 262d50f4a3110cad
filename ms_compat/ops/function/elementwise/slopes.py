"""Functions with a kink whose slope there is MindSpore's, where JAX has another; their values are JAX's.

The slope of |x| is 0 at 0 (JAX: 1), so that a weight that L1 regularization has brought to 0 stays there. Limits pass
the whole gradient to an input on them (JAX: half of it) and take the place of NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def magnitude(x: Any) -> Any:
    """|x| with the slope 0 at 0 and at NaN. XLA merges the two branches, which differ in their gradients alone."""
    if x.dtype.kind in "iu":
        return x * jnp.sign(x)
    if x.dtype.kind not in "fV":
        return jnp.abs(x)
    return jnp.where((x < 0) | (x > 0), jnp.abs(x), jnp.abs(lax.stop_gradient(x)))


def at_least(x: Any, low: Any) -> Any:
    """The larger of the two, `low` for NaN; where they are equal `x` gets the gradient."""
    return jnp.where(x >= low, x, low)


def at_most(x: Any, high: Any) -> Any:
    """The smaller of the two, `high` for NaN; where they are equal `x` gets the gradient."""
    return jnp.where(x <= high, x, high)


def sloped(function: Callable, *slopes: Callable) -> Callable:
    """An elementwise function with custom derivatives, of arrays with one dtype.

    Args:
        function: of as many arrays as there are slopes.
        slopes: the derivative by each array, functions of all arrays and the value.
    """

    @jax.custom_jvp
    def out(*arrays: Any) -> Any:
        return function(*arrays)

    @out.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        value = out(*primals)
        total = [slope(*primals, value) * tangent for slope, tangent in zip(slopes, tangents, strict=True)]
        return value, jnp.broadcast_to(sum(total[1:], total[0]), value.shape).astype(value.dtype)

    return out


def root(x: Any, order: float = 2) -> Any:
    """x ** (1 / order) with the slope 0 at 0, so that a norm of zeros has a gradient."""
    safe = jnp.where(x == 0, 1, x)
    return jnp.where(x == 0, 0, jnp.sqrt(safe) if order == 2 else safe ** (1.0 / order))


# |x| whose slope is a factor of the gradient, 0 at 0 and at NaN: what is infinite or NaN outside becomes NaN there, as
# in MindSpore's formulas
size = sloped(jnp.abs, lambda x, value: jnp.where(x > 0, 1, jnp.where(x < 0, -1, 0)).astype(x.dtype))


def _log_unless_both_zero(x: Any, y: Any, value: Any) -> Any:
    return jnp.where((x == 0) & ~(y > 0), 0, jnp.log(y))


# x * log(y), and 0 where x is 0
x_log_y = sloped(
    lambda x, y: jnp.where(x == 0, 0, x * jnp.log(y)).astype(x.dtype), _log_unless_both_zero, lambda x, y, value: x / y
)


def log_of_sum(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)) of finite numbers, for the body of a `lax.scan`.

    There JAX differentiates the gradient of `jnp.logaddexp` without that function's own rule, and loses the part of the
    second derivative that stands behind |x - y| where x and y are equal.
    """
    top = lax.stop_gradient(jnp.maximum(x, y))
    return top + jnp.log(jnp.exp(x - top) + jnp.exp(y - top))


@jax.custom_jvp
def largest_of_equals(x: Any) -> Any:
    """The maximum over the last axis; each of equal elements has the whole gradient."""
    return jnp.max(x, -1)


@largest_of_equals.defjvp
def _largest_of_equals_jvp(primals: Any, tangents: Any) -> Any:
    out = largest_of_equals(*primals)
    return out, jnp.sum(jnp.where(primals[0] == out[..., None], tangents[0], 0), -1)


def first_extreme(x: Any, axes: int | tuple[int, ...], largest: bool, keepdims: bool) -> Any:
    """The maximum or minimum over axes; its gradient goes to the first of equal elements."""
    axes = (axes,) if isinstance(axes, int) else axes
    axes = tuple([axis % x.ndim for axis in axes])
    rest = tuple([axis for axis in range(x.ndim) if axis not in axes])
    rows = jnp.transpose(x, (*rest, *axes)).reshape([x.shape[axis] for axis in rest] + [-1])
    fixed = lax.stop_gradient(rows)
    place = lax.argmax(fixed, rows.ndim - 1, np.int32) if largest else lax.argmin(fixed, rows.ndim - 1, np.int32)
    out = jnp.take_along_axis(rows, place[..., None], -1)[..., 0]
    return jnp.expand_dims(out, axes) if keepdims else out
