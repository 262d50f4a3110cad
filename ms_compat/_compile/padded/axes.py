"""One program for many sizes: a jaxpr whose sizes are symbols, run on arrays that are padded to a larger size.

The trace is made once with symbols for the sizes that vary, so it holds for all of them or fails: Python that needs a
size as a number, or a shape that depends on how sizes compare, ends it. The program then runs on arrays of a bucket's
size, with the true sizes as inputs. Behind its true size an array holds anything, and one invariant makes the result
the same: **elements within the true sizes equal the program's elements without padding.** Each primitive has a
rule that keeps it (`rules.py`). An elementwise operation needs nothing. A sum first replaces the padding by zeros, a
maximum by the least number; a matrix product does so along the axes that it contracts. `Unpaddable` refuses
operations without a rule, effects, and random numbers, whose values depend on the shape. Only the order of additions
can differ, and with it the last bits of a sum.

An axis is described by its factors: ints, and symbolic sizes, of which the true elements come first. A reshape that
merges axes keeps their factors, so `(2, n, 8)` as `(2 * n, 8)` is still known element by element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.jax_compat import bind_equation, is_symbolic_size, size_at


class Unpaddable(Exception):  # control flow, not an error
    """The program has a part whose result depends, or may depend, on elements behind the true sizes.

    Attributes:
        equations: where that is in the jaxpr: the innermost equation first, then those around it.
    """

    equations: tuple[Any, ...] = ()


Axis = tuple[Any, ...]
ELEMENTWISE = frozenset(
    "add add_any sub mul div rem pow integer_pow neg sign floor ceil round abs exp exp2 expm1 log log1p sin cos tan "
    "asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc erf_inv logistic sqrt rsqrt cbrt square lgamma "
    "one_minus_square digamma max min and or xor not eq ne lt le gt ge lt_to le_to shift_left shift_right_logical "
    "shift_right_arithmetic select_n clamp convert_element_type reduce_precision is_finite nextafter stop_gradient "
    "copy copy_p real imag complex conj population_count clz".split()
)
_INNER = ("jaxpr", "call_jaxpr", "fun_jaxpr")
_CALLS = frozenset(
    "jit pjit closed_call core_call remat checkpoint custom_jvp_call custom_vjp_call custom_vjp_call_jaxpr".split()
)


class Everywhere(tuple):
    """An axis along which all elements are the same, those behind the true size too: it fits any other of its size."""


def is_open(axis: Axis) -> bool:
    """Whether an axis has elements behind its true size."""
    return any(is_symbolic_size(factor) for factor in axis)


def normal(factors: Any) -> Axis:
    """Factors without ones, and neighbouring ints as their product."""
    out: list[Any] = []
    for factor in factors:
        if is_symbolic_size(factor):
            out.append(factor)
        elif factor != 1:
            if out and not is_symbolic_size(out[-1]):
                out[-1] *= factor
            else:
                out.append(factor)
    return tuple(out)


def axes_of(shape: Any) -> tuple[Axis, ...]:
    """The axes of an array whose sizes are its own."""
    return tuple([normal((size,)) for size in shape])


class PaddedArray:
    """An array of the bucket's size, and what its axes are made of."""

    __slots__ = ("axes", "value")

    def __init__(self, value: Any, axes: tuple[Axis, ...]):
        self.value = value
        self.axes = axes

    @property
    def open(self) -> bool:
        """Whether any axis has elements behind its true size."""
        return any(map(is_open, self.axes))


class PaddedEvaluation:
    """One evaluation: the sizes of the bucket, and the true ones as traced numbers.

    Args:
        bucket: for each symbol the size that arrays are padded to.
        true: for each symbol the true size, a traced int.
    """

    def __init__(self, bucket: dict[str, int], true: dict[str, Any]):
        self.bucket = bucket
        self.true = true

    def padded(self, size: Any) -> int:
        """A size in the bucket."""
        return size_at(size, self.bucket) if is_symbolic_size(size) else size

    def shape(self, axes: Any) -> tuple[int, ...]:
        """The bucket's shape for these axes."""
        return tuple([math.prod([self.padded(factor) for factor in axis]) for axis in axes])

    def mask(self, axis: Axis) -> jax.Array:
        """Which elements along an axis are true ones."""
        found = jnp.ones((1,), bool)
        for factor in axis:
            at = lax.iota(np.int64, self.padded(factor))
            here = at < size_at(factor, self.true) if is_symbolic_size(factor) else at >= 0
            found = (found[:, None] & here[None]).reshape(-1)
        return found

    def clean(self, x: PaddedArray, along: Any, fill: Any) -> jax.Array:
        """The array with one value behind the true sizes along some axes."""
        value = x.value
        for i in along:
            if is_open(x.axes[i]):
                mask = self.mask(x.axes[i]).reshape([-1 if k == i else 1 for k in range(value.ndim)])
                value = jnp.where(mask, value, jnp.asarray(fill, value.dtype))
        return value

    def params(self, params: dict[str, Any]) -> dict[str, Any]:
        """The parameters of an equation for the bucket."""
        return {name: self._concrete(value) for name, value in params.items()}

    def _concrete(self, value: Any) -> Any:
        if is_symbolic_size(value):
            return self.padded(value)
        if type(value) in (tuple, list):
            return type(value)([self._concrete(item) for item in value])
        return value

    # -- evaluation --------------------------------------------------------------------------------------------------
    def closed(self, closed: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
        """Evaluate a closed jaxpr."""
        consts = [PaddedArray(c, axes_of(np.shape(c))) for c in closed.consts]
        return self.jaxpr(closed.jaxpr, consts, inputs)

    def jaxpr(self, jaxpr: Any, consts: list[PaddedArray], inputs: list[PaddedArray]) -> list[PaddedArray]:
        """Evaluate a jaxpr, equation by equation."""
        known: dict[Any, PaddedArray] = {}

        def read(atom: Any) -> PaddedArray:
            if hasattr(atom, "val"):
                return PaddedArray(atom.val, axes_of(np.shape(atom.val)))
            return known[atom]

        known.update(zip(jaxpr.constvars, consts, strict=True))
        known.update(zip(jaxpr.invars, inputs, strict=True))
        for eqn in jaxpr.eqns:
            try:
                outs = self.equation(eqn, [read(atom) for atom in eqn.invars])
                for var, out in zip(eqn.outvars, outs, strict=True):
                    if tuple(np.shape(out.value)) != self.shape(axes_of(var.aval.shape)):
                        raise Unpaddable(f"{eqn.primitive.name} has a shape that padding does not follow")
                    known[var] = out
            except Unpaddable as error:
                error.equations = (*error.equations, eqn)
                raise
        return [read(atom) for atom in jaxpr.outvars]

    def equation(self, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
        """Evaluate one equation."""
        name = eqn.primitive.name
        if eqn.effects:
            raise Unpaddable(f"{name} has an effect")
        if name in _CALLS:
            inner = next(eqn.params[key] for key in _INNER if key in eqn.params)
            return self.closed(inner, inputs) if hasattr(inner, "consts") else self.jaxpr(inner, [], inputs)
        if not any(x.open for x in inputs) and not _mentions_symbols(eqn):
            return self.bind(eqn, [x.value for x in inputs], [axes_of(var.aval.shape) for var in eqn.outvars])
        rule = RULES.get(name)
        if rule is None:
            raise Unpaddable(f"{name} may depend on what stands behind the true size")
        return rule(self, eqn, inputs)

    def bind(self, eqn: Any, values: list[Any], axes: list[tuple[Axis, ...]], **changed: Any) -> list[PaddedArray]:
        """Run the primitive itself on padded arrays."""
        outs = bind_equation(eqn, values, {**self.params(eqn.params), **changed})
        return [PaddedArray(out, axis) for out, axis in zip(outs, axes, strict=True)]


def _mentions_symbols(eqn: Any) -> bool:
    """Whether an equation has a symbolic size anywhere."""
    if eqn.primitive.name == "dim_as_value" or any(
        is_symbolic_size(size) for var in eqn.outvars for size in getattr(var.aval, "shape", ())
    ):
        return True
    return any(_has_symbol(value) for value in eqn.params.values())


def _has_symbol(value: Any) -> bool:
    if is_symbolic_size(value):
        return True
    if isinstance(value, (tuple, list)):
        return any(map(_has_symbol, value))
    jaxpr = getattr(value, "jaxpr", value)
    return hasattr(jaxpr, "eqns") and any(map(_mentions_symbols, jaxpr.eqns))


Rule = Callable[[PaddedEvaluation, Any, list[PaddedArray]], list[PaddedArray]]
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Declare the rule of some primitives."""

    def declare(fn: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, fn))
        return fn

    return declare


def common(a: Axis, b: Axis) -> Axis:
    """The axis of two arrays that meet along it; one of size 1 is repeated."""
    if not a or not b:
        return a or b
    if isinstance(a, Everywhere) or isinstance(b, Everywhere):
        one, other = (a, b) if isinstance(a, Everywhere) else (b, a)
        if bool(math.prod(one) == math.prod(other)):
            return other
    if a != b:
        raise Unpaddable("two arrays that an operation combines are padded at different places")
    return a


def alike(inputs: list[PaddedArray]) -> tuple[Axis, ...]:
    """The axes that arrays of one shape have in common; scalars do not count."""
    found: Any = None
    for x in inputs:
        if x.axes:
            found = x.axes if found is None else tuple(map(common, found, x.axes))
    return found or ()


def least(dtype: Any) -> Any:
    """The smallest value of a dtype, which leaves any maximum unchanged."""
    return _limit(dtype, False)


def greatest(dtype: Any) -> Any:
    """What no minimum is greater than."""
    return _limit(dtype, True)


def _limit(dtype: Any, high: bool) -> Any:
    if jnp.issubdtype(dtype, jnp.bool_):
        return high
    if jnp.issubdtype(dtype, jnp.integer):
        return jnp.iinfo(dtype).max if high else jnp.iinfo(dtype).min
    if jnp.issubdtype(dtype, jnp.complexfloating):
        raise Unpaddable("complex numbers have no least one")
    return np.inf if high else -np.inf
