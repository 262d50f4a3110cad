"""The schedulers that are not `LRScheduler`: a sequence of schedulers, and the one that watches a metric."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError, check_one_of, value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import write_barrier
from ms_compat.experimental.optim._scheduler_base import array, check_optimizer, counter, set_rate
from ms_compat.mint.optim._base import _value


@faces("experimental.optim.lr_scheduler")
class SequentialLR:
    """Calls one scheduler after another.

    Args:
        optimizer (Optimizer): the optimizer of all the schedulers.
        schedulers (list[LRScheduler]): what to call.
        milestones (list[int]): the epochs at which the next one starts.
        last_epoch (int): see `LRScheduler`.

    Raises:
        ValueError: a scheduler of another optimizer, or not one more than milestones.
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        for number, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise value_error("SequentialLR", "schedulers", f"of one optimizer, unlike number {number}", scheduler)
        if len(schedulers) != len(milestones) + 1:
            raise value_error("SequentialLR", "schedulers", f"{len(milestones) + 1}", len(schedulers))
        self.optimizer = optimizer
        self._schedulers, self.milestones = list(schedulers), list(milestones)
        self.last_epoch = counter("last_epoch_SequentialLR", float(last_epoch + 1))
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        for scheduler in self._schedulers:
            write_barrier.assign(scheduler.last_epoch, array(scheduler.last_epoch) - 1)
        self._schedulers[0].step()
        self._last_lr = self._schedulers[0].get_last_lr()

    def step(self):
        """Go on to the next epoch.

        Raises:
            UnsupportedError: inside a compiled function, where the epoch is not known.
        """
        epoch = array(self.last_epoch) + 1
        if isinstance(epoch, Tracer):
            raise UnsupportedError("'SequentialLR.step' chooses a scheduler, so call it outside the compiled function.")
        write_barrier.assign(self.last_epoch, epoch)
        number = sum(milestone <= int(epoch) for milestone in self.milestones)
        scheduler = self._schedulers[number]
        if number and self.milestones[number - 1] == int(epoch):
            scheduler.step(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def get_last_lr(self):
        """The learning rates that the last `step` set, Tensors."""
        return self._last_lr


@faces("experimental.optim.lr_scheduler")
class ReduceLROnPlateau:
    """Multiplies by `factor` when a metric has not become better for some epochs.

    Args:
        optimizer (Optimizer): see `LRScheduler`.
        mode (str): whether "min" or "max" is better.
        factor (float): the factor, < 1.
        patience (int): how many epochs without a better metric to allow.
        threshold (float): how much better it must be.
        threshold_mode (str): whether `threshold` is "rel" or "abs".
        cooldown (int): epochs after a reduction in which nothing is counted.
        min_lr (Union[float, list[float]]): the least learning rate, for all groups or for each.
        eps (float): reductions smaller than this are left out.

    Raises:
        TypeError: an optimizer of another kind.
        ValueError: a value out of range.
    """

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        api = "ReduceLROnPlateau"
        if factor >= 1.0:
            raise value_error(api, "factor", "less than 1", factor)
        check_optimizer(api, optimizer)
        check_one_of(api, "mode", mode, ("min", "max"))
        check_one_of(api, "threshold_mode", threshold_mode, ("rel", "abs"))
        count = len(optimizer.param_groups)
        least = list(min_lr) if isinstance(min_lr, (list, tuple)) else [min_lr] * count
        if len(least) != count:
            raise value_error(api, "min_lr", f"{count} numbers", min_lr)
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = [Tensor(value, mstype.float32) for value in least]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.best = counter("best", self.mode_worse)
        self.wait = counter("wait", 0.0)
        self.cooldown_counter = counter("cooldown_counter", 0.0)
        self.last_epoch = counter("last_epoch_ReduceLROnPlateau", 0, mstype.int32)
        self._last_lr: list[Any] = [group["lr"] for group in optimizer.param_groups]

    def in_cooldown(self):
        """Whether the last reduction is too recent for another, a Tensor."""
        return wrap(array(self.cooldown_counter) > 0)

    def get_last_lr(self):
        """The learning rates that the last `step` left, Tensors."""
        return self._last_lr

    def _better(self, metric, best):
        sign = 1.0 if self.mode == "min" else -1.0
        if self.threshold_mode == "abs":
            return sign * metric < sign * best - self.threshold
        return sign * metric < sign * best * (1.0 - sign * self.threshold)

    def step(self, metrics):
        """Take the metric of an epoch, a number or a Tensor; returns True."""
        metric, best = array(metrics), array(self.best)
        better = self._better(metric, best)
        pause = array(self.cooldown_counter)
        wait = jnp.where(better | (pause > 0), 0.0, array(self.wait) + 1)
        pause = jnp.maximum(pause - 1, 0.0)
        reduce = wait > self.patience
        for kept, value in (
            (self.best, jnp.where(better, metric, best)),
            (self.wait, jnp.where(reduce, 0.0, wait)),
            (self.cooldown_counter, jnp.where(reduce, float(self.cooldown), pause)),
            (self.last_epoch, _value(self.last_epoch) + 1),
        ):
            write_barrier.assign(kept, value)
        self._last_lr = []
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            rate = array(group["lr"])
            lower = jnp.maximum(rate * self.factor, array(least))
            self._last_lr.append(set_rate(group, jnp.where(reduce & (rate - lower > self.eps), lower, rate)))
        return True
