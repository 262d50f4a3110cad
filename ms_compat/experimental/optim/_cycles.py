"""The cyclic schedulers: `CyclicLR` and `CosineAnnealingWarmRestarts`."""

from __future__ import annotations

import math

import jax.numpy as jnp

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.trace import write_barrier
from ms_compat.experimental.optim._scheduler_base import LRScheduler, array, check_optimizer, counter, is_a, set_rate
from ms_compat.mint.optim._base import _value


@faces("experimental.optim.lr_scheduler")
class CyclicLR(LRScheduler):
    """Goes up and down between two learning rates.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        base_lr, max_lr (Union[float, list[float]]): the ends, for all groups or for each.
        step_size_up, step_size_down (int): epochs up, and down (as up if None).
        mode (str): "triangular", "triangular2" (half the height each cycle) or "exp_range" (`gamma` ** epoch).
        gamma (float): for "exp_range".
        scale_fn (Callable): the height as a function of the cycle or the epoch, in place of `mode`.
        scale_mode (str): which of them `scale_fn` takes: "cycle" or "iterations".

    Raises:
        ValueError: an unknown mode, or not as many numbers as groups.
    """

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        last_epoch=-1,
    ):
        check_optimizer("CyclicLR", optimizer)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_step_size = float(step_size_up) + float(down)
        self.step_up_ratio = step_size_up / self.total_step_size
        scales = {
            "triangular": (lambda x: 1.0, "cycle"),
            "triangular2": (lambda x: 1.0 / (2.0 ** (x - 1.0)), "cycle"),
            "exp_range": (lambda x: gamma**x, "iterations"),
        }
        if scale_fn is None:
            if mode not in scales:
                raise value_error("CyclicLR", "mode", f"one of {list(scales)} if 'scale_fn' is None", mode)
            scale_fn, scale_mode = scales[mode]
        self.mode, self.gamma, self.scale_mode, self._scale_fn = mode, gamma, scale_mode, scale_fn
        groups = optimizer.param_groups
        lowest = self._for_each("base_lr", base_lr, len(groups))
        self.max_lrs = self._for_each("max_lr", max_lr, len(groups))
        if last_epoch == -1:
            for group, value in zip(groups, lowest, strict=True):
                set_rate(group, value)
                group["initial_lr"] = Tensor(value, mstype.float32)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = [Tensor(value, mstype.float32) for value in lowest]

    def _for_each(self, name, value, count):
        values = list(value) if isinstance(value, (list, tuple)) else [value] * count
        if len(values) != count:
            raise value_error("CyclicLR", name, f"{count} numbers", value)
        return [float(item) for item in values]

    def _next(self, epoch, rate, base, number):
        cycle = jnp.floor(1.0 + epoch / self.total_step_size)
        x = 1.0 + epoch / self.total_step_size - cycle
        up = self.step_up_ratio
        share = jnp.where(x <= up, x / up, (x - 1) / (up - 1) if up != 1 else 0.0)
        height = (self.max_lrs[number] - base) * share
        return base + height * array(self._scale_fn(wrap(cycle if self.scale_mode == "cycle" else epoch)))


@faces("experimental.optim.lr_scheduler")
class CosineAnnealingWarmRestarts(LRScheduler):
    """Falls to `eta_min` as half a cosine, and restarts with longer and longer periods.

    Args:
        optimizer, last_epoch: see `LRScheduler`.
        T_0 (int): epochs of the first period, > 0.
        T_mult (int): factor of the periods, > 0.
        eta_min (Union[int, float]): the least learning rate.
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1):
        api = "CosineAnnealingWarmRestarts"
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise value_error(api, name, "an int, 1 or more", value)
        is_a(api, "eta_min", eta_min, (int, float))  # type: ignore[arg-type]
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        self.T_i = counter("T_i", float(T_0))
        self.T_cur = counter("T_cur", float(last_epoch))
        super().__init__(optimizer, last_epoch)

    def _next(self, epoch, rate, base, number):
        share = jnp.cos(math.pi * array(self.T_cur) / array(self.T_i))
        return self.eta_min + (base - self.eta_min) * (1 + share) / 2

    def step(self, epoch=None):
        """Go on to the next epoch, or to `epoch`, which may be a fraction, and set the groups' learning rates."""
        if epoch is None:
            at, period = array(self.T_cur) + 1, array(self.T_i)
            over = at >= period
            at, period = jnp.where(over, at - period, at), jnp.where(over, period * self.T_mult, period)
            last = array(self.last_epoch) + 1
        else:
            last = jnp.asarray(_value(epoch), jnp.float32)
            if not isinstance(last, Tracer) and last < 0:
                raise value_error("CosineAnnealingWarmRestarts", "epoch", "0 or more", epoch)
            if self.T_mult == 1:
                at, period = last % self.T_0, jnp.asarray(self.T_0, jnp.float32)
            else:
                ratio = last / self.T_0 * (self.T_mult - 1) + 1
                done = jnp.floor(jnp.log(ratio) / math.log(self.T_mult) + 1e-6)
                power = self.T_mult**done
                at, period = last - self.T_0 * (power - 1) / (self.T_mult - 1), self.T_0 * power
            last = jnp.floor(last)
        for kept, value in ((self.T_cur, at), (self.T_i, period), (self.last_epoch, last)):
            write_barrier.assign(kept, value.astype(jnp.float32))
        rates = self.get_lr()
        self._last_lr = [set_rate(g, rate) for g, rate in zip(self.optimizer.param_groups, rates, strict=True)]
