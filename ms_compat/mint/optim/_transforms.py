"""PyTorch's update formulas as optax gradient transformations, one for each of `mint.optim`'s optimizers.

They differ from `mindspore.nn`'s of the same name: Adam adds epsilon after the bias correction of the second moment,
and SGD's first velocity is the gradient whatever the dampening. Each takes lists of arrays; the learning rate and the
number of the step (1 at first) are dynamic extra arguments of `update`. They compose with optax as any other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import optax


class SGDState(NamedTuple):
    """Velocities."""

    momentum_buf: list[Any]


def sgd_update(
    momentum: float, dampening: float, weight_decay: float, nesterov: bool, maximize: bool
) -> optax.GradientTransformationExtraArgs:
    """v <- g at first, then m v + (1 - dampening) g; step -lr v, or with Nesterov -lr (g + m v).

    Source: the algorithm of torch.optim.SGD.
    """

    def init(params):
        return SGDState([jnp.zeros_like(p) for p in params])

    def update(grads, state, params, *, learning_rate, step, **extra):
        velocities, steps = [], []
        for g, v, p in zip(grads, state.momentum_buf, params, strict=True):
            g = (-g if maximize else g) + (weight_decay * p if weight_decay else 0)
            if momentum:
                v = jnp.where(step == 1, g, momentum * v + (1 - dampening) * g)
                g = g + momentum * v if nesterov else v
            velocities.append(v)
            steps.append(-learning_rate.astype(g.dtype) * g)
        return steps, SGDState(velocities)

    return optax.GradientTransformationExtraArgs(init, update)


class AdamState(NamedTuple):
    """Both moments, and the largest second moments with AMSGrad (else as they were)."""

    exp_avg: list[Any]
    exp_avg_sq: list[Any]
    max_exp_avg_sq: list[Any]


def adam_update(
    betas: tuple[float, float], eps: float, weight_decay: float, amsgrad: bool, maximize: bool, decoupled: bool
) -> optax.GradientTransformationExtraArgs:
    """m <- b1 m + (1-b1) g; v <- b2 v + (1-b2) g^2; step -lr m / (1-b1^t) / (sqrt(v / (1-b2^t)) + eps).

    The weight decay is added to the gradient, or with `decoupled` -lr * decay * p to the step.
    Source: the algorithms of torch.optim.Adam and AdamW; Loshchilov and Hutter, arXiv:1711.05101.
    """
    first, second = betas

    def init(params):
        zeros = [jnp.zeros_like(p) for p in params]
        return AdamState(zeros, zeros, zeros if amsgrad else [])

    def update(grads, state, params, *, learning_rate, step, **extra):
        t = step.astype(jnp.float32)
        # 1 - beta ** t without cancellation
        correction = tuple([-jnp.expm1(t * np.log(np.float64(max(b, 1e-300))).astype(np.float32)) for b in betas])
        correction = (correction[0], jnp.sqrt(correction[1]))
        averages, squares, largest, steps = [], [], [], []
        for i, (g, m, v, p) in enumerate(zip(grads, state.exp_avg, state.exp_avg_sq, params, strict=True)):
            kind = p.dtype
            g = (-g if maximize else g).astype(kind)
            if weight_decay and not decoupled:
                g = g + weight_decay * p
            m = m + (g - m) * (1 - first)
            v = v * second + (1 - second) * g * g
            averages.append(m)
            squares.append(v)
            if amsgrad:
                largest.append(jnp.maximum(state.max_exp_avg_sq[i], v))
            scale = jnp.sqrt(largest[i] if amsgrad else v) / correction[1].astype(kind) + eps
            out = -(learning_rate / correction[0]).astype(kind) * (m / scale)
            if weight_decay and decoupled:
                out = out - learning_rate.astype(kind) * weight_decay * p
            steps.append(out)
        return steps, AdamState(averages, squares, largest)

    return optax.GradientTransformationExtraArgs(init, update)
