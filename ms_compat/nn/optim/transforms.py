"""MindSpore's update formulas as optax gradient transformations.

Same name, different formula is the classic trap: MindSpore's Momentum multiplies the new velocity by the learning
rate (as PyTorch), its SGD sets the first velocity to the gradient, its Adam folds both bias corrections into the
learning rate and adds epsilon after them. Each transformation takes lists of arrays (one per parameter) and, as extra
arguments of `update`, the learning rates (one per parameter, dynamic) and what else changes from step to step. They
compose with optax as any other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import optax


class MomentumState(NamedTuple):
    """Velocities."""

    moments: list[Any]


def momentum_update(use_nesterov: bool = False) -> optax.GradientTransformationExtraArgs:
    """v <- m v + g; step -lr v, or with Nesterov -lr (g + m v).

    Source: the ApplyMomentum definition in MindSpore's API reference; Sutskever et al., 2013.
    """

    def init(params):
        return MomentumState([jnp.zeros_like(p) for p in params])

    def update(grads, state, params=None, *, learning_rate, momentum, **extra):
        moments = [v * momentum.astype(v.dtype) + g for v, g in zip(state.moments, grads, strict=True)]
        steps = []
        for g, v, lr in zip(grads, moments, learning_rate, strict=True):
            lr = lr.astype(g.dtype)
            steps.append(-(lr * (g + v * momentum.astype(v.dtype))) if use_nesterov else -(lr * v))
        return steps, MomentumState(moments)

    return optax.GradientTransformationExtraArgs(init, update)


class SGDState(NamedTuple):
    """Velocities, and for each whether it has never been written (1 at the start)."""

    accum: list[Any]
    stat: list[Any]


def sgd_update(dampening: float = 0.0, nesterov: bool = False) -> optax.GradientTransformationExtraArgs:
    """v <- g at first, then m v + (1 - dampening) g; step -lr v, or with Nesterov -lr (g + m v).

    Source: the SGD definition in MindSpore's API reference.
    """

    def init(params):
        return SGDState([jnp.zeros_like(p) for p in params], [jnp.ones_like(p) for p in params])

    def update(grads, state, params=None, *, learning_rate, momentum, **extra):
        accum, stat, steps = [], [], []
        for g, a, s, lr in zip(grads, state.accum, state.stat, learning_rate, strict=True):
            m = momentum.astype(g.dtype)
            new = jnp.where(s > 0, g, a * m + (1.0 - dampening) * g)
            new = jnp.where(m > 0, new, a)
            direction = jnp.where(m > 0, g + m * new if nesterov else new, g)
            accum.append(new)
            stat.append(jnp.where(m > 0, jnp.zeros_like(s), s))
            steps.append(-(lr.astype(g.dtype) * direction))
        return steps, SGDState(accum, stat)

    return optax.GradientTransformationExtraArgs(init, update)


class AdamState(NamedTuple):
    """Powers of the betas and both moments; `vhat` is empty without AMSGrad."""

    beta1_power: Any
    beta2_power: Any
    moment1: list[Any]
    moment2: list[Any]
    vhat: list[Any]


def adam_update(
    beta1: float, beta2: float, eps: float, use_nesterov: bool = False, use_amsgrad: bool = False
) -> optax.GradientTransformationExtraArgs:
    """m <- b1 m + (1-b1) g; v <- b2 v + (1-b2) g^2; step -lr sqrt(1-b2^t)/(1-b1^t) m / (sqrt(v) + eps).

    Source: Kingma and Ba, 2015, section 2's remark on the order of computation, which is what MindSpore evaluates.
    """

    def init(params):
        zeros = [jnp.zeros_like(p) for p in params]
        one = jnp.ones((), jnp.float32)
        return AdamState(one, one, zeros, zeros, zeros if use_amsgrad else [])

    def update(grads, state, params=None, *, learning_rate, **extra):
        b1p, b2p = state.beta1_power * beta1, state.beta2_power * beta2
        correction = jnp.sqrt(1.0 - b2p) / (1.0 - b1p)
        m = [a + (g - a) * (1.0 - beta1) for a, g in zip(state.moment1, grads, strict=True)]
        v = [a + (g * g - a) * (1.0 - beta2) for a, g in zip(state.moment2, grads, strict=True)]
        vhat = [jnp.maximum(h, x) for h, x in zip(state.vhat, v, strict=True)] if use_amsgrad else []
        steps = []
        for i, (g, lr) in enumerate(zip(grads, learning_rate, strict=True)):
            rate = (lr * correction.reshape(())).astype(g.dtype)
            direction = m[i] * beta1 + (1.0 - beta1) * g if use_nesterov else m[i]
            steps.append(-(rate * direction / (jnp.sqrt((vhat if use_amsgrad else v)[i]) + eps)))
        return steps, AdamState(b1p, b2p, m, v, vhat)

    return optax.GradientTransformationExtraArgs(init, update)


class AdamWeightDecayState(NamedTuple):
    """Both moments."""

    moment1: list[Any]
    moment2: list[Any]


def adam_weight_decay_update(beta1: float, beta2: float, eps: float) -> optax.GradientTransformationExtraArgs:
    """Moments as Adam without bias correction; step -lr (m / (sqrt(v) + eps) + decay * p).

    `weight_decay` is an extra argument: one value or None (not decayed) per parameter. Computed in float32.
    Source: Devlin et al., 2019 (BERT's optimizer); Loshchilov and Hutter, 2019.
    """

    def init(params):
        zeros = [jnp.zeros(p.shape, jnp.float32) for p in params]
        return AdamWeightDecayState(zeros, zeros)

    def update(grads, state, params=None, *, learning_rate, weight_decay, **extra):
        first, second, steps = [], [], []
        for g, m, v, p, lr, decay in zip(
            grads, state.moment1, state.moment2, params, learning_rate, weight_decay, strict=True
        ):
            g32, p32 = g.astype(jnp.float32), p.astype(jnp.float32)
            m32 = m.astype(jnp.float32) * beta1 + g32 * (1.0 - beta1)
            v32 = v.astype(jnp.float32) * beta2 + g32 * g32 * (1.0 - beta2)
            direction = m32 / (jnp.sqrt(v32) + eps)
            if decay is not None:
                direction = direction + decay * p32
            first.append(m32.astype(m.dtype))
            second.append(v32.astype(v.dtype))
            steps.append((-(lr * direction)).astype(p.dtype))
        return steps, AdamWeightDecayState(first, second)

    return optax.GradientTransformationExtraArgs(init, update)


class AdaMaxState(NamedTuple):
    """beta1 to the power of the steps done, first moments and largest gradients."""

    beta1_power: Any
    moment1: list[Any]
    moment2: list[Any]


def adamax_update(beta1: float, beta2: float, eps: float) -> optax.GradientTransformationExtraArgs:
    """m <- b1 m + (1-b1) g; v <- max(b2 v, |g|); step -lr / (1-b1^t) m / (v + eps).

    Source: Kingma and Ba, 2015, section 7.1.
    """

    def init(params):
        zeros = [jnp.zeros_like(p) for p in params]
        return AdaMaxState(jnp.ones(1, jnp.float32), zeros, zeros)

    def update(grads, state, params=None, *, learning_rate, **extra):
        power = state.beta1_power * beta1
        m = [beta1 * a + (1.0 - beta1) * g for a, g in zip(state.moment1, grads, strict=True)]
        v = [jnp.maximum(beta2 * a, jnp.abs(g)) for a, g in zip(state.moment2, grads, strict=True)]
        steps = [
            -((lr / (1.0 - power.reshape(()))).astype(a.dtype) * a / (b + eps))
            for a, b, lr in zip(m, v, learning_rate, strict=True)
        ]
        return steps, AdaMaxState(power, m, v)

    return optax.GradientTransformationExtraArgs(init, update)
