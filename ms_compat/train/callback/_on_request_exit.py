"""`OnRequestExit`: end a run cleanly on a signal."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import Any

from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json
from ms_compat._formats.checkpoint.into_net import load_param_into_net
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat._formats.checkpoint.save import save_checkpoint
from ms_compat._formats.export import export
from ms_compat.communication import get_rank
from ms_compat.train.callback._callback import Callback

logger = logging.getLogger("ms_compat")


@faces("train train.callback")
class OnRequestExit(Callback):
    """Ends the run after the current step when a signal arrives or a file requests it, and saves the Parameters.

    The files are `{directory}/rank_{number of the process}/{file_name}_train.ckpt` and `.mindir` (or `_eval`). A run
    that finds such a checkpoint at its begin goes on from it; an evaluation without one takes the training's
    checkpoint. The signal's handler is put back at the end. MindSpore needs the environment variable
    `MS_ENABLE_GRACEFUL_EXIT=1` to end a training after a step; here it needs none.

    Args:
        save_ckpt: whether to save a checkpoint, with the numbers of the epoch and the step, and to start from one.
        save_mindir: whether to write the step as a MindIR file; what `export` cannot write is left out with a warning.
        file_name: start of the file's name.
        directory: where to.
        config_file: a JSON file that is read after every step; {"GracefulExit": 1} asks to end.
        sig: the signal.

    Raises:
        TypeError: `directory` is not a path.
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
        self._stem = os.path.join(os.path.abspath(os.fspath(directory)), f"rank_{get_rank()}", str(file_name))
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
                try:
                    asked = parse_json(file.read())
                    self._asked = isinstance(asked, dict) and asked.get("GracefulExit") == 1
                except ValueError as error:  # its writer may be in the middle of it
                    logger.warning("OnRequestExit: %s is not JSON: %s", self.config_file, error)
        return self._asked

    def _start_from(self, network: Any, *kinds: str) -> None:
        """Load the first of these checkpoints that there is."""
        if not self.save_ckpt:
            return
        for path in (f"{self._stem}_{kind}.ckpt" for kind in kinds):
            if os.path.isfile(path):
                load_param_into_net(network, load_checkpoint(path))
                return

    def _save(self, network: Any, kind: str, inputs: Any, facts: dict[str, Any]) -> None:
        path = f"{self._stem}_{kind}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if self.save_ckpt:
            save_checkpoint(network, f"{path}.ckpt", append_dict=facts)
        if self.save_mindir:
            try:
                export(network, *inputs, file_name=path, file_format="MINDIR")
            except UnsupportedError as error:
                logger.warning("OnRequestExit: %s.mindir is not written. %s", path, error)

    def on_train_begin(self, run_context):
        """Load an ended training's checkpoint."""
        self._start_from(run_context.original_args().train_network, "train")

    def on_train_step_end(self, run_context):
        """End the training if requested."""
        if not self._wanted():
            return
        run_context.request_stop()
        cb_params = run_context.original_args()
        facts = {
            "epoch_num": cb_params.cur_epoch_num,
            "step_num": cb_params.cur_step_num,
            "batch_num": cb_params.batch_num,
        }
        manager = cb_params.get("loss_scale_mananger")  # MindSpore's spelling
        if manager is not None:
            facts["loss_scale"] = manager.get_loss_scale()
        self._save(cb_params.train_network, "train", cb_params.train_dataset_element, facts)

    def on_eval_begin(self, run_context):
        """Load an ended evaluation's checkpoint, or else a training's."""
        self._start_from(_evaluated(run_context.original_args()), "eval", "train")

    def on_eval_step_end(self, run_context):
        """End the evaluation if requested."""
        if self._wanted():
            run_context.request_stop()
            cb_params = run_context.original_args()
            self._save(_evaluated(cb_params), "eval", cb_params.eval_dataset_element, {})


def _evaluated(cb_params: Any) -> Any:
    return cb_params.get("eval_network") or cb_params.network
