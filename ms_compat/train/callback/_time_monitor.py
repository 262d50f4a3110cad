"""`TimeMonitor`: print how long an epoch took."""

from __future__ import annotations

import time

from ms_compat._core.checks import check_above
from ms_compat._core.errors import check_bool, check_int
from ms_compat._core.faces import faces
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._values import wait_for


@faces("train train.callback")
class TimeMonitor(Callback):
    """Prints the milliseconds of each epoch and their mean per step.

    The end of an epoch waits for its last step, so that the time includes the computation and not only its dispatch.

    Args:
        data_size (int): steps per epoch to divide by, where the run does not know its dataset's.
        data_time (bool): also print the mean time between two steps, which is spent on data.

    Raises:
        TypeError: `data_time` is not a bool.
        ValueError: (while running) `data_size` is not a positive int.

    >>> import numpy as np
    >>> from ms_compat import dataset, nn
    >>> from ms_compat.train import Model, TimeMonitor
    >>> data = dataset.NumpySlicesDataset((np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)))
    >>> net = nn.Dense(2, 1)
    >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()))
    >>> model.train(1, data.batch(2), callbacks=TimeMonitor())
    Train epoch time: ... ms, per step time: ... ms
    """

    def __init__(self, data_size=None, data_time=False):
        super().__init__()
        self.data_size = data_size
        self.data_time = check_bool("TimeMonitor", "data_time", data_time)
        self.epoch_time = time.time()
        self.per_step_time = 0.0
        self._data_seconds = 0.0
        self._step_ended = 0.0

    def epoch_begin(self, run_context):
        """Start the clock."""
        self.epoch_time = self._step_ended = time.time()
        self._data_seconds = 0.0

    def on_train_step_begin(self, run_context):
        """Count the time since the last step as time spent on data."""
        if self.data_time:
            self._data_seconds += time.time() - self._step_ended

    def on_train_step_end(self, run_context):
        """Note the time."""
        if self.data_time:
            self._step_ended = time.time()

    def epoch_end(self, run_context):
        """Print the times."""
        cb_params = run_context.original_args()
        wait_for(cb_params.get("net_outputs"))
        milliseconds = (time.time() - self.epoch_time) * 1000
        mode = cb_params.get("mode", "")
        batches = cb_params.get("batch_num") if self.data_size is not None else cb_params.batch_num
        steps = batches if isinstance(batches, int) and batches > 0 else self.data_size
        check_int("TimeMonitor", "data_size", steps)
        check_above("TimeMonitor", "data_size", steps, 0)
        self.per_step_time = milliseconds / steps
        line = f"{mode.title()} epoch time: {milliseconds:5.3f} ms, per step time: {self.per_step_time:5.3f} ms"
        if self.data_time:
            line += f" (data time: {self._data_seconds * 1000 / steps:5.3f} ms)"
        print(line, flush=True)
