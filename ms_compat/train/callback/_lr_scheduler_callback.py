"""`LearningRateScheduler`: the learning rate as a function of the step."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._reduce_lr_on_plateau import optimizer_of


@faces("train train.callback")
class LearningRateScheduler(Callback):
    """Sets the learning rate after every step.

    Args:
        learning_rate_function: function of (learning rate now, step number from 1) that gives the next one.

    >>> from ms_compat.train import LearningRateScheduler
    >>> halve = LearningRateScheduler(lambda rate, step: rate * 0.5 if step % 1000 == 0 else rate)
    """

    def __init__(self, learning_rate_function):
        super().__init__()
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context):
        """Compute and set the rate."""
        cb_params = run_context.original_args()
        rate = optimizer_of(cb_params).learning_rate
        if not isinstance(rate, Parameter):
            raise AttributeError(
                "For 'LearningRateScheduler', the learning rate of the optimizer must be one number, but it is "
                f"{type(rate).__name__}."
            )
        old = float(str(np.float32(rate.asnumpy())))
        new = self.learning_rate_function(old, cb_params.cur_step_num)
        if new != old:
            rate.set_data(Tensor(new, mstype.float32))
