"""`ParameterProcess` and `OptimizerProcess`: groups of Parameters, and optimizers made again for other groups."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from typing import Any

from ms_compat._core.errors import type_error
from ms_compat._core.tensor.parameter import Parameter
from ms_compat.boost.less_batch_normalization import CommonHeadLastFN
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.conv import Conv2d
from ms_compat.nn.optim.lars import LARS

logger = logging.getLogger("ms_compat")
_NOT_CENTRALIZED = ("beta", "gamma", "bias")


def made_again(optimizer: Any, params: Any, learning_rate: Any) -> Any:
    """An optimizer of the same kind, with the same other arguments, for other Parameters."""
    inner = optimizer.opt if isinstance(optimizer, LARS) else optimizer
    made = type(inner)(params=params, learning_rate=learning_rate, **inner.init_args)
    return LARS(made, **optimizer.init_args) if isinstance(optimizer, LARS) else made


class OptimizerProcess:
    """Makes an optimizer again, with gradient centralization for its groups.

    Args:
        opt (Optimizer): the optimizer; a `LARS` is made again around its own.

    Raises:
        AttributeError: `opt` is not an Optimizer.

    >>> from ms_compat import nn
    >>> from ms_compat.boost import OptimizerProcess
    >>> net = nn.Dense(2, 2)
    >>> process = OptimizerProcess(nn.SGD([{"params": net.trainable_params()}], 0.1))
    >>> process.add_grad_centralization(net)
    >>> process.generate_new_optimizer().grad_centralization_flags
    (True, False)
    """

    def __init__(self, opt: Any) -> None:
        self.is_lars = isinstance(opt, LARS)
        self._optimizer = opt
        self.single_opt = opt.opt if self.is_lars else opt
        self.opt_class = type(self.single_opt)
        self.opt_init_args = self.single_opt.init_args
        if self.is_lars:
            self.lars_init_args = opt.init_args
        self.learning_rate = self.single_opt.init_learning_rate
        self.origin_params = opt.init_params["params"]

    @staticmethod
    def build_params_dict(network: Cell) -> dict[int, Cell]:
        """Return the Cell that has each Parameter of a network, by the Parameter's `id`."""
        cells = [cell for _, cell in network.cells_and_names()]
        return {id(parameter): cell for cell in cells for parameter in cell.get_parameters(expand=False)}

    @staticmethod
    def build_gc_params_group(params_dict: dict[int, Cell], parameters: Sequence[dict[str, Any]]) -> list[dict]:
        """Split groups into Parameters whose gradients are centralized, and the others.

        Scales, shifts and biases are not centralized (by their names), nor are weights of grouped convolutions and
        last layers of normalized rows.

        Args:
            params_dict: what `build_params_dict` returned.
            parameters: the groups of an optimizer.
        """
        groups: list[dict] = []
        for group in parameters:
            if "order_params" in group:
                groups.append(group)
                continue
            parts: dict[bool, list[Parameter]] = {True: [], False: []}
            for parameter in group["params"]:
                excluded = any(word in parameter.name for word in _NOT_CENTRALIZED)
                parts[not excluded and not _is_grouped(params_dict[id(parameter)])].append(parameter)
            if parts[True]:
                groups.append({**group, "params": parts[True], "grad_centralization": True})
            if parts[False]:
                groups.append({**group, "params": parts[False]})
        return groups

    def add_grad_centralization(self, network: Cell) -> None:
        """Mark the groups of the optimizer for gradient centralization; without groups nothing is marked.

        Args:
            network (Cell): the network that has the Parameters.

        Raises:
            ValueError: the optimizer has no Parameters.
            TypeError: they are neither Parameters nor dicts.
        """
        parameters = list(self.origin_params or ())
        if not parameters:
            raise ValueError("For 'OptimizerProcess', the optimizer must have Parameters.")
        if isinstance(parameters[0], Parameter):
            logger.warning("OptimizerProcess: only groups of Parameters have gradient centralization.")
            return
        if not isinstance(parameters[0], dict):
            raise type_error("OptimizerProcess", "origin_params", "a list of Parameters or dicts", parameters)
        self.origin_params = self.build_gc_params_group(self.build_params_dict(network), parameters)

    def generate_new_optimizer(self) -> Any:
        """Return a new optimizer with the groups of this object and all other arguments of the old one."""
        if self.learning_rate is None:  # a schedule
            self.learning_rate = self.single_opt.learning_rate
        return made_again(self._optimizer, self.origin_params, self.learning_rate)


def _is_grouped(cell: Cell) -> bool:
    return isinstance(cell, CommonHeadLastFN) or isinstance(cell, Conv2d) and cell.group > 1


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
        """Return the groups of an optimizer with other Parameters.

        A Parameter goes into the group that has one of its name. Those without a group are one more, with the options
        of the group that has most.

        Args:
            parameters: the Parameters.
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
        by_name = {parameter.name: parameter for parameter in parameters}
        left = dict(by_name)
        groups: list[dict[str, Any]] = []
        options: dict[str, Any] = {}
        for group in origin:
            made = dict(group)
            if "order_params" in group:
                made["order_params"] = parameters
            else:
                names = [parameter.name for parameter in group["params"] if parameter.name in by_name]
                made["params"] = [by_name[name] for name in names]
                left = {name: parameter for name, parameter in left.items() if name not in names}
                options = made if len(made) > len(options) else options
            groups.append(made)
        if left:
            groups.append({**options, "params": list(left.values())})
        return groups
