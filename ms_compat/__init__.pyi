# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from collections.abc import Callable, Iterable, Iterator, Sequence
import builtins as _b
from typing import Any, overload

from ms_compat._core.tensor.type_aliases import ArrayLike, DTypeLike, Ints, Number, Operand
from ms_compat.nn.cell import Cell
from ms_compat.ops.primitive import Primitive

from ms_compat._core.dtype import Type as Type
from ms_compat.train.metrics.accuracy import Accuracy as Accuracy
from ms_compat._core.errors import AmbiguousTruthError as AmbiguousTruthError
from ms_compat.train.callback._backup_and_restore import BackupAndRestore as BackupAndRestore
from ms_compat.train.metrics.bleu_score import BleuScore as BleuScore
from ms_compat._core.settings.context import COMPATIBLE as COMPATIBLE
from ms_compat._core.tensor.sparse import COOTensor as COOTensor
from ms_compat._core.tensor.sparse import CSRTensor as CSRTensor
from ms_compat.train.callback._callback import Callback as Callback
from ms_compat.train.callback._checkpoint import CheckpointConfig as CheckpointConfig
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrix as ConfusionMatrix
from ms_compat.train.metrics.confusion_matrix import ConfusionMatrixMetric as ConfusionMatrixMetric
from ms_compat.train.train_thor.convert_utils import ConvertModelUtils as ConvertModelUtils
from ms_compat.nn.layer.thor_convert import ConvertNetUtils as ConvertNetUtils
from ms_compat.train.metrics.cosine_similarity import CosineSimilarity as CosineSimilarity
from ms_compat.train.dataset_helper import DatasetHelper as DatasetHelper
from ms_compat.train.metrics.dice import Dice as Dice
from ms_compat.train.loss_scale_manager import DynamicLossScaleManager as DynamicLossScaleManager
from ms_compat.train.callback._early_stop import EarlyStopping as EarlyStopping
from ms_compat._core.settings.streams import Event as Event
from ms_compat.train.metrics.fbeta import F1 as F1
from ms_compat.train.metrics.fbeta import Fbeta as Fbeta
from ms_compat.train.loss_scale_manager import FixedLossScaleManager as FixedLossScaleManager
from ms_compat.train.callback._flops_collector import FlopsUtilizationCollector as FlopsUtilizationCollector
from ms_compat._core.settings.context import GRAPH_MODE as GRAPH_MODE
from ms_compat.common.generator import Generator as Generator
from ms_compat.train.metrics.hausdorff_distance import HausdorffDistance as HausdorffDistance
from ms_compat.train.callback._history import History as History
from ms_compat._core.errors import IntegerGradientError as IntegerGradientError
from ms_compat.common.jit_config import JitConfig as JitConfig
from ms_compat._core.errors import JoinError as JoinError
from ms_compat._core.settings.context import LAX as LAX
from ms_compat.train.callback._lambda_callback import LambdaCallback as LambdaCallback
from ms_compat._core.parallel.layout import Layout as Layout
from ms_compat.train.callback._lr_scheduler_callback import LearningRateScheduler as LearningRateScheduler
from ms_compat.train.metrics.loss import Loss as Loss
from ms_compat.train.callback._loss_monitor import LossMonitor as LossMonitor
from ms_compat.train.loss_scale_manager import LossScaleManager as LossScaleManager
from ms_compat.train.metrics.error import MAE as MAE
from ms_compat.train.metrics.error import MSE as MSE
from ms_compat.train.metrics.mean_surface_distance import MeanSurfaceDistance as MeanSurfaceDistance
from ms_compat.runtime.memory_pools import MemPool as MemPool
from ms_compat.train.metrics.metric import Metric as Metric
from ms_compat.train.model import Model as Model
from ms_compat.train.callback._checkpoint import ModelCheckpoint as ModelCheckpoint
from ms_compat.rewrite.api.node import Node as Node
from ms_compat.rewrite.node_type import NodeType as NodeType
from ms_compat._core.errors import NotTraceableError as NotTraceableError
from ms_compat.train.metrics.occlusion_sensitivity import OcclusionSensitivity as OcclusionSensitivity
from ms_compat.train.callback._on_request_exit import OnRequestExit as OnRequestExit
from ms_compat._core.settings.context import PYNATIVE_MODE as PYNATIVE_MODE
from ms_compat._core.settings.parallel_context import ParallelMode as ParallelMode
from ms_compat._core.tensor.parameter import Parameter as Parameter
from ms_compat._core.tensor.parameter import ParameterTuple as ParameterTuple
from ms_compat.train.metrics.perplexity import Perplexity as Perplexity
from ms_compat.runtime.memory_pools import PluggableAllocator as PluggableAllocator
from ms_compat.train.metrics.precision import Precision as Precision
from ms_compat.profiler.profiling import Profiler as Profiler
QuantDtype: Any
from ms_compat.train.metrics.roc import ROC as ROC
from ms_compat.train.metrics.recall import Recall as Recall
from ms_compat.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from ms_compat.train.metrics.mean_surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
from ms_compat._core.tensor.sparse import RowTensor as RowTensor
from ms_compat.train.callback._callback import RunContext as RunContext
from ms_compat._core.settings.context import STRICT as STRICT
from ms_compat.rewrite.scoped_value import ScopedValue as ScopedValue
from ms_compat._core.tensor.sparse import SparseTensor as SparseTensor
from ms_compat._core.settings.streams import Stream as Stream
from ms_compat._core.settings.streams import StreamCtx as StreamCtx
from ms_compat.runtime.limits import StreamLimitCtx as StreamLimitCtx
from ms_compat._core.errors import StrictAttributeError as StrictAttributeError
from ms_compat._core.errors import StrictSyntaxError as StrictSyntaxError
from ms_compat.train.callback._summary_collector import SummaryCollector as SummaryCollector
from ms_compat.train.callback._landscape import SummaryLandscape as SummaryLandscape
from ms_compat.train.summary.record import SummaryRecord as SummaryRecord
from ms_compat.rewrite.api.symbol_tree import SymbolTree as SymbolTree
from ms_compat._core.errors import TapeOnlyError as TapeOnlyError
from ms_compat._core.tensor import Tensor as Tensor
from ms_compat._core.dtype import TensorType as TensorType
from ms_compat.train.callback._time_monitor import TimeMonitor as TimeMonitor
from ms_compat.train.metrics.topk import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from ms_compat.train.metrics.topk import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from ms_compat.train.metrics.topk import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from ms_compat.train.callback._train_fault_tolerance import TrainFaultTolerance as TrainFaultTolerance
from ms_compat._core.errors import UnsupportedError as UnsupportedError
from ms_compat._core.errors import UnsupportedMethodError as UnsupportedMethodError
from ms_compat._tensor.storage import UntypedStorage as UntypedStorage
from ms_compat.version import __version__ as __version__
all_types: Any
from . import amp as amp
def async_ckpt_thread_status() -> _b.bool:
    """Whether a `save_checkpoint(async_save=True)` is still writing."""
def auc(x: Any, y: Any, reorder: _b.bool = False) -> _b.float:
    """The area under a curve by the trapezoidal rule."""
bfloat16: Type
bool: Type
bool_: Type
from . import boost as boost
def build_searched_strategy(strategy_filename: _b.str) -> dict[Any, Any]:
    """The layouts that a strategy file holds."""
def build_train_network(
    network: Cell,
    optimizer: Any,
    loss_fn: Cell | None = None,
    level: _b.str = 'O0',
    boost_level: _b.str = 'O0',
    **kwargs: Any,
) -> Any:
    """Makes the training step of a network."""
byte: Type
cdouble: Type
cfloat: Type
def ckpt_to_safetensors(
    file_path: _b.str,
    save_path: _b.str | None = None,
    name_map: dict[Any, Any] | None = None,
    file_name_regex: _b.str | None = None,
    processes_num: _b.int = 1,
) -> Any:
    """Convert `.ckpt` files to safetensors."""
from . import cli as cli
from . import common as common
from . import communication as communication
from ms_compat._core.settings.streams import communication_stream as communication_stream
complex128: Type
complex64: Type
complex_type: Any
def connect_network_with_dataset(network: Cell, dataset_helper: Any) -> Any:
    """Not supported: a network does not fetch its data itself here."""
def constexpr(
    fn: Callable[..., Any] | None = None,
    get_instance: _b.bool = True,
    name: _b.str | None = None,
    reuse_result: _b.bool = True,
    check: _b.bool = True,
) -> Any:
    """Mark a function as computed on the host while compiling; here every function of constants is."""
from . import context as context
from ms_compat._core.settings.streams import current_stream as current_stream
def data_sink(
    fn: Callable[..., Any],
    dataset: Any,
    sink_size: _b.int = 1,
    jit_config: Any = None,
    input_signature: Any = None,
) -> Any:
    """A function that fetches batches itself: each call runs `fn` on the next `sink_size` of them."""
from . import dataset as dataset
from ms_compat.common.generator import default_generator as default_generator
from ms_compat._core.settings.streams import default_stream as default_stream
from . import device_context as device_context
from ms_compat.runtime.settings import dispatch_threads_num as dispatch_threads_num
double: Type
from ms_compat._core import dtype as dtype
from ms_compat._core.dtype import dtype_to_nptype as dtype_to_nptype
from ms_compat._core.dtype import dtype_to_pytype as dtype_to_pytype
from ms_compat._core.settings.memory import empty_cache as empty_cache
from . import experimental as experimental
def export(net: Cell | Callable[..., Any], *inputs: Any, file_name: _b.str, file_format: _b.str, **kwargs: Any) -> Any:
    """Write a net as a MindIR or ONNX file, which runs without its Python."""
def export_split_mindir(
    file_name: _b.str,
    device_num: _b.int = 8,
    rank_id: _b.int = 0,
    dynamic: _b.bool = True,
    sapp: _b.bool = True,
) -> Any:
    """Refused after MindSpore's checks: Ascend's runtime alone runs a part of a graph that was cut for devices."""
float: Type
float16: Type
float32: Type
float64: Type
float8_e4m3fn: Type
float8_e5m2: Type
float_: Type
float_type: Any
from_numpy = Tensor.from_numpy
def frombuffer(buffer: Any, dtype: Type, count: _b.int = -1, offset: _b.int = 0) -> Tensor:
    """A 1-d tensor of a buffer's bytes; unlike MindSpore's it is a copy."""
from ms_compat.parallel.algorithm import get_algo_parameters as get_algo_parameters
from ms_compat._core.settings.parallel_context import get_auto_parallel_context as get_auto_parallel_context
def get_ckpt_path_with_strategy(cur_ckpt_path: _b.str, cur_strategy_path: _b.str) -> Any:
    """This rank's checkpoint, or, if it is missing, another rank's checkpoint that holds the same slices."""
from ms_compat._core.settings.context import get_context as get_context
from ms_compat._core.settings.context import get_current_device as get_current_device
from ms_compat.runtime.limits import get_device_limit as get_device_limit
def get_grad(gradients: Sequence[_b.int | Tensor] | Sequence[Sequence[Any]], identifier: _b.int | Parameter) -> Tensor:
    """One gradient out of what `grad(..., return_ids=True)` returned."""
from ms_compat.log import get_level as get_level
from ms_compat.log import get_log_config as get_log_config
def get_metric_fn(name: _b.str, *args: Any, **kwargs: Any) -> Any:
    """Makes a metric by its name."""
from ms_compat._core.settings.parallel_context import get_ps_context as get_ps_context
from ms_compat._core.dtype import get_py_obj_dtype as get_py_obj_dtype
def get_rng_state() -> Tensor:
    """The state of the default generator."""
from ms_compat._core.dispatch.random import get_seed as get_seed
from ms_compat.runtime.limits import get_stream_limit as get_stream_limit
def grad(
    fn: Cell | Callable[..., Any],
    grad_position: _b.int | Sequence[_b.int] | None = 0,
    weights: Iterable[Any] = None,
    has_aux: _b.bool = False,
    return_ids: _b.bool = False,
    sens_param: _b.bool = False,
) -> Any:
    """The gradient function of `fn`."""
from . import graph as graph
from . import hal as hal
half: Type
hifloat8: Type
def initial_seed() -> _b.int:
    """The seed of the default generator."""
from ms_compat.install import install as install
int: Type
int16: Type
int32: Type
int64: Type
int8: Type
int_: Type
int_type: Any
intc: Type
from . import interop as interop
intp: Type
def is_tensor(obj: Any) -> _b.bool:
    """Whether an object is a Tensor."""
def jacfwd(fn: Cell | Callable[..., Any], grad_position: _b.int | Sequence[_b.int] = 0, has_aux: _b.bool = False) -> Any:
    """The Jacobian of a function by forward mode: cheap where there are few inputs."""
def jacrev(fn: Cell | Callable[..., Any], grad_position: _b.int | Sequence[_b.int] = 0, has_aux: _b.bool = False) -> Any:
    """The Jacobian of a function by reverse mode: cheap where there are few outputs. Arguments as for `jacfwd`."""
def jit(
    function: Callable[..., Any] | None = None,
    *,
    capture_mode: _b.str = 'ast',
    jit_level: _b.str = 'O0',
    dynamic: _b.int = 0,
    fullgraph: _b.bool = False,
    backend: _b.str = '',
    **options: Any,
) -> Any:
    """Compile a function or a Cell with XLA."""
def jit_class(cls: Any) -> Any:
    """Mark a class so that compiled functions may use its instances. Any class may be used here; the mark is kept."""
def jvp(
    fn: Callable[..., Any] | Cell,
    inputs: Tensor | Sequence[Tensor],
    v: Tensor | Sequence[Tensor],
    has_aux: _b.bool = False,
) -> Any:
    """Run a function and return its outputs and their directional derivative along `v`."""
from ms_compat._core.settings.memory import launch_blocking as launch_blocking
from ms_compat.graph.lazy_inline import lazy_inline as lazy_inline
list_: Type
from ms_compat._formats.mindir.reading import load as load
def load_checkpoint(
    ckpt_file_name: Any,
    net: Cell | None = None,
    strict_load: _b.bool = False,
    filter_prefix: _b.str | Sequence[_b.str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: _b.str = 'AES-GCM',
    specify_prefix: _b.str | Sequence[_b.str] | None = None,
    choice_func: Callable[..., Any] | None = None,
    crc_check: _b.bool = False,
    remove_redundancy: _b.bool = False,
    format: _b.str = 'ckpt',
) -> dict[Any, Any]:
    """Read a checkpoint of MindSpore or ms_compat."""
def load_checkpoint_async(
    ckpt_file_name: _b.str,
    net: Cell | None = None,
    strict_load: _b.bool = False,
    filter_prefix: _b.str | Sequence[_b.str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: _b.str = 'AES-GCM',
    specify_prefix: _b.str | Sequence[_b.str] | None = None,
    choice_func: Callable[..., Any] | None = None,
) -> Any:
    """Start `load_checkpoint` in a thread."""
def load_distributed_checkpoint(
    network: Cell,
    checkpoint_filenames: Sequence[_b.str] | None = None,
    predict_strategy: dict[Any, Any] | _b.str | None = None,
    train_strategy_filename: _b.str | None = None,
    strict_load: _b.bool = False,
    dec_key: bytes | None = None,
    dec_mode: _b.str = 'AES-GCM',
    format: _b.str = 'ckpt',
    unified_safetensors_dir: _b.str | None = None,
    dst_safetensors_dir: _b.str | None = None,
    rank_id: _b.int | None = None,
    output_format: _b.str = 'safetensors',
    name_map: dict[Any, Any] | None = None,
    max_process_num: _b.int = 64,
    return_param_dict: _b.bool = False,
) -> Any:
    """Load the checkpoints of all ranks, or what `unified_safetensors` made of them, into a net or into files of ranks."""
from ms_compat.install import load_ipython_extension as load_ipython_extension
def load_mindir(file_name: _b.str) -> Any:
    """Read a MindIR file as a message, whose fields can be looked at and changed; `mindspore.load` runs it instead."""
from ms_compat.safeguard.rewrite_obfuscation import load_obf_params_into_net as load_obf_params_into_net
def load_param_into_net(
    net: Cell,
    parameter_dict: dict[Any, Any],
    strict_load: _b.bool = False,
    remove_redundancy: _b.bool = False,
) -> Any:
    """Set a Cell's Parameters to the values of a dict, by name."""
def load_segmented_checkpoints(
    ckpt_file_dir: _b.str,
    net: Cell | None = None,
    strict_load: _b.bool = False,
    filter_prefix: _b.str | Sequence[_b.str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: _b.str = 'AES-GCM',
    specify_prefix: _b.str | Sequence[_b.str] | None = None,
    choice_func: Callable[..., Any] | None = None,
) -> dict[Any, Any]:
    """Load all `.ckpt` files of a directory, one after the other, in the order of their names."""
from . import log as log
long: Type
def manual_seed(seed: _b.int) -> _b.int:
    """Set the default generator's seed and return the generator."""
from ms_compat._core.settings.memory import max_memory_allocated as max_memory_allocated
from ms_compat._core.settings.memory import max_memory_reserved as max_memory_reserved
from ms_compat._core.settings.memory import memory_allocated as memory_allocated
from ms_compat.runtime.memory_pools import memory_replay as memory_replay
from ms_compat._core.settings.memory import memory_reserved as memory_reserved
from ms_compat._core.settings.memory import memory_stats as memory_stats
from ms_compat._core.settings.memory import memory_summary as memory_summary
def merge_pipeline_strategys(src_strategy_dirs: _b.str, dst_strategy_file: _b.str) -> Any:
    """Merge the strategy files of all pipeline stages into one, in which names are "<stage>-<name>"."""
def merge_sliced_parameter(sliced_parameters: Iterable[Any], strategy: dict[Any, Any] | None = None) -> Any:
    """Put the slices of a parameter together."""
from . import mindrecord as mindrecord
from . import mint as mint
def ms_function(fn: Any = None, input_signature: Any = None, hash_args: Any = None, jit_config: Any = None) -> Any:
    """The name of `jit` before MindSpore 2.0; the same thing."""
from . import multiprocessing as multiprocessing
from ms_compat._core.tensor.mutable import mutable as mutable
def names() -> list[Any]:
    """The names that `get_metric_fn` knows."""
from . import nn as nn
from ms_compat.common.hints import no_inline as no_inline
number: Type
number_type: Any
from . import numpy as numpy
from ms_compat.safeguard.rewrite_obfuscation import obfuscate_ckpt as obfuscate_ckpt
from . import onnx as onnx
from . import ops as ops
from . import parallel as parallel
def parameter_broadcast(net: Cell, layout: dict[Any, Any], cur_rank: _b.int = 0, initial_rank: _b.int = 0) -> Any:
    """Copies a network's Parameter values from one process to all."""
from . import profiler as profiler
from . import pytest as pytest
from ms_compat._core.dtype import pytype_to_dtype as pytype_to_dtype
qint4x2: Type
def rank_list_for_transform(
    rank_id: _b.int,
    src_strategy_file: _b.str | None = None,
    dst_strategy_file: _b.str | None = None,
) -> list[Any]:
    """The ranks whose checkpoints `transform_checkpoint_by_rank` needs for one rank."""
def rearrange_inputs(func: Callable[..., Any]) -> Any:
    """Decorator of `update`: the argument of `set_indexes` chooses and orders its inputs."""
def recompute(
    block: Cell,
    *args: Any,
    use_reentrant: _b.bool = True,
    output_recompute: _b.bool = False,
    early_stop: _b.bool = True,
    context_fn: Callable[..., Any] | None = None,
    **kwargs: Any,
) -> Any:
    """Calls a Cell so that its activations are computed again in the backward pass; see `Cell.recompute`."""
from ms_compat._autograd.saved import register_saved_tensors_hooks as register_saved_tensors_hooks
from ms_compat.parallel.algorithm import reset_algo_parameters as reset_algo_parameters
from ms_compat._core.settings.parallel_context import reset_auto_parallel_context as reset_auto_parallel_context
from ms_compat._core.settings.memory import reset_peak_memory_stats as _reset_max_memory_allocated
reset_max_memory_allocated = _reset_max_memory_allocated
from ms_compat._core.settings.memory import reset_peak_memory_stats as _reset_max_memory_reserved
reset_max_memory_reserved = _reset_max_memory_reserved
from ms_compat._core.settings.memory import reset_peak_memory_stats as reset_peak_memory_stats
from ms_compat._core.settings.parallel_context import reset_ps_context as reset_ps_context
from ms_compat.runtime.limits import reset_stream_limit as reset_stream_limit
def reshard(tensor: Tensor, layout: Any) -> Tensor:
    """The tensor, cut over devices; its values and gradients are the same."""
def restore_group_info_list(group_info_file_name: _b.str) -> list[Any]:
    """The ranks whose checkpoints hold the same slices, from the group file that a distributed job left."""
from . import rewrite as rewrite
from ms_compat.common.hints import run_check as run_check
from . import runtime as runtime
from . import safeguard as safeguard
def safetensors_to_ckpt(
    file_path: _b.str,
    save_path: _b.str | None = None,
    name_map: dict[Any, Any] | None = None,
    file_name_regex: _b.str | None = None,
    processes_num: _b.int = 1,
) -> Any:
    """Convert safetensors files to `.ckpt`."""
def save_checkpoint(
    save_obj: Cell | Sequence[Any] | dict[Any, Any],
    ckpt_file_name: _b.str,
    integrated_save: _b.bool = True,
    async_save: _b.bool | _b.str = False,
    append_dict: dict[Any, Any] | None = None,
    enc_key: bytes | None = None,
    enc_mode: _b.str = 'AES-GCM',
    choice_func: Callable[..., Any] | None = None,
    crc_check: _b.bool = False,
    format: _b.str = 'ckpt',
    **kwargs: Any,
) -> Any:
    """Save parameters to a file that MindSpore reads as well."""
def save_mindir(model: Any, file_name: _b.str) -> Any:
    """Write a message as a MindIR file; see `load_mindir`."""
from ms_compat._autograd.saved import saved_tensors_hooks as saved_tensors_hooks
from . import scipy as scipy
def seed() -> _b.int:
    """Seed the default generator from the operating system; returns the seed."""
from ms_compat.parallel.algorithm import set_algo_parameters as set_algo_parameters
from ms_compat._core.settings.parallel_context import set_auto_parallel_context as set_auto_parallel_context
from ms_compat._core.settings.context import set_context as set_context
def set_cpu_affinity(
    enable_affinity: _b.bool,
    affinity_cpu_list: Sequence[Any] | None = None,
    module_to_cpu_dict: dict[Any, Any] | None = None,
    bind_file: _b.str | None = None,
) -> Any:
    """Binds threads to cores. Unless the caller names cores, threads may run on all cores that the process may use."""
from ms_compat._core.settings.streams import set_cur_stream as set_cur_stream
from ms_compat._core.settings.context import set_deterministic as set_deterministic
from ms_compat._core.settings.context import set_device as set_device
from ms_compat.runtime.limits import set_device_limit as set_device_limit
from ms_compat.common.hints import set_dump as set_dump
def set_kernel_launch_capture(enable_capture_graph: _b.bool, op_capture_skip: Sequence[Any] | None = None) -> Any:
    """Whether launches are captured in a device graph; without effect."""
from ms_compat.runtime.settings import set_kernel_launch_group as set_kernel_launch_group
from ms_compat.runtime.settings import set_memory as set_memory
from ms_compat._core.settings.parallel_context import set_ps_context as set_ps_context
from ms_compat._core.settings.context import set_recursion_limit as set_recursion_limit
def set_rng_state(state: Tensor) -> Any:
    """Continue the default generator from a state."""
from ms_compat._core.dispatch.random import set_seed as set_seed
from ms_compat.runtime.limits import set_stream_limit as set_stream_limit
def shard(
    fn: Cell | Callable[..., Any],
    in_strategy: Sequence[Any],
    out_strategy: Sequence[Any] | None = None,
    parameter_plan: dict[Any, Any] | None = None,
) -> Any:
    """A Cell or function whose inputs and outputs are cut over devices."""
short: Type
signed_type: Any
single: Type
string: Type
def sync_pipeline_shared_parameters(net: Cell) -> Any:
    """Only checks its argument: one program runs all stages, and holds a shared Parameter once."""
from ms_compat._core.settings.memory import synchronize as synchronize
def tensor(
    input_data: Any = None,
    dtype: Any = None,
    shape: Any = None,
    init: Any = None,
    const_arg: _b.bool = False,
) -> Any:
    """Same as `Tensor(...)`, as a function."""
tensor_type: Type
from . import train as train
def transform_checkpoint_by_rank(
    rank_id: _b.int,
    checkpoint_files_map: dict[Any, Any],
    save_checkpoint_file_name: _b.str,
    src_strategy_file: _b.str | None = None,
    dst_strategy_file: _b.str | None = None,
) -> Any:
    """Convert the checkpoint of one rank to another strategy."""
def transform_checkpoints(
    src_checkpoints_dir: _b.str,
    dst_checkpoints_dir: _b.str,
    ckpt_prefix: _b.str,
    src_strategy_file: _b.str | None = None,
    dst_strategy_file: _b.str | None = None,
    process_num: _b.int = 1,
    output_format: _b.str = 'ckpt',
) -> Any:
    """Convert the checkpoints of all ranks to another strategy."""
tuple_: Type
type_none: Type
ubyte: Type
uint: Type
uint16: Type
uint32: Type
uint64: Type
uint8: Type
uint_type: Any
uintc: Type
uintp: Type
def unified_safetensors(
    src_dir: _b.str,
    src_strategy_file: _b.str,
    dst_dir: _b.str,
    merge_with_redundancy: _b.bool = True,
    file_suffix: _b.str | None = None,
    max_process_num: _b.int = 64,
    choice_func: Callable[..., Any] | None = None,
    split_dst_file: Sequence[Any] = ...,
) -> Any:
    """Put the safetensors of all ranks together."""
from ms_compat.install import uninstall as uninstall
from ms_compat.install import unload_ipython_extension as unload_ipython_extension
from ms_compat.runtime.memory_pools import use_mem_pool as use_mem_pool
ushort: Type
from . import utils as utils
def value_and_grad(
    fn: Cell | Callable[..., Any],
    grad_position: _b.int | Sequence[_b.int] | None = 0,
    weights: Iterable[Any] = None,
    has_aux: _b.bool = False,
    return_ids: _b.bool = False,
    sens_param: _b.bool = False,
) -> Any:
    """As `grad`; the function that is returned gives `(output of fn, gradients)`."""
from . import version as version
def vjp(fn: Callable[..., Any] | Cell, *inputs: Any, weights: Iterable[Any] = None, has_aux: _b.bool = False) -> Any:
    """Run a function and return its outputs and its vector-Jacobian product."""
def vmap(fn: Any, in_axes: _b.int | Sequence[Any] = 0, out_axes: _b.int | Sequence[Any] = 0) -> Any:
    """Map a function over an axis of its inputs."""
