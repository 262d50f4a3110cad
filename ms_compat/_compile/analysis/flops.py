"""How many floating-point operations a program spends in matrix products and in convolutions.

A product of (m, k) and (k, n) counts as 2 m k n. The gradients of a convolution count as much as the convolution does:
they skip the zeros between strided elements and the elements beyond its edges. Fused kernels of attention count
by their shapes: as the formula, with all pairs of queries and keys, though a kernel may leave out what a mask hides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ms_compat._core.jax_compat import is_recomputed, live_equations
from ms_compat._core.parallel.sharding import named_axes


class Flops(NamedTuple):
    """The operations that a model needs, and those that the program computes, recomputation for gradients included."""

    model: int = 0
    hardware: int = 0

    def plus(self, other: Flops) -> Flops:
        """The sum of both."""
        return Flops(self.model + other.model, self.hardware + other.hardware)

    def times(self, count: int) -> Flops:
        """The operations of `count` repetitions."""
        return Flops(self.model * count, self.hardware * count)


def flops(jaxpr: Any) -> Flops:
    """The operations of a jaxpr; a loop of unknown length counts as one turn, a condition as its longest branch.

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
        return Flops(int(found * _ONCE.get(eqn.primitive.name, 1)), found)
    if eqn.primitive.name == "cond":
        return max((flops(branch.jaxpr) for branch in eqn.params["branches"]), key=lambda f: f.hardware)
    total = Flops()
    for inner in _inner(eqn.params):
        total = total.plus(flops(inner))
    total = total.times(_times(eqn))
    return Flops(int(total.model * _ONCE.get(_kernel(eqn), 1)), total.hardware)


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
            times = _times(eqn)
            for inner in _inner(eqn.params):
                total += Counter({dtype: times * found for dtype, found in products(inner).items()})
    return total


def _times(eqn: Any) -> int:
    """How often what an equation holds runs: a loop's turns, a kernel's places of its grid, the pieces of arrays."""
    if eqn.primitive.name == "scan":
        return eqn.params["length"]
    if eqn.primitive.name == "pallas_call":
        return math.prod(n for n in eqn.params["grid_mapping"].grid if isinstance(n, int))
    if eqn.primitive.name == "shard_map":
        cut = {name for spec in eqn.params["in_specs"] for axes in spec for name in named_axes(axes)}
        return math.prod(eqn.params["mesh"].shape[name] for name in cut)
    return 1


def _kernel(eqn: Any) -> str:
    return str(eqn.params.get("name", "")) if eqn.primitive.name == "pallas_call" else ""


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


def _of_attention(products: int) -> Callable[[Any], int]:
    """Multiplications of cuDNN's kernel for `products` products over all query-key pairs."""

    def count(eqn: Any) -> int:
        (batch, *middle, size), (_, *others, _) = (v.aval.shape for v in eqn.invars[:2])
        heads_first = eqn.params["layout"] == 1
        rows, heads = reversed(middle) if heads_first else middle
        columns = others[1 if heads_first else 0]
        return products * batch * heads * rows * columns * size

    return count


_COUNTS: dict[str, Callable[[Any], int]] = {
    "dot_general": _of_product,
    "conv_general_dilated": _of_convolution,
    "dot_product_attention_fwd_wrapper": _of_attention(2),
    "dot_product_attention_bwd_wrapper": _of_attention(5),
}
# The share of a gradient kernel's work that does not repeat the forward pass.
_ONCE = {
    "dot_product_attention_bwd_wrapper": Fraction(4, 5),
    "splash_mha_dkv_no_residuals": Fraction(3, 4),
    "splash_mha_dq_no_residuals": Fraction(1, 3),
}
