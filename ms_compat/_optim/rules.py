"""Rules that treat each element of a Parameter alike: momentum, and means of gradients; see the package.

The formulas follow MindSpore's API reference and the papers named. Where PyTorch has chosen otherwise, and
`experimental.optim` and `mint.optim` with it, the rule has an argument `torch`:

* Adam: MindSpore joins both corrections of the bias with the learning rate, so that `eps` is added to the uncorrected
  root, in `experimental.optim.Adam`, too; PyTorch, `AdamW` and `mint.optim.Adam` correct the root first.
* AdaMax and RMSProp: `eps` joins the gradient, and the root, where MindSpore adds it to the largest gradient, and below
  the root. RMSProp's velocity holds steps in MindSpore, in PyTorch directions, which today's learning rate scales.

Averages are rounded as their users round them: `mean` and `mean_square`, or `moved` and `moved_square`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._optim.transform import Rule


def mean(old: Any, new: Any, decay: Any) -> Any:
    """An exponential moving average."""
    return decay * old + (1 - decay) * new


def moved(old: Any, new: Any, decay: Any) -> Any:
    """The same as a step from the old one."""
    return old + (new - old) * (1 - decay)


def moved_square(old: Any, new: Any, decay: Any) -> Any:
    """An exponential moving average of squares as a step from the old one."""
    return moved(old, new * new, decay)


def mean_square(old: Any, new: Any, decay: Any) -> Any:
    """An exponential moving average of squares."""
    return decay * old + (1 - decay) * new * new


def short_of_one(beta: Any, t: Any) -> Any:
    """1 - beta ** t without cancellation."""
    log = jnp.log(beta) if hasattr(beta, "dtype") else np.float32(np.log(max(beta, 1e-300)))
    return -jnp.expm1(t * log)


def _corrections(betas: tuple, t: Any) -> list[Any]:
    """1 - beta ** t for each beta; `t` is the step, or holds the powers."""
    if isinstance(t, tuple):
        return [1 - power for power in t]
    return [short_of_one(beta, t) for beta in betas]


# -- momentum --------------------------------------------------------------------------------------------------------
def velocity(g: Any, v: Any, momentum: Any, dampening: float = 0.0, nesterov: bool = False, first: Any = None) -> tuple:
    """v <- m v + (1 - dampening) g, or g where it is the `first`; direction v, or with Nesterov g + m v.

    Sources: Sutskever et al., 2013; the algorithm of torch.optim.SGD.
    """
    v = momentum * v + (1 - dampening) * g
    v = v if first is None else jnp.where(first, g, v)
    return (g + momentum * v if nesterov else v), v


def momentum(momentum: Any, nesterov: bool = False) -> Rule:
    """-lr times the direction of `velocity`."""

    def rule(g, p, lr, t, v):
        direction, v = velocity(g, v, momentum, nesterov=nesterov)
        return -(lr * direction), v

    return rule


def sgd(momentum: Any, dampening: float = 0.0, nesterov: bool = False) -> Rule:
    """As `momentum`, but the first velocity is the gradient; without momentum -lr g, and no velocity is kept.

    The step, or a state `fresh` that is positive until then, identifies the first.
    """
    fixed = isinstance(momentum, (int, float))

    def rule(g, p, lr, t, v, *fresh):
        if fixed and not momentum:
            return -(lr * g), v, *fresh
        first = fresh[0] > 0 if fresh else t == 1
        direction, new = velocity(g, v, momentum, dampening, nesterov, first)
        if not fixed:
            direction, new, first = (
                jnp.where(momentum > 0, a, b) for a, b in ((direction, g), (new, v), (first, False))
            )
        return -(lr * direction), new, *[jnp.where(first, 0, f) for f in fresh]

    return rule


def add_sign(alpha: Any, sign_decay: Any, beta: Any) -> Rule:
    """-lr (alpha + decay sign(g) sign(m)) g. Source: Bello et al., 2017."""

    def rule(g, p, lr, t, m):
        m = mean(m, g, beta)
        return -(lr * (alpha + sign_decay * jnp.sign(g) * jnp.sign(m)) * g), m

    return rule


def power_sign(logbase: Any, sign_decay: Any, beta: Any) -> Rule:
    """-lr exp(logbase decay sign(g) sign(m)) g. Source: Bello et al., 2017."""

    def rule(g, p, lr, t, m):
        m = mean(m, g, beta)
        return -(lr * jnp.exp(logbase * sign_decay * jnp.sign(g) * jnp.sign(m)) * g), m

    return rule


def asgd(lambd: float, alpha: float, t0: float) -> Rule:
    """Gradient descent at a falling rate, and the mean Parameter after `t0`.

    The falling rate `eta` starts from the first step's learning rate. Source: Polyak and Juditsky, 1992.
    """

    def rule(g, p, lr, t, average, eta, mu):
        eta = jnp.where(t == 1, lr, eta)
        value = p * (1 - lambd * eta) - eta * g
        average = jnp.where(mu == 1, value, average + (value - average) * mu)
        eta = lr / jnp.power(1 + lambd * lr * t, alpha)
        return value - p, average, eta, 1 / jnp.maximum(1.0, t - t0)

    return rule


def rprop(etas: tuple[float, float], step_sizes: tuple[float, float]) -> Rule:
    """Steps that grow while the gradient keeps its sign, and shrink otherwise; the first one is the learning rate.

    Source: Riedmiller and Braun, 1993.
    """

    def rule(g, p, lr, t, prev, size):
        same = jnp.sign(g * prev)
        size = jnp.where(t == 1, lr, size)
        factor = jnp.where(same > 0, etas[1], jnp.where(same < 0, etas[0], 1.0))
        size = jnp.clip(size * factor, *step_sizes)
        g = jnp.where(same < 0, jnp.zeros_like(g), g)
        return -jnp.sign(g) * size, g, size

    return rule


# -- sums and means of squares ---------------------------------------------------------------------------------------
def adagrad(update_slots: bool = True, eps: Any = None, lr_decay: float = 0.0) -> Rule:
    """a <- a + g^2; -lr / (1 + (t - 1) decay) g / (sqrt(a) + eps). Source: Duchi et al., 2011."""

    def rule(g, p, lr, t, accum):
        accum = accum + g * g if update_slots else accum
        root = jnp.sqrt(accum) if eps is None else jnp.sqrt(accum) + eps
        rate = lr / (1 + (t - 1) * lr_decay) if lr_decay else lr
        return -(rate * g / root), accum

    return rule


def adadelta(rho: Any, eps: Any) -> Rule:
    """a <- r a + (1-r) g^2; u = sqrt(b + eps) / sqrt(a + eps) g; b <- r b + (1-r) u^2; -lr u. Source: Zeiler, 2012."""

    def rule(g, p, lr, t, accum, accum_update):
        accum = mean_square(accum, g, rho)
        change = jnp.sqrt(accum_update + eps) / jnp.sqrt(accum + eps) * g
        return -(lr * change), accum, mean_square(accum_update, change, rho)

    return rule


def rms_prop(decay: Any, momentum: Any, eps: Any, centered: bool = False, torch: bool = False) -> Rule:
    """s <- d s + (1-d) g^2; v <- momentum v + lr g / sqrt(s + eps); -v.

    `centered` takes the variance s - mean^2 for s, with the mean of the gradients, a state before the others. With
    `torch` v <- momentum v + g / (sqrt(s) + eps); -lr v, and without momentum v is left alone.
    Sources: Hinton's lecture 6e; Graves, 2013.
    """

    def rule(g, p, lr, t, *state):
        *means, square, moment = state
        # MindSpore rounds the square before it is weighted, PyTorch after
        square = mean_square(square, g, decay) if torch else decay * square + (1 - decay) * (g * g)
        spread = square
        if centered:
            means = [mean(means[0], g, decay)]
            spread = square - means[0] * means[0]
        if not torch:
            step = momentum * moment + lr * g / jnp.sqrt(spread + eps)
            if centered:  # the variance of rounded means may be negative; MindSpore leaves such elements as they are
                known = spread + eps > 0
                return jnp.where(known, -step, 0), *means, square, jnp.where(known, step, moment)
            return -step, *means, square, step
        direction = g / (jnp.sqrt(spread) + eps)
        if momentum > 0:
            direction = moment = momentum * moment + direction
        return -(lr * direction), *means, square, moment

    return rule


# -- Adam ------------------------------------------------------------------------------------------------------------
def adam(
    betas: tuple[Any, Any],
    eps: Any,
    amsgrad: bool = False,
    nesterov: bool = False,
    torch: bool = False,
    averages: tuple[Callable, Callable] | None = None,
) -> Rule:
    """m and v: means of g and g^2, c = 1 - b^t; -lr sqrt(c2) / c1 m / (sqrt(v) + eps).

    Nesterov looks ahead: b1 m + (1 - b1) g for m. AMSGrad takes the largest v so far, a third state. With `torch`
    -lr / c1 m / (sqrt(v) / sqrt(c2) + eps). A decay is decoupled: -lr decay p joins the change. `averages` are the
    functions of both moments; by default MindSpore's (`nn`), or PyTorch's.
    Sources: Kingma and Ba, 2015, whose section 2 has MindSpore's order; Reddi et al., 2018; Loshchilov and Hutter,
    2019.
    """

    first, second = averages or (moved, mean_square if torch else moved_square)

    def rule(g, p, lr, t, m, v, *largest, decay=None):
        short, short_of_square = _corrections(betas, t)
        m, v = first(m, g, betas[0]), second(v, g, betas[1])
        if amsgrad:
            largest = (jnp.maximum(largest[0], v),)
        root = jnp.sqrt(largest[0] if amsgrad else v)
        correction = jnp.sqrt(short_of_square)
        if torch:
            rate, root = lr / short, root / correction
        else:
            rate = lr * correction / short
        change = -(rate * (mean(m, g, betas[0]) if nesterov else m) / (root + eps))
        if decay is not None:
            change = change - lr * decay * p
        return change, m, v, *largest

    return rule


def adam_weight_decay(betas: tuple[Any, Any], eps: Any) -> Rule:
    """-lr (m / (sqrt(v) + eps) + decay p): Adam without correction of the bias.

    Sources: Devlin et al., 2019 (BERT's optimizer); Loshchilov and Hutter, 2019.
    """

    def rule(g, p, lr, t, m, v, decay=None):
        m, v = mean(m, g, betas[0]), mean(v, g * g, betas[1])
        direction = m / (jnp.sqrt(v) + eps)
        direction = direction if decay is None else direction + decay * p
        return -(lr * direction), m, v

    return rule


def adamax(betas: tuple[Any, Any], eps: Any, torch: bool = False) -> Rule:
    """u <- max(b2 u, |g|); -lr / (1 - b1^t) m / (u + eps); with `torch` u <- max(b2 u, |g| + eps).

    Source: Kingma and Ba, 2015, section 7.1.
    """

    def rule(g, p, lr, t, m, u):
        (short,) = _corrections(betas[:1], t)
        m = (moved if torch else mean)(m, g, betas[0])
        u = jnp.maximum(betas[1] * u, jnp.abs(g) + eps if torch else jnp.abs(g))
        return -(lr / short * m / (u if torch else u + eps)), m, u

    return rule


def nadam(betas: tuple[float, float], eps: float, momentum_decay: float) -> Rule:
    """Adam with Nesterov's momentum, whose coefficient grows. Source: Dozat, 2016."""

    def rule(g, p, lr, t, m, v, product):
        now = betas[0] * (1 - 0.5 * jnp.power(0.96, t * momentum_decay))
        following = betas[0] * (1 - 0.5 * jnp.power(0.96, (t + 1) * momentum_decay))
        product = product * now
        m, v = moved(m, g, betas[0]), mean_square(v, g, betas[1])
        scale = jnp.sqrt(v / short_of_one(betas[1], t)) + eps
        shares = (1 - now) / (1 - product), following / (1 - product * following)
        direction = shares[0] * g + shares[1] * m
        return -(lr * direction / scale), m, v, product

    return rule


def radam(betas: tuple[float, float], eps: float) -> Rule:
    """Adam once the variance of its scale is known well enough, momentum before. Source: Liu et al., 2020."""

    def rule(g, p, lr, t, m, v):
        m, v = moved(m, g, betas[0]), mean_square(v, g, betas[1])
        most = 2 / (1 - betas[1]) - 1
        short = short_of_one(betas[1], t)
        length = most - 2 * t * (1 - short) / short
        good = length > 5
        safe = jnp.where(good, length, 6.0)
        rectified = jnp.sqrt((safe - 4) * (safe - 2) * most / ((most - 4) * (most - 2) * safe))
        scale = jnp.where(good, rectified * jnp.sqrt(short) / (jnp.sqrt(v) + eps), 1.0)
        return -(lr / short_of_one(betas[0], t) * m * scale), m, v

    return rule
