"""Internals of MindSpore's `train.serialization` that scripts import to read and write files themselves."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np

from ms_compat._core import dtype
from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat._core.tensor import Tensor
from ms_compat._formats.checkpoint import arguments, codec, safetensors_file
from ms_compat._formats.checkpoint.into_net import load_behind_prefixes
from ms_compat._formats.checkpoint.schema import Checkpoint
from ms_compat._formats.protobuf import wire

logger = logging.getLogger("ms_compat")

_NAMES = (
    "Int8 UInt8 Int16 UInt16 Int32 UInt32 Int64 UInt64 Float16 Float32 Float64 Bool BFloat16 Complex64 Complex128"
).split()
# The names of element types in checkpoints -> the types.
tensor_to_ms_type: dict[str, dtype.Type] = {str(t): t for t in dtype.all_types if str(t) in _NAMES}
tensor_to_ms_type |= {"str": dtype.string, "Int4": dtype.qint4x2}


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """Returns the numpy type of an element type's name in checkpoints ("U" for texts), None for an unknown name."""
    if tensor_type_str == "BFloat16":
        return ml_dtypes.bfloat16
    if tensor_type_str in ("str", "Int4"):
        return "U" if tensor_type_str == "str" else None
    found = tensor_to_ms_type.get(tensor_type_str)
    return None if found is None else found.np_dtype.type


def _parse_ckpt_proto(ckpt_file_name, dec_key=None, dec_mode="AES-GCM", crc_check=False) -> Checkpoint:
    """A `.ckpt` as its message: `value` has a `tag` and a `tensor` with `dims`, `tensor_type`, `tensor_content` each.

    The slices of a large parameter are one. Unlike `load_checkpoint` it keeps everything twice.

    Args:
        ckpt_file_name: the file.
        dec_key, dec_mode, crc_check: as for `load_checkpoint`.

    Raises:
        ValueError: the file cannot be read, or is damaged.
        UnsupportedError: it holds a MapParameter.
    """
    api = "_parse_ckpt_proto"
    found = Checkpoint()
    try:
        reader = codec.CkptReader(ckpt_file_name, api=api, crc_check=crc_check, dec_key=dec_key, dec_mode=dec_mode)
    except OSError as error:
        raise ValueError(f"For '{api}', the file '{ckpt_file_name}' cannot be read: {error}.") from error
    with reader:
        for record in reader.records.values():
            if record.is_map:
                raise UnsupportedError(f"For '{api}', '{record.name}' is a MapParameter, which is not served.")
            value = found.value.add(tag=record.name)
            value.tensor.dims.extend(record.dims)
            value.tensor.tensor_type = record.tensor_type
            value.tensor.tensor_content = reader.content(record.name).tobytes()
    return found


def _exec_save(
    ckpt_file_name,
    data_list: Mapping[str, Any],
    enc_key=None,
    enc_mode="AES-GCM",
    map_param_inc=False,
    crc_check=False,
    format="ckpt",
    remove_redundancy=None,
) -> None:
    """Write a checkpoint of [dims, name of the element type, values] by names.

    Args:
        ckpt_file_name: the file.
        data_list: dict of name to such a list; values are an array or a Tensor, of any shape with as many elements.
        enc_key, enc_mode, crc_check, format: as for `save_checkpoint`.
        map_param_inc: is for MapParameter, which is not served: must be false.
        remove_redundancy: what to note of it in a safetensors file.

    Raises:
        ValueError: values that do not have the dims, or an unknown element type.
    """
    api = "_exec_save"
    arguments.checked_format(api, format)
    if map_param_inc:
        raise UnsupportedError(f"{api}(map_param_inc=True)", "There is no MapParameter.")
    items = [(name, _value(api, name, *item[:3])) for name, item in data_list.items()]
    if format == "safetensors":
        safetensors_file.write(ckpt_file_name, items, api=api, crc_check=crc_check, remove_redundancy=remove_redundancy)
    else:
        codec.write(ckpt_file_name, items, api=api, crc_check=crc_check, enc_key=enc_key, enc_mode=enc_mode)


def _value(api: str, name: str, dims: Any, kind: str, value: Any) -> np.ndarray | str:
    value = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
    if kind == wire.STRING:
        return str(value.reshape(-1)[0]) if value.size else ""
    if kind not in wire.TYPES:
        raise value_error(api, f"type of '{name}'", f"one of {', '.join(wire.TYPES)}", kind)
    if tuple(dims) == (0,) and value.size == 1:  # how old MindSpore versions wrote a scalar
        dims = ()
    if math.prod(dims) != value.size:
        raise value_error(api, f"dims of '{name}'", f"dims with {value.size} elements", list(dims))
    return value.astype(wire.TYPES[kind], copy=False).reshape(dims)


def _load_dismatch_prefix_params(net, parameter_dict, param_not_load: list, strict_load) -> None:
    """Set Parameters whose names in the dict have a prefix; takes the names of those from the list `param_not_load`.

    Args:
        net: the Cell.
        parameter_dict: dict of name to Parameter.
        param_not_load: the names in `net` that have no value yet.
        strict_load: as for `load_param_into_net`.
    """
    load_behind_prefixes(net, parameter_dict, param_not_load, strict_load)


def _get_merged_param_data(net, parameter_layout_dict, param_name, param_data, integrated_save) -> Any:
    """The whole value of a parameter whose slices devices hold: the input, because a JAX array is global.

    Args:
        net: the Cell.
        parameter_layout_dict: dict of name to layout.
        param_name: the parameter.
        param_data: its value.
        integrated_save: whether slices are to be merged.

    Raises:
        KeyError: the dict does not have the parameter.
    """
    logger.debug("_get_merged_param_data: '%s' with layout %s is whole", param_name, parameter_layout_dict[param_name])
    return param_data
