"""The step of Adafactor as MindSpore's fused primitives compute it: one kernel, all states written in place."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.tensor import Tensor
from ms_compat._optim import layerwise
from ms_compat.ops.function.update.results import written_without_gradient

_STATES = ("param", "exp_avg", "exp_avg_sq_row", "exp_avg_sq_col", "exp_avg_sq")


@op(static=("scale", "first_moment", "decay"), name="FusedAdaFactor")
def _step(eps, clip, beta1, beta2, weight_decay, lr, gradient, param, avg, row, col, sq, norm, scale, first_moment,
          decay):  # fmt: skip
    """The first moment averages the scaled update."""
    kinds = [v.dtype for v in (param, avg, row, col, sq)]
    x, avg, row, col, sq, g = (v.astype(np.float32) for v in (param, avg, row, col, sq, gradient))
    eps, clip, beta1, beta2, weight_decay, lr, norm = (
        jnp.asarray(v, np.float32).reshape(-1) for v in (eps, clip, beta1, beta2, weight_decay, lr, norm)
    )
    if g.shape != x.shape:
        raise ValueError(
            f"For 'FusedAdaFactor', the 'gradient' must have the shape of 'param', {x.shape}, but got {g.shape}."
        )
    rule = layerwise.adafactor(eps, clip, beta1, beta2, scale)
    change, *average, row, col, sq = rule(
        g / norm, x, lr, None, *([avg] if first_moment else []), row, col, sq, decay=weight_decay if decay else None
    )
    new = (x + change, average[0] if first_moment else avg, row, col, sq)
    return tuple([v.astype(k) for v, k in zip(new, kinds, strict=True)])


def fused_adafactor(
    epsilon,
    clip_threshold,
    beta1,
    beta2,
    weight_decay,
    learning_rate,
    gradient,
    param,
    exp_avg,
    exp_avg_sq_row,
    exp_avg_sq_col,
    exp_avg_sq,
    global_norm=1.0,
    enable_scale_parameter=False,
    enable_first_moment=False,
    enable_weight_decay=False,
):
    """One step of Adafactor; writes the parameter and the states that its rank uses.

    Args:
        epsilon: two numbers, added to the squared gradient and the least root mean square of the parameter.
        clip_threshold: the greatest root mean square of an update.
        beta1, beta2: decay of the first and the second moment.
        weight_decay, learning_rate: rates.
        gradient: of the parameter's shape.
        param: the Parameter [..., R, C] or [N].
        exp_avg: first moment, of its shape.
        exp_avg_sq_row, exp_avg_sq_col: second moment of the rows [..., R] and columns [..., C].
        exp_avg_sq: second moment of a vector.
        global_norm: divides the gradient.
        enable_scale_parameter: multiply the learning rate with the parameter's root mean square.
        enable_first_moment: average the updates.
        enable_weight_decay: subtract weight_decay * learning rate (scaled, if it is) * param.

    Returns:
        A tuple of the parameter's new value.
    """
    states = (param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)
    for name, state in zip(_STATES, states, strict=True):
        check_type("FusedAdaFactor", name, state, Tensor)
    if not isinstance(epsilon, Tensor):
        epsilon = Tensor(np.asarray(epsilon, np.float32))
    out = _step(
        epsilon, clip_threshold, beta1, beta2, weight_decay, learning_rate, gradient, *states, global_norm,
        bool(enable_scale_parameter), bool(enable_first_moment), bool(enable_weight_decay),
    )  # fmt: skip
    results = [written_without_gradient("FusedAdaFactor", state, new) for state, new in zip(states, out, strict=True)]
    return (results[0],)
