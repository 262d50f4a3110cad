"""`AdaSum`: steps of several processes, added as far as they are orthogonal and averaged where they agree."""

from __future__ import annotations

from typing import Any

from ms_compat._core.checks import check_choice
from ms_compat._core.trace import write_barrier
from ms_compat.communication.management import get_group_size, members
from ms_compat.nn.cell import Cell
from ms_compat.nn.optim.adasum import adaptive_sum


class AdaSum(Cell):
    """Replace Parameters by their old values minus the adaptive sum of all processes' steps.

    The processes with the same place in their groups take part. The formula is in `nn.AdaSumByGradWrapCell`.

    Args:
        rank (int): the number of this process.
        device_number (int): how many processes a group has.
        group_number (int): how many groups there are: 2, 4, 8, ...
        parameter_tuple (tuple[Parameter]): the Parameters.

    Inputs:
        delta_weights (tuple[Tensor]): the steps of this process: old values minus new ones.
        parameters (tuple[Parameter]): the Parameters, which are changed.
        old_parameters (tuple[Tensor]): their values before the step.

    Returns:
        The Parameters.

    Raises:
        RuntimeError: `mindspore.communication.init` was not called.
        ValueError: there are not as many processes, or the number of groups is not a power of two.
    """

    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple: Any) -> None:
        super().__init__()
        members("AdaSum")  # raises before 'init'
        if group_number < 1 or group_number & (group_number - 1):
            raise ValueError(f"For 'AdaSum', the 'group_number' must be 1, 2, 4, 8, ..., but got {group_number}.")
        needed = device_number * group_number
        if get_group_size() < needed:
            raise ValueError(f"For 'AdaSum', {needed} processes are needed, but there are {get_group_size()}.")
        check_choice("AdaSum", "rank", rank, range(needed))
        self.rank, self.device_number, self.group_number = rank, device_number, group_number
        self.parameter_tuple = parameter_tuple
        self._processes = tuple(group * device_number + rank % device_number for group in range(group_number))

    def construct(self, delta_weights, parameters, old_parameters):
        sums = adaptive_sum(tuple(delta_weights), self._processes) if self.group_number > 1 else delta_weights
        for parameter, old, step in zip(parameters, old_parameters, sums, strict=True):
            write_barrier.assign(parameter, (old - step)._v)
        return tuple(parameters)
