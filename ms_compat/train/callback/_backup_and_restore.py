"""`BackupAndRestore`: go on after an interruption."""

from __future__ import annotations

import os

from ms_compat._core.errors import check_bool, check_positive_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._formats.atomic import remove
from ms_compat._formats.checkpoint.into_net import load_param_into_net
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat._formats.checkpoint.save import save_checkpoint
from ms_compat.train.callback._callback import Callback


@faces("train train.callback")
class BackupAndRestore(Callback):
    """Saves the training state after epochs, and loads it when a training begins.

    The Parameters and the optimizer's state are restored; as in MindSpore the epochs are counted from the start.

    Args:
        backup_dir: directory of `backup.ckpt`.
        save_freq: "epoch", or after how many epochs to save.
        delete_checkpoint: remove the file at the end of the training.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `backup_dir` is empty, or `save_freq` not positive.
    """

    def __init__(self, backup_dir, save_freq="epoch", delete_checkpoint=True):
        super().__init__()
        api = "BackupAndRestore"
        check_type(api, "backup_dir", backup_dir, str)
        if not backup_dir.strip():
            raise value_error(api, "backup_dir", "not empty", backup_dir)
        self.save_freq = 1 if save_freq == "epoch" else check_positive_int(api, "save_freq", save_freq)
        self.delete_checkpoint = check_bool(api, "delete_checkpoint", delete_checkpoint)
        self.backup_dir = os.path.realpath(backup_dir)
        os.makedirs(self.backup_dir, exist_ok=True)
        self.backup_file = os.path.join(self.backup_dir, "backup.ckpt")

    def on_train_begin(self, run_context):
        """Load the backup, if there is one."""
        if os.path.isfile(self.backup_file):
            load_param_into_net(run_context.original_args().train_network, load_checkpoint(self.backup_file))

    def on_train_epoch_end(self, run_context):
        """Save if it is time."""
        cb_params = run_context.original_args()
        if cb_params.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(cb_params.train_network, self.backup_file)

    def on_train_end(self, run_context):
        """Remove the backup."""
        if self.delete_checkpoint and os.path.isfile(self.backup_file):
            remove(self.backup_file)
