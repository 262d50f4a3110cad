"""`OnRequestExit`: end a run cleanly on a signal."""

from __future__ import annotations

import json
import logging
import os
import signal
import threading
from typing import Any

from ms_compat._core.errors import value_error
from ms_compat.train._checkpoint.save import save_checkpoint
from ms_compat.train.callback._callback import Callback

logger = logging.getLogger("ms_compat")


class OnRequestExit(Callback):
    """Ends the run after the current step when a signal arrives or a file asks for it, and saves the Parameters.

    The file is `{directory}/rank_0/{file_name}_train.ckpt` (or `_eval`). The signal's handler is put back at the end.

    Args:
        save_ckpt: whether to save a checkpoint.
        save_mindir: MindSpore's graph file of the training step is not written; a log line says so where it would be.
        file_name: start of the file's name.
        directory: where to.
        config_file: a JSON file that is read after every step; {"GracefulExit": 1} asks to end.
        sig: the signal.

    Raises:
        TypeError: `directory` is no path.
        ValueError: another argument has the wrong type, or `sig` cannot be handled.
    """

    def __init__(
        self, save_ckpt=True, save_mindir=True, file_name="Net", directory="./", config_file=None, sig=signal.SIGTERM
    ):
        super().__init__()
        api = "OnRequestExit"
        for name, value, kind in (
            ("save_ckpt", save_ckpt, bool),
            ("save_mindir", save_mindir, bool),
            ("sig", sig, int),
        ):
            if not isinstance(value, kind):
                raise value_error(api, name, kind.__name__, value)
        if sig in (getattr(signal, "SIGKILL", None), getattr(signal, "SIGSTOP", None)):
            raise value_error(api, "sig", "a signal that can be handled", sig)
        self.save_ckpt = save_ckpt
        self.save_mindir = save_mindir
        self.config_file = config_file
        self.sig = sig
        self._stem = os.path.join(os.path.abspath(os.fspath(directory)), "rank_0", str(file_name))
        self._asked = False
        self._before: Any = None

    def _handle_signal(self, number, frame) -> None:
        self._asked = True

    def __enter__(self):
        self._asked = False
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(self.sig, self._handle_signal)
        else:
            logger.warning("OnRequestExit: only the main thread gets signals; this run is in another.")
        return self

    def __exit__(self, *err):
        before, self._before = self._before, None
        if before is not None:
            signal.signal(self.sig, before)

    def _wanted(self) -> bool:
        if not self._asked and self.config_file is not None and os.path.isfile(self.config_file):
            with open(self.config_file, encoding="utf-8") as file:
                self._asked = json.load(file).get("GracefulExit") == 1
        return self._asked

    def _leave(self, run_context: Any, network: Any, kind: str) -> None:
        run_context.request_stop()
        if self.save_ckpt:
            os.makedirs(os.path.dirname(self._stem), exist_ok=True)
            save_checkpoint(network, f"{self._stem}_{kind}.ckpt")
        if self.save_mindir:
            logger.warning(
                "OnRequestExit: MindIR files of training steps are not written; the checkpoint holds the weights."
            )

    def on_train_step_end(self, run_context):
        """End the training if it was asked for."""
        if self._wanted():
            self._leave(run_context, run_context.original_args().train_network, "train")

    def on_eval_step_end(self, run_context):
        """End the evaluation if it was asked for."""
        if self._wanted():
            cb_params = run_context.original_args()
            self._leave(run_context, cb_params.get("eval_network") or cb_params.network, "eval")
