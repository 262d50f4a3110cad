"""`CompiledOp`: a pure function of arrays, compiled, with its pullbacks, each of which is a `CompiledOp`, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.compiled import integer_grad
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.jax_compat import float0
from ms_compat._core.settings.memory_limits import bounded

INEXACT = frozenset(t.np_dtype for t in (*mstype.float_type, *mstype.complex_type))


class CompiledOp:
    """A pure function of flat arrays with its jitted form and its pullbacks, each made once.

    `fn` takes arrays (or Python scalars, or None) and returns an array or a tuple of arrays; `statics` are the
    constants that it was made for. `plans` say what it keeps for its pullbacks (`residuals.py`).
    """

    __slots__ = ("_pullbacks", "fn", "jit", "name", "open", "plans", "statics")

    def __init__(self, fn: Callable, name: str, statics: Any = ()):
        self.open = False  # whether it is for one trace alone, whose symbols for sizes it holds
        self.fn = fn
        self.name = name
        self.statics = statics
        self.plans: dict[Any, Any] | None = None
        self.jit = tier.jit(bounded(fn, name), name, statics)
        self._pullbacks: dict[Any, CompiledOp] = {}

    def pullback(self, mask: tuple[int, ...], present: tuple[int, ...] | None = None) -> CompiledOp:
        """The function `(cotangents..., *ins) -> gradients of the inputs numbered in mask`.

        `present` numbers the outputs that have a cotangent (None: the function has one output, not a tuple).
        """
        key = (mask, present)
        found = self._pullbacks.get(key)
        if found is None:
            fn, name = make_pullback(self.fn, self.name, mask, present), f"{self.name}_grad"
            found = self._pullbacks[key] = CompiledOp(fn, name, self.statics)
        return found


def zero_cotangent(aval) -> Any:
    """A zero cotangent for an output: float0 for integers, as JAX requires."""
    if np.dtype(aval.dtype) in INEXACT:
        return jnp.zeros(aval.shape, aval.dtype)
    return np.zeros(aval.shape, float0)


def conjugated(cotangent: Any) -> Any:
    """A JAX cotangent as a MindSpore gradient, and the other way round.

    They differ for complex numbers. JAX's is linear in the function; MindSpore's, as PyTorch's, is its conjugate, which
    is a real function's direction of steepest ascent. The tape and all that users see have MindSpore's; what goes
    through `jax.vjp` or `jax.custom_vjp` is conjugated on the way in and out.
    """
    return jnp.conj(cotangent) if jnp.issubdtype(cotangent.dtype, jnp.complexfloating) else cotangent


def make_pullback(fn: Callable, name: str, mask: tuple[int, ...], present: tuple[int, ...] | None) -> Callable:
    count = 1 if present is None else len(present)

    def pullback(*args):
        cts, ins = args[:count], args[count:]
        if not has_float_pullback(fn, name, mask, cts, ins):
            found = _integer_pullback(fn, name, mask, present, [conjugated(ct) for ct in cts], ins)
            return tuple(map(conjugated, found))
        return outputs_and_gradients(fn, mask, present, cts, ins)[1]

    return pullback


def has_float_pullback(fn: Callable, name: str, mask: tuple[int, ...], cts: Sequence[Any], ins: Sequence[Any]) -> bool:
    """Whether JAX's own pullback serves: no integer has a gradient or a cotangent, and nothing is cast to integers."""
    if name in integer_grad.CASTS:  # a quotient of those integers, say, has cotangents of floats
        outs = jax.tree.leaves(jax.eval_shape(lambda: fn(*ins)))
        if any(out.dtype not in INEXACT for out in outs):
            return False
    return all(x.dtype in INEXACT for x in (*cts, *(ins[i] for i in mask)))


def outputs_and_gradients(
    fn: Callable, mask: tuple[int, ...], present: tuple[int, ...] | None, cts: Sequence[Any], ins: Sequence[Any]
) -> tuple[Any, tuple]:
    """What a function returns, and the gradients of the inputs numbered in mask: both from one forward pass."""

    def forward(*diff):
        full = list(ins)
        for i, value in zip(mask, diff, strict=True):
            full[i] = value
        return fn(*full)

    out, pull = jax.vjp(forward, *(ins[i] for i in mask))
    cts = [conjugated(ct) for ct in cts]
    if present is None:
        return out, tuple(map(conjugated, pull(cts[0])))
    ct = [zero_cotangent(o) for o in out]
    for i, value in zip(present, cts, strict=True):
        ct[i] = value
    return out, tuple(map(conjugated, pull(tuple(ct))))


def _integer_pullback(fn, name, mask, present, cts, ins) -> tuple:
    """The pullback where an input or a cotangent is an integer."""

    def forward(*diff):
        full = list(ins)
        for i, value in zip(mask, diff, strict=True):
            full[i] = value
        out = fn(*full)
        return [out] if present is None else list(out)

    primals = [ins[i] for i in mask]
    given: list[Any] = list(cts)
    if present is not None:
        given = [None] * len(jax.eval_shape(forward, *primals))
        for i, ct in zip(present, cts, strict=True):
            given[i] = ct
    others = [x for i, x in enumerate(ins) if i not in mask and x is not None]
    only_integers = all(integer_grad.counts_as_integer(name, x) for x in others)
    return tuple(integer_grad.gradients(forward, name, primals, given, only_integers))
