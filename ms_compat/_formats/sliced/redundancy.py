"""Which ranks hold the same slice of a parameter."""

from __future__ import annotations

import itertools
import math
import os
import re

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._formats.sliced.layout import NONE
from ms_compat._formats.sliced.strategy import build_searched_strategy
from ms_compat.communication import get_group_size, get_process_group_ranks, get_rank
from ms_compat.nn.cell import Cell

_PASSING = ("accu_grads", "inputs")  # what is not kept between steps

Groups = tuple[tuple[int, ...], ...]


def get_parameter_redundancy(layout_obj, initial_rank=None) -> dict[str, Groups]:
    """For each parameter the groups of ranks that hold equal slices.

    Args:
        layout_obj: the name of a strategy file; a Cell, whose Parameters all processes have; or a dict of name to
            (device matrix, tensor map, slice shape, field, uniform, group of the optimizer's cut).
        initial_rank (int): the first rank of the stage; None for the first rank of this process's stage.

    Returns:
        dict, sorted by names, whose values are tuples of int tuples.

    Raises:
        ValueError: there is no such strategy file.

    >>> get_parameter_redundancy({"w": ([2, 2], [0, -1], [], 0, 1, "")}, 0)
    {'w': ((0, 2), (1, 3))}
    """
    if isinstance(layout_obj, Cell):
        everyone = (tuple(get_process_group_ranks()),)
        return {name: everyone for name in sorted(parameter.name for _, parameter in layout_obj.parameters_and_names())}
    found = {}  # name -> (matrix, map, pieces of the optimizer's cut)
    if isinstance(layout_obj, str):
        for name, item in build_searched_strategy(layout_obj).items():
            matrix, size = list(item.dev_matrix[0].dim), item.opt_weight_shard_size
            if size == -1:
                size = math.prod(matrix) // max(item.opt_weight_shard_step, 1)
            found[name] = matrix, list(item.tensor_map[0].dim), size
    else:
        for name, item in layout_obj.items():
            found[name] = list(item[0]), list(item[1]), get_group_size(item[5]) if item[5] else 0
    if initial_rank is None:
        devices = math.prod(next(iter(found.values()), ([], [], 0))[0])
        initial_rank = get_rank() // devices * devices
    return {name: _groups(*found[name], initial_rank) for name in sorted(found)}


def _groups(matrix: list[int], tensor_map: list[int], cut: int, first: int) -> Groups:
    """The ranks of each slice, in the order of device dimensions counted from the last."""
    used = [axis for axis in tensor_map if axis != NONE]
    by_slice: dict[tuple[int, ...], list[int]] = {}
    for rank, place in enumerate(itertools.product(*map(range, matrix))):
        key = tuple(place[-axis - 1] if axis in used else 0 for axis in range(len(matrix)))
        by_slice.setdefault(key, []).append(first + rank)
    groups = tuple(tuple(by_slice[key]) for key in sorted(by_slice))
    if not cut:
        return groups
    return tuple(group[at::cut] for group in groups if len(group) % cut == 0 for at in range(cut))


def remove_param_redundancy(param_redundancy_dict, keep_redundancy=1) -> dict[int, set[str]]:
    """Which parameters each rank saves, so that a slice that several ranks hold is saved by one of them.

    Parameters with the same groups go to each group's ranks in turn.

    Args:
        param_redundancy_dict (dict): what `get_parameter_redundancy` gives.
        keep_redundancy (int): how many ranks save each slice.

    Returns:
        dict from rank to a set of names.

    >>> remove_param_redundancy({"v": ((0, 2), (1, 3)), "w": ((0, 2), (1, 3))})
    {0: {'v'}, 2: {'w'}, 1: {'v'}, 3: {'w'}}
    """
    names: dict[tuple[int, ...], list[str]] = {}
    for name, groups in param_redundancy_dict.items():
        for group in groups:
            names.setdefault(tuple(group), []).append(name)
    found: dict[int, set[str]] = {}
    for turn in range(keep_redundancy):
        for group, held in names.items():
            for at, name in enumerate(held):
                found.setdefault(group[(at + turn) % len(group)], set()).add(name)
    return found


@faces("train train.serialization")
def get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path):
    """This rank's checkpoint, or, if it is missing, another rank's checkpoint that holds the same slices.

    Args:
        cur_ckpt_path (str): the path for this rank, with "rank_<number>" in it.
        cur_strategy_path (str): the strategy file of this rank.

    Returns:
        str, the path of a file that exists; None if there is none.

    Raises:
        TypeError: a path is not a str.
        ValueError: there is no such strategy file.

    >>> import os, tempfile
    >>> from ms_compat import get_ckpt_path_with_strategy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "rank_0.ckpt")
    ...     with open(path, "w"):
    ...         pass
    ...     get_ckpt_path_with_strategy(path, "strategy.ckpt") == path
    True
    """
    check_type("get_ckpt_path_with_strategy", "cur_ckpt_path", cur_ckpt_path, str)
    rank = get_rank()
    if f"rank_{rank}" in cur_ckpt_path and os.path.isfile(cur_ckpt_path):
        return cur_ckpt_path
    check_type("get_ckpt_path_with_strategy", "cur_strategy_path", cur_strategy_path, str)
    for other in _ranks_like(rank, get_parameter_redundancy(cur_strategy_path)):
        path = re.sub(r"rank_\d+", f"rank_{other}", cur_ckpt_path)
        if os.path.isfile(path):
            return path
    return None


def _ranks_like(rank: int, redundancy: dict[str, Groups]) -> tuple[int, ...]:
    """The ranks that hold the same slice as `rank` of every parameter."""
    own = [
        group
        for name, groups in redundancy.items()
        if not name.startswith(_PASSING)
        for group in groups
        if rank in group
    ]
    smallest = min(own, key=len, default=())
    return smallest if all(set(smallest) <= set(group) for group in own) else (rank,)
