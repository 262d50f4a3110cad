"""What MindSpore's training services on Ascend are reached by: MindIO (`_tft_handler`), MindX, and hardware tests.

The services exist on Ascend alone. Here their handles answer as MindSpore's do on a CPU without them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from ms_compat._core.tensor import Tensor
from ms_compat.communication import get_group_size
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.update.assign import assign

logger = logging.getLogger("ms_compat")


class TFTCommValue:
    """The settings of the variable MS_ENABLE_TFT that need a service."""

    ENABLE_MINDX = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1"]
    NEED_MINDIO = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1"]
    DISABLE_WATCHDOG = ["ARF:1", "TSP:1", "HCCE:1"]


def _set(settings: list[str]) -> bool:
    """Whether MS_ENABLE_TFT has one of some settings."""
    return any(setting in os.environ.get("MS_ENABLE_TFT", "") for setting in settings)


class RSCPluginHandle:
    """The handle of MindX, which restarts the processes of a job on Ascend.

    >>> from ms_compat import utils
    >>> utils.RSCPluginHandle().check_enable()
    False
    """

    def __init__(self) -> None:
        self.enable = _set(TFTCommValue.ENABLE_MINDX)

    def check_enable(self) -> bool:
        """Whether MS_ENABLE_TFT had a setting for MindX when the handle was made."""
        return self.enable

    def register_callback(self, func_map: dict[str, Callable]) -> bool:
        """Offer functions to MindX.

        Returns:
            False: there is no MindX.

        Raises:
            ValueError: `func_map` is not a dict.
        """
        if not isinstance(func_map, dict):
            raise ValueError(f"For 'register_callback', the 'func_map' must be a dict, but got {func_map!r}.")
        logger.warning("RSCPluginHandle: %s are not registered: MindX is for Ascend", sorted(func_map))
        return False

    def start(self) -> None:
        """Start MindX.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("For 'RSCPluginHandle.start', there is no MindX: it is for Ascend.")


class TftHandle:
    """The handle of MindIO, which saves checkpoints of failing jobs on Ascend; `train.ModelCheckpoint` with
    `exception_save=True` saves here.

    >>> from ms_compat import utils
    >>> utils._tft_handler.get_tft() is None
    True
    """

    def get_tft(self) -> None:
        """The service; there is none."""
        return None

    def init(self, **kwargs: Any) -> None:
        """Connect to the service; here a line of the log says that there is none.

        Args:
            **kwargs: reserved, as in MindSpore.

        Raises:
            ValueError: MS_ENABLE_TFT has no setting for it.
        """
        if not _set(TFTCommValue.NEED_MINDIO):
            raise ValueError(
                f"For 'TftHandle.init', MS_ENABLE_TFT must have one of {', '.join(TFTCommValue.NEED_MINDIO)}."
            )
        logger.warning("TftHandle.init: MindIO is for Ascend; 'train.ModelCheckpoint' saves with exception_save=True")
        if kwargs:
            logger.debug("TftHandle.init: %s have no effect", sorted(kwargs))

    def unregister_tft(self) -> None:
        """Leave the service; nothing was entered."""


_tft_handler = TftHandle()


class ExitByRequest(Cell):
    """Agrees between the processes of a job that all of them end: the sum of their requests decides.

    >>> import ms_compat as ms
    >>> from ms_compat import utils
    >>> utils.ExitByRequest().exit_by_request(3, ms.Parameter(ms.Tensor([1])), ms.Parameter(ms.Tensor(False)))
    3
    """

    def __init__(self) -> None:
        super().__init__(auto_prefix=False)
        self.group_size = get_group_size()
        self.is_distributed = self.group_size > 1
        if self.is_distributed:
            from ms_compat.ops import AllReduce

            self.all_reduce = AllReduce()

    def exit_by_request(self, grad: Any, init_value: Tensor, exit_value: Tensor) -> Any:
        """Set `exit_value` to whether each process has 1 in `init_value`; without other processes it stays.

        Args:
            grad (Any): gradients, or an optimizer's result.
            init_value (Tensor): 1 where this process wants to end.
            exit_value (Parameter): gets the answer, a bool.

        Returns:
            `grad`.
        """
        if self.is_distributed:
            assign(exit_value, (self.all_reduce(init_value) == self.group_size).all())
        return grad


def stress_detect(detect_type: str = "aic") -> int:
    """Test the hardware of an Ascend.

    Args:
        detect_type (str): "aic" or "hccs".

    Returns:
        1 for another type, which the log names.

    Raises:
        RuntimeError: there is no Ascend, as on each machine of JAX.

    >>> from ms_compat import utils
    >>> utils.stress_detect("memory")
    1
    """
    if detect_type not in ("aic", "hccs"):
        logger.error("stress_detect: the 'detect_type' must be 'aic' or 'hccs', but got %r", detect_type)
        return 1
    raise RuntimeError("For 'stress_detect', there is no Ascend whose hardware could be tested.")
