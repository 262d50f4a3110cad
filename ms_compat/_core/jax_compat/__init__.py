"""JAX's private names: the only folder that uses them.

Every other module uses `jax`, `jax.numpy`, `jax.lax`, `jax.nn`, `jax.tree_util` and `jax.sharding` as documented. This
folder holds what the engine needs beyond them, so that a new JAX release can break only one place. `capabilities.py`
imports the names, and `README.md` says what happens where a release lacks one. `tests/test_packaging.py` makes sure
that it stays the only place.
"""

from __future__ import annotations

import jax
import jaxlib

from ms_compat._core.jax_compat.array_limits import check_arrays_of_programs as check_arrays_of_programs
from ms_compat._core.jax_compat.array_limits import check_countable as check_countable
from ms_compat._core.jax_compat.backends import backends_are_initialized as backends_are_initialized
from ms_compat._core.jax_compat.backends import coordination_client as coordination_client
from ms_compat._core.jax_compat.backends import enable_x64 as enable_x64
from ms_compat._core.jax_compat.backends import listen_at as listen_at
from ms_compat._core.jax_compat.backends import place_in_job as place_in_job
from ms_compat._core.jax_compat.backends import strong_wolfe_search as strong_wolfe_search
from ms_compat._core.jax_compat.backends import with_cudnn as with_cudnn
from ms_compat._core.jax_compat.capabilities import ArrayImpl as ArrayImpl
from ms_compat._core.jax_compat.capabilities import InconclusiveDimensionOperation as InconclusiveDimensionOperation
from ms_compat._core.jax_compat.capabilities import Offloadable as Offloadable
from ms_compat._core.jax_compat.capabilities import Tracer as Tracer
from ms_compat._core.jax_compat.capabilities import eval_context as eval_context
from ms_compat._core.jax_compat.capabilities import missing_features as missing_features
from ms_compat._core.jax_compat.capabilities import require as require
from ms_compat._core.jax_compat.compilation_cache import keep_in_users_cache as keep_in_users_cache
from ms_compat._core.jax_compat.compilation_cache import program_of_users_cache as program_of_users_cache
from ms_compat._core.jax_compat.compilation_cache import set_program_cache as set_program_cache
from ms_compat._core.jax_compat.files import HERE as HERE
from ms_compat._core.jax_compat.files import STANDARD as STANDARD
from ms_compat._core.jax_compat.jaxprs import bind_equation as bind_equation
from ms_compat._core.jax_compat.jaxprs import closed_jaxpr as closed_jaxpr
from ms_compat._core.jax_compat.jaxprs import inputs_read as inputs_read
from ms_compat._core.jax_compat.jaxprs import is_recomputed as is_recomputed
from ms_compat._core.jax_compat.jaxprs import jaxpr_as_fun as jaxpr_as_fun
from ms_compat._core.jax_compat.jaxprs import live_equations as live_equations
from ms_compat._core.jax_compat.jaxprs import scan_counts as scan_counts
from ms_compat._core.jax_compat.jaxprs import traceback_of as traceback_of
from ms_compat._core.jax_compat.jit_fallback import jit_with_fallback as jit_with_fallback
from ms_compat._core.jax_compat.jit_fallback import run_no_programs as run_no_programs
from ms_compat._core.jax_compat.placement import adopted as adopted
from ms_compat._core.jax_compat.placement import from_host as from_host
from ms_compat._core.jax_compat.placement import is_committed as is_committed
from ms_compat._core.jax_compat.placement import is_deleted_error as is_deleted_error
from ms_compat._core.jax_compat.placement import is_on_default_cpu as is_on_default_cpu
from ms_compat._core.jax_compat.placement import of_scalar as of_scalar
from ms_compat._core.jax_compat.placement import put_on_default_cpu as put_on_default_cpu
from ms_compat._core.jax_compat.placement import uncommitted as uncommitted
from ms_compat._core.jax_compat.symbolic_sizes import AnswersForNumbers as AnswersForNumbers
from ms_compat._core.jax_compat.symbolic_sizes import Decisions as Decisions
from ms_compat._core.jax_compat.symbolic_sizes import SizeWatch as SizeWatch
from ms_compat._core.jax_compat.symbolic_sizes import array_of_size as array_of_size
from ms_compat._core.jax_compat.symbolic_sizes import decided_by as decided_by
from ms_compat._core.jax_compat.symbolic_sizes import extreme_size as extreme_size
from ms_compat._core.jax_compat.symbolic_sizes import has_symbolic_size as has_symbolic_size
from ms_compat._core.jax_compat.symbolic_sizes import is_above as is_above
from ms_compat._core.jax_compat.symbolic_sizes import is_at_least as is_at_least
from ms_compat._core.jax_compat.symbolic_sizes import is_positive as is_positive
from ms_compat._core.jax_compat.symbolic_sizes import is_symbolic_size as is_symbolic_size
from ms_compat._core.jax_compat.symbolic_sizes import is_watched as is_watched
from ms_compat._core.jax_compat.symbolic_sizes import mark_comparisons as mark_comparisons
from ms_compat._core.jax_compat.symbolic_sizes import size_at as size_at
from ms_compat._core.jax_compat.symbolic_sizes import symbols_of as symbols_of
from ms_compat._core.jax_compat.symbolic_sizes import terms_of as terms_of
from ms_compat._core.jax_compat.tracers import CONCRETIZATION_ERRORS as CONCRETIZATION_ERRORS
from ms_compat._core.jax_compat.tracers import TRACING_ERRORS as TRACING_ERRORS
from ms_compat._core.jax_compat.tracers import UnexpectedTracerError as UnexpectedTracerError
from ms_compat._core.jax_compat.tracers import as_weak as as_weak
from ms_compat._core.jax_compat.tracers import is_eager as is_eager
from ms_compat._core.jax_compat.tracers import is_mapped as is_mapped
from ms_compat._core.jax_compat.tracers import is_weak as is_weak
from ms_compat._core.jax_compat.tracers import preserve_trace as preserve_trace
from ms_compat._core.jax_compat.tracers import primal_of as primal_of
from ms_compat._core.jax_compat.tracers import trace_of as trace_of

JAX_VERSION = tuple(int(part) for part in jax.__version__.split(".")[:3] if part.isdigit())
JAXLIB_VERSION: str = jaxlib.__version__
float0 = jax.dtypes.float0
