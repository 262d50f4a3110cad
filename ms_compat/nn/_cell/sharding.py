"""`Cell.shard`: layouts of a Cell's inputs, outputs and Parameters.

Parameters are placed when `shard` is called, inputs and outputs are constrained in each call, and XLA's partitioner
does the rest: MindSpore calls that "sharding propagation".
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from jax.sharding import NamedSharding, PartitionSpec

from ms_compat._core.errors import UnsupportedError, value_and_type
from ms_compat._core.parallel import spmd
from ms_compat._core.parallel.sharding import (
    check_layout,
    check_layouts,
    constrain,
    constrain_outputs,
    mesh,
    sharding_of,
)
from ms_compat._core.settings.device import several_processes
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import abstract
from ms_compat._core.trace import scopes
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")


def is_sharded(cell: Any) -> bool:
    """Whether `shard` gave a Cell layouts for its inputs and outputs."""
    return cell.__dict__.get("_layouts") is not None


def call_constrained(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    inputs, outputs = cell.__dict__["_layouts"]
    return constrain_outputs(inner(*constrain(args, inputs, "an input"), **kwargs), outputs)


class Sharding(Part):
    """Layouts of a Cell."""

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device="Ascend", level=0):
        """Say how inputs, outputs and Parameters of this Cell are sharded over the devices.

        The result equals the result on one device. Parameters without a plan are copied to every device.

        Args:
            in_strategy: a layout for each input: a tuple with each dimension's number of pieces, or a
                `mindspore.parallel.Layout`; None leaves an input alone.
            out_strategy: likewise for each output.
            parameter_plan: dict from a Parameter's name, or its path in this Cell, with "self." and outer Cells before
                it or not, to its layout. An unknown name is ignored, with a warning.
            device, level: MindSpore's choices for its own planner; without effect.

        Returns:
            A function: the call of this Cell. The Cell itself is sharded, too.

        Raises:
            TypeError: a strategy or plan has another type.
            ValueError: a layout does not fit the devices or the Parameter.
            UnsupportedError: there are several processes, and no parallel mode that makes them compute one program.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(2, 2)
        >>> sharded = net.shard(((1, 1),), parameter_plan={"weight": (1, 1)})
        >>> sharded(ms.Tensor([[1.0, 2.0]])).shape
        (1, 2)
        """
        check_layouts("in_strategy", in_strategy)
        if out_strategy is not None:
            check_layouts("out_strategy", out_strategy)
        planned = self._planned(parameter_plan)
        logger.debug("Cell.shard: device=%r level=%r have no effect: XLA partitions", device, level)
        if several_processes():  # each has whole Parameters, which their one program cuts
            if spmd.of_processes(None) is None:
                raise UnsupportedError(
                    "Cell.shard over several processes in the parallel mode "
                    f"'{get_auto_parallel_context('parallel_mode')}'",
                    "Set parallel_mode='semi_auto_parallel', or let one process drive all devices.",
                )
        else:
            copied = NamedSharding(mesh(), PartitionSpec())
            for parameter in self.get_parameters():
                parameter._rebind(abstract.device_put(parameter._v, planned.get(id(parameter), copied)))
        self.__dict__["_layouts"] = (in_strategy, out_strategy)
        scopes.structure_version += 1
        self._refresh_plain()
        return self.__call__

    def _planned(self, plan: Any) -> dict[int, NamedSharding]:
        """The shardings of a parameter plan by the Parameter's id."""
        if plan is None:
            return {}
        if not isinstance(plan, dict):
            raise TypeError(
                f"For 'Cell.shard', the argument 'parameter_plan' must be a dict or None, but got "
                f"{value_and_type(plan)}."
            )
        found = {}
        paths = sorted(self.parameters_and_names(), key=lambda item: -len(item[0]))
        for name, layout in plan.items():
            if not isinstance(name, str):
                raise TypeError(
                    f"For 'Cell.shard', a key of 'parameter_plan' must be a str, but got {value_and_type(name)}."
                )
            check_layout("parameter_plan", layout)
            for path, parameter in paths:
                if name == parameter.name or name == path or name.endswith("." + path):
                    found[id(parameter)] = sharding_of(layout, parameter.shape, f"the Parameter '{parameter.name}'")
                    break
            else:
                logger.warning("Cell.shard: there is no Parameter '%s'; its layout is ignored", name)
        return found

    @property
    def parameter_layout_dict(self) -> dict[str, Any]:
        """The layouts of the Parameters: what was assigned, else the shardings of those that are cut over devices."""
        assigned = self.__dict__.get("_parameter_layouts")
        if assigned is not None:
            return assigned
        shardings = {p.name: p._v.sharding for p in self.get_parameters()}
        return {name: s for name, s in shardings.items() if not s.is_fully_replicated}

    @parameter_layout_dict.setter
    def parameter_layout_dict(self, value: dict[str, Any]) -> None:
        if not isinstance(value, dict):
            raise TypeError(
                f"For 'Cell', the property 'parameter_layout_dict' must be dict type, but got type {type(value)}."
            )
        self.__dict__["_parameter_layouts"] = value
