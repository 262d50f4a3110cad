"""`nn.OptTFTWrapper`, which belongs to `train.TrainFaultTolerance`."""

from __future__ import annotations

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.nn.optim.base import Optimizer


@faces("nn nn.optim")
class OptTFTWrapper(Optimizer):
    """Raise ValueError, as MindSpore does without an Ascend, whose fault tolerance repairs an optimizer's step.

    Use the optimizer itself, and 'train.ModelCheckpoint' with exception_save=True.

    Args:
        opt (Optimizer): the optimizer.
        **kwargs: MindSpore's further settings.

    Raises:
        TypeError: `opt` is not an Optimizer.
        ValueError: it is one.
    """

    def __init__(self, opt, **kwargs):
        check_type("OptTFTWrapper", "opt", opt, Optimizer)
        raise ValueError(
            f"'OptTFTWrapper' with the settings {kwargs} needs Ascend's fault tolerance (MS_ENABLE_TFT on Ascend). Use "
            "the optimizer itself, and 'train.ModelCheckpoint' with exception_save=True."
        )
