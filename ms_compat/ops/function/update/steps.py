"""Primitives for one optimizer step on one Parameter (`ops.ApplyMomentum` and the like), as faces of rules.

A face is `face(*states, *inputs) -> new states`, on arrays of one dtype: float16 and bfloat16 are computed in float32.
Its parameters have MindSpore's names and order; the formulas stand in `ms_compat._optim`. The table of
`primitives/update.py` says which arguments are states, and writes the results into them. The formulas follow
MindSpore's API reference; where its CPU kernels depart from them (they ignore `use_nesterov` of ApplyMomentum and
`update_slots` of ApplyAdagrad, and ApplyFtrl adds `l1` where the reference subtracts it) the reference holds.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._optim import layerwise, proximal, rules
from ms_compat._optim.transform import check_gradient, wide

_AVERAGES = (rules.mean, rules.mean_square)  # as MindSpore's kernels round Adam's moments


def _stepped(var: Any, result: tuple) -> tuple:
    change, *states = result
    new = var + change
    return new.astype(getattr(var, "dtype", new.dtype)), *states


def adamax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """m and the infinity norm v."""
    return _stepped(var, rules.adamax((beta1, beta2), epsilon)(grad, var, lr, (beta1_power,), m, v))


def adadelta(var, accum, accum_update, lr, rho, epsilon, grad):
    """Steps in the units of the Parameter."""
    return _stepped(var, rules.adadelta(rho, epsilon)(grad, var, lr, None, accum, accum_update))


def adagrad(var, accum, lr, grad, update_slots):
    """Steps over the root of summed squares."""
    return _stepped(var, rules.adagrad(update_slots)(grad, var, lr, None, accum))


def adagrad_v2(var, accum, lr, grad, epsilon, update_slots):
    """Adagrad with `epsilon` in the denominator."""
    return _stepped(var, rules.adagrad(update_slots, epsilon)(grad, var, lr, None, accum))


def adagrad_da(var, total, squares, grad, lr, l1, l2, global_step):
    """Dual averaging: the Parameter follows from the summed gradients and their summed squares."""
    return proximal.adagrad_da(l1, l2)(grad, var, lr, global_step, total, squares)


def add_sign(var, m, lr, alpha, sign_decay, beta, grad):
    """Steps that grow where the gradient and its mean agree."""
    return _stepped(var, rules.add_sign(alpha, sign_decay, beta)(grad, var, lr, None, m))


def power_sign(var, m, lr, logbase, sign_decay, beta, grad):
    """Steps that grow exponentially where the gradient and its mean agree."""
    return _stepped(var, rules.power_sign(logbase, sign_decay, beta)(grad, var, lr, None, m))


def rms_prop(var, mean_square, moment, lr, grad, decay, momentum, epsilon):
    """Steps over the root of the mean square."""
    return _stepped(var, rules.rms_prop(decay, momentum, epsilon)(grad, var, lr, None, mean_square, moment))


def sparse_rms_prop(var, mean_square, moment, lr, grad, decay, momentum, epsilon):
    """RMSProp whose mean square stays as it is where the gradient is 0."""
    change, square, moment = rules.rms_prop(decay, momentum, epsilon)(grad, var, lr, None, mean_square, moment)
    return _stepped(var, (change, jnp.where(grad == 0, mean_square, square), moment))


def centered_rms_prop(var, mean_gradient, mean_square, moment, grad, lr, decay, momentum, epsilon):
    """RMSProp with the variance in place of the second moment."""
    rule = rules.rms_prop(decay, momentum, epsilon, centered=True)
    return _stepped(var, rule(grad, var, lr, None, mean_gradient, mean_square, moment))


def ftrl(var, accum, linear, grad, lr, l1, l2, lr_power):
    """Follow the regularized leader."""
    return proximal.ftrl(lr_power, l1, l2)(grad, var, lr, None, accum, linear)


def ftrl_shrunk(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    """FTRL whose linear part sees the gradient with an L2 penalty."""
    return proximal.ftrl(lr_power, l1, l2, l2_shrinkage)(grad, var, lr, None, accum, linear)


def gradient_descent(var, alpha, delta):
    """var - alpha * delta."""
    return (var - alpha * delta,)


def proximal_gradient_descent(var, alpha, l1, l2, delta):
    """Gradient descent with a proximal step."""
    return proximal.gradient_descent(l1, l2)(delta, var, alpha, None)


def proximal_adagrad(var, accum, lr, l1, l2, grad):
    """Adagrad with a proximal step of the same, adapted rate."""
    return proximal.adagrad(l1, l2)(grad, var, lr, None, accum)


def momentum(variable, accumulation, learning_rate, gradient, momentum, use_nesterov, gradient_scale):
    """Steps along a velocity, which the gradient joins."""
    rule = rules.momentum(momentum, use_nesterov)
    return _stepped(variable, rule(gradient * gradient_scale, variable, learning_rate, None, accumulation))


def decayed_momentum(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum):
    """Momentum on a gradient that is scaled and decayed first."""
    gradient = gradient * loss_scale + variable * weight_decay
    return _stepped(variable, rules.momentum(momentum)(gradient, variable, learning_rate, None, accumulation))


def heavy_ball(var, accum, lr, grad, momentum, use_nesterov):
    """Momentum; MindSpore's kernel of SparseApplyMomentum does not look ahead, whatever `use_nesterov` says."""
    return _stepped(var, rules.momentum(momentum)(grad, var, lr, None, accum))


def keras_momentum(var, accum, lr, grad, momentum, use_nesterov):
    """Momentum with the learning rate inside the accumulation."""
    return _stepped(var, rules.velocity(-(grad * lr), accum, momentum, nesterov=use_nesterov))


def sgd(parameters, gradient, learning_rate, accum, momentum, stat, dampening, weight_decay, nesterov):
    """SGD; where `stat` is positive, the accumulation starts from this gradient."""
    rule = rules.sgd(momentum, dampening, nesterov)
    gradient = gradient + weight_decay * parameters
    return _stepped(parameters, rule(gradient, parameters, learning_rate, None, accum, stat))


def adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov):
    """Steps over the root of the second moment."""
    rule = rules.adam((beta1, beta2), epsilon, nesterov=use_nesterov, averages=_AVERAGES)
    return _stepped(var, rule(gradient, var, lr, (beta1_power, beta2_power), m, v))


def adam_delta(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov):
    """Adam; the change of the Parameter stands last instead of a new Parameter."""
    delta, m, v = adam(0, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov)
    return m, v, delta


def adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient):
    """Adam without the correction of the moments' bias, and with decay."""
    rule = rules.adam_weight_decay((beta1, beta2), epsilon)
    return _stepped(var, rule(gradient, var, lr, None, m, v, jnp.where(decay > 0, decay, 0)))


def normed_adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, global_norm):
    """As `adam_weight_decay`, of a gradient that is divided by the norm of all gradients."""
    return adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient / global_norm)


def adam_amsgrad_v2(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad):
    """Adam over the root of the largest second moment so far."""
    rule = rules.adam((beta1, beta2), epsilon, amsgrad=True, averages=_AVERAGES)
    return _stepped(var, rule(grad, var, lr, (beta1_power, beta2_power), m, v, vhat))


def adam_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon):
    """AMSGrad with its coefficients given at construction."""
    return adam_amsgrad_v2(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


def lars(weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate, epsilon, hyperpara, use_clip):
    """The gradient scaled by the ratio of the norms, which are given as sums of squares."""
    check_gradient("LARSUpdate", "weight", gradient, weight, "same")
    return layerwise.lars(
        wide(gradient), wide(weight), learning_rate, wide(norm_weight), wide(norm_gradient),
        coefficient=hyperpara, decay=weight_decay, eps=epsilon, clip=use_clip,
    ).astype(weight.dtype)  # fmt: skip
