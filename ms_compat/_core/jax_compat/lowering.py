"""How JAX's primitives become programs for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax.experimental.xla_metadata import set_xla_metadata

from ms_compat._core.jax_compat.capabilities import mlir


def offer_on_cpu(primitive: Any, function_for: Callable[..., Callable | None]) -> None:
    """Let a primitive be lowered for the CPU as another function, in this process.

    Programs for several devices or several platforms, exported ones, and those that are planned for other machines are
    lowered as before. It needs `HAS_LOWERINGS`.

    Args:
        primitive: one of JAX's, with one result.
        function_for: gets the abstract values of inputs and result, and the primitive's parameters; gives the
            function, or None where JAX's own lowering stays.
    """
    own = mlir._platform_specific_lowerings["cpu"].get(primitive) or mlir._lowerings[primitive]
    otherwise = own.rule

    def rule(context: Any, *operands: Any, **parameters: Any) -> Any:
        function = None
        if _runs_here(context.module_context):
            function = function_for(context.avals_in, context.avals_out[0], parameters)
        if function is None:
            return otherwise(context, *operands, **parameters)
        return mlir.lower_fun(function, multiple_results=False)(context, *operands)

    mlir.register_lowering(primitive, rule, platform="cpu")


def unfused(function: Callable) -> Callable:
    """A function of arrays that XLA does not merge with the program around it, so that it computes each result once.

    `lax.optimization_barrier` does not do this on CPUs, where XLA removes it before it merges operations.
    """

    def called(*args: Any) -> Any:
        with set_xla_metadata(inlineable="false"):
            return jax.jit(function)(*args)

    return called


def _runs_here(module: Any) -> bool:
    """Whether a program is for one processor of this process."""
    alone = getattr(module.axis_context, "num_devices", None) == 1
    return alone and tuple(module.platforms) == ("cpu",) and not module.lowering_parameters.for_export
