"""The only importer of JAX names that JAX does not promise to keep.

Every other module uses `jax`, `jax.numpy`, `jax.lax`, `jax.nn`, `jax.tree_util` and `jax.sharding` as documented. What
the engine needs beyond them (the concrete array type for an exact `type(x) is ArrayImpl` test, the tracer base class,
evaluating a closed jaxpr) is gathered here, so that a new JAX release has one file to break.
`tests/test_packaging.py` makes sure that it stays the only one.
"""

from __future__ import annotations

import os
import sysconfig
from typing import Any

import jax
from jax._src import distributed as _distributed
from jax._src import xla_bridge as _xla_bridge
from jax._src.interpreters.batching import BatchTracer as _BatchTracer
from jax._src.interpreters.partial_eval import Offloadable as Offloadable
from jax._src.interpreters.partial_eval import dce_jaxpr as _dce_jaxpr
from jax._src.lax.lax import _convert_element_type
from jax.core import Tracer as Tracer

try:
    from jax._src.array import ArrayImpl as ArrayImpl
except ImportError:  # the class moved into jaxlib's extension
    from jaxlib._jax import ArrayImpl as ArrayImpl  # type: ignore[no-redef,import-not-found]

JAX_VERSION = tuple(int(part) for part in jax.__version__.split(".")[:3] if part.isdigit())
float0 = jax.dtypes.float0
_STANDARD = sysconfig.get_path("stdlib") + os.sep

CONCRETIZATION_ERRORS = (
    jax.errors.ConcretizationTypeError,  # base of TracerBoolConversionError, TracerIntegerConversionError ...
    jax.errors.TracerArrayConversionError,
)
# beside those, what JAX raises where Python cannot be traced: a mask as an index, a tracer that outlived its trace
TRACING_ERRORS = (*CONCRETIZATION_ERRORS, jax.errors.NonConcreteBooleanIndexError, jax.errors.UnexpectedTracerError)


def jaxpr_as_fun(closed: Any) -> Any:
    """The function that a closed jaxpr is. `jax.extend`, imported when the first is needed, takes Pallas along."""
    from jax.extend import core

    return core.jaxpr_as_fun(closed)


def closed_jaxpr(jaxpr: Any, consts: list[Any]) -> Any:
    """A jaxpr together with the values of its constants."""
    from jax.extend import core

    return core.ClosedJaxpr(jaxpr, consts)


def bind_equation(eqn: Any, inputs: Any, params: dict[str, Any]) -> list[Any]:
    """Evaluate one equation of a jaxpr on other inputs, with other parameters; its outputs."""
    found = eqn.primitive.get_bind_params(params)
    functions, params = found if isinstance(found, tuple) else ((), found)
    out = eqn.primitive.bind(*functions, *inputs, **params)
    return list(out) if eqn.primitive.multiple_results else [out]


def inputs_read(function: Any, *inputs: Any) -> list[bool]:
    """Which of the arrays (or shapes with dtypes) among its inputs the outputs of a function depend on."""
    jaxpr = jax.make_jaxpr(function)(*inputs).jaxpr
    return _dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))[1]


def live_equations(jaxpr: Any) -> list[Any]:
    """The equations of a jaxpr that its outputs depend on, or that have effects."""
    return _dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))[0].eqns


def is_recomputed(eqn: Any) -> bool:
    """Whether `jax.checkpoint` computes an equation again for a gradient."""
    return "rematted_computation" in str(eqn.source_info.name_stack)


def enable_x64() -> None:
    """Turn on 64-bit types: MindSpore's Int64 and Float64 are exact, and JAX never chooses an output dtype here."""
    jax.config.update("jax_enable_x64", True)


def is_weak(value: object) -> bool:
    """Whether a traced value came from a Python scalar (JAX marks it weakly typed) rather than from a Tensor."""
    aval = getattr(value, "aval", None)
    return aval is not None and aval.weak_type and not aval.shape


def trace_of(value: Any) -> Any:
    """The transformation of JAX (a gradient, a jit) that a tracer belongs to; None for an array."""
    return getattr(value, "_trace", None)


def is_mapped(value: Any) -> bool:
    """Whether a value inside of `jax.vmap` differs along the axis that is mapped."""
    return isinstance(value, _BatchTracer) and value.batch_dim is not None


def as_weak(value: Any, dtype: Any) -> Any:
    """The value in a dtype and weakly typed, as JAX takes Python scalars."""
    return _convert_element_type(value, dtype, weak_type=True)


def backends_are_initialized() -> bool:
    """Whether JAX has looked for its devices yet; asking does not make it look."""
    return _xla_bridge.backends_are_initialized()


def uncommitted(array: jax.Array) -> jax.Array:
    """The same data as an array that is free to go to other devices, as the results of ordinary operations are.

    What comes out of a program over several processes is committed to its device, and would compile every operation
    that it meets a second time.
    """
    return ArrayImpl(array.aval, array.sharding, [array], committed=False)  # type: ignore[list-item]


def coordination_client() -> Any:
    """The client of the key-value store that the processes of a job share; None before `jax.distributed` started."""
    return _distributed.global_state.client


def strong_wolfe_search(function: Any, at: jax.Array, direction: jax.Array, **options: Any) -> Any:
    """JAX's line search for the strong Wolfe conditions, which `jax.scipy.optimize` uses and does not show."""
    from jax._src.scipy.optimize.line_search import line_search

    return line_search(function, at, direction, **options)


def users_line(eqn: Any) -> str | None:
    """The line of the user's program, "file:line", that an equation of a jaxpr comes from; None if it is not known.

    It is the innermost one that is neither in an installed package nor in this one.
    """
    traceback = eqn.source_info.traceback
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
    for frame in traceback.frames if traceback is not None else ():
        name = frame.file_name
        if not name.startswith((here, "<")) and "site-packages" not in name and not name.startswith(_STANDARD):
            return f"{name}:{frame.line_num}"
    return None
