"""The `mindspore` namespace, served on JAX.

`import ms_compat as ms` gives MindSpore's public API; `ms_compat.install()` makes `import mindspore` resolve to it.
Here are re-exports only. Subpackages are imported when they are first used, which keeps `import ms_compat` close to
`import jax`.
"""

from __future__ import annotations

import sys as _sys

from ms_compat._core import interrupts as _interrupts
from ms_compat._core.settings import allocation as _allocation

_interrupts.end_while_starting()
_allocation.restart_command()

from ms_compat._core import jax_compat as _jax_compat
from ms_compat._core.diagnostics import forks as _forks
from ms_compat._core.settings import device as _device
from ms_compat._core.settings import program_cache as _program_cache

_jax_compat.enable_x64()
_device.use_tensor_float_defaults()
_program_cache.configure()
_forks.watch()
_interrupts.redeliver_dropped()
# As MindSpore sets it. A Cell takes two or three frames; Python's own 1000 end networks of some 300 nested ones.
_sys.setrecursionlimit(max(_sys.getrecursionlimit(), 10_000))

from ms_compat._autograd.forward_mode import jacfwd as jacfwd
from ms_compat._autograd.forward_mode import jacrev as jacrev
from ms_compat._autograd.forward_mode import jvp as jvp
from ms_compat._autograd.forward_mode import vmap as vmap
from ms_compat._autograd.grad import get_grad as get_grad
from ms_compat._autograd.grad import grad as grad
from ms_compat._autograd.grad import value_and_grad as value_and_grad
from ms_compat._autograd.vjp import vjp as vjp
from ms_compat._compile.jit import jit as jit
from ms_compat._compile.jit import jit_class as jit_class
from ms_compat._compile.jit import ms_function as ms_function
from ms_compat._core import dtype as _dtype
from ms_compat._core.dispatch.random import get_seed as get_seed
from ms_compat._core.dispatch.random import set_seed as set_seed
from ms_compat._core.dtype import TensorType as TensorType
from ms_compat._core.dtype import Type as Type
from ms_compat._core.dtype import dtype_to_nptype as dtype_to_nptype
from ms_compat._core.dtype import dtype_to_pytype as dtype_to_pytype
from ms_compat._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from ms_compat._core.dtype import pytype_to_dtype as pytype_to_dtype
from ms_compat._core.errors import AmbiguousTruthError as AmbiguousTruthError
from ms_compat._core.errors import IntegerGradientError as IntegerGradientError
from ms_compat._core.errors import JoinError as JoinError
from ms_compat._core.errors import NotTraceableError as NotTraceableError
from ms_compat._core.errors import StrictAttributeError as StrictAttributeError
from ms_compat._core.errors import StrictSyntaxError as StrictSyntaxError
from ms_compat._core.errors import TapeOnlyError as TapeOnlyError
from ms_compat._core.errors import UnsupportedError as UnsupportedError
from ms_compat._core.errors import UnsupportedMethodError as UnsupportedMethodError
from ms_compat._core.settings.context import COMPATIBLE as COMPATIBLE
from ms_compat._core.settings.context import GRAPH_MODE as GRAPH_MODE
from ms_compat._core.settings.context import LAX as LAX
from ms_compat._core.settings.context import PYNATIVE_MODE as PYNATIVE_MODE
from ms_compat._core.settings.context import STRICT as STRICT
from ms_compat._core.settings.context import get_context as get_context
from ms_compat._core.settings.context import get_current_device as get_current_device
from ms_compat._core.settings.context import set_context as set_context
from ms_compat._core.settings.context import set_deterministic as set_deterministic
from ms_compat._core.settings.context import set_device as set_device
from ms_compat._core.settings.context import set_recursion_limit as set_recursion_limit
from ms_compat._core.settings.parallel_context import ParallelMode as ParallelMode
from ms_compat._core.settings.parallel_context import get_auto_parallel_context as get_auto_parallel_context
from ms_compat._core.settings.parallel_context import get_ps_context as get_ps_context
from ms_compat._core.settings.parallel_context import reset_auto_parallel_context as reset_auto_parallel_context
from ms_compat._core.settings.parallel_context import reset_ps_context as reset_ps_context
from ms_compat._core.settings.parallel_context import set_auto_parallel_context as set_auto_parallel_context
from ms_compat._core.settings.parallel_context import set_ps_context as set_ps_context
from ms_compat._core.tensor import Tensor as Tensor
from ms_compat._core.tensor import tensor as tensor
from ms_compat._core.tensor.mutable import mutable as mutable
from ms_compat._core.tensor.parameter import Parameter as Parameter
from ms_compat._core.tensor.parameter import ParameterTuple as ParameterTuple
from ms_compat._core.tensor.sparse import COOTensor as COOTensor
from ms_compat._core.tensor.sparse import CSRTensor as CSRTensor
from ms_compat._core.tensor.sparse import RowTensor as RowTensor
from ms_compat._core.tensor.sparse import SparseTensor as SparseTensor
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat._tensor import methods as _methods
from ms_compat.version import __compat_version__ as __compat_version__
from ms_compat.version import __version__ as __version__

for _name in (
    "bool_ int8 byte int16 short int32 intc int64 intp uint8 ubyte uint16 ushort uint32 uintc uint64 uintp float16 "
    "half float32 single float64 double bfloat16 complex64 complex128 number int_ uint float_ string tuple_ list_ "
    "tensor_type type_none qint4x2 float8_e4m3fn float8_e5m2 hifloat8 int float bool long cfloat cdouble QuantDtype "
    "all_types number_type int_type uint_type float_type signed_type complex_type"
).split():
    globals()[_name] = getattr(_dtype, _name)

_methods.attach()

dtype = _dtype
setattr(_dtype, "__getattr__", _unsupported_getattr(f"{__name__}.dtype"))  # noqa: B010 - type checkers refuse to assign it
from_numpy = Tensor.from_numpy

# Defined in subpackages and imported on first use, as the subpackages themselves are.
_LAZY = {
    "JitConfig": "common.jit_config",
    **dict.fromkeys(
        "Generator default_generator get_rng_state initial_seed manual_seed seed set_rng_state".split(),
        "common.generator",
    ),
    "Model": "train.model",
    **dict.fromkeys("load_ipython_extension unload_ipython_extension".split(), "install"),
    "Profiler": "profiler",
    "constexpr": "ops",
    **dict.fromkeys("no_inline recompute run_check set_dump".split(), "common.hints"),
    **dict.fromkeys("get_algo_parameters reset_algo_parameters set_algo_parameters".split(), "parallel"),
    **dict.fromkeys("get_level get_log_config".split(), "log"),
    **dict.fromkeys(
        "Event MemPool PluggableAllocator Stream StreamCtx StreamLimitCtx communication_stream current_stream "
        "default_stream set_cur_stream get_device_limit get_stream_limit memory_replay reset_stream_limit "
        "set_device_limit set_stream_limit use_mem_pool dispatch_threads_num empty_cache launch_blocking "
        "max_memory_allocated max_memory_reserved memory_allocated "
        "memory_reserved memory_stats memory_summary reset_max_memory_allocated reset_max_memory_reserved "
        "reset_peak_memory_stats set_cpu_affinity set_kernel_launch_capture set_kernel_launch_group set_memory "
        "synchronize".split(),
        "runtime",
    ),
    **dict.fromkeys("UntypedStorage frombuffer".split(), "_tensor.storage"),
    **dict.fromkeys(
        "Layout parameter_broadcast reshard shard sync_pipeline_shared_parameters".split(), "parallel.shard"
    ),
    "install": "install",
    **dict.fromkeys("register_saved_tensors_hooks saved_tensors_hooks".split(), "_autograd.saved"),
    "is_tensor": "ops",
    **dict.fromkeys(["load_obf_params_into_net", "obfuscate_ckpt"], "safeguard"),
    "lazy_inline": "graph.lazy_inline",
    **dict.fromkeys(["Node", "NodeType", "ScopedValue", "SymbolTree"], "rewrite"),
    "uninstall": "install",
    **dict.fromkeys(
        "Accuracy BackupAndRestore BleuScore Callback CheckpointConfig ConfusionMatrix ConfusionMatrixMetric "
        "ConvertModelUtils ConvertNetUtils CosineSimilarity DatasetHelper Dice DynamicLossScaleManager EarlyStopping "
        "F1 Fbeta FixedLossScaleManager FlopsUtilizationCollector HausdorffDistance History LambdaCallback "
        "LearningRateScheduler Loss LossMonitor LossScaleManager MAE MSE MeanSurfaceDistance Metric ModelCheckpoint "
        "OcclusionSensitivity OnRequestExit Perplexity Precision ROC Recall ReduceLROnPlateau RootMeanSquareDistance "
        "RunContext SummaryCollector SummaryLandscape SummaryRecord TimeMonitor Top1CategoricalAccuracy "
        "Top5CategoricalAccuracy TopKCategoricalAccuracy TrainFaultTolerance auc build_train_network "
        "connect_network_with_dataset data_sink get_metric_fn names rearrange_inputs".split(),
        "train",
    ),
    **dict.fromkeys(
        "async_ckpt_thread_status build_searched_strategy ckpt_to_safetensors export export_split_mindir "
        "get_ckpt_path_with_strategy load load_checkpoint load_checkpoint_async load_distributed_checkpoint "
        "load_mindir load_param_into_net merge_sliced_parameter restore_group_info_list safetensors_to_ckpt "
        "save_checkpoint save_mindir".split(),
        "train.serialization",
    ),
    **dict.fromkeys(
        "load_segmented_checkpoints merge_pipeline_strategys rank_list_for_transform transform_checkpoint_by_rank "
        "transform_checkpoints unified_safetensors".split(),
        "parallel",
    ),
}
_unsupported = _unsupported_getattr("ms_compat")


def __dir__():
    from pkgutil import iter_modules

    served = {*globals(), *_LAZY, *[module.name for module in iter_modules(__path__)]}
    return sorted(
        name for name in served if name == "__version__" or not name.startswith("_") and name != "annotations"
    )


def __getattr__(name):
    module = _LAZY.get(name)
    if module is None:
        return _unsupported(name)
    from importlib import import_module

    found = import_module(f"ms_compat.{module}")
    # the module `install` can be called, and a later `import ms_compat.install` must find the module
    value = found if name == module else getattr(found, name)
    globals()[name] = value
    return value
