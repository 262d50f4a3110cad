"""`EarlyStopping`: end a training that no longer improves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.errors import check_bool, check_non_negative_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._values import improvement, monitored


def check_mode(api: str, mode: Any) -> str:
    """The mode, if it is one."""
    if check_type(api, "mode", mode, str) not in ("auto", "min", "max"):
        raise value_error(api, "mode", "'auto', 'min' or 'max'", mode)
    return mode


@faces("train train.callback")
class EarlyStopping(Callback):
    """Ends a training when a value has not improved for some epochs.

    Args:
        monitor: name of a `Model.fit` metric, "eval_loss", or "loss" (of the last step).
        min_delta: a smaller change does not count.
        patience: epochs to wait for an improvement.
        verbose: print what is done.
        mode: whether "min" or "max" is better; "auto" chooses by the name.
        baseline: the value must also be better than this; 0 means no baseline, as in MindSpore.
        restore_best_weights: put the Parameters of the best epoch back.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `patience` is negative, or another `mode`.

    >>> from ms_compat.train import EarlyStopping
    >>> callback = EarlyStopping(monitor="loss", patience=3)
    >>> callback.monitor, callback.patience
    ('loss', 3)
    """

    kept_state = ("wait", "stopped_epoch", "best", "best_weights_param_dict")

    def __init__(
        self,
        monitor="eval_loss",
        min_delta=0,
        patience=0,
        verbose=False,
        mode="auto",
        baseline=None,
        restore_best_weights=False,
    ):
        super().__init__()
        api = "EarlyStopping"
        self.monitor = check_type(api, "monitor", monitor, str)
        self.min_delta = abs(check_type(api, "min_delta", min_delta, (float, int)))
        self.patience = check_non_negative_int(api, "patience", patience)
        self.verbose = check_bool(api, "verbose", verbose)
        self.mode = check_mode(api, mode)
        self.baseline = check_type(api, "baseline", baseline, (float, int, type(None)))
        self.restore_best_weights = check_bool(api, "restore_best_weights", restore_best_weights)
        self.wait = 0
        self.stopped_epoch = 0
        self.best_weights_param_dict: dict[str, Any] | None = None
        self.is_improvement, self.best = improvement(mode, monitor, self.min_delta)

    def on_train_begin(self, run_context):
        """Forget what the last training measured."""
        self.wait = self.stopped_epoch = 0
        self.best_weights_param_dict = None
        self.is_improvement, self.best = improvement(self.mode, self.monitor, self.min_delta)

    def on_train_epoch_end(self, run_context):
        """Compare, and stop if it is enough."""
        cb_params = run_context.original_args()
        current = monitored("EarlyStopping", self.monitor, cb_params)
        if current is None:
            return
        network = cb_params.train_network if self.restore_best_weights else None
        self.wait += 1
        if network is not None and self.best_weights_param_dict is None:
            self.best_weights_param_dict = _values(network)
        if self.is_improvement(current, self.best):
            self.best = current
            if network is not None:
                self.best_weights_param_dict = _values(network)
            if not self.baseline or self.is_improvement(current, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = cb_params.cur_epoch_num
            run_context.request_stop()
            if network is not None and self.best_weights_param_dict is not None:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.", flush=True)
                for parameter in network.get_parameters():
                    parameter.set_data(self.best_weights_param_dict[parameter.name])

    def on_train_end(self, run_context):
        """Say when it stopped."""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)


def _values(network: Any) -> dict[str, Any]:
    """Copies of all Parameters: the arrays themselves are donated to the next step."""
    from ms_compat._core.tensor import Tensor

    return {parameter.name: Tensor(np.array(parameter.asnumpy())) for parameter in network.get_parameters()}
