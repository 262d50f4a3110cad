"""Every private name of JAX that this package imports, and a flag for each feature that JAX may stop to offer.

JAX promises nothing about these names: a release may rename or remove them. The names under "Required" have no
substitute, and without one of them importing this package raises a single ImportError. All other names belong to a
feature with a flag `HAS_...`. Without one of its names the flag is False, the package does what `WITHOUT` says, and the
log has one line about it at level DEBUG. `README.md` in this folder lists the features with the JAX versions that have
them; `tests/_core/jax_compat/test_capabilities.py` hides each name in turn.

Names are imported here and not where they are used, so that a reader of a traceback from a new JAX has one place to
look at. Attributes of JAX's objects are used elsewhere in this folder; those that may disappear are checked here.
"""

from __future__ import annotations

import logging
from typing import Any, Final

import jax

from ms_compat._core.errors import UnsupportedError

logger = logging.getLogger("ms_compat")

TESTED: Final = "0.10.0 to 0.12.0.1"
_GONE: Any = None  # what a name is that this JAX does not have; its flag is False then

# -- Required
try:
    from jax._src.core import eval_context as eval_context
    from jax.core import ShapedArray as ShapedArray
    from jax.core import Tracer as Tracer

    try:
        from jax._src.array import ArrayImpl as ArrayImpl
    except ImportError:  # the class moved into jaxlib's extension
        from jaxlib._jax import ArrayImpl as ArrayImpl  # type: ignore[no-redef,import-not-found]
except ImportError as missing:
    raise ImportError(
        f"This version of ms_compat does not work with JAX {jax.__version__}, which lacks a name that it needs: "
        f"{missing}. Install one of JAX {TESTED}, or a newer ms_compat."
    ) from missing

# -- The open trace
try:
    from jax._src.core import eval_trace as eval_trace
    from jax._src.core import trace_ctx as trace_ctx
except ImportError:
    eval_trace = trace_ctx = _GONE
HAS_TRACE_CONTEXT: Final[bool] = (
    hasattr(trace_ctx, "trace")
    and hasattr(trace_ctx, "axis_env")
    and hasattr(trace_ctx, "set_trace")
    and hasattr(trace_ctx, "set_axis_env")
)

# -- Tracers and jaxprs
try:
    from jax._src.interpreters.batching import BatchTracer as BatchTracer
except ImportError:
    BatchTracer = _GONE  # type: ignore[misc]
HAS_BATCH_TRACER: Final[bool] = hasattr(BatchTracer, "batch_dim")

try:
    from jax._src.lax.lax import _convert_element_type as convert_element_type
except ImportError:
    convert_element_type = _GONE
HAS_WEAK_CONVERSION: Final[bool] = convert_element_type is not _GONE

try:
    from jax._src.interpreters.partial_eval import dce_jaxpr as dce_jaxpr
except ImportError:
    dce_jaxpr = _GONE
HAS_DCE: Final[bool] = dce_jaxpr is not _GONE

try:
    from jax._src.interpreters.partial_eval import Offloadable as Offloadable
except ImportError:
    Offloadable = _GONE  # type: ignore[misc]
HAS_OFFLOAD: Final[bool] = Offloadable is not _GONE

try:
    from jax._src.interpreters import mlir as mlir
except ImportError:
    mlir = _GONE
HAS_LOWERINGS: Final[bool] = hasattr(mlir, "_lowerings") and hasattr(mlir, "_platform_specific_lowerings")

# -- Symbolic sizes
try:
    from jax._src.export import shape_poly as shape_poly
    from jax._src.export.shape_poly import InconclusiveDimensionOperation as InconclusiveDimensionOperation
    from jax._src.export.shape_poly import _DimExpr as DimExpr
except ImportError:
    shape_poly = InconclusiveDimensionOperation = DimExpr = _GONE  # type: ignore[misc]
HAS_SYMBOLIC_SIZES: Final[bool] = (
    hasattr(shape_poly, "_geq_decision") and hasattr(DimExpr, "_sorted_terms") and hasattr(DimExpr, "_evaluate")
)

try:
    from jax._src.core import dimension_as_value as dimension_as_value
except ImportError:
    dimension_as_value = _GONE
HAS_DIMENSION_AS_VALUE: Final[bool] = dimension_as_value is not _GONE

# -- The cache of `jax.jit`
try:
    from jax._src import pjit as pjit
except ImportError:
    pjit = _GONE
HAS_JIT_ENTRY: Final[bool] = hasattr(pjit, "_infer_params")

try:
    from jax._src.interpreters.pxla import JitGlobalCppCacheKeys as JitGlobalCppCacheKeys
    from jax._src.interpreters.pxla import cc_shard_arg as cc_shard_arg
    from jax._src.lib import _jax as extension
    from jax._src.pjit import _get_cpp_global_cache as get_cpp_global_cache
    from jax._src.tree_util import dispatch_registry as dispatch_registry
except ImportError:
    JitGlobalCppCacheKeys = cc_shard_arg = extension = get_cpp_global_cache = dispatch_registry = _GONE  # type: ignore[misc]
HAS_JIT_FALLBACK: Final[bool] = hasattr(extension, "pjit")

# -- Programs: their types, and where they are stored
try:
    from jax._src.interpreters.mlir import ir_type_handlers as ir_type_handlers
except ImportError:
    ir_type_handlers = _GONE
HAS_IR_TYPE_HANDLERS: Final[bool] = ShapedArray in (ir_type_handlers or {})

try:
    from jax._src import compilation_cache as compilation_cache
except ImportError:
    compilation_cache = _GONE
HAS_PROGRAM_CACHE_HOOK: Final[bool] = (
    hasattr(compilation_cache, "_cache")
    and hasattr(compilation_cache, "_cache_initialized")
    and hasattr(compilation_cache, "_cache_initialized_mutex")
    and hasattr(compilation_cache, "_initialize_cache")
    and hasattr(compilation_cache, "reset_cache")
)

# -- Devices and processes
try:
    from jax._src.lib import xla_client as xla_client
except ImportError:
    xla_client = _GONE
HAS_FAST_PLACEMENT: Final[bool] = hasattr(xla_client, "batched_device_put")

try:
    from jax._src.xla_bridge import backends_are_initialized as backends_are_initialized
except ImportError:
    backends_are_initialized = _GONE
HAS_BACKENDS_QUERY: Final[bool] = backends_are_initialized is not _GONE

try:
    from jax._src.distributed import global_state as job_state
except ImportError:
    job_state = _GONE
HAS_JOB_STATE: Final[bool] = (
    hasattr(job_state, "client") and hasattr(job_state, "process_id") and hasattr(job_state, "num_processes")
)

try:
    from jax._src.lib import _jax as collectives
    from jax._src.xla_bridge import make_cpu_client as make_cpu_client
    from jax._src.xla_bridge import register_backend_factory as register_backend_factory
except ImportError:
    collectives = make_cpu_client = register_backend_factory = _GONE
HAS_GLOO_ADDRESS: Final[bool] = hasattr(collectives, "make_gloo_tcp_collectives")

try:
    from jax._src.cudnn import fused_attention_stablehlo as cudnn_attention
except ImportError:
    cudnn_attention = _GONE
HAS_CUDNN_CHECK: Final[bool] = hasattr(cudnn_attention, "check_cudnn_version")

WITHOUT: Final[dict[str, str]] = {
    "HAS_TRACE_CONTEXT": "first calls are compiled, and an interrupt may leave a trace open",
    "HAS_BATCH_TRACER": "vmap raises UnsupportedError",
    "HAS_WEAK_CONVERSION": "numbers of a traced program are made weakly typed by the primitive itself",
    "HAS_DCE": "every input of an operation counts as read, also if its inner program ignores it",
    "HAS_OFFLOAD": "Cell.offload raises UnsupportedError",
    "HAS_LOWERINGS": "convolutions, products and pooling are XLA's own",
    "HAS_SYMBOLIC_SIZES": "no program serves several shapes, and export with open sizes raises UnsupportedError",
    "HAS_DIMENSION_AS_VALUE": "symbolic sizes become arrays by jax.numpy.asarray",
    "HAS_JIT_ENTRY": "in a forked process, the error for a computation has JAX's text",
    "HAS_JIT_FALLBACK": "first calls are compiled",
    "HAS_IR_TYPE_HANDLERS": "XLA ends the process for an array of 2**63 bytes or more inside a program",
    "HAS_PROGRAM_CACHE_HOOK": "compiled programs are not stored on disk",
    "HAS_FAST_PLACEMENT": "arrays are placed by jax.device_put",
    "HAS_BACKENDS_QUERY": "JAX counts as initialized from the import on",
    "HAS_JOB_STATE": "messages between processes raise UnsupportedError",
    "HAS_GLOO_ADDRESS": "collectives of a job on one machine use the address of its host name",
    "HAS_CUDNN_CHECK": "planning cuDNN attention for a GPU that is absent raises UnsupportedError",
}


def missing_features() -> list[str]:
    """The flags that are False with this JAX."""
    return [name for name in WITHOUT if not globals()[name]]


def require(flag: str, api: str) -> None:
    """Check that this JAX has what an API needs.

    Args:
        flag: the name of the feature's flag.
        api: the name of the API, such as "mindspore.vmap".

    Raises:
        UnsupportedError: the flag is False.
    """
    if not globals()[flag]:
        raise UnsupportedError(api, f"JAX {jax.__version__} lacks what it needs; JAX {TESTED} have it.")


for _name in missing_features():
    logger.debug("JAX %s lacks what %s needs: %s", jax.__version__, _name, WITHOUT[_name])
