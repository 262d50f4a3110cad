"""The formulas of the primitives that make one optimizer step on one Parameter (`ops.ApplyMomentum` and its kin).

A rule is `rule(*states, *inputs) -> new states`, on arrays of one dtype: float16 and bfloat16 are computed in float32.
The table of `primitives/update.py` says which arguments are states, and writes the results into them. The formulas are
those of MindSpore's API reference; where its CPU kernels depart from them (they ignore `use_nesterov` of ApplyMomentum
and `update_slots` of ApplyAdagrad, and ApplyFtrl adds `l1` where the reference subtracts it) the reference holds.
"""

from __future__ import annotations

import jax.numpy as jnp


def adamax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """m and the infinity norm v. Source: Kingma & Ba, 2015, section 7.1."""
    m = beta1 * m + (1 - beta1) * grad
    v = jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - lr / (1 - beta1_power) * m / (v + epsilon), m, v


def adadelta(var, accum, accum_update, lr, rho, epsilon, grad):
    """Source: Zeiler, 2012."""
    accum = rho * accum + (1 - rho) * grad * grad
    update = jnp.sqrt(accum_update + epsilon) * grad / jnp.sqrt(accum + epsilon)
    return var - lr * update, accum, rho * accum_update + (1 - rho) * update * update


def adagrad(var, accum, lr, grad, update_slots):
    """Source: Duchi et al., 2011."""
    accum = accum + grad * grad if update_slots else accum
    return var - lr * grad / jnp.sqrt(accum), accum


def adagrad_v2(var, accum, lr, grad, epsilon, update_slots):
    """Adagrad with `epsilon` in the denominator."""
    accum = accum + grad * grad if update_slots else accum
    return var - lr * grad / (jnp.sqrt(accum) + epsilon), accum


def adagrad_da(var, total, squares, grad, lr, l1, l2, global_step):
    """Dual averaging: the Parameter follows from the sums of the gradients and of their squares."""
    total = total + grad
    squares = squares + grad * grad
    shrunk = jnp.where(l1 > 0, jnp.sign(total) * jnp.maximum(jnp.abs(total) - l1 * global_step, 0), total)
    return -lr * shrunk / (l2 * global_step * lr + jnp.sqrt(squares)), total, squares


def add_sign(var, m, lr, alpha, sign_decay, beta, grad):
    """Source: Bello et al., 2017."""
    m = beta * m + (1 - beta) * grad
    return var - lr * (alpha + sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


def power_sign(var, m, lr, logbase, sign_decay, beta, grad):
    """Source: Bello et al., 2017."""
    m = beta * m + (1 - beta) * grad
    return var - lr * jnp.exp(logbase * sign_decay * jnp.sign(grad) * jnp.sign(m)) * grad, m


def rms_prop(var, mean_square, moment, lr, grad, decay, momentum, epsilon):
    """Source: Hinton, 2012."""
    mean_square = decay * mean_square + (1 - decay) * grad * grad
    moment = momentum * moment + lr * grad / jnp.sqrt(mean_square + epsilon)
    return var - moment, mean_square, moment


def centered_rms_prop(var, mean_gradient, mean_square, moment, grad, lr, decay, momentum, epsilon):
    """RMSProp with the variance in the place of the second moment."""
    mean_gradient = decay * mean_gradient + (1 - decay) * grad
    mean_square = decay * mean_square + (1 - decay) * grad * grad
    moment = momentum * moment + lr * grad / jnp.sqrt(mean_square - mean_gradient * mean_gradient + epsilon)
    return var - moment, mean_gradient, mean_square, moment


def ftrl(var, accum, linear, grad, lr, l1, l2, lr_power):
    """Source: McMahan et al., 2013."""
    return ftrl_shrunk(var, accum, linear, grad, lr, l1, l2, 0, lr_power)


def ftrl_shrunk(var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    """FTRL whose linear part sees the gradient with an L2 penalty."""
    new = accum + grad * grad
    before, after = accum**-lr_power, new**-lr_power
    linear = linear + grad + 2 * l2_shrinkage * var - (after - before) / lr * var
    quadratic = after / lr + 2 * l2
    var = jnp.where(jnp.abs(linear) > l1, (jnp.sign(linear) * l1 - linear) / quadratic, 0)
    return var, new, linear


def gradient_descent(var, alpha, delta):
    """var - alpha * delta."""
    return (var - alpha * delta,)


def _shrink(prox, lr, l1, l2):
    return jnp.sign(prox) / (1 + lr * l2) * jnp.maximum(jnp.abs(prox) - lr * l1, 0)


def proximal_gradient_descent(var, alpha, l1, l2, delta):
    """Source: Duchi & Singer, 2009 (FOBOS)."""
    return (_shrink(var - alpha * delta, alpha, l1, l2),)


def proximal_adagrad(var, accum, lr, l1, l2, grad):
    """Adagrad with a proximal step of the same, adapted rate."""
    accum = accum + grad * grad
    rate = lr / jnp.sqrt(accum)
    return _shrink(var - rate * grad, rate, l1, l2), accum


def momentum(variable, accumulation, learning_rate, gradient, momentum, use_nesterov, gradient_scale):  # noqa: A001
    """Source: Sutskever et al., 2013."""
    gradient = gradient * gradient_scale
    accumulation = accumulation * momentum + gradient
    step = gradient + accumulation * momentum if use_nesterov else accumulation
    return variable - learning_rate * step, accumulation


def decayed_momentum(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum):
    """Momentum on a gradient that is scaled and decayed first."""
    gradient = gradient * loss_scale + variable * weight_decay
    accumulation = accumulation * momentum + gradient
    return variable - learning_rate * accumulation, accumulation


def keras_momentum(var, accum, lr, grad, momentum, use_nesterov):
    """Momentum with the learning rate inside the accumulation."""
    accum = accum * momentum - grad * lr
    return (var + accum * momentum - grad * lr if use_nesterov else var + accum), accum


def sgd(parameters, gradient, learning_rate, accum, momentum, stat, dampening, weight_decay, nesterov):
    """SGD; where `stat` is positive, the accumulation starts from this gradient."""
    gradient = gradient + weight_decay * parameters
    accum = jnp.where(stat > 0, gradient, accum * momentum + (1 - dampening) * gradient)
    step = gradient + accum * momentum if nesterov else accum
    return parameters - learning_rate * step, accum, jnp.where(stat > 0, 0, stat)


def _rate(lr, beta1_power, beta2_power):
    return lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)


def adam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov):
    """Source: Kingma & Ba, 2015."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient * gradient
    step = beta1 * m + (1 - beta1) * gradient if use_nesterov else m
    return var - _rate(lr, beta1_power, beta2_power) * step / (jnp.sqrt(v) + epsilon), m, v


def adam_delta(m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov):
    """Adam; the change of the Parameter stands last instead of a new Parameter."""
    delta, m, v = adam(0, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_nesterov)
    return m, v, delta


def adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient):
    """Source: Loshchilov & Hutter, 2019; without the correction of the moments' bias."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient * gradient
    update = m / (jnp.sqrt(v) + epsilon)
    return var - lr * (update + jnp.where(decay > 0, decay, 0) * var), m, v


def normed_adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, global_norm):
    """As `adam_weight_decay`, of a gradient that is divided by the norm of all gradients."""
    return adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient / global_norm)


def adam_amsgrad_v2(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad):
    """Source: Reddi et al., 2018."""
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    vhat = jnp.maximum(vhat, v)
    return var - _rate(lr, beta1_power, beta2_power) * m / (jnp.sqrt(vhat) + epsilon), m, v, vhat


def adam_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon):
    """AMSGrad with its coefficients given at construction."""
    return adam_amsgrad_v2(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad)


def lars(weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate, epsilon, hyperpara, use_clip):
    """The gradient scaled by the ratio of the norms, which are given as sums of squares. Source: You et al., 2017."""
    w, g = jnp.sqrt(norm_weight), jnp.sqrt(norm_gradient)
    ratio = jnp.where((w > 0) & (g > 0), hyperpara * w / (g + weight_decay * w + epsilon), 1.0)
    if use_clip:
        ratio = jnp.clip(ratio / learning_rate, 0, 1)
    return (ratio * (gradient + weight_decay * weight),)
