"""`AdaFactor`: second moments of matrices kept as row and column means, and a step size relative to the Parameter.

The formulas follow Shazeer and Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost, 2018.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.parameter import Parameter, ParameterTuple
from ms_compat._core.tensor import Tensor
from ms_compat.nn.optim import rules
from ms_compat.nn.optim.base import Optimizer
from ms_compat.nn.optim.by_rule import checked


def _rms(x):
    return jnp.sqrt(jnp.mean(x * x))


def adafactor(
    eps: tuple[float, float],
    clip_threshold: float,
    decay_rate: float,
    beta1: float,
    scale_parameter: bool,
    relative_step: bool,
    warmup_init: bool,
) -> Any:
    """The rule of `AdaFactor`: gradient and state to change and state; see the module for the source."""

    def rule(g, p, lr, step, average, row, column, square, decay):
        g32, p32 = g.astype(jnp.float32), p.astype(jnp.float32)
        rate = lr.astype(jnp.float32)
        if relative_step:
            rate = jnp.minimum(1e-6 * step if warmup_init else 1e-2, 1.0 / jnp.sqrt(step))
        if scale_parameter:
            rate = rate * jnp.maximum(eps[1], _rms(p32))
        beta2 = 1.0 - jnp.power(step, -decay_rate)
        squared = g32 * g32 + eps[0]
        if p.ndim >= 2:
            row = row * beta2 + jnp.mean(squared, -1) * (1.0 - beta2)
            column = column * beta2 + jnp.mean(squared, -2) * (1.0 - beta2)
            share = jnp.sqrt(row / jnp.mean(row, -1, keepdims=True))
            update = g32 / (share[..., :, None] * jnp.sqrt(column)[..., None, :])
        else:
            square = square.astype(jnp.float32) * beta2 + squared * (1.0 - beta2)
            update = g32 / jnp.sqrt(square)
        update = rate * update / jnp.maximum(1.0, _rms(update) / clip_threshold)
        if beta1 > 0:
            average = average * beta1 + (1.0 - beta1) * update
            update = average
        if decay is not None:
            update = update + decay * rate * p32
        return (-update).astype(p.dtype), average, row, column, square

    return rule


class AdaFactor(Optimizer):
    """Adafactor; see `adafactor` for the formula.

    Args:
        params, weight_decay, loss_scale: see `Optimizer`; decay is decoupled.
        learning_rate: see `Optimizer`; None with `relative_step`.
        eps (tuple): added to the squares of the gradient; least scale of a Parameter.
        clip_threshold (float): largest root mean square of an update.
        decay_rate (float): the second moments' decay is 1 - step ** -decay_rate; in (0, 1).
        beta1 (float): decay of the mean update; None or 0 for none.
        scale_parameter (bool): scale the learning rate by the root mean square of the Parameter.
        relative_step (bool): take the learning rate from the step's number.
        warmup_init (bool): begin with small ones.
        compression (bool): keep the second moments that are not factored in Float16.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a value out of range, or a learning rate together with `relative_step`.
    """

    _state_type = staticmethod(lambda *parts: tuple(parts))
    _decoupled_decay = True

    def __init__(
        self,
        params,
        learning_rate=None,
        eps=(1e-30, 0.001),
        clip_threshold=1.0,
        decay_rate=0.8,
        beta1=0.9,
        weight_decay=0.0,
        scale_parameter=True,
        relative_step=True,
        warmup_init=False,
        compression=False,
        loss_scale=1.0,
    ):
        api = "AdaFactor"
        if learning_rate is not None and relative_step:
            raise value_error(api, "learning_rate", "None, because 'relative_step' is True", learning_rate)
        if learning_rate is None and not relative_step:
            raise value_error(api, "learning_rate", "given, because 'relative_step' is False", learning_rate)
        if warmup_init and not relative_step:
            raise value_error(api, "warmup_init", "False, because 'relative_step' is False", warmup_init)
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length  # as measured: gamma and beta are decayed too
        check_type(api, "eps", eps, (list, tuple))
        if len(eps) != 2:
            raise value_error(api, "eps", "of two numbers", eps)
        for number, value in enumerate(eps):
            checked(api, f"eps[{number}]", value, 0.0)
        checked(api, "clip_threshold", clip_threshold, 0.0)
        checked(api, "decay_rate", decay_rate, 0.0, open_=True, high=1.0)
        beta1 = 0.0 if beta1 is None else beta1
        check_type(api, "beta1", beta1, (int, float))
        if beta1 < 0:
            raise value_error(api, "beta1", ">= 0", beta1)
        for name, value in (
            ("scale_parameter", scale_parameter),
            ("relative_step", relative_step),
            ("compression", compression),
        ):
            check_type(api, name, value, bool)
        self.scale_parameter, self.relative_step = scale_parameter, relative_step
        self.warmup_init, self.compression = bool(warmup_init), compression
        self._make_state(beta1 > 0)
        self._set_transform(
            adafactor(tuple(eps), clip_threshold, decay_rate, beta1, scale_parameter, relative_step, self.warmup_init)
        )

    def _make_state(self, averaged: bool) -> None:
        if averaged:
            self.exp_avg = self.parameters.clone(prefix="exp_avg", init="zeros")
        else:
            self.exp_avg = ParameterTuple([Parameter(Tensor(0.0, mstype.float32))])
        self._averaged = averaged

        def zeros(prefix, shape, dtype=None):
            return ParameterTuple(
                [
                    Parameter(
                        Tensor(np.zeros(shape(p)), dtype if dtype and p.ndim < 2 else p.dtype), name=prefix + p.name
                    )
                    for p in self.parameters
                ]
            )

        self.exp_avg_sq_row = zeros("exp_avg_sq_row_", lambda p: p.shape[:-1] if p.ndim >= 2 else (1,))
        self.exp_avg_sq_col = zeros("exp_avg_sq_col_", lambda p: p.shape[:-2] + p.shape[-1:] if p.ndim >= 2 else (1,))
        small = mstype.float16 if self.compression else None
        self.exp_avg_sq = zeros("exp_avg_sq_", lambda p: (1,) if p.ndim >= 2 else p.shape, small)
        self.step = Parameter(Tensor([0.0], mstype.float32), name="afactor_step")

    def _set_transform(self, rule: Any) -> None:
        plain = rules.per_parameter(rule, ())

        def update(grads, state, params=None, *, weight_decay, step, **extra):
            average, row, column, square, count = state
            average = average if self._averaged else [None] * len(grads)
            parts = (average, row, column, square, weight_decay)
            changes, (average, *kept) = plain.update(grads, parts, params, step=step, **extra)
            return changes, (*([average] if self._averaged else [state[0]]), *kept, count + 1.0)

        self._transform = type(plain)(plain.init, update)

    def _fields(self):
        return [self.exp_avg, self.exp_avg_sq_row, self.exp_avg_sq_col, self.exp_avg_sq, self.step]

    def _extra(self):
        return {"step": self.global_step._v}

    @property
    def supports_memory_efficient_fp16(self) -> bool:
        """True."""
        return True

    @property
    def supports_flat_params(self) -> bool:
        """False."""
        return False
