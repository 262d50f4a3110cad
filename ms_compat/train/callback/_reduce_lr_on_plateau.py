"""`ReduceLROnPlateau`: a smaller learning rate when a value no longer improves."""

from __future__ import annotations

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_bool, check_float_range, check_non_negative_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.train.callback._callback import Callback
from ms_compat.train.callback._early_stop import check_mode
from ms_compat.train.callback._values import improvement, monitored


@faces("train train.callback")
class ReduceLROnPlateau(Callback):
    """Multiplies the learning rate by a factor when a value has not improved for some epochs.

    Args:
        monitor: name of a `Model.fit` metric, "eval_loss", or "loss" (of the last step).
        factor: the factor, in (0, 1).
        patience: epochs to wait for an improvement.
        verbose: print what is done.
        mode: whether "min" or "max" is better; "auto" chooses by the name.
        min_delta: a smaller change does not count.
        cooldown: epochs after a reduction in which nothing is counted.
        min_lr: the learning rate never gets smaller.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a value is out of its range, or (while running) the learning rate is a schedule or one per group.

    >>> from ms_compat.train import ReduceLROnPlateau
    >>> callback = ReduceLROnPlateau(monitor="loss", factor=0.5, patience=2)
    >>> callback.factor, callback.patience
    (0.5, 2)
    """

    kept_state = ("wait", "cooldown_counter", "best")

    def __init__(
        self,
        monitor="eval_loss",
        factor=0.1,
        patience=10,
        verbose=False,
        mode="auto",
        min_delta=1e-4,
        cooldown=0,
        min_lr=0,
    ):
        super().__init__()
        api = "ReduceLROnPlateau"
        self.monitor = check_type(api, "monitor", monitor, str)
        self.factor = check_float_range(api, "factor", check_type(api, "factor", factor, float), 0.0, 1.0, "()")
        self.patience = check_non_negative_int(api, "patience", patience)
        self.verbose = check_bool(api, "verbose", verbose)
        self.mode = check_mode(api, mode)
        self.min_delta = check_type(api, "min_delta", min_delta, (float, int))
        self.cooldown = check_non_negative_int(api, "cooldown", cooldown)
        self.min_lr = check_type(api, "min_lr", min_lr, (float, int))
        self.cooldown_counter = 0
        self.wait = 0
        self.is_improvement, self.best = improvement(mode, monitor, min_delta)

    def on_train_begin(self, run_context):
        """Forget what the last training measured."""
        self.cooldown_counter = self.wait = 0
        self.is_improvement, self.best = improvement(self.mode, self.monitor, self.min_delta)

    def on_train_epoch_end(self, run_context):
        """Compare, and reduce if it is time."""
        cb_params = run_context.original_args()
        rate = optimizer_of(cb_params).learning_rate
        if not isinstance(rate, Parameter):
            raise ValueError(
                "For 'ReduceLROnPlateau', the learning rate of the optimizer must be one number, but it is "
                f"{type(rate).__name__}."
            )
        current = monitored("ReduceLROnPlateau", self.monitor, cb_params)
        if current is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(current, self.best):
            self.best = current
            self.wait = 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait < self.patience:
                return
            self.cooldown_counter, self.wait = self.cooldown, 0
            old = rate.asnumpy()
            if old > self.min_lr:
                new = np.float32(max(old * np.float32(self.factor), self.min_lr))
                rate.set_data(Tensor(new, mstype.float32))
                if self.verbose:
                    print(
                        f"Epoch {cb_params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {new!s}.",
                        flush=True,
                    )


def optimizer_of(cb_params):
    """The optimizer of a run: the Model's, or the optimizer of a training step that was given as the network."""
    optimizer = cb_params.get("optimizer")
    if optimizer is None:
        network = cb_params.get("train_network") or cb_params.network
        optimizer = getattr(network, "optimizer", None)
    if optimizer is None:
        raise ValueError("The run has no optimizer: give one to 'Model', or a training step that has one.")
    return optimizer
