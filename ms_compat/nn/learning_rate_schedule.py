"""`nn.learning_rate_schedule`: learning rates as Cells of the step.

Each schedule is one operation of the step, computed in float32, so that an optimizer's compiled update contains it.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_positive_int, check_type
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell
from ms_compat.nn.dynamic_lr import check_rate


@faces("nn")
class LearningRateSchedule(Cell):
    """Base class: derive from it and write `construct(self, global_step)`, which returns the learning rate.

    Args of `construct`: global_step, an Int32 Tensor of shape (1,) or ().
    """

    def construct(self, global_step):
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, global_step).")


@op(static=("steps", "stair"))
def _progress(step, steps, stair):
    """step / steps in float32, rounded down with `stair`."""
    progress = step.astype(jnp.float32) / jnp.float32(steps)
    return jnp.floor(progress) if stair else progress


@op(static=("rate", "decay"))
def _exponential(progress, rate, decay):
    return jnp.float32(rate) * jnp.power(jnp.float32(decay), progress)


@op(static=("rate", "decay"))
def _natural(progress, rate, decay):
    return jnp.float32(rate) * jnp.exp(-jnp.float32(decay) * progress)


@op(static=("rate", "decay"))
def _inverse(progress, rate, decay):
    return jnp.float32(rate) / (jnp.float32(1.0) + jnp.float32(decay) * progress)


@op(static=("low", "high", "steps"))
def _cosine(step, low, high, steps):
    progress = jnp.minimum(step.astype(jnp.float32), jnp.float32(steps)) / jnp.float32(steps)
    return jnp.float32(low) + jnp.float32(0.5 * (high - low)) * (1.0 + jnp.cos(jnp.float32(jnp.pi) * progress))


@op(static=("rate", "end", "steps", "power", "update"))
def _polynomial(step, rate, end, steps, power, update):
    step = step.astype(jnp.float32)
    length = jnp.float32(steps)
    if update:
        length = length * jnp.maximum(jnp.ceil(step / length), 1.0)
    else:
        step = jnp.minimum(step, length)
    return jnp.float32(rate - end) * jnp.power(1.0 - step / length, jnp.float32(power)) + jnp.float32(end)


@op(static=("rate", "steps"))
def _warmup(step, rate, steps):
    return jnp.float32(rate) * (jnp.minimum(step.astype(jnp.float32), jnp.float32(steps)) / jnp.float32(steps))


class _Decay(LearningRateSchedule):
    """The three decays of (learning_rate, decay_rate, decay_steps, is_stair)."""

    _formula: Any = None

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        api = type(self).__name__
        self.learning_rate = check_rate(api, "learning_rate", learning_rate)
        self.decay_rate = check_rate(api, "decay_rate", decay_rate)
        self.decay_steps = check_positive_int(api, "decay_steps", decay_steps)
        self.is_stair = check_bool(api, "is_stair", is_stair)

    def construct(self, global_step):
        progress = _progress(global_step, self.decay_steps, self.is_stair)
        return type(self)._formula(progress, self.learning_rate, self.decay_rate)


@faces("nn")
class ExponentialDecayLR(_Decay):
    """learning_rate * decay_rate ** (step / decay_steps).

    Args:
        learning_rate, decay_rate: floats > 0.
        decay_steps: an int > 0.
        is_stair: round the exponent down.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.ExponentialDecayLR(0.1, 0.25, 4)(Tensor(2, ms.int32)))
    0.05
    """

    _formula = staticmethod(_exponential)


@faces("nn")
class NaturalExpDecayLR(_Decay):
    """learning_rate * exp(-decay_rate * step); with `is_stair` the step is rounded down to multiples of decay_steps.

    Args:
        learning_rate, decay_rate: floats > 0.
        decay_steps: an int > 0.
        is_stair: round down.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.NaturalExpDecayLR(0.1, 0.5, 4)(Tensor(2, ms.int32)).asnumpy().round(4))
    0.0368
    """

    def construct(self, global_step):
        stair = self.decay_steps if self.is_stair else 1
        return _natural(_progress(global_step, stair, True), self.learning_rate, self.decay_rate * stair)


@faces("nn")
class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate * step / decay_steps).

    Args:
        learning_rate, decay_rate: floats > 0.
        decay_steps: an int > 0.
        is_stair: round the quotient down.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.InverseDecayLR(0.5, 1.0, 2)(Tensor(2, ms.int32)))
    0.25
    """

    _formula = staticmethod(_inverse)


@faces("nn")
class CosineDecayLR(LearningRateSchedule):
    """min_lr + (max_lr - min_lr) / 2 * (1 + cos(pi * step / decay_steps)), constant after decay_steps.

    Args:
        min_lr: a float >= 0.
        max_lr: a float > min_lr.
        decay_steps: an int > 0.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.CosineDecayLR(0.0, 0.1, 4)(Tensor(0, ms.int32)))
    0.1
    """

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        self.min_lr = check_rate("CosineDecayLR", "min_lr", min_lr, zero=True)
        self.max_lr = check_rate("CosineDecayLR", "max_lr", max_lr)
        self.decay_steps = check_positive_int("CosineDecayLR", "decay_steps", decay_steps)
        if min_lr >= max_lr:
            raise ValueError(
                f"For 'CosineDecayLR', the 'max_lr' must be greater than 'min_lr', but got {max_lr} and {min_lr}."
            )

    def construct(self, global_step):
        return _cosine(global_step, self.min_lr, self.max_lr, self.decay_steps)


@faces("nn")
class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate.

    Args:
        learning_rate: a float > 0.
        end_learning_rate: a float >= 0.
        decay_steps: an int > 0.
        power: a float > 0.
        update_decay_steps: go on with the next multiple of decay_steps; otherwise constant after it.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.PolynomialDecayLR(0.5, 0.25, 4, 1.0)(Tensor(2, ms.int32)))
    0.375
    """

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        api = "PolynomialDecayLR"
        self.learning_rate = check_rate(api, "learning_rate", learning_rate)
        self.end_learning_rate = check_rate(api, "end_learning_rate", end_learning_rate, zero=True)
        self.decay_steps = check_positive_int(api, "decay_steps", decay_steps)
        self.power = check_rate(api, "power", check_type(api, "power", power, float))
        self.update_decay_steps = check_bool(api, "update_decay_steps", update_decay_steps)

    def construct(self, global_step):
        return _polynomial(
            global_step,
            self.learning_rate,
            self.end_learning_rate,
            self.decay_steps,
            self.power,
            self.update_decay_steps,
        )


@faces("nn")
class WarmUpLR(LearningRateSchedule):
    """learning_rate * min(step, warmup_steps) / warmup_steps.

    Args:
        learning_rate: a float >= 0.
        warmup_steps: an int > 0.

    >>> import ms_compat as ms
    >>> from ms_compat import Tensor, nn
    >>> print(nn.WarmUpLR(0.1, 2)(Tensor(1, ms.int32)))
    0.05
    """

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        self.learning_rate = check_rate("WarmUpLR", "learning_rate", learning_rate, zero=True)
        self.warmup_steps = check_positive_int("WarmUpLR", "warmup_steps", warmup_steps)

    def construct(self, global_step):
        return _warmup(global_step, self.learning_rate, self.warmup_steps)
