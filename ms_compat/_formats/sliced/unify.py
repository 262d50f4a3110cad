"""`unified_safetensors`: the safetensors of all ranks as whole ones, in files of a limited size with an index."""

from __future__ import annotations

import collections
import json
import logging
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._formats.atomic import replaced
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.sliced import files, strategy
from ms_compat._formats.sliced.layout import Layout, converted, full_shape, grid, ranks_needed, whole
from ms_compat._formats.sliced.transform import needed_ranks

_API = "unified_safetensors"
_PART_BYTES = 3 << 30
_OPEN_FILES = 64
_INDEX_MODE = 0o644
INDEX, REST = "param_name_map.json", "hyper_param.safetensors"

logger = logging.getLogger("ms_compat")


def unified_safetensors(
    src_dir,
    src_strategy_file,
    dst_dir,
    merge_with_redundancy=True,
    file_suffix=None,
    max_process_num=64,
    choice_func=None,
    split_dst_file=(),
) -> None:
    """Put the safetensors of all ranks together.

    Writes `part0.safetensors`, `part1.safetensors` and so on, of about 3 GiB each, with the parameters of the strategy;
    `hyper_param.safetensors` with what else rank 0 has; and `param_name_map.json`, which says where each parameter is.
    Gradients that are accumulated (`accu_grads...`) are left out. Unlike MindSpore, whose order is a set's, the
    parts are the same at every call; and a CRC of a source file is not carried over to a file with other values.

    Args:
        src_dir (str): the directory with `rank_0`, `rank_1` and so on.
        src_strategy_file (str): the strategy file of the checkpoints.
        dst_dir (str): the directory to write to, made if need be.
        merge_with_redundancy (bool): whether each file has all slices of its rank; False if a slice that several ranks
            have is in the file of one. The files' own metadata take precedence.
        file_suffix (str): what the names of the files end in before the dot, if there are several of a rank.
        max_process_num (int): accepted; one process works.
        choice_func (function): of a parameter's name; gives False to leave it out, True to keep it, or a new name.
        split_dst_file (tuple): (number, count): write only this share of the parts, counted from 1.

    Raises:
        ValueError: files that are missing or of both formats, a file for `src_dir`, no parameters, or `choice_func`
            gives neither bool nor str, or one name twice.
        TypeError: an argument of a wrong type.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint, unified_safetensors
    >>> rows = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lambda *names: os.path.join(folder, *names)
    ...     with open(path("rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     for rank in range(2):
    ...         os.mkdir(path(f"rank_{rank}"))
    ...         save_checkpoint({"w": Tensor([rank])}, path(f"rank_{rank}", "a.safetensors"), format="safetensors")
    ...     unified_safetensors(folder, path("rows.json"), path("all"))
    ...     print(sorted(os.listdir(path("all"))))
    ...     print(load_checkpoint(path("all", "part0.safetensors"), format="safetensors")["w"].asnumpy())
    ['param_name_map.json', 'part0.safetensors']
    [0 1]
    """
    files.check_strategy_directory(_API, "src_strategy_file", src_strategy_file)
    target = files.directory(_API, "dst_dir", dst_dir)
    if os.path.isfile(src_dir):
        raise ValueError(f"For '{_API}', the 'src_dir' must be a directory, but '{src_dir}' is a file.")
    paths = files.rank_files(_API, src_dir, "safetensors", file_suffix)
    if paths and files.rank_files(_API, src_dir, "ckpt"):
        raise ValueError(f"For '{_API}', the 'src_dir' must hold files of one format, but holds both.")
    if src_strategy_file is None:
        raise value_error(_API, "src_strategy_file", "the name of a strategy file", src_strategy_file)
    if max_process_num != 64:
        no_effect(_API, "one process works", max_process_num=max_process_num)
    source = strategy.build_searched_strategy(src_strategy_file)
    needed = next(iter(needed_ranks(_API, paths, source, None)))
    if 0 not in paths:
        raise ValueError(f"For '{_API}', the 'src_dir' must hold a file of rank 0, but does not.")
    with _Ranks(paths, strategy.layouts(source)) as ranks:
        names = _chosen(ranks, choice_func)
        sizes = {name: ranks.bytes_of(name) for name in names}
        count = min(math.ceil(sum(sizes.values()) / _PART_BYTES), len(sizes))
        if not count:
            raise ValueError(f"For '{_API}', the strategy must name parameters of the checkpoints, but names none.")
        parts = groups(sizes, count)
        complete = ranks.complete(merge_with_redundancy)
        for number in _share(count, split_dst_file):
            values = {names[name]: ranks.whole(name, needed, complete) for name in parts[number]}
            path = os.path.join(target, f"part{number}.safetensors")
            files.write(path, values, "safetensors", api=_API, metadata=ranks.notes(needed))
        if not split_dst_file or split_dst_file[0] == 1:
            _write_rest(ranks.reader(0), sizes, target)
            _write_index(parts, names, sum(sizes.values()), target)  # last: it names files that are there


class _Ranks:
    """The files of all ranks: their content, and the parameters that their slices form.

    Args:
        paths: rank -> file.
        layouts: the layouts of the strategy.
    """

    def __init__(self, paths: Mapping[int, str], layouts: Mapping[str, Layout]):
        self.paths = paths
        self.layouts = layouts
        self.holders: dict[str, list[int]] = {}
        self.metadata: dict[int, dict[str, str]] = {}
        self._open: dict[int, SafetensorsReader] = {}
        with self:
            for rank in sorted(paths):
                for name in self.reader(rank).names:
                    self.holders.setdefault(name, []).append(rank)
                self.metadata[rank] = self.reader(rank).metadata

    def reader(self, rank: int) -> SafetensorsReader:
        """The reader of a rank's file; some stay open, not one for each rank, as there can be thousands."""
        found = self._open.pop(rank, None) or SafetensorsReader(self.paths[rank], api=_API)
        self._open[rank] = found
        while len(self._open) > _OPEN_FILES:
            self._open.pop(next(iter(self._open))).close()
        return found

    def __enter__(self) -> _Ranks:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._open.popitem()[1].close()

    def complete(self, expected: bool) -> bool:
        """Whether every file has all slices of its rank, as the files say, or as `expected` if they do not."""
        for rank, metadata in self.metadata.items():
            noted = {"True": False, "False": True}.get(metadata.get("remove_redundancy", ""), expected)
            if noted != expected:
                message = "For '%s', merge_with_redundancy=%s, but '%s' was saved with remove_redundancy=%s."
                logger.warning(message, _API, expected, self.paths[rank], not noted)
                expected = noted
        return expected

    def notes(self, needed: Iterable[int]) -> dict[str, str]:
        """The files' metadata for a file that is made from them."""
        found = {key: note for rank in needed for key, note in self.metadata[rank].items()}
        found.pop("crc_num", None)
        if "remove_redundancy" in found:
            found["remove_redundancy"] = "False"
        return found

    def bytes_of(self, name: str) -> int:
        """The size of a whole parameter."""
        reader = self.reader(self.holders[name][0])
        return math.prod(full_shape(self.layouts[name], reader.shape(name))) * reader.dtype(name).itemsize

    def whole(self, name: str, needed: Sequence[int], complete: bool) -> np.ndarray:
        """A parameter, from the slices of the ranks `needed`; if files are missing, from any ranks that hold the same.

        Raises:
            ValueError: no file has a slice.
        """
        layout, holders = self.layouts[name], self.holders[name]
        slice_shape = self.reader(holders[0]).shape(name)
        shape = full_shape(layout, slice_shape)
        target = whole(len(slice_shape))
        boxes = grid(layout, shape)
        slices = {}
        for local in ranks_needed(name, layout, target, shape, 0):
            if complete:
                found = [rank for rank in holders if rank % layout.devices == local and rank in needed]
            else:
                found = [rank for rank in holders if boxes.box(rank % layout.devices) == boxes.box(local)]
            if not found:
                raise ValueError(
                    f"For '{_API}', the slice of the parameter '{name}' of rank {local} is in none of the files."
                )
            slices[local] = self.reader(found[0]).read(name)
        return converted(name, slices, layout, target, 0, api=_API)


def _chosen(ranks: _Ranks, choice_func: Any) -> dict[str, str]:
    """The parameters to write -> their new names."""
    if choice_func is not None and not callable(choice_func):
        raise type_error(_API, "choice_func", "a function or None", choice_func)
    found = {}
    for name in ranks.holders:
        if name not in ranks.layouts or name.startswith("accu_grads"):
            continue
        answer = True if choice_func is None else choice_func(name)
        if not isinstance(answer, (bool, str)):
            raise value_error(_API, "choice_func", "a function that gives bool or str", answer)
        if answer is not False:
            found[name] = name if answer is True else answer
    doubled = [new for new, times in collections.Counter(found.values()).items() if times > 1]
    if doubled:
        raise ValueError(f"For '{_API}', 'choice_func' must give different names, but gives {doubled} twice.")
    return found


def groups(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """The names in `count` groups: from the largest, each to the group with the fewest bytes so far.

    >>> groups({"a": 1, "b": 3, "c": 2}, 2)
    [['b'], ['c', 'a']]
    """
    found: list[list[str]] = [[] for _ in range(count)]
    totals = [0] * count
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        at = totals.index(min(totals))
        found[at].append(name)
        totals[at] += sizes[name]
    return found


def _share(count: int, split: Any) -> range:
    """The numbers of the parts to write; all without a split.

    >>> _share(5, (2, 2)), _share(3, ())
    (range(3, 5), range(0, 3))
    """
    if not split:
        return range(count)
    if not isinstance(split, (tuple, list)) or len(split) != 2 or not all(type(each) is int for each in split):
        raise type_error(_API, "split_dst_file", "a tuple of two ints", split)
    number, machines = split
    if not 1 <= number <= machines:
        raise value_error(_API, "split_dst_file", "(number, count) with 1 <= number <= count", split)
    each, more = divmod(count, machines)
    start = each * (number - 1) + min(number - 1, more)
    return range(start, start + each + (number <= more))


def _write_rest(reader: SafetensorsReader, named: Iterable[str], target: str) -> None:
    rest = {name: reader.read(name) for name in reader.names if name not in named}
    if rest:
        files.write(os.path.join(target, REST), rest, "safetensors", api=_API)


def _write_index(parts: list[list[str]], names: Mapping[str, str], total: int, target: str) -> None:
    weights = {names[name]: f"part{number}.safetensors" for number, part in enumerate(parts) for name in part}
    text = json.dumps({"metadata": {"total_size": total}, "weight_map": weights}, indent=4)
    with replaced(os.path.join(target, INDEX), mode=_INDEX_MODE) as temporary:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
