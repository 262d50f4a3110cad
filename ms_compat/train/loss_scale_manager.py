"""Loss scale managers: how `Model` scales the loss so that small float16 gradients do not vanish."""

from __future__ import annotations

from ms_compat._core.checks import check_above, check_at_least
from ms_compat._core.errors import check_positive_int
from ms_compat._core.faces import faces
from ms_compat.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


@faces("train")
class LossScaleManager:
    """Base class: derive from it for another policy.

    >>> from ms_compat.amp import FixedLossScaleManager
    >>> FixedLossScaleManager(1024.0).get_loss_scale()
    1024.0
    """

    def get_loss_scale(self):
        """The loss scale now."""

    def update_loss_scale(self, overflow):
        """Take note of whether the last step's gradients were not finite.

        Args:
            overflow: bool.
        """

    def get_update_cell(self):
        """A Cell that does the same within the compiled step, or None."""


@faces("train")
class FixedLossScaleManager(LossScaleManager):
    """A loss scale that does not change.

    Args:
        loss_scale: the scale, >= 1. Without `drop_overflow_update` the optimizer must be given it too.
        drop_overflow_update: whether a step whose gradients are not finite changes nothing.

    Raises:
        ValueError: `loss_scale` is below 1.

    >>> from ms_compat.train import FixedLossScaleManager
    >>> FixedLossScaleManager(1024.0).get_loss_scale()
    1024.0
    """

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        check_at_least("FixedLossScaleManager", "loss_scale", loss_scale, 1)
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self):
        """The loss scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether a step whose gradients are not finite changes nothing."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow):
        """Nothing changes."""

    def get_update_cell(self):
        """`nn.FixedLossScaleUpdateCell`, or None if every step counts."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


@faces("train")
class DynamicLossScaleManager(LossScaleManager):
    """A loss scale that falls when gradients are not finite and rises while they are.

    Args:
        init_loss_scale: the first scale, > 1.
        scale_factor: what it is multiplied or divided by.
        scale_window: steps without overflow after which it rises.

    Raises:
        TypeError: `scale_window` is not an int.
        ValueError: a value out of its range.

    >>> from ms_compat.train import DynamicLossScaleManager
    >>> manager = DynamicLossScaleManager(16, 2, 1000)
    >>> manager.update_loss_scale(True)
    >>> manager.get_loss_scale()
    8.0
    """

    def __init__(self, init_loss_scale=2**24, scale_factor=2, scale_window=2000):
        check_at_least("DynamicLossScaleManager", "init_loss_scale", init_loss_scale, 1.0)
        check_above("DynamicLossScaleManager", "scale_factor", scale_factor, 0)
        self.loss_scale = init_loss_scale
        self.scale_factor = scale_factor
        self.scale_window = check_positive_int("DynamicLossScaleManager", "scale_window", scale_window)
        self.increase_ratio = scale_factor
        self.decrease_ratio = 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step_max = 1000
        self.bad_step = 0

    def get_loss_scale(self):
        """The loss scale now."""
        return self.loss_scale

    def get_drop_overflow_update(self):
        """True: a step whose gradients are not finite changes nothing."""
        return True

    def update_loss_scale(self, overflow):
        """Take note of whether the last step's gradients were not finite.

        Raises:
            RuntimeError: 1000 steps in a row had no finite gradients.
        """
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
            if self.bad_step > self.bad_step_max:
                raise RuntimeError(
                    f"For 'DynamicLossScaleManager', the gradients of {self.bad_step} steps in a row were not finite. "
                    "Lower the learning rate, or check the data."
                )
        else:
            self.bad_step = 0
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.increase_ratio
        self.cur_iter += 1

    def get_update_cell(self):
        """`nn.DynamicLossScaleUpdateCell` with the same numbers."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
