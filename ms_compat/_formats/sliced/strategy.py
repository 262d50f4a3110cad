"""Strategy files: how each parameter is sharded over the devices. Protobuf, or JSON where the name ends in `.json`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from typing import Any

from ms_compat._core.errors import check_type, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json
from ms_compat._formats.atomic import replaced
from ms_compat._formats.sliced.files import directory
from ms_compat._formats.sliced.layout import NONE, Layout
from ms_compat._formats.sliced.schema import ParallelGroupMap, ParallelLayouts, ParallelStrategyMap

MAX_DEVICES = 1 << 20
_WRITABLE = 0o644


@faces("train train.serialization")
def build_searched_strategy(strategy_filename):
    """The layouts that a strategy file holds.

    Args:
        strategy_filename (str): the file; JSON if its name ends in ".json", else protobuf. None gives None.

    Returns:
        dict of the parameter's name to its layout, an object with the fields of MindSpore's `ParallelLayouts`:
        `dev_matrix[0].dim`, `tensor_map[0].dim`, `param_split_shape[0].dim`, `field`, `opt_weight_shard_step` and
        `opt_weight_shard_size`.

    Raises:
        TypeError: the name is not a str, or the file is not such a protobuf message.
        ValueError: there is no such file, it is empty, or it is not such a JSON document.

    >>> import json, os, tempfile
    >>> from ms_compat import build_searched_strategy
    >>> layout = {"dev_matrix": [2], "tensor_map": [0, -1], "param_split_shape": [], "field": 0,
    ...           "opt_weight_shard_step": 0, "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "strategy.json")
    ...     with open(path, "w") as file:
    ...         json.dump({"parallel_layout_item": {"w": layout}}, file)
    ...     strategy = build_searched_strategy(path)
    >>> strategy["w"].dev_matrix[0].dim, strategy["w"].tensor_map[0].dim
    ([2], [0, -1])
    """
    api = "build_searched_strategy"
    if strategy_filename is None:
        return None
    check_type(api, "strategy_filename", strategy_filename, str)
    if not os.path.isfile(strategy_filename):
        raise ValueError(f"For '{api}', there is no strategy file '{strategy_filename}'.")
    if os.path.getsize(strategy_filename) == 0:
        raise ValueError(f"For '{api}', the strategy file '{strategy_filename}' is empty.")
    if strategy_filename.endswith(".json"):
        items = _json_section(api, strategy_filename, _read_json(api, strategy_filename), "parallel_layout_item")
        return {name: _from_json(api, strategy_filename, name, item) for name, item in items.items()}
    message = _read_message(api, strategy_filename)
    return {item.param_name: item.parallel_layouts for item in message.parallel_layout_item}


def _read_message(api: str, path: str) -> ParallelStrategyMap:
    with open(path, "rb") as file:
        data = file.read()
    message = ParallelStrategyMap()
    try:
        message.parse(data, api=api, path=path)
    except ValueError as error:
        raise TypeError(
            f"For '{api}', a strategy file must be protobuf, or JSON with a name that ends in '.json': {error}"
        ) from error
    return message


def _read_json(api: str, path: str) -> dict:
    try:
        with open(path, encoding="utf-8") as file:
            found = parse_json(file.read())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"For '{api}', the strategy file '{path}' is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise ValueError(f"For '{api}', the strategy file '{path}' must hold a JSON object, but holds a list or value.")
    return found


def _json_section(api: str, path: str, content: dict, key: str) -> dict:
    found = content.get(key, {})
    if not isinstance(found, dict):
        raise ValueError(
            f"For '{api}', '{key}' of the strategy file '{path}' must be an object, but got {found!r:.60}."
        )
    return found


def _from_json(api: str, path: str, name: str, item: Any) -> ParallelLayouts:
    found = ParallelLayouts()
    if not isinstance(item, dict):
        raise ValueError(f"For '{api}', the layout of '{name}' in '{path}' must be an object, but got {item!r:.60}.")
    for key in ("field", "opt_weight_shard_size", "opt_weight_shard_step"):
        setattr(found, key, _int(api, path, name, key, item.get(key)))
    for key in ("dev_matrix", "tensor_map", "param_split_shape", "indices_offset"):
        values = item.get(key, [] if key in ("param_split_shape", "indices_offset") else None)
        if not isinstance(values, list):
            raise TypeError(f"For '{api}', '{key}' of '{name}' in '{path}' must be a list, but got {values!r:.60}.")
        getattr(found, key).add(dim=[_int(api, path, name, key, value) for value in values])
    return found


def _int(api: str, path: str, name: str, key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For '{api}', '{key}' of '{name}' in '{path}' must be int, but got {value_and_type(value)}.")
    return value


def _convert_to_list(strategy, rank_id=None):
    """The layouts of `build_searched_strategy` as lists; private in MindSpore, and imported by scripts all the same.

    Args:
        strategy: dict of name to layout. In a file merged from several pipeline stages a name is "<stage>-<name>".
        rank_id: the rank whose stage's layout to take for a parameter that several stages have; None for the first.

    Returns:
        dict of name to [device matrix, tensor map, lengths of unequal slices, field, step and size of the optimizer's
        cut, stages].

    Raises:
        ValueError: a layout without a device matrix or tensor map, or another name with a "-".
    """
    return {name: list(layout) for name, layout in layouts(strategy, rank_id).items()}


def layouts(strategy: Mapping[str, Any], rank: int | None = None) -> dict[str, Layout]:
    """`_convert_to_list` as `Layout`s."""
    found: dict[str, Layout] = {}
    for key, item in strategy.items():
        try:
            stage, name = (int(key.split("-")[0]), key.split("-")[1]) if key.count("-") == 1 else (0, key)
            if key.count("-") > 1:
                raise ValueError("a name holds one '-' at most, behind the number of a pipeline stage")
            layout = _layout(item, stage)
        except (ValueError, IndexError, AttributeError, TypeError) as error:
            raise ValueError(f"The strategy of the parameter '{key}' must be a layout: {error}") from error
        before = found.get(name)
        if before is None:
            found[name] = layout
            continue
        stages = [*before.stages, stage]
        if rank is None:
            newer = stage <= min(stages)
        else:
            newer = (rank // layout.devices > 0) == (stage > 0)
        found[name] = (layout if newer else before)._replace(stages=stages)
    return found


def _layout(item: Any, stage: int) -> Layout:
    maps = [list(each.dim) for each in item.tensor_map]
    matrix = list(item.dev_matrix[0].dim)
    if min(matrix, default=1) < 1 or math.prod(matrix) > MAX_DEVICES:
        raise ValueError(f"the device matrix {matrix} is not one of 1 to {MAX_DEVICES} devices")
    if not all(NONE <= axis < len(matrix) for each in maps for axis in each):
        raise ValueError(f"the tensor map {maps} has dimensions that the device matrix {matrix} has not")
    used = [axis for each in maps for axis in each if axis != NONE]
    if len(used) != len(set(used)):
        raise ValueError(f"the tensor map {maps} names a dimension of the device matrix twice")
    if item.opt_weight_shard_step < 0 or item.opt_weight_shard_size < -1:
        raise ValueError("the step and the size of the optimizer's cut are negative")
    return Layout(
        matrix,
        [each for each in maps if each] if len(maps) > 1 else maps[0],
        list(item.param_split_shape[0].dim),
        int(item.field),
        int(item.opt_weight_shard_step),
        int(item.opt_weight_shard_size),
        [stage],
    )


def read_layouts(strategy: Any, rank: int | None = None) -> dict[str, Layout] | None:
    """The layouts of a strategy file's name, or of a dict that `build_searched_strategy` gave; None for None."""
    found = strategy if isinstance(strategy, dict) else build_searched_strategy(strategy)
    return None if found is None else layouts(found, rank)


def devices_of(found: Mapping[str, Layout] | None) -> int:
    """How many devices a stage has; 1 without a strategy.

    Raises:
        ValueError: the strategy is empty, or has no device matrix.
    """
    if found is None:
        return 1
    if not found or not next(iter(found.values())).matrix:
        raise ValueError("The strategy file must hold the layout of a parameter over devices, but holds none.")
    return next(iter(found.values())).devices


def stages_of(found: Mapping[str, Layout] | None) -> int:
    """How many pipeline stages there are.

    Raises:
        ValueError: a stage between them is missing.
    """
    if found is None:
        return 1
    stages = {stage for layout in found.values() for stage in layout.stages}
    if stages != set(range(len(stages))):
        raise ValueError(f"The strategy file must hold all pipeline stages from 0, but holds {sorted(stages)}.")
    return len(stages)


def by_stage(strategy: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts of a merged strategy, one for each pipeline stage, in their order."""
    found: dict[int, dict[str, Any]] = {}
    for name, item in strategy.items():
        found.setdefault(int(name.split("-")[0]), {})[name] = item
    return [found[stage] for stage in sorted(found)]


def stage_of_file(path: str, *, api: str) -> int:
    """The pipeline stage of a strategy file that was not merged.

    Raises:
        ValueError: it holds no operator.
    """
    if path.endswith(".json"):
        items = list(_json_section(api, path, _read_json(api, path), "parallel_strategy_item").values())
        if items and isinstance(items[0], dict):
            return _int(api, path, "the first operator", "stage", items[0].get("stage"))
    else:
        operators = _read_message(api, path).parallel_strategy_item
        if operators:
            return operators[0].parallel_strategys.stage
    raise ValueError(f"For '{api}', the strategy file '{path}' must hold an operator, but holds none.")


def merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file) -> None:
    """Merge the strategy files of all pipeline stages into one, in which names are "<stage>-<name>".

    Of a stage's files the first counts. Unlike in MindSpore files are taken in the order of their names,
    not in the file system's order.

    Args:
        src_strategy_dirs (str): the directory of the files, all ".ckpt" or all ".json".
        dst_strategy_file (str): the file to write; its directory is made if need be.

    Raises:
        NotADirectoryError: there is no such directory.
        ValueError: files of both kinds, or a file without an operator or a parameter.
        TypeError: a file is not protobuf.

    >>> import json, os, tempfile
    >>> from ms_compat import build_searched_strategy, merge_pipeline_strategys
    >>> layout = {"dev_matrix": [2], "tensor_map": [0], "field": 0, "opt_weight_shard_step": 0,
    ...           "opt_weight_shard_size": 0}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.mkdir(os.path.join(folder, "stages"))
    ...     for stage, name in enumerate("ab"):
    ...         with open(os.path.join(folder, "stages", f"{stage}.json"), "w") as file:
    ...             json.dump({"parallel_strategy_item": {f"op{stage}": {"stage": stage}},
    ...                        "parallel_layout_item": {name: layout}}, file)
    ...     merge_pipeline_strategys(os.path.join(folder, "stages"), os.path.join(folder, "all.json"))
    ...     sorted(build_searched_strategy(os.path.join(folder, "all.json")))
    ['0-a', '1-b']
    """
    api = "merge_pipeline_strategys"
    target = os.path.abspath(os.path.normpath(dst_strategy_file))
    directory(api, "dst_strategy_file", os.path.dirname(target))
    if not os.path.isdir(src_strategy_dirs):
        raise NotADirectoryError(f"For '{api}', the 'src_strategy_dirs' {src_strategy_dirs} is not a directory.")
    names = sorted(os.path.join(src_strategy_dirs, name) for name in os.listdir(src_strategy_dirs))
    messages = [name for name in names if name.endswith(".ckpt") and not _hidden(name)]
    documents = [name for name in names if name.endswith(".json") and not _hidden(name)]
    if messages and documents:
        raise ValueError(f"For '{api}', the strategy files must be all '.ckpt' or all '.json', but both are there.")
    data = _merged_messages(api, messages) if messages else _merged_documents(api, documents)
    with replaced(target, mode=_WRITABLE) as temporary, open(temporary, "wb") as file:
        file.write(data)


def _hidden(path: str) -> bool:
    return os.path.basename(path).startswith(".")


def _merged_messages(api: str, paths: list[str]) -> bytes:
    merged = ParallelStrategyMap(current_stage=1)
    for stage, content in _of_new_stages(api, paths, _read_message, _message_stage):
        for item in content.parallel_layout_item:
            item.param_name = f"{stage}-{item.param_name}"
        merged.parallel_strategy_item.extend(content.parallel_strategy_item)
        merged.parallel_layout_item.extend(content.parallel_layout_item)
    return merged.SerializeToString()


def _merged_documents(api: str, paths: list[str]) -> bytes:
    merged: dict[str, Any] = {"current_stage": 1, "parallel_strategy_item": {}, "parallel_layout_item": {}}
    for stage, content in _of_new_stages(api, paths, _read_json, _document_stage):
        for name, item in content["parallel_layout_item"].items():
            merged["parallel_layout_item"][f"{stage}-{name}"] = item
        merged["parallel_strategy_item"].update(content["parallel_strategy_item"])
    return json.dumps(merged).encode()


def _of_new_stages(api: str, paths: list[str], read: Callable, stage_of: Callable) -> list[tuple[int, Any]]:
    """(stage, content) of each stage's first file."""
    found: dict[int, tuple[int, Any]] = {}
    for path in paths:
        content = read(api, path)
        stage = stage_of(api, path, content)
        if stage is None:
            raise ValueError(f"For '{api}', the strategy file '{path}' must hold operators and parameters.")
        found.setdefault(stage, (stage, content))
    return list(found.values())


def _message_stage(api: str, path: str, content: ParallelStrategyMap) -> int | None:
    operators = content.parallel_strategy_item
    return operators[0].parallel_strategys.stage if operators and content.parallel_layout_item else None


def _document_stage(api: str, path: str, content: dict) -> int | None:
    operators = _json_section(api, path, content, "parallel_strategy_item")
    if not operators or not _json_section(api, path, content, "parallel_layout_item"):
        return None
    first = next(iter(operators.values()))
    return _int(api, path, "the first operator", "stage", first.get("stage") if isinstance(first, dict) else None)


@faces("train train.serialization")
def restore_group_info_list(group_info_file_name):
    """The ranks whose checkpoints hold the same slices, from the group file that a distributed job left.

    Args:
        group_info_file_name (str): the file.

    Returns:
        list of int.

    Raises:
        TypeError: the name is not a str.
        ValueError: there is no such file, it is empty, or it is not a group file.

    >>> import os, tempfile
    >>> from ms_compat import restore_group_info_list
    >>> from ms_compat._formats.sliced.schema import ParallelGroupMap
    >>> groups = ParallelGroupMap()
    >>> groups.ckpt_restore_rank_list.dim.extend([0, 4])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(os.path.join(folder, "group_info.pb"), "wb") as file:
    ...         size = file.write(groups.SerializeToString())
    ...     restore_group_info_list(os.path.join(folder, "group_info.pb"))
    [0, 4]
    """
    api = "restore_group_info_list"
    check_type(api, "group_info_file_name", group_info_file_name, str)
    if not os.path.isfile(group_info_file_name):
        raise ValueError(f"For '{api}', there is no group file '{group_info_file_name}'.")
    with open(group_info_file_name, "rb") as file:
        data = file.read()
    if not data:
        raise ValueError(f"For '{api}', the group file '{group_info_file_name}' is empty.")
    message = ParallelGroupMap()
    message.parse(data, api=api, path=group_info_file_name)
    return list(message.ckpt_restore_rank_list.dim)
