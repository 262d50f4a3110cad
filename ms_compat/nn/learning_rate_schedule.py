"""`nn.learning_rate_schedule`: learning rates as Cells of the step."""

from __future__ import annotations

from ms_compat.nn.cell import Cell


class LearningRateSchedule(Cell):
    """Base class: derive from it and write `construct(self, global_step)`, which returns the learning rate.

    Args of `construct`: global_step, an Int32 Tensor of shape (1,) or ().
    """

    def construct(self, global_step):
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, global_step).")
