"""Checkpoints whose weights are multiplied by, or permuted with, secret random tensors."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type, type_error, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._formats.checkpoint.load import load_checkpoint
from ms_compat._formats.checkpoint.save import save_checkpoint
from ms_compat.nn.cell import Cell
from ms_compat.nn.container import CellList
from ms_compat.ops import Inv, matmul

logger = logging.getLogger("ms_compat")

_PARTS = ("obf_metadata_config", "weight_obf_config", "network_obf_config")
_TYPES = ("random", "rearrange")
_OPERATIONS = ("mul", "matmul", "permuate")  # the last one is MindSpore's spelling
_METADATA = "obf_metadata"


def obfuscate_ckpt(
    network: Cell,
    ckpt_files: str,
    target_modules: list[str] | None = None,
    obf_config: dict[str, Any] | None = None,
    saved_path: str = "./",
    obfuscate_scale: float = 100,
) -> dict[str, np.ndarray]:
    """Write obfuscated copies of checkpoints: `name.ckpt` becomes `name_obf.ckpt`.

    The random tensors come from NumPy's global generator.

    Args:
        network (Cell): the network of the checkpoints.
        ckpt_files (str): a folder. Its checkpoints are copied, also the ones in its subfolders.
        target_modules (list[str]): a path in the network such as "A/B", names of Cells there such as "C|D", and
            optionally "obfuscate_layers:all" or "obfuscate_layers:3" for the first Cells of a list "blocks" on the
            path. The weights and biases of these Cells are multiplied by one random number; each layer has its own.
        obf_config (dict): in place of `target_modules`: lists of dicts "obf_metadata_config" (which random tensors
            there are: "name", "shape", "type" that is "random" or "rearrange", "save_metadata", "metadata_op",
            "layers") and "weight_obf_config" (a "target" such as "A/C/weight", and "weight_obf_ops" that are "mul",
            "matmul" or "permuate").
        saved_path (str): the folder for the copies.
        obfuscate_scale (float): random numbers are below it.

    Returns:
        The tensors that are needed to undo it, by name; of `target_modules` the inverse number.

    Raises:
        TypeError: an argument, or an entry of the configuration, has another type.
        ValueError: there is no such folder, path or Cell, or the configuration is empty.
        RuntimeError: a checkpoint cannot be obfuscated as configured.

    Example::

        metadata = obfuscate_ckpt(net, "checkpoints", ["", "fc1|fc2"], saved_path="obfuscated")
    """
    check_type("obfuscate_ckpt", "network", network, Cell)
    source = _folder("ckpt_files", ckpt_files)
    target = _folder("saved_path", saved_path)
    config = _configuration("obfuscate_ckpt", network, target_modules, obf_config, _PARTS[:2])
    if not isinstance(obfuscate_scale, (int, float)) or obfuscate_scale <= 1:
        raise value_error("obfuscate_ckpt", "obfuscate_scale", "a number above 1", obfuscate_scale)
    metadata: dict[str, Tensor] = {}
    saved: dict[str, np.ndarray] = {}
    for entry in config[_PARTS[0]]:
        for name in _names(entry["name"], entry.get("layers")):
            metadata[name] = made = _random(entry["shape"], entry.get("type", "rearrange"), obfuscate_scale)
            if entry.get("save_metadata"):
                saved[name] = (Inv()(made) if entry.get("metadata_op") == "invert" else made).asnumpy()
    for path, folder in _checkpoints(source, target):
        folder.mkdir(mode=0o700, exist_ok=True)
        _write(path, folder, metadata, config[_PARTS[1]])
    return saved


def load_obf_params_into_net(
    network: Cell,
    target_modules: list[str] | None = None,
    obf_ratios: Tensor | None = None,
    obf_config: dict[str, Any] | None = None,
    data_parallel_num: int = 1,
    **kwargs: Any,
) -> Cell:
    """Check a network against the configuration of `obfuscate_ckpt`, and return it as it is, as MindSpore 2.10 does.

    Args:
        network (Cell): the network, into which the obfuscated checkpoint was loaded.
        target_modules (list[str]): as for `obfuscate_ckpt`.
        obf_ratios (Tensor): accepted; MindSpore 2.10 does not use it either.
        obf_config (dict): as for `obfuscate_ckpt`, with "network_obf_config".
        data_parallel_num (int): a positive number, which has no effect.
        **kwargs: accepted: `ignored_func_decorators` and `ignored_class_decorators`.

    Raises:
        TypeError: an argument, or an entry of the configuration, has another type.
        ValueError: there is no such path or Cell, the configuration is empty, or `data_parallel_num` is not positive.

    >>> from ms_compat import nn
    >>> from ms_compat.safeguard import load_obf_params_into_net
    >>> net = nn.SequentialCell(nn.Dense(2, 2))
    >>> load_obf_params_into_net(net, ["", "0"]) is net
    True
    """
    api = "load_obf_params_into_net"
    check_type(api, "network", network, Cell)
    _configuration(api, network, target_modules, obf_config, _PARTS[2:])
    if not isinstance(data_parallel_num, int) or data_parallel_num <= 0:
        raise value_error(api, "data_parallel_num", "a positive int", data_parallel_num)
    logger.debug("%s: obf_ratios=%s and %s have no effect", api, obf_ratios, kwargs)
    return network


def _folder(argument: str, path: Any) -> Path:
    check_type("obfuscate_ckpt", argument, path, str)
    if not os.path.exists(path):
        raise value_error("obfuscate_ckpt", argument, "an existing folder", path)
    if not os.path.isdir(path):
        raise type_error("obfuscate_ckpt", argument, "a folder", path)
    return Path(path)


def _checkpoints(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """The checkpoints in a folder and its subfolders, each with the folder for its copy."""
    for path in sorted(source.iterdir()):
        if path.is_dir() and path.resolve() != target.resolve():
            yield from ((inner, target / path.name) for inner in sorted(path.glob("*.ckpt")))
        elif path.suffix == ".ckpt":
            yield path, target


# -- the configuration ------------------------------------------------------------------------------------------------
def _configuration(api: str, network: Cell, targets: Any, given: Any, needed: tuple[str, ...]) -> dict[str, Any]:
    if given is None:
        return _of_targets(api, network, targets)
    check_type(api, "obf_config", given, dict)
    if not given:
        raise ValueError(f"For '{api}', the 'obf_config' must not be empty.")
    for name in given:
        if name not in _PARTS:
            raise TypeError(f"For '{api}', the keys of 'obf_config' must be among {_PARTS}, but got {name!r}.")
    for name in needed:
        for entry in _entry(api, name, given.get(name), list):
            _CHECKS[name](api, _entry(api, name, entry, dict))
    return given


def _entry(api: str, where: str, value: Any, kind: type, empty: bool = True) -> Any:
    if not isinstance(value, kind) or not empty and not value:
        raise type_error(api, f"obf_config: {where}", kind.__name__ if empty else f"a {kind.__name__} not empty", value)
    return value


def _check_metadata(api: str, entry: dict[str, Any]) -> None:
    _entry(api, "name", entry.get("name"), str, empty=False)
    for size in _entry(api, "shape", entry.get("shape"), list, empty=False):
        _entry(api, "shape[]", size, int)
    _entry(api, "save_metadata", entry.get("save_metadata", True), bool)
    kind = entry.get("type")
    if kind is not None and kind not in _TYPES:
        raise type_error(api, "obf_config: type", f"one of {_TYPES}", kind)
    operation = entry.get("metadata_op")
    if operation not in (None, "invert"):
        raise KeyError(f"For '{api}', the 'metadata_op' must be 'invert' or None, but got {operation!r}.")


def _check_weights(api: str, entry: dict[str, Any]) -> None:
    _entry(api, "target", entry.get("target"), str, empty=False)
    _check_operations(api, _entry(api, "weight_obf_ops", entry.get("weight_obf_ops", []), list))


def _check_network(api: str, entry: dict[str, Any]) -> None:
    _entry(api, "target", entry.get("target"), str, empty=False)
    _entry(api, "module", entry.get("module"), str, empty=False)
    for each in _entry(api, "insert_new_input", entry.get("insert_new_input", []), list):
        _entry(api, "insert_new_input[]['name']", each.get("name"), str)
    _check_operations(api, _entry(api, "insert_ops", entry.get("insert_ops", []), list))


def _check_operations(api: str, operations: list[Any]) -> None:
    for each in operations:
        for name in ("name", "input_x", "input_y"):
            _entry(api, name, each.get(name), str)
        for name in ("transpose_a", "transpose_b"):
            _entry(api, name, each.get(name, False), bool)


_CHECKS: dict[str, Callable[[str, dict[str, Any]], None]] = dict(
    zip(_PARTS, (_check_metadata, _check_weights, _check_network), strict=True)
)


def _of_targets(api: str, network: Cell, targets: Any) -> dict[str, Any]:
    """The configuration that multiplies the weights and biases of some Cells by one number."""
    check_type(api, "target_modules", targets, list)
    if len(targets) < 2:
        raise value_error(api, "target_modules", "a list such as ['A/B', 'C|D']", targets)
    for each in targets:
        check_type(api, "target_modules[]", each, str)
    path, names = targets[0], targets[1].split("|")
    if not targets[1] or not re.fullmatch(r"[a-zA-Z0-9_/]*", path) or not re.fullmatch(r"[a-zA-Z0-9_|]*", targets[1]):
        raise value_error(api, "target_modules", "a list such as ['A/B', 'C|D']", targets)
    places = _walk(api, network, path)
    found = [name for name in names if any(hasattr(place, name) for place in places)]
    if not found:
        raise ValueError(f"For '{api}', 'target_modules' names {names}, but none is in the path '{path}'.")
    layers: list[int] = []
    number = _METADATA
    if len(targets) > 2:
        chosen = re.fullmatch(r"obfuscate_layers:(all|\d+)", targets[2])
        if chosen is None:
            form = "obfuscate_layers:all or obfuscate_layers:int"
            raise value_error(api, "target_modules[2]", form, targets[2])
        if "blocks" in path.split("/"):
            layers = list(range(len(places) if chosen[1] == "all" else int(chosen[1])))
            path = path.replace("blocks", "blocks/${layer}")
            number += "_${layer}"
    operation = {"name": "mul", "input_x": "weight", "input_y": number}
    metadata = {"name": number, "shape": [1], "type": "random", "save_metadata": True, "metadata_op": "invert"}
    parts = [path] if path else []
    weights = [
        {"target": "/".join([*parts, name, kind]), "weight_obf_ops": [operation], "layers": layers}
        for name in found
        for kind in ("weight", "bias")
    ]
    return {_PARTS[0]: [{**metadata, "layers": layers}], _PARTS[1]: weights, _PARTS[2]: []}


def _walk(api: str, network: Cell, path: str) -> list[Any]:
    """The Cells at a path. A step goes from a list to what each of its Cells has; a list at the end is not entered."""
    places: list[Any] = [network]
    for name in path.split("/") if path else []:
        places = [cell for place in places for cell in (place if isinstance(place, CellList) else [place])]
        places = [getattr(place, name) for place in places if hasattr(place, name)]
        if not places:
            raise ValueError(f"For '{api}', the path '{path}' of 'target_modules' does not exist.")
        if not all(isinstance(place, Cell) for place in places):
            wrong = next(place for place in places if not isinstance(place, Cell))
            raise TypeError(
                "Target_modules[0] should be a subgraph and it's type should be nn.Cell(nn.CellList): "
                f"for '{api}', the path '{path}' must lead to Cells, but got a {type(wrong).__name__}."
            )
    return places


# -- the work ---------------------------------------------------------------------------------------------------------
def _names(pattern: str, layers: list[int] | None) -> list[str]:
    """A name, or its forms for all layers."""
    return [Template(pattern).safe_substitute(layer=layer) for layer in layers] if layers else [pattern]


def _random(shape: list[int], kind: str, scale: float) -> Tensor:
    if kind == "random":
        return Tensor(np.random.randint(1, int(scale), size=shape), mstype.float16)
    order = np.random.permutation(shape[-1])
    if len(shape) == 1:
        return Tensor(order, mstype.int32)
    if len(shape) == 2:
        return Tensor(np.identity(shape[0])[:, order], mstype.int32)
    raise ValueError(f"For 'obfuscate_ckpt', a 'shape' of type 'rearrange' must have 1 or 2 sizes, but got {shape}.")


def _write(path: Path, folder: Path, metadata: dict[str, Tensor], weights: list[dict[str, Any]]) -> None:
    parameters = load_checkpoint(str(path))
    for entry in weights:
        layers = entry.get("layers") or [0]
        for target, layer in zip(_names(entry["target"], entry.get("layers")), layers, strict=True):
            parameter = parameters.get(target.replace("/", "."))
            if parameter is not None:
                value = parameter.value()
                for operation in entry.get("weight_obf_ops", []):
                    value = _changed(value, operation, metadata, layer)
                parameter.set_data(value)
    made = [{"name": name, "data": parameter} for name, parameter in parameters.items()]
    save_checkpoint(made, str(folder / f"{path.name.split('.')[0]}_obf.ckpt"))


def _changed(value: Tensor, operation: dict[str, Any], metadata: dict[str, Tensor], layer: int) -> Tensor:
    kind = operation["name"]
    if kind not in _OPERATIONS:
        raise RuntimeError(f"For 'obfuscate_ckpt', an operation must be one of {_OPERATIONS}, but got {kind!r}.")

    def tensor(argument: str) -> Tensor:
        name = Template(operation[argument]).safe_substitute(layer=layer)
        if kind == "matmul" and not name.startswith(_METADATA):
            return value
        if name not in metadata:
            raise RuntimeError(f"For 'obfuscate_ckpt', '{kind}' needs '{name}', which 'obf_metadata_config' lacks.")
        return metadata[name]

    if kind == "mul":
        return value * tensor("input_y").astype(value.dtype)
    if kind == "permuate":
        return value[tensor("input_x")]
    left, right = (tensor(name).astype(value.dtype) for name in ("input_x", "input_y"))
    return matmul(left.T if operation.get("transpose_a") else left, right.T if operation.get("transpose_b") else right)
