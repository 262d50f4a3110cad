"""Results of `jax.custom_vjp` functions that keep the function's rule where they are differentiated again.

`jax.vjp` inside another gradient replaces such a function by its forward function's computation, and the outer gradient
differentiates that. A forward function that calls the function itself for its result keeps the rule. A forward function
that cannot, because its residuals are by-products of the result, ends with `by_rule`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax


def by_rule(out: Any, inputs: tuple, residuals: Any, backward: Callable) -> Any:
    """`out` of a forward function, with the derivative that the function's rule has.

    Args:
        out: what the forward function has computed from `inputs`.
        inputs: the arguments of the function.
        residuals: what `backward` needs.
        backward: takes `residuals` and the cotangents of `out`; returns one cotangent for each of `inputs`.
    """

    @jax.custom_vjp
    def passed(inputs: tuple, out: Any, residuals: Any) -> Any:
        return out

    def forward(inputs: tuple, out: Any, residuals: Any) -> tuple[Any, Any]:
        return passed(inputs, out, residuals), residuals

    passed.defvjp(forward, lambda residuals, cotangents: (tuple(backward(residuals, cotangents)), None, None))
    return passed(inputs, jax.lax.stop_gradient(out), residuals)
