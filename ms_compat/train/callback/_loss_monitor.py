"""`LossMonitor`: print the loss, and stop at a loss that is not finite."""

from __future__ import annotations

import numpy as np

from ms_compat._core.errors import check_non_negative_int
from ms_compat._core.faces import faces
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._values import loss_of


@faces("train train.callback")
class LossMonitor(Callback):
    """Prints the loss every few steps, and after an epoch of `Model.fit` the metrics.

    The loss is fetched from the device only in the steps in which it is printed, and where it is fetched it must be
    finite.

    Args:
        per_print_times: steps between two lines; 0 prints none.

    Raises:
        TypeError: `per_print_times` is not an int.
        ValueError: it is negative, or (while running) the loss is NaN or infinite.

    >>> from ms_compat.train import LossMonitor, RunContext
    >>> from ms_compat.train.callback import InternalCallbackParam
    >>> run = {"cur_epoch_num": 1, "cur_step_num": 2, "batch_num": 4, "net_outputs": 0.25}
    >>> LossMonitor(2).step_end(RunContext(InternalCallbackParam(run)))
    epoch: 1 step: 2, loss is 0.25
    """

    def __init__(self, per_print_times=1):
        super().__init__()
        self._per_print_times = check_non_negative_int("LossMonitor", "per_print_times", per_print_times)
        self._last_print_time = 0

    def step_end(self, run_context):
        """Print the loss if it is time."""
        cb_params = run_context.original_args()
        step = cb_params.cur_step_num
        epoch = cb_params.get("cur_epoch_num")
        if step <= self._last_print_time:  # the callback serves a second run
            self._last_print_time = 0
        if self._per_print_times == 0 or step - self._last_print_time < self._per_print_times:
            return
        self._last_print_time = step
        step_in_epoch = (step - 1) % cb_params.batch_num + 1
        epoch = 1 if epoch is None else epoch
        loss = loss_of(cb_params.net_outputs)
        if isinstance(loss, (float, np.floating)) and not np.isfinite(loss):
            raise ValueError(
                f"For 'LossMonitor', the loss in epoch: {epoch} step: {step_in_epoch} is {loss}: it ends here."
            )
        if cb_params.get("mode") == "train" and isinstance(loss, np.floating):
            loss = float(loss)
        print(f"epoch: {epoch} step: {step_in_epoch}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context):
        """Print the metrics of the evaluation that `Model.fit` has done in this epoch."""
        cb_params = run_context.original_args()
        metrics = cb_params.get("metrics")
        if metrics:
            shown = {name: value.item() if isinstance(value, np.generic) else value for name, value in metrics.items()}
            print(f"Eval result: epoch {cb_params.cur_epoch_num}, metrics: {shown}")
