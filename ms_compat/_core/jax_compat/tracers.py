"""Tracers, the errors that they raise, and the trace that is open."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.jax_compat.capabilities import (
    HAS_BATCH_TRACER,
    HAS_TRACE_CONTEXT,
    HAS_WEAK_CONVERSION,
    BatchTracer,
    Tracer,
    convert_element_type,
    eval_trace,
    trace_ctx,
)

CONCRETIZATION_ERRORS = (
    jax.errors.ConcretizationTypeError,  # base of TracerBoolConversionError, TracerIntegerConversionError ...
    jax.errors.TracerArrayConversionError,
)
# beside those, what JAX raises where Python cannot be traced: a mask as an index, a tracer that outlived its trace
UnexpectedTracerError = jax.errors.UnexpectedTracerError
TRACING_ERRORS = (*CONCRETIZATION_ERRORS, jax.errors.NonConcreteBooleanIndexError, UnexpectedTracerError)


def is_weak(value: object) -> bool:
    """Whether a traced value came from a Python scalar (JAX marks it weakly typed) rather than from a Tensor."""
    aval = getattr(value, "aval", None)
    return aval is not None and aval.weak_type and not aval.shape


def as_weak(value: Any, dtype: Any) -> Any:
    """The value in a dtype and weakly typed, as JAX takes Python scalars."""
    if HAS_WEAK_CONVERSION:
        return convert_element_type(value, dtype, weak_type=True)
    dtype = np.dtype(dtype)
    if getattr(value, "dtype", None) == dtype and getattr(value, "weak_type", False):
        return value
    return jax.lax.convert_element_type_p.bind(value, new_dtype=dtype, weak_type=True, sharding=None)


def trace_of(value: Any) -> Any:
    """The transformation of JAX (a gradient, a jit) that a tracer belongs to; None for an array."""
    return getattr(value, "_trace", None)


def primal_of(value: Any) -> Any:
    """The primal value of a gradient's tracer; any other value unchanged."""
    return getattr(value, "primal", value) if isinstance(value, Tracer) else value


def is_mapped(value: Any) -> bool:
    """Whether a value inside of `jax.vmap` differs along the axis that is mapped."""
    return HAS_BATCH_TRACER and isinstance(value, BatchTracer) and value.batch_dim is not None


def is_eager() -> bool:
    """Whether operations on arrays compute at once: nothing is traced, or the trace is set aside.

    A transformation that names an axis may be open: JAX's `trace_state_clean` returns False then. Without JAX's trace
    context the answer is always False.
    """
    return HAS_TRACE_CONTEXT and trace_ctx.trace is eval_trace


class preserve_trace:  # reads as a statement
    """While it is open, an exception leaves JAX's trace as it was.

    An interrupt between two lines of `jax.core.set_current_trace` leaves a trace open, in which all that follows is
    only traced then.
    """

    __slots__ = ("axes", "trace")

    def __enter__(self) -> None:
        if HAS_TRACE_CONTEXT:
            self.trace, self.axes = trace_ctx.trace, trace_ctx.axis_env

    def __exit__(self, kind: Any, *exc: Any) -> None:
        if kind is not None and HAS_TRACE_CONTEXT:
            trace_ctx.set_trace(self.trace)
            trace_ctx.set_axis_env(self.axes)
