"""Update rules of `experimental.optim` as functions of one gradient, its Parameter and its state.

A rule is `rule(g, p, lr, t, *state) -> (change, *state)`: `t` counts the steps from 1, `change` is added to the
Parameter, and `g` is negated for `maximize` and has the weight decay in it already. `transformation` makes an optax
transformation of a factory of rules. The formulas are those of MindSpore's API reference, and of the papers named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import optax

from ms_compat.nn.optim.rules import rprop as rprop

Rule = Callable[..., tuple]


def transformation(
    factory: Callable[..., Rule], maximize: bool, weight_decay: float, *settings: Any
) -> optax.GradientTransformationExtraArgs:
    """The optax transformation of a rule: lists of arrays in, lists of changes and of state out."""
    rule = factory(*settings)

    def init(params):
        raise NotImplementedError("The optimizer makes the state; see its Parameters.")

    def update(grads, state, params, *, learning_rate, step, **extra):
        t = step.astype(jnp.float32)
        rows = []
        for g, p, *parts in zip(grads, params, *state, strict=True):
            g = -g if maximize else g
            g = g + weight_decay * p if weight_decay else g
            rows.append(rule(g, p, learning_rate.astype(g.dtype), t, *parts))
        changes, *kept = zip(*rows, strict=True)
        return list(changes), tuple([list(part) for part in kept])

    return optax.GradientTransformationExtraArgs(init, update)


def _short_of_one(beta: float, t: Any) -> Any:
    """1 - beta ** t without cancellation."""
    return -jnp.expm1(t * np.float32(np.log(max(beta, 1e-300))))


def _moments(g: Any, m: Any, v: Any, betas: tuple[float, float]) -> tuple[Any, Any]:
    return m + (g - m) * (1 - betas[0]), v * betas[1] + (1 - betas[1]) * g * g


def sgd(momentum: float, dampening: float, nesterov: bool, centralize: bool) -> Rule:
    """v <- g at first, then m v + (1 - d) g; -lr v, or with Nesterov -lr (g + m v)."""

    def rule(g, p, lr, t, accum, stat):
        if centralize and g.ndim > 1:
            g = g - g.mean(tuple(range(1, g.ndim)), keepdims=True)
        if not momentum:
            return -lr * g, accum, stat
        accum = jnp.where(stat > 0, g, momentum * accum + (1 - dampening) * g)
        return -lr * (g + momentum * accum if nesterov else accum), accum, jnp.zeros_like(stat)

    return rule


def adam(betas: tuple[float, float], eps: float, amsgrad: bool, decoupled: float) -> Rule:
    """-lr / (1 - b1^t) m / (sqrt(v / (1 - b2^t)) + eps). Source: Kingma and Ba, 2015; Loshchilov and Hutter, 2019."""

    def rule(g, p, lr, t, m, v, largest):
        m, v = _moments(g, m, v, betas)
        largest = jnp.maximum(largest, v) if amsgrad else largest
        second = jnp.sqrt(largest if amsgrad else v)
        root = jnp.sqrt(_short_of_one(betas[1], t)).astype(g.dtype)
        change = -lr / _short_of_one(betas[0], t).astype(g.dtype) * m / (second / root + eps)
        return (change - lr * decoupled * p if decoupled else change), m, v, largest

    return rule


def adadelta(rho: float, eps: float) -> Rule:
    """-lr sqrt(u + eps) / sqrt(a + eps) g, a and u: means of g^2 and of the changes squared. Source: Zeiler, 2012."""

    def rule(g, p, lr, t, accum, accum_update):
        accum = rho * accum + (1 - rho) * g * g
        change = jnp.sqrt(accum_update + eps) / jnp.sqrt(accum + eps) * g
        return -lr * change, accum, rho * accum_update + (1 - rho) * change * change

    return rule


def adagrad(lr_decay: float, eps: float) -> Rule:
    """-lr / (1 + (t - 1) decay) g / (sqrt(sum of g^2) + eps). Source: Duchi et al., 2011."""

    def rule(g, p, lr, t, accum):
        accum = accum + g * g
        rate = lr / (1 + (t - 1) * lr_decay).astype(g.dtype)
        return -rate * g / (jnp.sqrt(accum) + eps), accum

    return rule


def adamax(betas: tuple[float, float], eps: float) -> Rule:
    """-lr / (1 - b1^t) m / max(b2 u, |g| + eps). Source: Kingma and Ba, 2015, section 7.1."""

    def rule(g, p, lr, t, m, largest):
        m = m + (g - m) * (1 - betas[0])
        largest = jnp.maximum(betas[1] * largest, jnp.abs(g) + eps)
        return -lr / _short_of_one(betas[0], t).astype(g.dtype) * m / largest, m, largest

    return rule


def asgd(lambd: float, alpha: float, t0: float) -> Rule:
    """Averaged stochastic gradient descent. Source: Polyak and Juditsky, 1992."""

    def rule(g, p, lr, t, average, eta, mu):
        step = eta.astype(p.dtype)
        value = p * (1 - lambd * step) - step * g
        average = jnp.where(mu == 1, value, average + (value - average) * mu.astype(p.dtype))
        rate = lr.astype(jnp.float32)
        eta = rate / jnp.power(1 + lambd * rate * t, alpha)
        return value - p, average, eta, 1 / jnp.maximum(1.0, t - t0)

    return rule


def nadam(betas: tuple[float, float], eps: float, momentum_decay: float) -> Rule:
    """Adam with Nesterov's momentum, whose coefficient grows. Source: Dozat, 2016."""

    def rule(g, p, lr, t, m, v, product):
        now = betas[0] * (1 - 0.5 * jnp.power(0.96, t * momentum_decay))
        following = betas[0] * (1 - 0.5 * jnp.power(0.96, (t + 1) * momentum_decay))
        product = product * now
        m, v = _moments(g, m, v, betas)
        scale = jnp.sqrt(v / _short_of_one(betas[1], t).astype(g.dtype)) + eps
        shares = (1 - now) / (1 - product), following / (1 - product * following)
        change = -lr * (shares[0].astype(g.dtype) * g + shares[1].astype(g.dtype) * m) / scale
        return change, m, v, product

    return rule


def radam(betas: tuple[float, float], eps: float) -> Rule:
    """Adam once the variance of its scale is known well enough, momentum before. Source: Liu et al., 2020."""

    def rule(g, p, lr, t, m, v):
        m, v = _moments(g, m, v, betas)
        most = 2 / (1 - betas[1]) - 1
        short = _short_of_one(betas[1], t)
        length = most - 2 * t * (1 - short) / short
        good = length > 5
        safe = jnp.where(good, length, 6.0)
        rectified = jnp.sqrt((safe - 4) * (safe - 2) * most / ((most - 4) * (most - 2) * safe))
        scale = jnp.where(good, (rectified * jnp.sqrt(short)).astype(g.dtype) / (jnp.sqrt(v) + eps), 1.0)
        return -lr / _short_of_one(betas[0], t).astype(g.dtype) * m * scale.astype(g.dtype), m, v

    return rule


def rmsprop(alpha: float, eps: float, momentum: float, centered: bool) -> Rule:
    """-lr g / (sqrt(s) + eps) for the mean s of g^2, centered or not. Source: Hinton's lecture 6e; Graves, 2013."""

    def rule(g, p, lr, t, mean, square, moment):
        square = alpha * square + (1 - alpha) * g * g
        mean = alpha * mean + (1 - alpha) * g if centered else mean
        change = g / (jnp.sqrt(square - mean * mean if centered else square) + eps)
        moment = momentum * moment + change if momentum > 0 else moment
        return -lr * (moment if momentum > 0 else change), mean, square, moment

    return rule
