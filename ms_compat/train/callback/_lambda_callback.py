"""`LambdaCallback`: hooks given as functions."""

from __future__ import annotations

from ms_compat._core.faces import faces
from ms_compat.train.callback._callback import Callback


@faces("train train.callback")
class LambdaCallback(Callback):
    """A callback made of functions.

    Args:
        on_train_epoch_begin, on_train_epoch_end, on_train_step_begin, on_train_step_end, on_train_begin, on_train_end,
        on_eval_epoch_begin, on_eval_epoch_end, on_eval_step_begin, on_eval_step_end, on_eval_begin, on_eval_end:
            a function of the `RunContext`, or None.

    >>> from ms_compat.train import LambdaCallback
    >>> LambdaCallback(on_train_end=lambda run_context: print("done")).on_train_end(None)
    done
    """

    def __init__(
        self,
        on_train_epoch_begin=None,
        on_train_epoch_end=None,
        on_train_step_begin=None,
        on_train_step_end=None,
        on_train_begin=None,
        on_train_end=None,
        on_eval_epoch_begin=None,
        on_eval_epoch_end=None,
        on_eval_step_begin=None,
        on_eval_step_end=None,
        on_eval_begin=None,
        on_eval_end=None,
    ):
        super().__init__()
        for name, function in list(locals().items()):
            if name.startswith("on_") and function is not None:
                setattr(self, name, function)
