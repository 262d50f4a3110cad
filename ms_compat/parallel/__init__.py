"""`mindspore.parallel`: how work is distributed. Re-exports only."""

from ms_compat._formats.sliced.load import load_distributed_checkpoint as load_distributed_checkpoint
from ms_compat._formats.sliced.load import load_segmented_checkpoints as load_segmented_checkpoints
from ms_compat._formats.sliced.merge import merge_sliced_parameter as merge_sliced_parameter
from ms_compat._formats.sliced.strategy import build_searched_strategy as build_searched_strategy
from ms_compat._formats.sliced.strategy import merge_pipeline_strategys as merge_pipeline_strategys
from ms_compat._formats.sliced.strategy import restore_group_info_list as restore_group_info_list
from ms_compat._formats.sliced.transform import convert_checkpoint_by_rank as convert_checkpoint_by_rank
from ms_compat._formats.sliced.transform import convert_checkpoints as convert_checkpoints
from ms_compat._formats.sliced.transform import rank_list_for_convert as rank_list_for_convert
from ms_compat._formats.sliced.transform import rank_list_for_transform as rank_list_for_transform
from ms_compat._formats.sliced.transform import transform_checkpoint_by_rank as transform_checkpoint_by_rank
from ms_compat._formats.sliced.transform import transform_checkpoints as transform_checkpoints
from ms_compat._formats.sliced.unify import unified_safetensors as unified_safetensors
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.parallel.algorithm import get_algo_parameters as get_algo_parameters
from ms_compat.parallel.algorithm import reset_algo_parameters as reset_algo_parameters
from ms_compat.parallel.algorithm import set_algo_parameters as set_algo_parameters
from ms_compat.parallel.shard import Layout as Layout
from ms_compat.parallel.shard import parameter_broadcast as parameter_broadcast
from ms_compat.parallel.shard import shard as shard
from ms_compat.parallel.shard import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters

__getattr__ = unsupported_getattr(__name__)
