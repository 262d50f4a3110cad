"""`mindspore.train.serialization`: saving and loading, put together from the files of `_checkpoint` and `_sliced`.

MindIR, the graph format of `export` and `load`, is not served: executing its nodes would be a second front end. The
functions are here and say what to use instead.
"""

from __future__ import annotations

from typing import NoReturn

from ms_compat._core.errors import UnsupportedError, describe
from ms_compat.train._checkpoint.convert import ckpt_to_safetensors as ckpt_to_safetensors
from ms_compat.train._checkpoint.convert import safetensors_to_ckpt as safetensors_to_ckpt
from ms_compat.train._checkpoint.into_net import _update_param as _update_param
from ms_compat.train._checkpoint.into_net import load_param_into_net as load_param_into_net
from ms_compat.train._checkpoint.load import ParamDictFuture as ParamDictFuture
from ms_compat.train._checkpoint.load import load_checkpoint as load_checkpoint
from ms_compat.train._checkpoint.load import load_checkpoint_async as load_checkpoint_async
from ms_compat.train._checkpoint.save import async_ckpt_thread_status as async_ckpt_thread_status
from ms_compat.train._checkpoint.save import save_checkpoint as save_checkpoint
from ms_compat.train._mindir.export import export as export
from ms_compat.train._mindir.files import load_mindir as load_mindir
from ms_compat.train._mindir.files import save_mindir as save_mindir
from ms_compat.train._sliced.load import load_distributed_checkpoint as load_distributed_checkpoint
from ms_compat.train._sliced.merge import merge_sliced_parameter as merge_sliced_parameter
from ms_compat.train._sliced.redundancy import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from ms_compat.train._sliced.strategy import build_searched_strategy as build_searched_strategy
from ms_compat.train._sliced.strategy import restore_group_info_list as restore_group_info_list


def load(file_name, **kwargs) -> NoReturn:
    """Not served: MindIR graphs are not read.

    Args:
        file_name: a `.mindir` file.
        kwargs: further options of MindSpore.

    Raises:
        ValueError: `file_name` is not a string that ends in ".mindir".
        UnsupportedError: always otherwise.
    """
    if not isinstance(file_name, str) or not file_name.endswith(".mindir"):
        raise ValueError(
            f"For 'load', the 'file_name' must be a str that ends in '.mindir', but got {describe(file_name)}."
        )
    raise UnsupportedError(
        "mindspore.load",
        "Define the net as a Cell and load its weights from a .ckpt with mindspore.load_checkpoint; with a real "
        "MindSpore the .ckpt is made by save_checkpoint(nn.GraphCell(load(file)), name).",
    )


def export_split_mindir(file_name, device_num=8, rank_id=0, dynamic=True, sapp=True) -> NoReturn:
    """Not served: MindIR graphs are not read or written; raises UnsupportedError."""
    raise UnsupportedError("mindspore.export_split_mindir", "Distribute a Cell with Cell.shard instead.")
