"""`Cell.shard`: MindSpore's layouts as JAX's shardings.

A layout says into how many pieces each dimension is cut. All layouts of a program live on one mesh over all devices,
whose axes are the prime factors of their number (8 devices: 2 x 2 x 2), so that any layout of the same devices can be
written as a `PartitionSpec` and XLA moves between them. Parameters are placed when `shard` is called, inputs and
outputs are constrained in each call, and XLA's partitioner does the rest: that is what MindSpore's "sharding
propagation" stands for.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ms_compat._core import abstract, device, state
from ms_compat._core.errors import check_type, describe
from ms_compat._core.layout import Layout
from ms_compat._core.op import op
from ms_compat._core.tensor import Tensor
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")


def _prime_factors(number: int) -> list[int]:
    factors = []
    for prime in range(2, number + 1):
        while number % prime == 0:
            factors.append(prime)
            number //= prime
    return factors


def mesh() -> Mesh:
    """The mesh over all devices, an axis for each prime factor of their number."""
    return _mesh(device.everywhere())


@functools.cache
def _mesh(devices: tuple[Any, ...]) -> Mesh:
    factors = _prime_factors(len(devices)) or [1]
    return Mesh(np.array(devices).reshape(factors), [f"d{i}" for i in range(len(factors))])


def check_layout(argument: str, layout: Any) -> tuple[int, ...] | Layout:
    """Return a layout that the devices can serve.

    Raises:
        TypeError: it is not a tuple of ints.
        ValueError: a number is not positive, or the cuts do not fit the devices.
    """
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, tuple) or any(isinstance(cut, bool) or not isinstance(cut, int) for cut in layout):
        raise TypeError(
            f"For 'Cell.shard', each layout in '{argument}' must be a tuple of int, but got {layout!r:.80}."
        )
    if any(cut < 1 for cut in layout):
        raise ValueError(f"For 'Cell.shard', the cuts in '{argument}' must be positive, but got {layout}.")
    _axes_of(layout, argument)
    return layout


def _axes_of(layout: tuple[int, ...], argument: str = "layout") -> list[tuple[str, ...] | None]:
    """Which axes of the mesh cut each dimension."""
    free = dict(mesh().shape)
    found: list[tuple[str, ...] | None] = []
    for cut in layout:
        axes = []
        for prime in _prime_factors(cut):
            name = next((name for name, size in free.items() if size == prime), None)
            if name is None:
                raise ValueError(
                    f"For 'Cell.shard', '{argument}' {layout} makes {math.prod(layout)} pieces, which do not fit "
                    f"{mesh().devices.size} devices."
                )
            del free[name]
            axes.append(name)
        found.append(tuple(axes) or None)
    return found


def sharding_of(layout: tuple[int, ...] | Layout, shape: tuple[int, ...], what: str) -> NamedSharding:
    """The sharding of an array under a layout.

    Raises:
        ValueError: the layout has another number of dimensions, or a dimension cannot be cut so.
    """
    if isinstance(layout, Layout):
        return layout.sharding(shape, what)
    if len(layout) != len(shape) or any(size % cut for size, cut in zip(shape, layout, strict=True)):
        raise ValueError(f"For 'Cell.shard', {what} of shape {tuple(shape)} cannot be cut by the layout {layout}.")
    return NamedSharding(mesh(), PartitionSpec(*_axes_of(layout)))


@op(static=("sharding",), name="shard")
def _constrain(x, sharding):
    return jax.lax.with_sharding_constraint(x, sharding)


def constrain(values: Any, layouts: Any, what: str) -> Any:
    """The values with a sharding constraint on each Tensor that has a layout; nested tuples alike."""
    if layouts is None:
        return values
    if isinstance(values, Tensor):
        return _constrain(values, sharding_of(layouts, values.shape, what))
    if isinstance(values, (tuple, list)):
        out = [constrain(value, layout, what) for value, layout in zip(values, layouts, strict=False)]
        return type(values)([*out, *values[len(out) :]])
    return values


def constrain_outputs(outputs: Any, layouts: Any) -> Any:
    """The outputs of a Cell under `out_strategy`, which has a layout for each, also if `construct` returns one."""
    if layouts and isinstance(outputs, Tensor):
        return constrain(outputs, layouts[0], "an output")
    return constrain(outputs, layouts, "an output")


def is_sharded(cell: Any) -> bool:
    """Whether `shard` gave a Cell layouts for its inputs and outputs."""
    return cell.__dict__.get("_layouts") is not None


def call_constrained(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    inputs, outputs = cell.__dict__["_layouts"]
    return constrain_outputs(inner(*constrain(args, inputs, "an input"), **kwargs), outputs)


def _check_layouts(argument: str, value: Any) -> None:
    check_type("Cell.shard", argument, value, tuple)
    for item in value:
        if isinstance(item, tuple) and item and isinstance(item[0], tuple):
            _check_layouts(argument, item)
        elif item is not None:
            check_layout(argument, item)


class Sharding(Part):
    """Layouts of a Cell."""

    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device="Ascend", level=0):
        """Say how inputs, outputs and Parameters of this Cell are cut over the devices.

        The result is that of one device. Parameters without a plan are copied to every device.

        Args:
            in_strategy: a layout for each input: a tuple with the number of pieces of each dimension, or a
                `mindspore.parallel.Layout`; None leaves an input alone.
            out_strategy: likewise for each output.
            parameter_plan: dict from a Parameter's name, or its path in this Cell, with "self." and outer Cells before
                it or not, to its layout. An unknown name is ignored, with a warning.
            device, level: MindSpore's choices for its own planner; without effect.

        Returns:
            A function: the call of this Cell. The Cell itself is sharded, too.

        Raises:
            TypeError: a strategy or plan is of another type.
            ValueError: a layout does not fit the devices or the Parameter.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(2, 2)
        >>> sharded = net.shard(((1, 1),), parameter_plan={"weight": (1, 1)})
        >>> sharded(ms.Tensor([[1.0, 2.0]])).shape
        (1, 2)
        """
        _check_layouts("in_strategy", in_strategy)
        if out_strategy is not None:
            _check_layouts("out_strategy", out_strategy)
        planned = self._planned(parameter_plan)
        logger.debug("Cell.shard: device=%r level=%r have no effect: XLA partitions", device, level)
        copied = NamedSharding(mesh(), PartitionSpec())
        for parameter in self.get_parameters():
            parameter._rebind(abstract.placed(parameter._v, planned.get(id(parameter), copied)))
        self.__dict__["_layouts"] = (in_strategy, out_strategy)
        state.structure_version += 1
        self._refresh_plain()
        return self.__call__

    def _planned(self, plan: Any) -> dict[int, NamedSharding]:
        """The shardings of a parameter plan by the Parameter's id."""
        if plan is None:
            return {}
        if not isinstance(plan, dict):
            raise TypeError(
                f"For 'Cell.shard', the argument 'parameter_plan' must be a dict or None, but got {describe(plan)}."
            )
        found = {}
        paths = sorted(self.parameters_and_names(), key=lambda item: -len(item[0]))
        for name, layout in plan.items():
            if not isinstance(name, str):
                raise TypeError(f"For 'Cell.shard', a key of 'parameter_plan' must be a str, but got {describe(name)}.")
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
