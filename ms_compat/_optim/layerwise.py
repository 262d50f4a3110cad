"""Rules that need norms of a whole Parameter: Lamb, LARS and Adafactor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp

from ms_compat._optim.rules import mean, short_of_one
from ms_compat._optim.transform import Rule


def _rms(x: Any) -> Any:
    return jnp.sqrt(jnp.mean(x * x))


def lamb(beta1: float, beta2: float, eps: float) -> Rule:
    """Adam's direction plus decay, scaled by |p| / |direction|. Source: You et al., 2020."""

    def rule(g, p, lr, t, m, v, decay=None):
        m, v = mean(m, g, beta1), mean(v, g * g, beta2)
        direction = m / short_of_one(beta1, t) / (jnp.sqrt(v / short_of_one(beta2, t)) + eps)
        direction = direction if decay is None else direction + decay * p
        norms = jnp.linalg.norm(p), jnp.linalg.norm(direction)
        trust = jnp.where((norms[0] > 0) & (norms[1] > 0), norms[0] / norms[1], 1.0)
        return -(lr * trust * direction), m, v

    return rule


def lars(g, p, lr, squares_of_p, squares_of_g, *, coefficient, decay, eps, clip) -> Any:
    """The gradient that LARS hands on: plus decay, times a ratio of norms, which are given as sums of squares.

    The ratio is coefficient |p| / (|g| + decay |p| + eps), or with `clip` at most `lr`, over it.
    Source: You, Gitman and Ginsburg, 2017.
    """
    norms = jnp.sqrt(squares_of_p), jnp.sqrt(squares_of_g)
    ratio = coefficient * norms[0] / (norms[1] + decay * norms[0] + eps)
    ratio = jnp.where((norms[0] > 0) & (norms[1] > 0), ratio, 1.0)
    if clip:
        ratio = jnp.clip(ratio / lr, 0, 1)
    return ratio * (g + decay * p)


def falling_rate(warmup: bool) -> Callable[[Any], Any]:
    """Adafactor's learning rate by the step number, its relative step size."""
    return lambda t: jnp.minimum(1e-6 * t if warmup else 1e-2, 1.0 / jnp.sqrt(t))


def rising_decay(decay_rate: float) -> Callable[[Any], Any]:
    """Adafactor's decay of the second moments by the step number."""
    return lambda t: 1.0 - jnp.power(t, -decay_rate)


def row_moment(p: Any) -> Any:
    """The moment of a matrix's rows as Adafactor starts, and one number for what is not a matrix."""
    return jnp.zeros(p.shape[:-1] if p.ndim >= 2 else (1,), p.dtype)


def column_moment(p: Any) -> Any:
    """The moment of a matrix's columns, likewise."""
    return jnp.zeros((*p.shape[:-2], *p.shape[-1:]) if p.ndim >= 2 else (1,), p.dtype)


def whole_moment(p: Any) -> Any:
    """The moment of what is not a matrix, and one number for a matrix."""
    return jnp.zeros((1,) if p.ndim >= 2 else p.shape, p.dtype)


def adafactor(
    eps: Any, clip_threshold: Any, beta1: Any, beta2: Any, scale_parameter: bool, rate_of: Callable | None = None
) -> Rule:
    """Matrices' second moments as means of rows and columns, and steps relative to the Parameter.

    States: the mean change, if there is one, and the moments of rows, of columns, and of what is not a matrix. The
    moments' decay `beta2` may be a function of the step; `rate_of` is one, which replaces the learning rate.
    Source: Shazeer and Stern, 2018, algorithms 4 and 5.
    """

    def rule(g, p, lr, t, *state, decay=None):
        *average, row, column, square = state
        rate = lr if rate_of is None else rate_of(t)
        if scale_parameter:
            rate = rate * jnp.maximum(eps[1], _rms(p))
        kept = beta2(t) if callable(beta2) else beta2
        squared = g * g + eps[0]
        if p.ndim >= 2:
            row, column = mean(row, jnp.mean(squared, -1), kept), mean(column, jnp.mean(squared, -2), kept)
            share = jnp.sqrt(row / jnp.mean(row, -1, keepdims=True))
            root = share[..., :, None] * jnp.sqrt(column)[..., None, :]
        else:
            square = mean(square, squared, kept)
            root = jnp.sqrt(square)
        update = g / root
        update = rate * update / jnp.maximum(1.0, _rms(update) / clip_threshold)
        if average:
            update = mean(average[0], update, beta1)
            average = [update]
        if decay is not None:
            update = update + decay * rate * p
        return -update, *average, row, column, square

    return rule
