"""`train.TrainFaultTolerance`, which MindSpore has for Ascend alone."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.train.callback._callback import Callback


@faces("train train.callback")
class TrainFaultTolerance(Callback):
    """Raise ValueError, as MindSpore does without an Ascend, whose fault tolerance repairs devices during training.

    Use 'train.ModelCheckpoint' with exception_save=True, or 'train.BackupAndRestore'.

    Args:
        ckpt_save_path (str): the folder for checkpoints.
        **kwargs: `ckpt_save_fn`, a function that saves instead, and others of MindSpore's.

    Raises:
        ValueError: always.
    """

    def __init__(self, ckpt_save_path=None, **kwargs):
        if ckpt_save_path is None and kwargs.get("ckpt_save_fn") is None:
            raise ValueError("For 'TrainFaultTolerance', 'ckpt_save_path' or 'ckpt_save_fn' must be given.")
        raise ValueError(
            "'TrainFaultTolerance' needs Ascend's fault tolerance (MS_ENABLE_TFT on Ascend). Use "
            "'train.ModelCheckpoint' with exception_save=True, or 'train.BackupAndRestore'."
        )

    @classmethod
    def get_optimizer_wrapper(cls, origin_opt_cls: Any) -> Any:
        """The optimizer's class itself, because only Ascend's runtime follows its steps.

        Raises:
            TypeError: `origin_opt_cls` is not a class.
        """
        check_type("TrainFaultTolerance.get_optimizer_wrapper", "origin_opt_cls", origin_opt_cls, type)
        return origin_opt_cls
