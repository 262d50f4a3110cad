"""`ParameterProcess`: groups of Parameters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ms_compat._core.tensor.parameter import Parameter


class ParameterProcess:
    """Numbers Parameters for joint communication, and takes some out of an optimizer's groups.

    >>> from ms_compat import nn
    >>> from ms_compat.boost import ParameterProcess
    >>> parameters = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2)).trainable_params()
    >>> [p.comm_fusion for p in ParameterProcess().assign_parameter_group(parameters)]
    [1, 1, 2, 2]
    """

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._number = next(self._numbers)

    def assign_parameter_group(
        self, parameters: Sequence[Parameter], split_point: Sequence[int] | None = None
    ) -> Sequence[Parameter]:
        """Set `comm_fusion` of the Parameters to the number of their group, and return them.

        Args:
            parameters: the Parameters in order.
            split_point: where new groups start; the middle by default. Points past the end have no effect.

        Raises:
            TypeError: `parameters` is not a sequence.
        """
        starts = set([len(parameters) // 2] if split_point is None else split_point)
        for index, parameter in enumerate(parameters):
            if index in starts:
                self._number = next(self._numbers)
            parameter.comm_fusion = self._number
        return parameters

    @staticmethod
    def generate_group_params(parameters: Sequence[Parameter], origin_params: Sequence[Any]) -> list[dict[str, Any]]:
        """Return the groups of an optimizer with only some of its Parameters.

        Args:
            parameters: the Parameters that stay.
            origin_params: the Parameters of the optimizer, or its groups: dicts with "params" or "order_params".

        Raises:
            ValueError: `origin_params` is empty.
            TypeError: it is not a sequence.

        >>> from ms_compat import nn
        >>> from ms_compat.boost import ParameterProcess
        >>> weight, bias = nn.Dense(2, 2).trainable_params()
        >>> groups = [{"params": [weight], "lr": 0.1}, {"params": [bias]}]
        >>> [len(group["params"]) for group in ParameterProcess.generate_group_params([bias], groups)]
        [0, 1]
        """
        origin = list(origin_params)
        if not origin:
            raise ValueError("For 'generate_group_params', the 'origin_params' must not be empty.")
        if not isinstance(origin[0], dict):
            return [{"params": parameters}]
        kept = {id(parameter) for parameter in parameters}
        groups = []
        for group in origin:
            made = dict(group)
            if "order_params" in group:
                made["order_params"] = parameters
            else:
                made["params"] = [parameter for parameter in group["params"] if id(parameter) in kept]
            groups.append(made)
        return groups
