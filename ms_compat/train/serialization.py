"""`mindspore.train.serialization`: saving and loading, put together from `_checkpoint`, `_mindir` and `_sliced`."""

from __future__ import annotations

from typing import NoReturn

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.checkpoint.convert import ckpt_to_safetensors as ckpt_to_safetensors
from ms_compat._formats.checkpoint.convert import safetensors_to_ckpt as safetensors_to_ckpt
from ms_compat._formats.checkpoint.into_net import _update_param as _update_param
from ms_compat._formats.checkpoint.into_net import load_param_into_net as load_param_into_net
from ms_compat._formats.checkpoint.load import ParamDictFuture as ParamDictFuture
from ms_compat._formats.checkpoint.load import load_checkpoint as load_checkpoint
from ms_compat._formats.checkpoint.load import load_checkpoint_async as load_checkpoint_async
from ms_compat._formats.checkpoint.save import async_ckpt_thread_status as async_ckpt_thread_status
from ms_compat._formats.checkpoint.save import save_checkpoint as save_checkpoint
from ms_compat._formats.mindir.export import export as export
from ms_compat._formats.mindir.files import load_mindir as load_mindir
from ms_compat._formats.mindir.files import save_mindir as save_mindir
from ms_compat._formats.mindir.reading import load as load
from ms_compat._formats.sliced.load import load_distributed_checkpoint as load_distributed_checkpoint
from ms_compat._formats.sliced.merge import merge_sliced_parameter as merge_sliced_parameter
from ms_compat._formats.sliced.redundancy import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from ms_compat._formats.sliced.strategy import build_searched_strategy as build_searched_strategy
from ms_compat._formats.sliced.strategy import restore_group_info_list as restore_group_info_list


def export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True) -> NoReturn:
    """Not served: a graph is not cut into parts for devices; raises UnsupportedError."""
    raise UnsupportedError("mindspore.export_split_mindir", "Distribute a Cell with Cell.shard instead.")
