"""`WaitedDSCallback`, a callback of a `map` and of the training loop at once.

It has its own module because it needs `ms_compat.train`, and with it `nn` and optax: 0.4 s that importing
`ms_compat.dataset` does not take otherwise.
"""

import threading
from typing import Any

from ms_compat.dataset.callback import DSCallback, DSCallbackRunContext
from ms_compat.train.callback._callback import Callback


class WaitedDSCallback(Callback, DSCallback):
    """A callback that holds the pipeline back until the training loop has done its epoch or step.

    Pass it both to `map(callbacks=...)` and to the training loop, which calls its `epoch_end` and `step_end`. Before
    each epoch but the first (each `step_size` steps but the first) it waits for the loop, then calls
    `sync_epoch_begin` (`sync_step_begin`).

    Args:
        step_size: rows between two waits.
    """

    waits = True

    def __init__(self, step_size: int = 1) -> None:
        DSCallback.__init__(self, step_size)
        self._released = threading.Condition()
        self._train_epochs = self._train_steps = 0
        self._train_context: Any = None
        self._ended = False

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: DSCallbackRunContext) -> None:
        """Called before an epoch of the pipeline, after the loop's epoch before it ended."""

    def sync_step_begin(self, train_run_context: Any, ds_run_context: DSCallbackRunContext) -> None:
        """Called before a step of the pipeline, after the loop's step before it ended."""

    def _release(self, run_context: Any, epochs: int = 0, steps: int = 0, ended: bool = False) -> None:
        with self._released:
            self._train_context = run_context
            self._train_epochs += epochs
            self._train_steps += steps
            self._ended = self._ended or ended
            self._released.notify_all()

    def _wait(self, what: str, needed: int) -> None:
        from ms_compat.dataset import config

        limit = config.get_callback_timeout()  # type: ignore[attr-defined]  # made from the table there
        with self._released:
            if not self._released.wait_for(lambda: self._ended or getattr(self, what) >= needed, timeout=limit):
                raise RuntimeError(
                    f"WaitedDSCallback: the training loop did not go on within {limit} s (config.set_callback_timeout)."
                )

    def epoch_end(self, run_context: Any) -> None:
        """The training loop calls this after an epoch."""
        self._release(run_context, epochs=1)

    def step_end(self, run_context: Any) -> None:
        """The training loop calls this after a step."""
        self._release(run_context, steps=1)

    def end(self, run_context: Any) -> None:
        """The training loop calls this after training; from then on nothing waits."""
        self._release(run_context, ended=True)

    def ds_epoch_begin(self, ds_run_context: DSCallbackRunContext) -> None:
        """Waits for the loop's epoch, then calls `sync_epoch_begin`, if a subclass defines it."""
        if ds_run_context.cur_epoch_num > 1 and type(self).sync_epoch_begin is not WaitedDSCallback.sync_epoch_begin:
            self._wait("_train_epochs", ds_run_context.cur_epoch_num - 1)
            self.sync_epoch_begin(self._train_context, ds_run_context)

    def ds_step_begin(self, ds_run_context: DSCallbackRunContext) -> None:
        """Waits for the loop's step, then calls `sync_step_begin`, if a subclass defines it."""
        if (
            ds_run_context.cur_step_num > self.step_size
            and type(self).sync_step_begin is not WaitedDSCallback.sync_step_begin
        ):
            self._wait("_train_steps", (ds_run_context.cur_step_num - 1) // self.step_size)
            self.sync_step_begin(self._train_context, ds_run_context)
