"""Tensor layouts outside of Cells: `reshard`, `shard`, and equal Parameter values in all processes."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

from ms_compat._core.errors import check_int, check_type
from ms_compat._core.parallel import sharding
from ms_compat._core.parallel.layout import Layout as Layout
from ms_compat._core.tensor import Tensor
from ms_compat.communication.management import get_rank
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.cell_wrapper import broadcast_parameters

logger = logging.getLogger("ms_compat")


def reshard(tensor, layout) -> Tensor:
    """The tensor, cut over devices; its values and gradients are the same.

    Args:
        tensor (Tensor): any.
        layout (Layout): a layout with an axis for each dimension.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: the layout does not fit the shape or the devices.

    >>> import ms_compat as ms
    >>> layout = ms.parallel.Layout((1,), ("dp",))("dp", "None")
    >>> print(ms.reshard(ms.Tensor([[1, 2]]), layout))
    [[1 2]]
    """
    check_type("reshard", "tensor", tensor, Tensor)
    check_type("reshard", "layout", layout, Layout)
    return sharding.constrain(tensor, layout, "the tensor")


def shard(fn, in_strategy, out_strategy=None, parameter_plan=None) -> Callable:
    """A Cell or function whose inputs and outputs are cut over devices.

    Args:
        fn (Cell, function): of Tensors.
        in_strategy (tuple): for each input each dimension's number of pieces, or a Layout; None leaves it alone.
        out_strategy (tuple): likewise for each output.
        parameter_plan (dict): layouts of a Cell's Parameters by name.

    Returns:
        A function; a Cell itself is sharded, too.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a layout does not fit.
    """
    if isinstance(fn, Cell):
        return fn.shard(in_strategy, out_strategy, parameter_plan)
    if not callable(fn):
        raise TypeError(f"For 'shard', a Cell or a function is needed, but got {type(fn).__name__}.")
    if parameter_plan is not None:
        raise TypeError("For 'shard', a 'parameter_plan' needs a Cell, which has Parameters.")
    sharding.check_layouts("in_strategy", in_strategy)
    if out_strategy is not None:
        sharding.check_layouts("out_strategy", out_strategy)

    @functools.wraps(fn)
    def sharded(*args: Any) -> Any:
        return sharding.constrain_outputs(fn(*sharding.constrain(args, in_strategy, "an input")), out_strategy)

    return sharded


def parameter_broadcast(net, layout, cur_rank=0, initial_rank=0) -> None:
    """Copies a network's Parameter values from one process to all.

    Args:
        net (Cell): the network.
        layout (dict): layouts by the Parameters' names; the names are checked, each process has whole Parameters.
        cur_rank (int): this process's number.
        initial_rank (int): the number of the process whose values count.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `cur_rank` is another process, or `net` has no such Parameter.
    """
    api = "parameter_broadcast"
    check_type(api, "net", net, Cell)
    check_type(api, "layout", layout, (dict, type(None)))
    if check_int(api, "cur_rank", cur_rank) != get_rank():
        raise ValueError(f"For '{api}', the 'cur_rank' must be {get_rank()}, but got {cur_rank}.")
    named = net.parameters_dict()
    missing = sorted(set(layout or ()) - set(named))
    if missing:
        raise ValueError(f"For '{api}', 'net' has no Parameters {missing}.")
    broadcast_parameters(list(named.values()), check_int(api, "initial_rank", initial_rank))


def sync_pipeline_shared_parameters(net) -> None:
    """Only checks its argument: one program runs all stages, and holds a shared Parameter once.

    Args:
        net (Cell): the network.

    Raises:
        TypeError: it is not a Cell.
    """
    check_type("sync_pipeline_shared_parameters", "net", net, Cell)
    logger.debug("sync_pipeline_shared_parameters: there is one copy of each Parameter")
