"""`while` and `for` on traced values: `lax.while_loop` over the variables that the loop changes.

The carried structure is found by tracing the body until start and end agree: a counter that starts as the number 0
becomes a tensor, a variable that is first set in the body starts as zeros. JAX cannot run `while_loop` backwards, so
under reverse mode the loop keeps snapshots of its carry, every `stride` iterations, in a buffer of `SLOTS`: when that
is full, every second one is dropped and the stride doubles. The backward recomputes from the nearest snapshot; up to
`SLOTS` iterations nothing is recomputed, and memory is bounded for any number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._compile.control_flow.branches import condition, fold_random, wrap_noted
from ms_compat._compile.control_flow.containers import staged
from ms_compat._compile.control_flow.merging import (
    INTEGERS_BRANCH,
    Merge,
    fill,
    has_integer_gradients,
    merge,
    structure,
)
from ms_compat._core import tape
from ms_compat._core.dispatch import written_arguments
from ms_compat._core.errors import IntegerGradientError, NotTraceableError
from ms_compat._core.jax_compat import closed_jaxpr, jaxpr_as_fun
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes, write_barrier

SLOTS = 128
_ATTEMPTS = 8


class _Carry:
    """The loop's variables as flat arrays: the variables in `names`, the changed tensors, and the iteration number."""

    def __init__(self, get_state, set_state, names):
        self.get_state = get_state
        self.set_state = set_state
        self.names = names
        self.tensors: list[Tensor] = []
        self.merged: Merge = merge((), (), (), "")
        self.template: Any = None

    def enter(self, scope, values) -> None:
        """Put traced values into the variables and tensors."""
        count = len(self.merged.targets)
        scope.swap(self.tensors, values[count:-1])
        self.set_state(fill(self.template, values[:count], wrap_noted))
        fold_random(scope, values[-1])


def stage_while(test: Callable, body: Callable, get_state, set_state, names: Sequence[str]) -> None:
    """Run a loop as one operation and set the variables to their values after it."""
    staged(lambda bodies, *variables: _stage(test, *bodies, *variables), (body,), get_state, set_state, names)


def _stage(test: Callable, body: Callable, get_state, set_state, names: Sequence[str]) -> None:
    before = get_state()
    if has_integer_gradients(before):
        raise IntegerGradientError(INTEGERS_BRANCH)
    start, start_arrays = structure(before)
    carry = _Carry(get_state, set_state, names)
    carry.merged = merge(start, start, names, "the loop")
    carry.template = carry.merged.template
    current_values = carry.merged.values(0, start_arrays)
    try:
        for _ in range(_ATTEMPTS):
            closed, after, changed = _trace_body(body, carry, current_values)
            new = _others(changed, carry.tensors)
            merged = merge(start, after, names, "a loop's body")
            stable = not new and _same(merged, carry.merged)
            carry.tensors.extend(new)
            if stable:
                break
            widened = merge(carry.template, after, names, "a loop's body")
            carry.merged = merge(start, widened.template, names, "a loop's body")
            carry.template = carry.merged.template
            current_values = carry.merged.values(0, start_arrays)
        else:
            raise NotTraceableError(
                f"In a compiled function, the variables {list(names)} of a loop change their type each time."
            )
        final = _run(test, carry, current_values, closed, merged)
    finally:
        set_state(before)
    count = len(carry.merged.targets)
    write_barrier.assign_all(carry.tensors, final[count:-1])
    written_arguments.note_control_flow()
    set_state(fill(carry.template, final[:count], wrap_noted))


def _others(tensors: list[Tensor], known: list[Tensor]) -> list[Tensor]:
    """The tensors that are not among the known ones."""
    ids = {id(t) for t in known}
    return [t for t in tensors if id(t) not in ids]


def _same(a: Merge, b: Merge) -> bool:
    return len(a.targets) == len(b.targets) and all(x.same(y) for x, y in zip(a.targets, b.targets, strict=True))


def _trace_body(body: Callable, carry: _Carry, values: list[Any]) -> tuple[Any, Any, list[Tensor]]:
    found: dict[str, Any] = {}
    tensor_values = [t._v for t in carry.tensors]

    def run(*flat):
        with scopes.TraceScope() as scope:
            scope.enter_staged()
            carry.enter(scope, flat)
            body()
            if has_integer_gradients(carry.get_state()):
                raise IntegerGradientError(INTEGERS_BRANCH)
            found["after"], arrays = structure(carry.get_state())
            found["changed"] = [*carry.tensors, *_others(scope.changed(), carry.tensors)]
            return arrays, [t._v for t in found["changed"]]

    avals = [jax.ShapeDtypeStruct(v.shape, v.dtype, weak_type=getattr(v, "weak_type", False)) for v in values]
    state_avals = [jax.ShapeDtypeStruct(v.shape, v.dtype) for v in tensor_values]
    closed = jax.make_jaxpr(run)(*avals, *state_avals, jax.ShapeDtypeStruct((), jnp.uint32))
    return closed, found["after"], found["changed"]


def _run(test: Callable, carry: _Carry, values: list[Any], closed: Any, merged: Merge) -> list[Any]:
    init = [*values, *[t._v for t in carry.tensors], jnp.uint32(0)]
    avals = [jax.ShapeDtypeStruct(v.shape, v.dtype, weak_type=getattr(v, "weak_type", False)) for v in init]
    count = len(carry.merged.targets)
    outputs = len(closed.jaxpr.outvars) - len(carry.tensors)

    def test_flat(*flat):
        with scopes.TraceScope() as scope:
            scope.enter_staged()
            carry.enter(scope, flat)
            result = test()
            goes_on = condition(result) if not isinstance(result, bool) else jnp.asarray(result)
            if any(t is scope.failed for t in carry.tensors):  # an error was reported, and values mean nothing now
                goes_on = jnp.logical_and(goes_on, jnp.logical_not(scope.failed._v))
            return goes_on

    def body_flat(*flat):
        out = jaxpr_as_fun(closed)(*flat)
        new = merged.values(1, out[:outputs])
        tensors = [lax.convert_element_type(v, f.dtype) for v, f in zip(out[outputs:], flat[count:-1], strict=True)]
        return [*new, *tensors, flat[-1] + jnp.uint32(1)]

    test_jaxpr = jax.make_jaxpr(test_flat)(*avals)
    body_jaxpr = jax.make_jaxpr(body_flat)(*avals)
    scope = scopes.current_scope()
    if scope is not None and scope.forward_mode:
        return lax.while_loop(
            lambda flat: jaxpr_as_fun(test_jaxpr)(*flat)[0], lambda flat: list(jaxpr_as_fun(body_jaxpr)(*flat)), init
        )
    return differentiable_while(test_jaxpr, body_jaxpr, init)


def differentiable_while(test_jaxpr: Any, body_jaxpr: Any, init: list[Any]) -> list[Any]:
    """`lax.while_loop` over closed jaxprs whose gradient is taken by snapshots and recomputation.

    Args:
        test_jaxpr: carry -> 0-d bool.
        body_jaxpr: carry -> carry, of the same types.
        init: the carry at the start.

    Returns:
        The carry at the end. Differentiable in `init` and in what the jaxprs close over.
    """

    # Many small functions in one, as a loop's test, body, forward and backward close over the same two jaxprs:
    # `custom_vjp` wants each of them apart, and what the jaxprs close over as an argument of its own.
    def test(consts, carry):
        return jaxpr_as_fun(closed_jaxpr(test_jaxpr.jaxpr, list(consts)))(*carry)[0]

    def body(consts, carry):
        return list(jaxpr_as_fun(closed_jaxpr(body_jaxpr.jaxpr, list(consts)))(*carry))

    @jax.custom_vjp
    def loop(test_consts, body_consts, start):
        return lax.while_loop(lambda c: test(test_consts, c), lambda c: body(body_consts, c), start)

    def forward(test_consts, body_consts, start):
        buffers = [jnp.zeros((SLOTS, *jnp.shape(v)), v.dtype) for v in start]

        def step(loop_state):
            carry, count, stride, kept = loop_state
            full = count // stride >= SLOTS

            def halve(kept):
                return [jnp.concatenate([b[::2], jnp.zeros_like(b[::2])]) for b in kept]

            kept = lax.cond(full, halve, lambda k: k, kept)
            stride = jnp.where(full, stride * 2, stride)
            slot = count // stride

            def save(kept):
                return [lax.dynamic_update_index_in_dim(b, v, slot, 0) for b, v in zip(kept, carry, strict=True)]

            kept = lax.cond(count % stride == 0, save, lambda k: k, kept)
            return body(body_consts, carry), count + 1, stride, kept

        one = jnp.int64(1)
        final, count, stride, kept = lax.while_loop(
            lambda s: test(test_consts, s[0]), step, (list(start), one * 0, one, buffers)
        )
        return final, (test_consts, body_consts, count, stride, kept)

    def backward(residuals, cotangents):
        test_consts, body_consts, count, stride, kept = residuals
        exact = [i for i, v in enumerate(body_jaxpr.in_avals) if v.dtype in INEXACT]
        exact_consts = [i for i, v in enumerate(body_consts) if v.dtype in INEXACT]

        def step(loop_state):
            index, cts, const_cts = loop_state
            slot = index // stride
            carry = [lax.dynamic_index_in_dim(b, slot, 0, keepdims=False) for b in kept]
            carry = lax.fori_loop(slot * stride, index, lambda _, c: body(body_consts, c), carry)

            def differentiable(values, const_values):
                full, consts = list(carry), list(body_consts)
                for i, v in zip(exact, values, strict=True):
                    full[i] = v
                for i, v in zip(exact_consts, const_values, strict=True):
                    consts[i] = v
                out = body(consts, full)
                return [out[i] for i in exact]

            _, pull = jax.vjp(differentiable, [carry[i] for i in exact], [body_consts[i] for i in exact_consts])
            new_cts, more = pull(cts)
            return index - 1, new_cts, [a + b for a, b in zip(const_cts, more, strict=True)]

        zeros = [jnp.zeros(jnp.shape(body_consts[i]), body_consts[i].dtype) for i in exact_consts]
        _, cts, const_cts = lax.while_loop(
            lambda s: s[0] >= 0, step, (count - 1, [cotangents[i] for i in exact], zeros)
        )
        start_cts = [tape.zero_cotangent(v) for v in body_jaxpr.in_avals]
        for i, ct in zip(exact, cts, strict=True):
            start_cts[i] = ct
        all_const_cts = [tape.zero_cotangent(v) for v in body_consts]
        for i, ct in zip(exact_consts, const_cts, strict=True):
            all_const_cts[i] = ct
        return [tape.zero_cotangent(v) for v in test_consts], all_const_cts, start_cts

    loop.defvjp(forward, backward)
    return loop([jnp.asarray(c) for c in test_jaxpr.consts], [jnp.asarray(c) for c in body_jaxpr.consts], list(init))
