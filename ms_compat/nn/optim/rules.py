"""Update rules that treat every Parameter alike, as a table: a function of one gradient, its Parameter and its state.

`per_parameter` makes an optax transformation of a rule. A rule is `rule(g, p, lr, step, *state) -> (change, *state)`:
`step` counts from 1 and `change` is added to the Parameter. The formulas are those of MindSpore's API reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import optax


def per_parameter(rule: Callable[..., tuple], starts: tuple[Any, ...]) -> optax.GradientTransformationExtraArgs:
    """The transformation of a rule.

    Args:
        rule: see the module.
        starts: for each part of the state the number it is filled with.
    """

    def init(params):
        return tuple([[jnp.full_like(p, start) for p in params] for start in starts])

    def update(grads, state, params=None, *, learning_rate, step, **extra):
        number = step.reshape(()).astype(jnp.float32) + 1.0
        rows = [
            rule(g, p, lr.astype(g.dtype), number, *parts)
            for g, p, lr, *parts in zip(grads, params, learning_rate, *state, strict=True)
        ]
        changes, *parts = zip(*rows, strict=True)
        return list(changes), tuple([list(part) for part in parts])

    return optax.GradientTransformationExtraArgs(init, update)


def adagrad(update_slots: bool) -> Callable[..., tuple]:
    """a <- a + g^2; -lr g / sqrt(a). Source: Duchi et al., 2011."""

    def rule(g, p, lr, step, accum):
        new = accum + g * g if update_slots else accum
        return -lr * g / jnp.sqrt(new), new

    return rule


def rms_prop(decay: float, momentum: float, eps: float) -> Callable[..., tuple]:
    """s <- d s + (1-d) g^2; m <- momentum m + lr g / sqrt(s + eps); -m. Source: Hinton's lecture 6e."""

    def rule(g, p, lr, step, square, moment):
        square = decay * square + (1.0 - decay) * g * g
        moment = momentum * moment + lr * g / jnp.sqrt(square + eps)
        return -moment, square, moment

    return rule


def centered_rms_prop(decay: float, momentum: float, eps: float) -> Callable[..., tuple]:
    """As `rms_prop`, with the variance s - mean^2 in place of s. Source: Graves, 2013."""

    def rule(g, p, lr, step, mean, square, moment):
        mean = decay * mean + (1.0 - decay) * g
        square = decay * square + (1.0 - decay) * g * g
        moment = momentum * moment + lr * g / jnp.sqrt(square - mean * mean + eps)
        return -moment, mean, square, moment

    return rule


def adadelta(rho: float, eps: float) -> Callable[..., tuple]:
    """a <- r a + (1-r) g^2; u = sqrt(b + eps) / sqrt(a + eps) g; b <- r b + (1-r) u^2; -lr u. Source: Zeiler, 2012."""

    def rule(g, p, lr, step, accum, accum_update):
        accum = rho * accum + (1.0 - rho) * g * g
        change = jnp.sqrt(accum_update + eps) / jnp.sqrt(accum + eps) * g
        return -lr * change, accum, rho * accum_update + (1.0 - rho) * change * change

    return rule


def ftrl(lr_power: float, l1: float, l2: float) -> Callable[..., tuple]:
    """Follow the regularized leader. Source: McMahan et al., 2013."""

    def rule(g, p, lr, step, accum, linear):
        new = accum + g * g
        powered = jnp.power(new, -lr_power)
        linear = linear + g - (powered - jnp.power(accum, -lr_power)) / lr * p
        quadratic = powered / lr + 2.0 * l2
        value = jnp.where(jnp.abs(linear) > l1, (jnp.sign(linear) * l1 - linear) / quadratic, 0.0)
        return value.astype(p.dtype) - p, new, linear

    return rule


def proximal_adagrad(l1: float, l2: float) -> Callable[..., tuple]:
    """Adagrad with a proximal step for l1 and l2. Source: Duchi and Singer, 2009."""

    def rule(g, p, lr, step, accum):
        accum = accum + g * g
        rate = lr / jnp.sqrt(accum)
        at = p - rate * g
        value = jnp.sign(at) * jnp.maximum(jnp.abs(at) - rate * l1, 0.0) if l1 > 0 else at
        return value / (1.0 + rate * l2) - p, accum

    return rule


def asgd(lambd: float, alpha: float, t0: float) -> Callable[..., tuple]:
    """Averaged stochastic gradient descent. Source: Polyak and Juditsky, 1992."""

    def rule(g, p, lr, step, mu, eta, average):
        value = p * (1.0 - lambd * eta) - eta * g
        average = jnp.where(mu == 1.0, value, average + (value - average) * mu)
        eta = jnp.full_like(eta, 1.0) * lr / jnp.power(1.0 + lambd * lr * step, alpha)
        mu = jnp.full_like(mu, 1.0) / jnp.maximum(1.0, step - t0)
        return value - p, mu, eta, average

    return rule


def rprop(etas: tuple[float, float], step_sizes: tuple[float, float]) -> Callable[..., tuple]:
    """Steps that grow while the gradient keeps its sign, and shrink otherwise. Source: Riedmiller and Braun, 1993."""

    def rule(g, p, lr, step, prev, size):
        same = jnp.sign(g * prev)
        factor = jnp.where(same > 0, etas[1], jnp.where(same < 0, etas[0], 1.0)).astype(size.dtype)
        size = jnp.clip(size * factor, *step_sizes)
        g = jnp.where(same < 0, jnp.zeros_like(g), g)
        return -jnp.sign(g) * size, g, size

    return rule


def lamb(beta1: float, beta2: float, eps: float) -> Callable[..., tuple]:
    """Adam's direction plus decay, scaled by |p| / |direction|. Source: You et al., 2020."""

    def rule(g, p, lr, step, m, v, decay):
        g32, p32 = g.astype(jnp.float32), p.astype(jnp.float32)
        m = beta1 * m + (1.0 - beta1) * g32
        v = beta2 * v + (1.0 - beta2) * g32 * g32
        direction = m / (1.0 - beta1**step) / (jnp.sqrt(v / (1.0 - beta2**step)) + eps)
        if decay is not None:
            direction = direction + decay * p32
        norms = jnp.linalg.norm(p32), jnp.linalg.norm(direction)
        trust = jnp.where((norms[0] > 0) & (norms[1] > 0), norms[0] / norms[1], 1.0)
        return (-(lr.astype(jnp.float32) * trust * direction)).astype(p.dtype), m, v

    return rule
