# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

Cast: Any
ENCRYPT_BLOCK_SIZE: Any
INT_64_MAX: Any
PARAMETER_SPLIT_SIZE: Any
PROTO_LIMIT_SIZE: Any
SLICE_SIZE: Any
TOTAL_SAVE: Any
UnsupportedError: Any
cpu_cast: Any
def export_split_mindir(
    file_name: str,
    device_num: int = 8,
    rank_id: int = 0,
    dynamic: bool = True,
    sapp: bool = True,
) -> Any:
    """Refused after MindSpore's checks: Ascend's runtime alone runs a part of a graph that was cut for devices."""
from ms_compat import context as context
from ms_compat import nn as nn
from ms_compat._checkparam import Validator as Validator
from ms_compat._core.tensor import Tensor as Tensor
from ms_compat._core.tensor import Tensor as _Tensor_
Tensor_ = _Tensor_
from ms_compat._core.tensor.parameter import Parameter as Parameter
from ms_compat._formats.checkpoint.convert import ckpt_to_safetensors as ckpt_to_safetensors
from ms_compat._formats.checkpoint.convert import safetensors_to_ckpt as safetensors_to_ckpt
from ms_compat._formats.checkpoint.into_net import _update_param as _update_param
from ms_compat._formats.checkpoint.into_net import load_param_into_net as load_param_into_net
from ms_compat._formats.checkpoint.load import ParamDictFuture as ParamDictFuture
from ms_compat._formats.checkpoint.load import load_checkpoint as load_checkpoint
from ms_compat._formats.checkpoint.load import load_checkpoint_async as load_checkpoint_async
from ms_compat._formats.checkpoint.save import async_ckpt_thread_status as async_ckpt_thread_status
from ms_compat._formats.checkpoint.save import save_checkpoint as save_checkpoint
from ms_compat._formats.export import export as export
from ms_compat._formats.mindir.files import load_mindir as load_mindir
from ms_compat._formats.mindir.files import save_mindir as save_mindir
from ms_compat._formats.mindir.reading import load as load
from ms_compat._formats.sliced.load import load_distributed_checkpoint as _new_load_distributed_checkpoint
new_load_distributed_checkpoint = _new_load_distributed_checkpoint
from ms_compat._formats.sliced.load import load_distributed_checkpoint as load_distributed_checkpoint
from ms_compat._formats.sliced.merge import merge_sliced_parameter as _new_merge_sliced_parameter
new_merge_sliced_parameter = _new_merge_sliced_parameter
from ms_compat._formats.sliced.merge import merge_sliced_parameter as merge_sliced_parameter
from ms_compat._formats.sliced.redundancy import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from ms_compat._formats.sliced.redundancy import get_parameter_redundancy as get_parameter_redundancy
from ms_compat._formats.sliced.strategy import build_searched_strategy as _new_build_searched_strategy
new_build_searched_strategy = _new_build_searched_strategy
from ms_compat._formats.sliced.strategy import build_searched_strategy as build_searched_strategy
from ms_compat._formats.sliced.strategy import restore_group_info_list as _new_restore_group_info_list
new_restore_group_info_list = _new_restore_group_info_list
from ms_compat._formats.sliced.strategy import restore_group_info_list as restore_group_info_list
from ms_compat._inner.checkpoint import tensor_to_np_type as tensor_to_np_type
from ms_compat.common import dtype as _mstype
mstype = _mstype
from ms_compat.common.generator import Generator as Generator
from ms_compat.common.initializer import initializer as initializer
from ms_compat.communication.management import get_group_size as get_group_size
from ms_compat.communication.management import get_rank as get_rank
from ms_compat.parallel.shard import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters
logger: Any
logging: Any
mindspore: Any
os: Any
tensor_to_ms_type: Any
