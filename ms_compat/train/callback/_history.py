"""`History`: the results of every epoch."""

from __future__ import annotations

from typing import Any

from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._values import loss_of


@faces("train train.callback")
class History(Callback):
    """Keeps the last output of every epoch, and the metrics that `Model.fit` evaluates.

    Attributes:
        history: dict of lists: "net_output" and the names of the metrics.
        epoch: {"epoch": [1, 2, ...]} after a training.

    >>> import numpy as np
    >>> from ms_compat import dataset, nn
    >>> from ms_compat.train import History, Model
    >>> data = dataset.NumpySlicesDataset((np.ones((2, 2), np.float32), np.zeros((2, 1), np.float32)))
    >>> net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    >>> history = History()
    >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.125))
    >>> model.train(2, data.batch(2), callbacks=history)
    >>> history.epoch
    {'epoch': [1, 2]}
    """

    def __init__(self):
        super().__init__()
        self.history = {}
        self.epoch: Any = None  # a dict from `begin` on

    def begin(self, run_context):
        """Clear the history."""
        self.epoch = {"epoch": []}
        self.history = {}

    def epoch_end(self, run_context):
        """Add this epoch."""
        cb_params = run_context.original_args()
        epoch = cb_params.get("cur_epoch_num")
        self.epoch["epoch"].append(1 if epoch is None else epoch)
        outputs = cb_params.net_outputs
        if isinstance(outputs, (tuple, list)) and isinstance(outputs[0], Tensor):
            outputs = outputs[0]
        self.history.setdefault("net_output", []).append(loss_of(outputs))
        for name, value in (cb_params.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)
