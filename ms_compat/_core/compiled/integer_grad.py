"""Gradients of integer tensors, which MindSpore has and JAX lacks.

`grad(lambda x: x * x)(Tensor([1, 2]))` is `[2 4]` there, in the integers' own type. Here the pullback of an operation
with integer inputs evaluates the operation's jaxpr over a float64 shadow of each. Arithmetic and data movement
(`_VALUES`) apply to the shadow as well; comparisons and positions read the integers themselves. The shadow
is differentiated, and the gradient wraps back into the integer type, as integer arithmetic would have. Float64 holds
integers up to 2^53.

MindSpore has two more rules. A cast from float to integer passes its cotangent on. And where an operation makes floats
of integers alone (a square root, a mean, a division by a number) the gradient is Float32; where it brings an integer
and a float together, it is an integer again, truncated. MindSpore truncates some gradients of integers alone as well,
to 0 for `ops.div(x, 3)`; those are Float32 here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.errors import IntegerGradientError, UnsupportedError
from ms_compat._core.jax_compat import bind_equation, closed_jaxpr, trace_of

_CAST = frozenset(("Cast",))  # the operation behind `ops.cast`, `Tensor.astype` and similar functions
# what makes integers of floats that have a gradient: that, and reductions with a `dtype`, which cast their input
CASTS = _CAST | frozenset("sum prod cumsum cumsum_ext cumprod nansum mean mean_ext nanmean".split())
_MEANS = frozenset(("mean", "reduce_mean", "mean_ext"))  # of integers an integer, with the gradient of a quotient
_QUOTIENTS = frozenset("div divide true_divide RealDiv Div".split())
_THROUGH_FLOATS = frozenset(("hardswish",))  # which computes in floats what it returns as integers
_STEPS = frozenset(("round", "trunc"))  # which have the gradient 0, although they return integers as they are
# operations of integers to which MindSpore gives no gradient, where zeros would pass unseen, and the error it raises
_WITHOUT: dict[str, type[Exception]] = {
    **dict.fromkeys("gcd lcm bitwise_left_shift bitwise_right_shift invert population_count".split(), RuntimeError),
    "selu": TypeError,
}
_ALL = None
# Primitive -> the positions of its operands that are values; the others are conditions, indices and sizes.
_VALUES: dict[str, tuple[int, ...] | None] = {
    **dict.fromkeys(
        "abs add add_any broadcast_in_dim clamp concatenate copy copy_p cummax cummin cumprod cumsum dot_general "
        "conv_general_dilated expand_dims integer_pow max min mul neg pad pow reduce_max reduce_min reduce_prod "
        "reduce_sum reduce_window_sum reduce_window_max rem reshape rev sort split square squeeze stack sub tile "
        "transpose unstack".split(),
        _ALL,
    ),
    **dict.fromkeys("slice dynamic_slice gather".split(), (0,)),
    "dynamic_update_slice": (0, 1),
    **dict.fromkeys("scatter scatter-add scatter-sub scatter-mul scatter-min scatter-max".split(), (0, 2)),
}
# what has no rule for shadows; a derivative through it would be zero in silence
_WITHOUT_SHADOWS = frozenset(("while", "scan", "custom_vjp_call", "custom_vjp_call_jaxpr"))
_NESTED = {"jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr"}


def is_integral(dtype: Any) -> bool:
    """Whether a tensor of this dtype has a gradient by shadow only: integers and bool."""
    return np.dtype(dtype).kind in "biu"


@jax.jit
def integer_quotient(total: jax.Array, count: jax.Array) -> jax.Array:
    """The truncated quotient of integers, which passes gradients on; other divisions of integers do not."""
    return lax.div(total, count)


def counts_as_integer(name: str, operand: Any) -> bool:
    """Whether integers beside this constant operand have a Float32 gradient: beside integers and Python divisors."""
    weak = name in _QUOTIENTS and getattr(operand, "weak_type", isinstance(operand, float))
    return weak or is_integral(getattr(operand, "dtype", type(operand)))


def gradients(fn: Callable, name: str, primals: Sequence[Any], cotangents: Sequence[Any], only_integers: bool) -> list:
    """The gradients of an operation's inputs, integers among them.

    Args:
        fn: the operation as a function of these inputs.
        name: its name.
        primals: the inputs that are differentiated.
        cotangents: one for each output, or None; of any dtype.
        only_integers: whether all other inputs are integers, too.

    Raises:
        RuntimeError, TypeError: MindSpore gives the operation no gradient.
    """
    if name in _WITHOUT:
        raise _WITHOUT[name](f"For '{name}', there is no gradient, in MindSpore either. Use 'ops.stop_gradient'.")
    if name in _STEPS:
        return [jnp.zeros(p.shape, p.dtype) for p in primals]
    integral = [is_integral(p.dtype) for p in primals]
    closed = jax.make_jaxpr(fn)(*primals)
    # a pullback of integers ends with casts of its own
    casts = name in CASTS | _THROUGH_FLOATS or name.endswith("_grad")

    def shadowed(*values):
        return _shadowed(closed, primals, values, casts)[0]

    outs, pull = jax.vjp(shadowed, *_lifted(primals))
    found = pull(
        [
            jnp.zeros(out.shape, out.dtype) if ct is None else ct.astype(out.dtype)
            for ct, out in zip(cotangents, outs, strict=True)
        ]
    )
    floats = any(not is_integral(aval.dtype) for aval in closed.out_avals)
    fractional = name in _MEANS or (floats and only_integers and all(integral) and name not in _CAST)
    return [_finished(g, p.dtype, fractional) if i else g for g, p, i in zip(found, primals, integral, strict=True)]


def directional(
    fn: Callable, primals: Sequence[Any], tangents: Sequence[Any], reverse: bool = False
) -> tuple[list[Any], list[Any]]:
    """A function's outputs and their derivative along `tangents`, which integers have, too.

    Args:
        fn: a pure function of arrays, which returns a tree of them.
        primals: its arguments.
        tangents: one for each, of its shape and dtype.
        reverse: whether to compute the derivative from the pullback, for functions that have no forward mode.

    Returns:
        The leaves of the outputs, and their tangents in the dtypes of those.
    """
    closed = jax.make_jaxpr(fn)(*primals)

    def shadowed(*values):
        return _shadowed(closed, primals, values, casts=True)

    if reverse:
        found, pull, outs = jax.vjp(shadowed, *_lifted(primals), has_aux=True)
        moved = pushed(pull, found, _lifted(tangents))
    else:
        _, moved, outs = jax.jvp(shadowed, _lifted(primals), _lifted(tangents), has_aux=True)
    return outs, [t.astype(out.dtype) for t, out in zip(moved, outs, strict=True)]


def pushed(pull: Callable, outputs: Sequence[Any], tangents: Sequence[Any]) -> Sequence[Any]:
    """The derivative of `outputs` along `tangents` by the transpose of their pullback, which is linear.

    Args:
        pull: takes the list of the outputs' cotangents, and returns one for each input.
        outputs: floating or complex arrays.
        tangents: one for each input.
    """
    _, transposed = jax.vjp(lambda *cotangents: pull(list(cotangents)), *map(jnp.zeros_like, outputs))
    return transposed(tuple(tangents))


def _lifted(values: Sequence[Any]) -> list[Any]:
    """The arrays, with float64 shadows in place of integer arrays."""
    return [v.astype(np.float64) if is_integral(v.dtype) else v for v in values]


def _shadowed(closed: Any, primals: Sequence[Any], values: Sequence[Any], casts: bool) -> tuple[list[Any], list[Any]]:
    """The outputs of a jaxpr with the shadows of integers in their place, and as they are.

    Args:
        closed: the jaxpr, traced with `primals`.
        primals: its inputs.
        values: those, `_lifted`.
        casts: whether casts from float to integer make shadows, too.
    """
    integral = [is_integral(p.dtype) for p in primals]
    arrays = [p if i else v for p, v, i in zip(primals, values, integral, strict=True)]
    shadows = [v if i else None for v, i in zip(values, integral, strict=True)]
    outs, out_shadows = _evaluate(closed, arrays, shadows, casts)
    full = [jnp.zeros(out.shape) if s is None else s for out, s in zip(outs, out_shadows, strict=True)]
    return [s if is_integral(out.dtype) else out for out, s in zip(outs, full, strict=True)], outs


def _check_shadows(eqn: Any, given: Sequence[Any]) -> None:
    """Raise UnsupportedError if an equation takes or gives integers that have a derivative."""
    passed = [v for v, s in zip(eqn.invars, given, strict=True) if s is not None and v.aval.dtype != bool]
    inner = eqn.params.get("call_jaxpr", eqn.params.get("fun_jaxpr"))
    made = [] if inner is None else _casts_inside(inner.jaxpr)
    if passed or made:
        raise UnsupportedError(
            "a derivative of integers that pass through a loop on values, or through a Cell with hooks or a 'bprop'",
            "Cast them to floats before.",
        )


def _casts_inside(jaxpr: Any) -> list[Any]:
    """The integer outputs of a jaxpr that depend on its floating inputs through a cast."""
    floats = [not is_integral(v.aval.dtype) for v in jaxpr.invars]
    tainted = _taints(jaxpr, floats)
    return [v for v, t in zip(jaxpr.outvars, tainted, strict=True) if t and v.aval.dtype.kind in "iu"]


def _finished(gradient: Any, dtype: Any, fractional: bool) -> Any:
    """The gradient of an integer input as MindSpore has it: Float32 if `fractional`, else wrapped into its dtype."""
    if fractional:
        return gradient.astype(np.float32)
    if np.dtype(dtype).kind == "b":
        return gradient != 0
    return gradient.astype(np.int64).astype(dtype)


def _reads_values(fn: Callable, primals: Sequence[Any], at: Sequence[int]) -> bool:
    """Whether the outputs of a function depend on the values of some integer inputs other than as positions and
    conditions."""

    def of_integers(*integers):
        full = list(primals)
        for i, value in zip(at, integers, strict=True):
            full[i] = value
        return fn(*full)

    shapes = [jax.ShapeDtypeStruct(primals[i].shape, primals[i].dtype) for i in at]
    return any(_taints(jax.make_jaxpr(of_integers)(*shapes).jaxpr, [True] * len(at)))


def check_traced(entry: Any, tensors: Sequence[Any], values: Sequence[Any], result: Any, scope: Any) -> None:
    """Leave to the tape, which has gradients of integers, what a trace differentiates through them.

    Args:
        entry: the operation that was traced.
        tensors: its inputs, of which `values` are the arrays.
        values: those, and what else the operation took.
        result: its output.
        scope: of the trace; `integers` are the integer tensors that have a gradient.

    Raises:
        IntegerGradientError: the operation reads the values of such a tensor.
    """
    if entry.name in CASTS and is_integral(result._v.dtype):
        if not is_integral(values[0].dtype) and trace_of(values[0]) is scope.trace:
            scope.integers[id(result)] = result
            return
    at = [i for i, tensor in enumerate(tensors) if id(tensor) in scope.integers]
    if at and (entry.name in _WITHOUT or _reads_values(entry.fn, values, at)):
        raise IntegerGradientError(f"'{entry.name}' passes on the gradient of an integer Tensor, which XLA has not.")


class Casts:
    """In the trace of a compiled function, the integer Tensors that it casts from floats.

    Attributes:
        tensors: those Tensors, by their ids.
        read: whether an operation reads their values, so that a gradient through the function passes through them.
    """

    def __init__(self) -> None:
        self.tensors: dict[int, Any] = {}
        self.read = False

    def note(self, entry: Any, tensors: Sequence[Any], values: Sequence[Any], result: Any) -> None:
        """Note an operation that was traced; takes the arguments of `check_traced`."""
        if entry.name in CASTS and is_integral(result._v.dtype) and not is_integral(values[0].dtype):
            self.tensors[id(result)] = result
            return
        at = [i for i, tensor in enumerate(tensors) if id(tensor) in self.tensors]
        if not at or not _reads_values(entry.fn, values, at):
            return
        results = result if result.__class__ is tuple else (result,)
        if all(is_integral(one._v.dtype) for one in results):  # a number of turns, say, which nothing has to read
            self.tensors.update((id(one), one) for one in results if one._v.dtype != bool)
        else:
            self.read = True


def check_outputs(name: str, fn: Callable, primals: Sequence[Any]) -> None:
    """Leave to the tape a compiled function that casts what depends on these arrays to integers, and returns those.

    Args:
        name: the function's.
        fn: a pure function of the arrays, which returns a list of them.
        primals: arrays of floats.

    Raises:
        IntegerGradientError: there is such an output.
    """
    jaxpr = jax.make_jaxpr(fn)(*primals).jaxpr
    tainted = _taints(jaxpr, [True] * len(primals))
    if any(t and is_integral(v.aval.dtype) for v, t in zip(jaxpr.outvars, tainted, strict=True)):
        raise IntegerGradientError(f"'{name}' returns integers that have a gradient, which XLA has not.")


def _taints(jaxpr: Any, tainted_inputs: Sequence[bool], quotient: bool = False) -> list[bool]:
    """Which outputs of a jaxpr depend on the values of some inputs; `quotient` as for `_evaluate`."""
    tainted = {v for v, t in zip(jaxpr.invars, tainted_inputs, strict=True) if t}
    for eqn in jaxpr.eqns:
        given = [not _is_literal(v) and v in tainted for v in eqn.invars]
        if not any(given):
            continue
        name = eqn.primitive.name
        if name in _NESTED:
            inner = eqn.params[_NESTED[name]]
            inside = _taints(inner.jaxpr, given, _is_quotient(eqn))
            tainted.update(v for v, t in zip(eqn.outvars, inside, strict=True) if t)
        elif name == "select_n":
            if any(given[1:]):
                tainted.update(eqn.outvars)
        elif name == "convert_element_type":
            tainted.update(eqn.outvars)
        elif any(given[i] for i in _positions(name, len(given), quotient)):
            whole = any(t and is_integral(v.aval.dtype) for v, t in zip(eqn.invars, given, strict=True))
            tainted.update(v for v in eqn.outvars if whole or not is_integral(v.aval.dtype))  # argsort has none
        elif any(t and not is_integral(v.aval.dtype) for v, t in zip(eqn.invars, given, strict=True)):
            tainted.update(v for v in eqn.outvars if not is_integral(v.aval.dtype))
    return [not _is_literal(v) and v in tainted for v in jaxpr.outvars]


def _is_quotient(eqn: Any) -> bool:
    return eqn.params.get("name") == "integer_quotient"


def _dtype(value: Any) -> Any:
    return value.dtype if hasattr(value, "dtype") else np.result_type(value)


def _is_literal(variable: Any) -> bool:
    return hasattr(variable, "val")


def _positions(name: str, count: int, quotient: bool = False) -> Sequence[int]:
    if quotient and name == "div":
        return range(count)
    if name not in _VALUES:
        return ()
    chosen = _VALUES[name]
    return range(count) if chosen is None else chosen


# -- evaluation over shadows -----------------------------------------------------------------------------------------
def _evaluate(
    closed: Any, arrays: Sequence[Any], shadows: Sequence[Any], casts: bool, quotient: bool = False
) -> tuple[list[Any], list[Any]]:
    """The outputs of a jaxpr, and the shadows of those that have one; `casts` from float to integer make some, too.

    `quotient` says that `integer_quotient` gave the jaxpr, so that its division passes gradients on.
    """
    jaxpr = closed.jaxpr
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    values.update(zip(jaxpr.invars, arrays, strict=True))
    shadow_of = {v: s for v, s in zip(jaxpr.invars, shadows, strict=True) if s is not None}

    def read(v):
        return v.val if _is_literal(v) else values[v]

    for eqn in jaxpr.eqns:
        ins = [read(v) for v in eqn.invars]
        given = [None if _is_literal(v) else shadow_of.get(v) for v in eqn.invars]
        outs, out_shadows = _step(eqn, ins, given, casts, quotient)
        values.update(zip(eqn.outvars, outs, strict=True))
        shadow_of.update((v, s) for v, s in zip(eqn.outvars, out_shadows, strict=True) if s is not None)
    outputs = [read(v) for v in jaxpr.outvars]
    return outputs, [None if _is_literal(v) else shadow_of.get(v) for v in jaxpr.outvars]


def _step(eqn: Any, ins: list[Any], given: list[Any], casts: bool, quotient: bool) -> tuple[list[Any], list[Any]]:
    """One equation: its outputs and their shadows."""
    name = eqn.primitive.name
    if any(s is not None for s in given) and name in _NESTED:
        inner = eqn.params[_NESTED[name]]
        if name == "custom_jvp_call" and not any(_taints(inner.jaxpr, [s is not None for s in given])):
            return bind_equation(eqn, ins, eqn.params), [None] * len(eqn.outvars)  # with the rule of its own
        return _evaluate(closed_jaxpr(inner.jaxpr, inner.consts), ins, given, casts, _is_quotient(eqn))
    if name == "convert_element_type":
        return _convert(eqn.params["new_dtype"], ins[0], given[0], casts)
    if name == "cond" and (any(s is not None for s in given) or (casts and _gives_integers(eqn))):
        return _branch(eqn, ins, given, casts)
    if casts and name in _WITHOUT_SHADOWS:
        _check_shadows(eqn, given)
    outs = bind_equation(eqn, ins, eqn.params)
    nothing = [None] * len(outs)
    if all(s is None for s in given):
        return outs, nothing
    positions = range(1, len(ins)) if name == "select_n" else _positions(name, len(ins), quotient)
    if not any(given[i] is not None for i in positions):
        return outs, nothing
    return outs, _moved(eqn, ins, given, outs, positions)


def _moved(eqn: Any, ins: list[Any], given: list[Any], outs: list[Any], positions: Sequence[int]) -> list[Any]:
    """The shadows of an equation's outputs: the equation, applied to the shadows at these positions."""
    mixed = list(ins)
    for i in positions:
        if is_integral(_dtype(ins[i])):
            mixed[i] = given[i] if given[i] is not None else jnp.asarray(ins[i]).astype(np.float64)
    params = dict(eqn.params)
    if params.get("preferred_element_type") is not None:
        params["preferred_element_type"] = np.dtype(np.float64)
    found = bind_equation(eqn, mixed, params)
    return [_anchored(out, s) if is_integral(out.dtype) else None for out, s in zip(outs, found, strict=True)]


def _gives_integers(eqn: Any) -> bool:
    return any(v.aval.dtype.kind in "iu" for v in eqn.outvars)


def _branch(eqn: Any, ins: list[Any], given: list[Any], casts: bool) -> tuple[list[Any], list[Any]]:
    """The outputs and shadows of a branch; an integer without a shadow counts as a constant of the branch taken."""
    index, *operands = ins
    there = [s is not None for s in given[1:]]

    def taken(closed):
        def run(operands, shadows):
            left = iter(shadows)
            outs, found = _evaluate(closed, operands, [next(left) if t else None for t in there], casts)
            shadows = [
                o.astype(np.float64) if s is None else s
                for o, s in zip(map(jnp.asarray, outs), found, strict=True)
                if is_integral(o.dtype)
            ]
            return list(outs), shadows

        return run

    branches = [taken(closed) for closed in eqn.params["branches"]]
    outs, found = lax.switch(index, branches, operands, [s for s in given[1:] if s is not None])
    left = iter(found)
    return outs, [next(left) if is_integral(out.dtype) else None for out in outs]


def _anchored(primal: Any, shadow: Any) -> Any:
    """The shadow with the integer's own value, which wraps around where the float does not."""
    return primal.astype(np.float64) + (shadow - lax.stop_gradient(shadow))


def _convert(dtype: Any, value: Any, shadow: Any, casts: bool) -> tuple[list[Any], list[Any]]:
    out = lax.convert_element_type(value, dtype)
    if is_integral(dtype):
        if casts and shadow is None and not is_integral(_dtype(value)):
            shadow = jnp.asarray(value).real.astype(np.float64)
        return [out], [None if shadow is None else _anchored(out, shadow)]
    if shadow is None:
        return [out], [None]
    # the value of the integer, and the way of the gradient
    return [lax.stop_gradient(out) + (shadow - lax.stop_gradient(shadow)).astype(dtype)], [None]
