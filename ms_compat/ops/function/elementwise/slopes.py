"""Functions with a kink whose slope there is MindSpore's, where JAX has another; their values are JAX's.

The slope of |x| is 0 at 0 (JAX: 1), so that a weight that L1 regularization has brought to 0 stays there. Limits pass
the whole gradient to an input that lies on them (JAX: half of it) and take the place of NaN.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax


def magnitude(x: Any) -> Any:
    """|x| with the slope 0 at 0 and at NaN. XLA merges the two branches, which differ in their gradients alone."""
    if x.dtype.kind not in "fV":
        return jnp.abs(x)
    return jnp.where((x < 0) | (x > 0), jnp.abs(x), jnp.abs(lax.stop_gradient(x)))


def at_least(x: Any, low: Any) -> Any:
    """The larger of the two, `low` for NaN; where they are equal the gradient is that of `x`."""
    return jnp.where(x >= low, x, low)


def at_most(x: Any, high: Any) -> Any:
    """The smaller of the two, `high` for NaN; where they are equal the gradient is that of `x`."""
    return jnp.where(x <= high, x, high)


def x_log_y(x: Any, y: Any) -> Any:
    """x * log(y), and 0 with the slope 0 where x is 0."""
    return jnp.where(x == 0, 0, x * jnp.log(jnp.where(x == 0, 1, y)))
