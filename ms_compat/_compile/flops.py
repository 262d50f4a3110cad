"""How many floating-point operations a program spends in products of matrices and in convolutions.

A product of (m, k) and (k, n) counts as 2 m k n. The gradients of a convolution count as much as the convolution does:
what its strides spread with zeros, and what lies beyond its edges, is not computed on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ms_compat._core.jax_compat import is_recomputed, live_equations


class Flops(NamedTuple):
    """The operations that a model needs, and those that are computed: with what is computed again for gradients."""

    model: int = 0
    hardware: int = 0

    def plus(self, other: Flops) -> Flops:
        """The sum of both."""
        return Flops(self.model + other.model, self.hardware + other.hardware)

    def times(self, count: int) -> Flops:
        """That of so many repetitions."""
        return Flops(self.model * count, self.hardware * count)


def flops(jaxpr: Any) -> Flops:
    """Those of a jaxpr; a loop of unknown length counts as one turn, a condition as its longest branch.

    >>> import jax
    >>> import jax.numpy as jnp
    >>> flops(jax.make_jaxpr(jnp.dot)(jnp.ones((2, 3)), jnp.ones((3, 4))).jaxpr)
    Flops(model=48, hardware=48)
    """
    total = Flops()
    for eqn in live_equations(jaxpr):
        found = _of_equation(eqn)
        total = total.plus(Flops(0, found.hardware) if is_recomputed(eqn) else found)
    return total


def _of_equation(eqn: Any) -> Flops:
    count = _COUNTS.get(eqn.primitive.name)
    if count is not None:
        found = 2 * count(eqn)
        return Flops(found, found)
    if eqn.primitive.name == "cond":
        return max((flops(branch.jaxpr) for branch in eqn.params["branches"]), key=lambda f: f.hardware)
    total = Flops()
    for inner in _inner(eqn.params):
        total = total.plus(flops(inner))
    return total.times(eqn.params["length"]) if eqn.primitive.name == "scan" else total


def products(jaxpr: Any) -> Counter[str]:
    """The computed operations of a jaxpr, as `flops` counts them, by the dtype of what is multiplied.

    >>> import jax
    >>> import jax.numpy as jnp
    >>> products(jax.make_jaxpr(jnp.dot)(jnp.ones((2, 3), "float32"), jnp.ones((3, 4), "float32")).jaxpr)
    Counter({'float32': 48})
    """
    total: Counter[str] = Counter()
    for eqn in live_equations(jaxpr):
        count = _COUNTS.get(eqn.primitive.name)
        if count is not None:
            total[str(eqn.invars[0].aval.dtype)] += 2 * count(eqn)
        elif eqn.primitive.name == "cond":
            branches: list[Counter[str]] = [products(branch.jaxpr) for branch in eqn.params["branches"]]
            largest = max(branches, key=lambda found: found.total())
            total += largest
        else:
            times = eqn.params["length"] if eqn.primitive.name == "scan" else 1
            for inner in _inner(eqn.params):
                total += Counter({dtype: times * found for dtype, found in products(inner).items()})
    return total


def _inner(params: dict[str, Any]) -> Iterator[Any]:
    """The jaxprs among an equation's parameters."""
    for value in params.values():
        for item in value if isinstance(value, (tuple, list)) else (value,):
            inner = getattr(item, "jaxpr", item)
            if hasattr(inner, "eqns"):
                yield inner


def _of_product(eqn: Any) -> int:
    (contracted, _), _ = eqn.params["dimension_numbers"]
    left = eqn.invars[0].aval.shape
    return math.prod(eqn.outvars[0].aval.shape) * math.prod(left[axis] for axis in contracted)


def _of_convolution(eqn: Any) -> int:
    """Multiplications of a convolution; of a transposed one, as many as its input has places for the kernel."""
    numbers = eqn.params["dimension_numbers"]
    image, kernel = (v.aval.shape for v in eqn.invars[:2])
    out = eqn.outvars[0].aval.shape
    places = min(
        math.prod(out[axis] for axis in numbers.out_spec[2:]), math.prod(image[axis] for axis in numbers.lhs_spec[2:])
    )
    each = math.prod(kernel) // kernel[numbers.rhs_spec[0]]
    return out[numbers.out_spec[0]] * out[numbers.out_spec[1]] * places * each


_COUNTS: dict[str, Callable[[Any], int]] = {"dot_general": _of_product, "conv_general_dilated": _of_convolution}
