"""Checkpoints of all ranks into one net: `load_distributed_checkpoint`, `load_segmented_checkpoints`."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, type_error, value_and_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.untrusted import parse_json
from ms_compat._formats.checkpoint import arguments
from ms_compat._formats.checkpoint.into_net import load_param_into_net
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat._formats.checkpoint.safetensors_file import SafetensorsReader
from ms_compat._formats.checkpoint.save import wait_for_saving
from ms_compat._formats.sliced import files, strategy
from ms_compat._formats.sliced.layout import NONE, Layout, converted, whole
from ms_compat._formats.sliced.merge import merged, split, values_of
from ms_compat._formats.sliced.transform import Pair
from ms_compat._formats.sliced.unify import INDEX, REST
from ms_compat.communication import get_group_size, get_rank
from ms_compat.nn.cell import Cell

_API = "load_distributed_checkpoint"

logger = logging.getLogger("ms_compat")


@faces("train train.serialization")
def load_distributed_checkpoint(
    network,
    checkpoint_filenames=None,
    predict_strategy=None,
    train_strategy_filename=None,
    strict_load=False,
    dec_key=None,
    dec_mode="AES-GCM",
    format="ckpt",
    unified_safetensors_dir=None,
    dst_safetensors_dir=None,
    rank_id=None,
    output_format="safetensors",
    name_map=None,
    max_process_num=64,
    return_param_dict=False,
):
    """Load the checkpoints of all ranks, or what `unified_safetensors` made of them, into a net or into files of ranks.

    Args:
        network (Cell): the net; with format "safetensors" None, to write files.
        checkpoint_filenames (list): with format "ckpt", the files of all ranks, in their order.
        predict_strategy: how the net is cut; None if it is not. With format "ckpt" a dict of name to [device matrix,
            tensor map, lengths, 0, uniform, group of the optimizer's cut]; with "safetensors" a strategy file or a dict
            of `build_searched_strategy`.
        train_strategy_filename (str): the strategy file of the checkpoints; None for the file of
            `set_auto_parallel_context(strategy_ckpt_load_file=...)`.
        strict_load (bool): see `load_param_into_net`.
        dec_key (bytes), dec_mode (str): see `load_checkpoint`.
        format (str): "ckpt" or "safetensors".
        unified_safetensors_dir (str): with format "safetensors", the directory of the files.
        dst_safetensors_dir (str): without `network`, the directory to write `rank_<rank>/net.<output_format>` to.
        rank_id (int): without `network`, the one rank to write for; None for all ranks of `predict_strategy`.
        output_format (str): "ckpt" or "safetensors".
        name_map (dict): the net's names to names in the files.
        max_process_num (int): accepted; one process works.
        return_param_dict (bool): with format "safetensors" and a net, return the values and load nothing.

    Returns:
        With format "safetensors" and a net the two lists of `load_param_into_net`, or a dict of name to Parameter;
        otherwise True.

    Raises:
        TypeError: `checkpoint_filenames` or `name_map` of a wrong type.
        ValueError: another argument of a wrong type, or one that the format does not have; files that are missing or do
            not fit the strategy.

    >>> import json, os, tempfile
    >>> from ms_compat import Tensor, load_distributed_checkpoint, nn, save_checkpoint
    >>> columns = {"dev_matrix": [2], "tensor_map": [-1, 0], "field": 0, "opt_weight_shard_step": 0,
    ...            "opt_weight_shard_size": 0}
    >>> net = nn.Dense(2, 1, has_bias=False)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with open(os.path.join(folder, "strategy.json"), "w") as file:
    ...         json.dump({"parallel_layout_item": {"weight": columns}}, file)
    ...     paths = [os.path.join(folder, f"{rank}.ckpt") for rank in range(2)]
    ...     for rank, path in enumerate(paths):
    ...         save_checkpoint({"weight": Tensor([[float(rank)]])}, path)
    ...     load_distributed_checkpoint(net, paths, None, os.path.join(folder, "strategy.json"))
    True
    >>> print(net.weight.asnumpy())
    [[0. 1.]]
    """
    for argument, value in (("format", format), ("output_format", output_format)):
        if value not in arguments.FORMATS:
            raise value_error(_API, argument, "'ckpt' or 'safetensors'", value)
    if max_process_num != 64:
        no_effect(_API, "one process works", max_process_num=max_process_num)
    if format == "ckpt":
        no_effect(
            _API,
            "it is for format 'safetensors'",
            unified_safetensors_dir=unified_safetensors_dir,
            dst_safetensors_dir=dst_safetensors_dir,
            rank_id=rank_id,
            name_map=name_map,
            return_param_dict=return_param_dict,
        )
        return _load_ckpts(
            network, checkpoint_filenames, predict_strategy, train_strategy_filename, strict_load, dec_key, dec_mode
        )
    if unified_safetensors_dir is None:
        raise ValueError(f"For '{_API}', format 'safetensors' needs 'unified_safetensors_dir', but it is None.")
    _refuse_other_formats(
        ("checkpoint_filenames", checkpoint_filenames, None),
        ("train_strategy_filename", train_strategy_filename, None),
        ("dec_key", dec_key, None),
        ("strict_load", strict_load, False),
        ("dec_mode", dec_mode, "AES-GCM"),
    )
    if network is not None:
        arguments.instance(_API, "network", network, Cell)
        found = _parameters(unified_safetensors_dir, predict_strategy, get_rank(), name_map)
        return found if return_param_dict else load_param_into_net(network, found)
    if dst_safetensors_dir is None:
        raise ValueError(f"For '{_API}', 'dst_safetensors_dir' must be given where 'network' is None.")
    _write_ranks(unified_safetensors_dir, predict_strategy, dst_safetensors_dir, rank_id, output_format, name_map)
    return True


def _refuse_other_formats(*arguments: tuple[str, Any, Any]) -> None:
    """Refuse arguments (name, value, default) that format 'safetensors' does not have."""
    for argument, value, default in arguments:
        if value != default:
            raise ValueError(f"For '{_API}', format 'safetensors' has no '{argument}': it must be {default!r}.")


def _write_ranks(
    unified: Any, predict_strategy: Any, dst: Any, rank_id: int | None, output_format: str, name_map: Any
) -> None:
    if rank_id is None:
        layouts = strategy.read_layouts(predict_strategy)
        ranks = range(strategy.devices_of(layouts) * strategy.stages_of(layouts))
    else:
        ranks = range(rank_id, rank_id + 1)
    for rank in ranks:
        values = dict(_values(unified, predict_strategy, rank, name_map))
        folder = files.directory(_API, "dst_safetensors_dir", os.path.join(dst, f"rank_{rank}"))
        files.write(os.path.join(folder, f"net.{output_format}"), values, output_format, api=_API)


def _parameters(folder: str, target: Any, rank: int, name_map: Any) -> dict[str, Parameter]:
    return {
        name: Parameter(wrap(jax.device_put(np.ascontiguousarray(value).reshape(value.shape))), name=name)
        for name, value in _values(folder, target, rank, name_map)
    }


def _values(folder: str, target: Any, rank: int, name_map: Any) -> Iterator[tuple[str, np.ndarray]]:
    """(name, slice of a rank) of whole parameters in a directory; what belongs to no strategy comes last, as it is."""
    if name_map is not None:
        check_type(_API, "name_map", name_map, dict)
    wait_for_saving()
    places = _places(folder, name_map)
    pair = None if target is None else Pair(None, target, rank)
    targets = pair.target or {} if pair is not None else {}
    readers: dict[str, SafetensorsReader] = {}
    try:
        for name in places if pair is None else targets:
            if name not in places:
                continue
            if places[name] not in readers:
                readers[places[name]] = SafetensorsReader(os.path.join(folder, places[name]), api=_API)
            reader = readers[places[name]]
            stored = (name_map or {}).get(name, name)
            if stored not in reader.names:
                continue
            value = reader.read(stored)
            if pair is not None:
                local = rank % pair.target_devices
                value = converted(name, {0: value}, whole(value.ndim), targets[name], local, api=_API)
            yield name, value
        if os.path.isfile(os.path.join(folder, REST)):
            with SafetensorsReader(os.path.join(folder, REST), api=_API) as reader:
                for name in reader.names:
                    yield name, reader.read(name)
    finally:
        for reader in readers.values():
            reader.close()


def _places(folder: str, name_map: Mapping[str, str] | None) -> dict[str, str]:
    """Which file of the directory has a parameter: all the only one, or by the index."""
    found = sorted(name for name in os.listdir(folder) if name.endswith(".safetensors"))
    if len(found) == 1:
        old = {stored: name for name, stored in (name_map or {}).items()}
        with SafetensorsReader(os.path.join(folder, found[0]), api=_API) as reader:
            return {old.get(name, name): found[0] for name in reader.names}
    path = os.path.join(folder, INDEX)
    if not os.path.isfile(path):
        raise ValueError(f"For '{_API}', '{folder}' with {len(found)} safetensors files must hold '{INDEX}'.")
    try:
        with open(path, encoding="utf-8") as file:
            index = parse_json(file.read())
    except (ValueError, RecursionError) as error:
        raise ValueError(f"For '{_API}', '{path}' is not JSON: {error}") from error
    places = index.get("weight_map", index) if isinstance(index, dict) else index
    if not isinstance(places, dict) or not all(isinstance(place, str) for place in places.values()):
        raise ValueError(f"For '{_API}', '{path}' must map names to files, but holds {value_and_type(places)}.")
    outside = [place for place in places.values() if place not in found]
    if outside:
        raise ValueError(f"For '{_API}', '{path}' must name files of its directory, but names {outside[0]!r}.")
    return places


def _check_paths(paths: Any) -> None:
    if not isinstance(paths, (list, tuple)):
        raise type_error(_API, "checkpoint_filenames", "list of str", paths)
    for index, path in enumerate(paths):
        good = isinstance(path, str) and path.endswith(".ckpt") and os.path.exists(path) and os.path.getsize(path)
        if not good:
            raise value_error(_API, f"checkpoint_filenames[{index}]", "a '.ckpt' that is there and not empty", path)


def _load_ckpts(
    network: Any, paths: Any, predict: Any, train: Any, strict_load: bool, dec_key: Any, dec_mode: Any
) -> bool:
    arguments.instance(_API, "network", network, Cell)
    _check_paths(paths)
    _check_predict(predict)
    arguments.instance(_API, "dec_key", dec_key, type(None), bytes)
    arguments.instance(_API, "dec_mode", dec_mode, str)
    found = strategy.build_searched_strategy(
        get_auto_parallel_context("strategy_ckpt_load_file") if train is None else train
    )
    if not found:
        return True
    layouts = strategy.layouts(found)
    devices = strategy.devices_of(layouts)
    if devices != len(paths):
        raise ValueError(f"For '{_API}', {devices} devices need as many checkpoints, but there are {len(paths)}.")
    slices: dict[str, dict[int, Any]] = {}
    for rank, path in enumerate(paths):
        for name, value in load_checkpoint(os.path.abspath(path), dec_key=dec_key, dec_mode=dec_mode).items():
            slices.setdefault(name, {})[rank] = value
    values = {}
    for _, parameter in network.parameters_and_names():
        name = parameter.name
        if name not in layouts or (predict and name not in predict):
            logger.warning("For '%s', the parameter '%s' of the net is not in the strategy.", _API, name)
        elif name not in slices:
            logger.warning("For '%s', the parameter '%s' of the net is not in the checkpoints.", _API, name)
        else:
            values[name] = _one(name, slices[name], layouts[name], predict[name] if predict else None)
    load_param_into_net(network, values, strict_load=strict_load)
    return True


def _check_predict(predict: Any) -> None:
    """
    Raises:
        ValueError: the strategy of the net is not a dict, or an entry does not begin with matrix, map, lengths and 0.
    """
    if predict is None:
        return
    for name, item in arguments.instance(_API, "predict_strategy", predict, dict).items():
        good = isinstance(name, str) and isinstance(item, (list, tuple)) and len(item) >= 4
        if good:
            matrix, tensor_map, lengths, field = item[:4]
            good = _ints(matrix) and _ints(tensor_map) and (not lengths or _ints(lengths)) and field == 0
        if not good:
            expected = "[device matrix (list of int), tensor map (list of int), lengths (list of int), 0, ...]"
            raise ValueError(f"For '{_API}', 'predict_strategy[{name!r}]' must be {expected}, but got {item!r:.80}.")


def _ints(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, int) for each in value)


def _one(name: str, slices: Mapping[int, Parameter], layout: Layout, predict: Any) -> Parameter:
    """The value of one parameter for this process."""
    first = next(iter(slices.values()))
    rank = get_rank() % layout.devices
    if predict is not None and list(predict[0]) == layout.matrix and list(predict[1]) == layout.tensor_map:
        value, kind = _present(name, slices, rank).asnumpy(), first.dtype  # cut as the checkpoints are
    else:
        arrays, kind = values_of(slices), mstype.float32 if first.dtype is mstype.bfloat16 else first.dtype
        if layout.step and layout.size:
            value = converted(name, arrays, layout, whole(first.ndim), 0, api=_API)
        else:
            value = _merged(name, arrays, layout)
        if predict is not None:
            value = split(value, predict[0], predict[1], get_rank())
    group = predict[5] if predict is not None and len(predict) > 5 else None
    if group:
        size = get_group_size(group)
        if value.shape[0] % size:
            raise RuntimeError(f"For '{_API}', '{name}' of shape {value.shape} cannot be cut into {size} equal pieces.")
        value = np.split(value, size)[get_rank(group)]
    return Parameter(Tensor(np.ascontiguousarray(value), kind), name, first.requires_grad, first.layerwise_parallel)


def _merged(name: str, slices: Mapping[int, np.ndarray], layout: Layout) -> np.ndarray:
    """The tensor of each first copy."""
    used = [len(layout.matrix) - 1 - axis for axis in layout.tensor_map if axis != NONE]
    matrix = [size if at in used else 1 for at, size in enumerate(layout.matrix)]
    ranks = np.arange(layout.devices).reshape(layout.matrix)[tuple(slice(size) for size in matrix)].ravel()
    return merged(
        [_present(name, slices, int(rank)) for rank in ranks], matrix, layout.tensor_map, layout.lengths, layout.field
    )


def _present(name: str, slices: Mapping[int, Any], rank: int) -> Any:
    if rank not in slices:
        raise ValueError(f"For '{_API}', the checkpoint of rank {rank} must hold '{name}', but does not.")
    return slices[rank]


def load_segmented_checkpoints(
    ckpt_file_dir,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """Load all `.ckpt` files of a directory, one after the other, in the order of their names.

    Args:
        ckpt_file_dir (str): the directory.
        net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: as for `load_checkpoint`.

    Returns:
        dict of name to Parameter or str, of all files; empty if there is no file.

    Raises:
        TypeError: `ckpt_file_dir` is not a str.
        ValueError: there is no such directory; see `load_checkpoint`.

    >>> import os, tempfile
    >>> from ms_compat import Tensor, load_segmented_checkpoints, save_checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in "ab":
    ...         save_checkpoint({name: Tensor([1.0])}, os.path.join(folder, f"{name}.ckpt"))
    ...     list(load_segmented_checkpoints(folder))
    ['a', 'b']
    """
    api = "load_segmented_checkpoints"
    check_type(api, "ckpt_file_dir", ckpt_file_dir, str)
    if not os.path.isdir(ckpt_file_dir):
        raise value_error(api, "ckpt_file_dir", "an existing directory", ckpt_file_dir)
    found: dict[str, Parameter | str] = {}
    for name in sorted(os.listdir(ckpt_file_dir)):
        if name.endswith(".ckpt") and not name.startswith("."):
            path = os.path.join(ckpt_file_dir, name)
            options = (net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
            found.update(load_checkpoint(path, *options))
    return found
