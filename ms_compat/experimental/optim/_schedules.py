"""The schedulers that depend on the epoch alone."""

from __future__ import annotations

import math

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_within
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import wrap
from ms_compat.experimental.optim._scheduler_base import LRScheduler, array, check_optimizer, is_a


@faces("experimental.optim.lr_scheduler")
class StepLR(LRScheduler):
    """Multiplies by `gamma` every `step_size` epochs.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        step_size (int): epochs between the steps.
        gamma (float): the factor.
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        is_a("StepLR", "step_size", step_size, int)
        is_a("StepLR", "gamma", gamma, float)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        return jnp.where((epoch != 0) & (epoch % self.step_size == 0), rate * self.gamma, rate)

    def _at(self, epoch, base):
        return base * self.gamma ** (epoch // self.step_size)


@faces("experimental.optim.lr_scheduler")
class MultiStepLR(LRScheduler):
    """Multiplies by `gamma` at each milestone.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        milestones (list[int]): epochs; a repeated one counts twice.
        gamma (float): the factor.
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        is_a("MultiStepLR", "milestones", milestones, list)
        for milestone in milestones:
            is_a("MultiStepLR", "milestones", milestone, int)
        is_a("MultiStepLR", "gamma", gamma, float)
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        return rate * self.gamma ** jnp.sum(np.asarray(self.milestones, np.float32) == epoch)

    def _at(self, epoch, base):
        return base * self.gamma ** jnp.sum(np.asarray(self.milestones, np.float32) <= epoch)


@faces("experimental.optim.lr_scheduler")
class ConstantLR(LRScheduler):
    """Multiplies by `factor` for the first epochs.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        factor (float): the factor, between 0 and 1.
        total_iters (int): how many epochs.
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        check_within("ConstantLR", "factor", factor, 0, 1)
        is_a("ConstantLR", "total_iters", total_iters, int)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        rate = jnp.where(epoch == 0, rate * self.factor, rate)
        return jnp.where((epoch != 0) & (epoch == self.total_iters), rate / self.factor, rate)

    def _at(self, epoch, base):
        return base * jnp.where(epoch < self.total_iters, self.factor, 1.0)


@faces("experimental.optim.lr_scheduler")
class LinearLR(LRScheduler):
    """Goes from `start_factor` to `end_factor` in a straight line.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        start_factor (float): the first factor, in (0, 1].
        end_factor (float): the last factor, in [0, 1].
        total_iters (int): how many epochs that takes.
    """

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        check_within("LinearLR", "start_factor", start_factor, 0, 1, "(]")
        check_within("LinearLR", "end_factor", end_factor, 0, 1)
        is_a("LinearLR", "total_iters", total_iters, int)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        gain = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (epoch - 1) * gain
        later = jnp.where(epoch > self.total_iters, rate, rate * (1 + gain / jnp.where(before == 0, 1.0, before)))
        return jnp.where(epoch == 0, rate * self.start_factor, later)

    def _at(self, epoch, base):
        share = jnp.minimum(epoch, self.total_iters) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * share)


@faces("experimental.optim.lr_scheduler")
class ExponentialLR(LRScheduler):
    """Multiplies by `gamma` every epoch.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        gamma (float): the factor.
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        is_a("ExponentialLR", "gamma", gamma, float)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        return jnp.where(epoch == 0, rate, rate * self.gamma)

    def _at(self, epoch, base):
        return base * self.gamma**epoch


@faces("experimental.optim.lr_scheduler")
class PolynomialLR(LRScheduler):
    """Goes to 0 as a power of the remaining epochs.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        total_iters (int): how many epochs that takes.
        power (float): the power.
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        is_a("PolynomialLR", "total_iters", total_iters, int)
        is_a("PolynomialLR", "power", power, float)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        inside = (epoch != 0) & (epoch <= self.total_iters)
        at = jnp.where(inside, epoch, 1.0)
        factor = ((1 - at / self.total_iters) / (1 - (at - 1) / self.total_iters)) ** self.power
        return jnp.where(inside, rate * factor, rate)

    def _at(self, epoch, base):
        return base * (1 - jnp.minimum(epoch, self.total_iters) / self.total_iters) ** self.power


@faces("experimental.optim.lr_scheduler")
class CosineAnnealingLR(LRScheduler):
    """Swings between the first learning rate and `eta_min` as a cosine.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        T_max (int): epochs of half a swing.
        eta_min (float): the least learning rate.
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        is_a("CosineAnnealingLR", "T_max", T_max, int)
        is_a("CosineAnnealingLR", "eta_min", eta_min, (int, float))  # type: ignore[arg-type]
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        turn = (epoch - 1 - self.T_max) % (2 * self.T_max) == 0
        rise = rate + (base - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        before = jnp.where(turn, 1.0, 1 + jnp.cos(math.pi * (epoch - 1) / self.T_max))
        swing = (1 + jnp.cos(math.pi * epoch / self.T_max)) / before * (rate - self.eta_min) + self.eta_min
        return jnp.where(epoch == 0, rate, jnp.where(turn, rise, swing))

    def _at(self, epoch, base):
        return self.eta_min + (base - self.eta_min) * (1 + jnp.cos(math.pi * epoch / self.T_max)) / 2


@faces("experimental.optim.lr_scheduler")
class LambdaLR(LRScheduler):
    """Multiplies the first learning rate by a function of the epoch.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        lr_lambda (Union[Callable, list[Callable]]): a function of the epoch (a Tensor), or one for each group.

    Raises:
        ValueError: not as many functions as groups.
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        check_optimizer(type(self).__name__, optimizer)
        count = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(self.lr_lambdas) != count:
            raise value_error(type(self).__name__, "lr_lambda", f"{count} functions", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch, number):
        return array(self.lr_lambdas[number](wrap(epoch)))

    def _next(self, epoch, rate, base, number):
        return base * self._factor(epoch, number)


@faces("experimental.optim.lr_scheduler")
class MultiplicativeLR(LambdaLR):
    """Multiplies the learning rate by a function of the epoch.

    Args: as for `LambdaLR`.
    """

    def _next(self, epoch, rate, base, number):
        return jnp.where(epoch == 0, rate, rate * self._factor(epoch, number))
