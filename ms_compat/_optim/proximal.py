"""Rules that find the new Parameter as a minimum: follow the regularized leader, and proximal steps.

They give the new Parameter itself, so that what `l1` sets to zero is zero; `change` makes a rule with optax's
convention of one.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._optim.transform import Rule


def change(factory: Any) -> Any:
    """The same maker of rules, whose rules give the change of the Parameter."""

    def make(*settings):
        rule = factory(*settings)

        def call(g, p, lr, t, *state):
            value, *kept = rule(g, p, lr, t, *state)
            return value - p, *kept

        return call

    return make


def _shrunk(value: Any, rate: Any, l1: Any, l2: Any) -> Any:
    """The minimum of |x - value|^2 / 2 + rate (l1 |x| + l2 x^2 / 2)."""
    return jnp.sign(value) * jnp.maximum(jnp.abs(value) - rate * l1, 0) / (1 + rate * l2)


def gradient_descent(l1: Any, l2: Any) -> Rule:
    """A step of -lr g, and the minimum near it. Source: Duchi and Singer, 2009 (FOBOS)."""

    def rule(g, p, lr, t):
        return (_shrunk(p - lr * g, lr, l1, l2),)

    return rule


def adagrad(l1: Any, l2: Any) -> Rule:
    """Adagrad with a proximal step of the same, adapted rate. Source: Duchi and Singer, 2009."""

    def rule(g, p, lr, t, accum):
        accum = accum + g * g
        rate = lr / jnp.sqrt(accum)
        return _shrunk(p - rate * g, rate, l1, l2), accum

    return rule


def adagrad_da(l1: Any, l2: Any) -> Rule:
    """Dual averaging: the sums of the gradients and their squares determine the Parameter."""

    def rule(g, p, lr, t, total, squares):
        total = total + g
        squares = squares + g * g
        shrunk = jnp.sign(total) * jnp.maximum(jnp.abs(total) - l1 * t, 0)
        return -lr * shrunk / (l2 * t * lr + jnp.sqrt(squares)), total, squares

    return rule


def ftrl(lr_power: Any, l1: Any, l2: Any, l2_shrinkage: float = 0.0) -> Rule:
    """Follow the regularized leader; its linear part may see the gradient with an L2 penalty, `l2_shrinkage`.

    Source: McMahan et al., 2013.
    """

    def rule(g, p, lr, t, accum, linear):
        new = accum + g * g
        before, after = accum**-lr_power, new**-lr_power
        seen = g + 2 * l2_shrinkage * p if l2_shrinkage else g
        linear = linear + seen - (after - before) / lr * p
        quadratic = after / lr + 2 * l2
        return jnp.where(jnp.abs(linear) > l1, (jnp.sign(linear) * l1 - linear) / quadratic, 0), new, linear

    return rule
