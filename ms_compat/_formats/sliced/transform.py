"""Conversion of checkpoints from one strategy to another: for one rank, or for all ranks of a directory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import check_type
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._formats.sliced import files, strategy
from ms_compat._formats.sliced.layout import Layout, converted, full_shape, ranks_needed, whole

_FORMATS = ("safetensors", "ckpt")
_OPTIMIZER_STATE = ("accu_grads", "adam_v", "adam_m")

Layouts = dict[str, Layout]


class Pair:
    """Two strategies for one rank of the target: the layouts in its pipeline stage.

    Args:
        source, target: each a strategy file's name, a dict of `build_searched_strategy`, or None for whole tensors.
        rank: the rank of the target; None for one stage of the source that is not merged with others.
    """

    def __init__(self, source: Any, target: Any, rank: int | None):
        all_sources = strategy.read_layouts(source)
        all_targets = strategy.read_layouts(target)
        self.source = None if all_sources is None else dict(all_sources)
        self.target = None if target is None else strategy.read_layouts(target, rank)
        if self.target is not None:
            if rank is None:
                self.target = {name: found for name, found in self.target.items() if name in (self.source or {})}
            else:
                stage = rank // strategy.devices_of(self.target)
                for name in [name for name, found in self.target.items() if stage not in found.stages]:
                    del self.target[name]
                    if self.source is not None:
                        self.source.pop(name, None)
                if not self.target:
                    raise ValueError(f"The strategy to convert to has no rank {rank}.")
        self.source_devices = strategy.devices_of(self.source)
        self.target_devices = strategy.devices_of(self.target)
        self._before = (all_sources, all_targets)

    def concerns(self, name: str) -> bool:
        """Whether a parameter belongs to the rank's stage, or to no stage at all."""
        return not all(
            before is None or now is None or (name in before and name not in now)
            for before, now in zip(self._before, (self.source, self.target), strict=True)
        )

    def layouts_of(self, name: str, dimensions: int) -> tuple[Layout, Layout] | None:
        """The layouts of a parameter before and after; None if it is not in both strategies."""
        source = whole(dimensions) if self.source is None else self.source.get(name)
        target = whole(dimensions) if self.target is None else self.target.get(name)
        return None if source is None or target is None else (source, target)


def rank_list_for_transform(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """The ranks whose checkpoints `transform_checkpoint_by_rank` needs for one rank.

    Args:
        rank_id (int): the rank of the new strategy.
        src_strategy_file (str): the strategy file of the checkpoints; None if they are whole.
        dst_strategy_file (str): the strategy file to convert to; None for whole checkpoints.

    Returns:
        list of int, from the highest.

    Raises:
        TypeError: `rank_id` is not an int, or a file's name is not a str.
        ValueError: a strategy file that is empty or not there, or strategies that do not fit one another.

    >>> import json, os, tempfile
    >>> from ms_compat import rank_list_for_transform
    >>> rows = {"dev_matrix": [2, 2], "tensor_map": [0, -1], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(os.path.join(folder, "rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     rank_list_for_transform(0, os.path.join(folder, "rows.json"))
    [1, 0]
    """
    check_type("rank_list_for_transform", "rank_id", rank_id, (int, bool))
    if src_strategy_file is None:
        return [0]
    pair = Pair(src_strategy_file, dst_strategy_file, rank_id)
    if not pair.source:
        raise ValueError(
            "For 'rank_list_for_transform', the 'src_strategy_file' holds no parameter of the rank's stage."
        )
    needed = ranks_of_stage(pair, rank_id)
    stages = {stage for layout in pair.source.values() for stage in layout.stages}
    return sorted((stage * pair.source_devices + rank for stage in stages for rank in needed), reverse=True)


def ranks_of_stage(pair: Pair, rank: int) -> set[int]:
    """The ranks within a stage of the source that a rank of the target needs, for any of the parameters."""
    local = rank % pair.target_devices if pair.target_devices > 1 else rank
    found: set[int] = set()
    seen: set[str] = set()  # many parameters have the same layout
    for name, layout in (pair.source or {}).items():
        layouts = pair.layouts_of(name, len(layout.tensor_map))
        if layouts is None or repr(layouts) in seen:
            continue
        seen.add(repr(layouts))
        source, target = layouts
        shape = [max(source.devices, target.devices)] * len(source.tensor_map)  # sizes that all cuts divide
        found.update(ranks_needed(name, source, target, full_shape(source, shape), local))
    return found


def transform_checkpoint_by_rank(
    rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None, dst_strategy_file=None
) -> None:
    """Convert the checkpoint of one rank to another strategy.

    Args:
        rank_id (int): the rank of the new strategy.
        checkpoint_files_map (dict): rank to `.ckpt`, of the ranks that `rank_list_for_transform` gives.
        save_checkpoint_file_name (str): the `.ckpt` to write.
        src_strategy_file (str): the strategy file of the checkpoints; None if they are whole.
        dst_strategy_file (str): the strategy file to convert to; None for whole checkpoints.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a file that is not there, another suffix, strategies that do not fit one another or the
            checkpoints, or a checkpoint that is missing.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint, transform_checkpoint_by_rank
    >>> rows = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lambda name: os.path.join(folder, name)
    ...     with open(path("rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     for rank in range(2):
    ...         save_checkpoint({"w": Tensor([rank, rank])}, path(f"{rank}.ckpt"))
    ...     halves = {rank: path(f"{rank}.ckpt") for rank in range(2)}
    ...     transform_checkpoint_by_rank(0, halves, path("whole.ckpt"), path("rows.json"))
    ...     print(load_checkpoint(path("whole.ckpt"))["w"].asnumpy())
    [0 0 1 1]
    """
    api = "transform_checkpoint_by_rank"
    check_type(api, "checkpoint_files_map", checkpoint_files_map, dict)
    check_type(api, "rank_id", rank_id, (int, bool))
    check_type(api, "save_checkpoint_file_name", save_checkpoint_file_name, str)
    if not save_checkpoint_file_name.endswith(".ckpt"):
        raise ValueError(
            f"For '{api}', the 'save_checkpoint_file_name' must end in '.ckpt', but got {save_checkpoint_file_name!r}."
        )
    files.check_strategy_directory(api, "dst_strategy_file", dst_strategy_file)
    for rank, path in checkpoint_files_map.items():
        if not os.path.exists(path):
            raise ValueError(f"For '{api}', the checkpoint '{path}' of rank {rank} is not there.")
    pair = Pair(src_strategy_file, dst_strategy_file, rank_id)
    slices = Slices(checkpoint_files_map, pair.source_devices, api=api)
    values = slices.converted(pair, rank_id % pair.target_devices)
    files.write(save_checkpoint_file_name, values, "ckpt", api=api)


class Slices:
    """The values of some ranks' checkpoints: name -> {rank within its stage: value}.

    Args:
        paths: rank -> file, read in this order.
        devices: how many devices a stage of the source has.
        api: the API to name in errors.
    """

    def __init__(self, paths: Mapping[int, str], devices: int, *, api: str):
        self.api = api
        self.values: dict[str, dict[int, Any]] = {}
        for rank, path in paths.items():
            for name, value in files.read_all(path, api=api).items():
                self.values.setdefault(name, {})[rank % devices] = value

    def converted(self, pair: Pair, rank: int, named: bool = True) -> dict[str, Any]:
        """What one rank of the target holds, by names: what the strategies name first, then the rest as it is.

        Args:
            pair: the strategies.
            rank: the rank within its stage.
            named: whether the strategies must name any of the parameters.

        Raises:
            ValueError: they do not, or a slice is missing.
        """
        found: dict[str, Any] = {}
        rest = []
        devices = 0
        for name, slices in self.values.items():
            if not pair.concerns(name):
                continue
            first = next(iter(slices.values()))
            layouts = pair.layouts_of(name, first.ndim) if isinstance(first, np.ndarray) else None
            if layouts is None:
                rest.append(name)
                continue
            devices = layouts[0].devices
            self._own(name, slices, rank % devices)
            found[name] = converted(name, slices, *layouts, rank, api=self.api)
        if named and not devices:
            raise ValueError(
                f"For '{self.api}', the strategies must name parameters of the checkpoints, but none of "
                f"{list(self.values)[:5]} is in them."
            )
        for name in rest:
            found[name] = self._own(name, self.values[name], rank % max(devices, 1))
        return found

    def _own(self, name: str, slices: Mapping[int, Any], rank: int) -> Any:
        if rank not in slices:
            raise ValueError(f"For '{self.api}', the parameter '{name}' is missing in the checkpoint of rank {rank}.")
        return slices[rank]


def transform_checkpoints(
    src_checkpoints_dir,
    dst_checkpoints_dir,
    ckpt_prefix,
    src_strategy_file=None,
    dst_strategy_file=None,
    process_num=1,
    output_format="ckpt",
) -> None:
    """Convert the checkpoints of all ranks to another strategy.

    The files are in directories `rank_0`, `rank_1` and so on; of several `.ckpt` in one the last by name counts, of
    several safetensors the last by the numbers in the name (epoch and step).

    Args:
        src_checkpoints_dir (str): the directory to read, with `.ckpt` or with safetensors files, not with both.
        dst_checkpoints_dir (str): the directory to write `rank_<rank>/<ckpt_prefix><rank>.<format>` to. If the source
            strategy covers one pipeline stage out of several, names end in `_part<stage>`.
        ckpt_prefix (str): what the names of the new files begin with.
        src_strategy_file (str): the strategy file of the checkpoints; None if they are whole.
        dst_strategy_file (str): the strategy file to convert to; None for whole checkpoints.
        process_num (int): accepted; one process converts.
        output_format (str): "ckpt" or "safetensors"; `.ckpt` files are converted to `.ckpt` only. Unlike MindSpore, a
            parameter that several stages have is written for each of them.

    Raises:
        TypeError: an argument of a wrong type.
        NotADirectoryError: `dst_checkpoints_dir` is a file.
        ValueError: no files, files of both formats, a rank's file that is missing, an unsafe path, or strategies that
            do not fit one another or the files.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint, transform_checkpoints
    >>> rows = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lambda *names: os.path.join(folder, *names)
    ...     with open(path("rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     os.makedirs(path("whole", "rank_0"))
    ...     save_checkpoint({"w": Tensor([1, 2, 3, 4])}, path("whole", "rank_0", "a.ckpt"))
    ...     transform_checkpoints(path("whole"), path("halves"), "half", None, path("rows.json"))
    ...     print(load_checkpoint(path("halves", "rank_1", "half1.ckpt"))["w"].asnumpy())
    [3 4]
    """
    api = "transform_checkpoints"
    tensors = files.rank_files(api, src_checkpoints_dir, "safetensors")
    ckpts = files.rank_files(api, src_checkpoints_dir, "ckpt")
    if tensors and ckpts:
        raise ValueError(f"For '{api}', the 'src_checkpoints_dir' must hold files of one format, but holds both.")
    if not tensors and not ckpts:
        raise ValueError(f"For '{api}', the 'src_checkpoints_dir' must hold checkpoints in 'rank_0' and so on.")
    if process_num != 1:
        no_effect(api, "one process converts", process_num=process_num)
    if tensors:
        _check(api, ckpt_prefix, src_strategy_file, dst_strategy_file)
        check_choice(api, "output_format", output_format, _FORMATS)
        target = files.directory(api, "dst_checkpoints_dir", dst_checkpoints_dir)
        _transform_safetensors(api, tensors, target, ckpt_prefix, src_strategy_file, dst_strategy_file, output_format)
        return
    if output_format == "safetensors":
        raise ValueError(f"For '{api}', the 'output_format' must be 'ckpt', as the source is, but got 'safetensors'.")
    target = files.directory(api, "dst_checkpoints_dir", dst_checkpoints_dir)
    _check(api, ckpt_prefix, src_strategy_file, dst_strategy_file)
    source, wanted = strategy.read_layouts(src_strategy_file), strategy.read_layouts(dst_strategy_file)
    one_stage = strategy.stages_of(source) == 1 and strategy.stages_of(wanted) == 1
    if source and wanted and one_stage and _weights(source) < _weights(wanted):
        _transform_stage(api, src_checkpoints_dir, target, ckpt_prefix, src_strategy_file, dst_strategy_file)
    else:
        files.check_safe(api, "dst_checkpoints_dir", dst_checkpoints_dir)
        files.check_safe(api, "ckpt_prefix", ckpt_prefix)
        found = {rank: path for rank in ckpts if (path := files.last_file(src_checkpoints_dir, rank))}
        source, wanted = _read(src_strategy_file), _read(dst_strategy_file)
        for rank, values in _all_ranks(api, found, source, wanted):
            _write(target, rank, f"{ckpt_prefix}{rank}", values, "ckpt", api)


def _check(api: str, ckpt_prefix: Any, source: Any, target: Any) -> None:
    check_type(api, "ckpt_prefix", ckpt_prefix, str)
    files.check_strategy_directory(api, "src_strategy_file", source)
    files.check_strategy_directory(api, "dst_strategy_file", target)


def _read(path: Any) -> Any:
    return None if path is None else strategy.build_searched_strategy(path)


def _weights(found: Layouts) -> set[str]:
    """A strategy's names, except names of optimizer state."""
    return {name for name in found if not name.startswith(_OPTIMIZER_STATE)}


def _write(folder: str, rank: int, name: str, values: dict, format: str, api: str) -> None:
    own = files.directory(api, "dst_checkpoints_dir", os.path.join(folder, f"rank_{rank}"))
    files.write(os.path.join(own, f"{name}.{format}"), values, format, api=api)


def _transform_stage(api: str, folder: str, target: str, prefix: str, source: Any, wanted: Any) -> None:
    """Convert one pipeline stage; all stages' files together form the new checkpoints."""
    stage = strategy.stage_of_file(source, api=api)
    pair = Pair(source, wanted, None)
    ranks = range(stage * pair.source_devices, (stage + 1) * pair.source_devices)
    found = {rank: path for rank in ranks if (path := files.last_file(folder, rank))}
    slices = Slices(found, pair.source_devices, api=api)
    for rank in range(pair.target_devices):
        _write(target, rank, f"{prefix}{rank}_part{stage}", slices.converted(pair, rank), "ckpt", api)


def needed_ranks(api: str, paths: Mapping[int, str], source: Any, wanted: Any) -> dict[tuple[int, ...], list[int]]:
    """Ranks of the source that are needed together -> the ranks of the target that need them.

    Raises:
        ValueError: a file that is needed is missing.
    """
    layouts = strategy.read_layouts(wanted)
    found: dict[tuple[int, ...], list[int]] = {}
    for rank in range(strategy.devices_of(layouts) * strategy.stages_of(layouts)):
        needed = tuple(rank_list_for_transform(rank, source, wanted))
        missing = [each for each in needed if each not in paths]
        if missing:
            raise ValueError(f"For '{api}', rank {rank} needs the checkpoints of ranks {missing}, which are missing.")
        found.setdefault(needed, []).append(rank)
    return found


def _all_ranks(
    api: str, paths: Mapping[int, str], source: Any, wanted: Any, named: bool = True
) -> Iterable[tuple[int, dict[str, Any]]]:
    """(rank, values) for every rank of the target; files that are needed together are read once."""
    devices = strategy.devices_of(strategy.read_layouts(source))
    for needed, ranks in needed_ranks(api, paths, source, wanted).items():
        slices = Slices({rank: paths[rank] for rank in needed}, devices, api=api)
        for rank in ranks:
            pair = Pair(source, wanted, rank)
            yield rank, slices.converted(pair, rank % pair.target_devices, named)


def _transform_safetensors(
    api: str, paths: Mapping[int, str], target: str, prefix: str, source: Any, wanted: Any, format: str
) -> None:
    source, wanted = _read(source), _read(wanted)
    several = strategy.stages_of(strategy.read_layouts(source)) > 1
    if not several or strategy.stages_of(strategy.read_layouts(wanted)) > 1:
        for rank, values in _all_ranks(api, paths, source, wanted, False):
            if values:
                _write(target, rank, f"{prefix}{rank}", values, format, api)
        return
    joined: dict[int, dict[str, Any]] = {}
    for part in strategy.by_stage(source):
        for rank, values in _all_ranks(api, paths, part, wanted, False):
            joined.setdefault(rank, {}).update(values)
    for rank, values in joined.items():
        _write(target, rank, f"{prefix}{rank}", values, format, api)


def rank_list_for_convert(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """`rank_list_for_transform` under its later name.

    Args:
        rank_id, src_strategy_file, dst_strategy_file: as there.

    Returns:
        list of int, from the highest.

    >>> from ms_compat.parallel import rank_list_for_convert
    >>> rank_list_for_convert(3)
    [0]
    """
    return rank_list_for_transform(rank_id, src_strategy_file, dst_strategy_file)


def convert_checkpoint_by_rank(
    rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None, dst_strategy_file=None
) -> None:
    """`transform_checkpoint_by_rank` under its later name.

    Args:
        rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file, dst_strategy_file: as there.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, load_checkpoint, save_checkpoint
    >>> from ms_compat.parallel import convert_checkpoint_by_rank
    >>> rows = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lambda name: os.path.join(folder, name)
    ...     with open(path("rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     save_checkpoint({"w": Tensor([1, 2])}, path("whole.ckpt"))
    ...     convert_checkpoint_by_rank(1, {0: path("whole.ckpt")}, path("half.ckpt"), None, path("rows.json"))
    ...     print(load_checkpoint(path("half.ckpt"))["w"].asnumpy())
    [2]
    """
    transform_checkpoint_by_rank(
        rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file, dst_strategy_file
    )


def convert_checkpoints(
    src_checkpoints_dir,
    dst_checkpoints_dir,
    ckpt_prefix,
    src_strategy_file=None,
    dst_strategy_file=None,
    process_num=1,
    output_format="ckpt",
) -> None:
    """`transform_checkpoints` under its later name.

    Args:
        src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file, dst_strategy_file, process_num,
            output_format: as there.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, save_checkpoint
    >>> from ms_compat.parallel import convert_checkpoints
    >>> rows = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...         "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = lambda *names: os.path.join(folder, *names)
    ...     with open(path("rows.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": rows}}, file)
    ...     os.makedirs(path("whole", "rank_0"))
    ...     save_checkpoint({"w": Tensor([1, 2])}, path("whole", "rank_0", "a.ckpt"))
    ...     convert_checkpoints(path("whole"), path("halves"), "half", None, path("rows.json"))
    ...     sorted(os.listdir(path("halves")))
    ['rank_0', 'rank_1']
    """
    transform_checkpoints(
        src_checkpoints_dir,
        dst_checkpoints_dir,
        ckpt_prefix,
        src_strategy_file,
        dst_strategy_file,
        process_num,
        output_format,
    )
