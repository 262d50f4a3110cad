"""Gradients that a Cell decides about: its `bprop` method, its backward hooks, and recomputation.

In PYNATIVE_MODE they are nodes with a Python pullback on the tape, so the user's function runs at backward time with
real values. Inside a trace they are a `jax.custom_vjp` around the whole Cell, whose Parameters are lifted to arguments
because a custom rule cannot close over what is differentiated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.signature import build, split
from ms_compat._core import state, tape
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap
from ms_compat.nn._cell import recompute
from ms_compat.nn._cell.hooks import hooks_of


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _snapshot(tensor: Tensor) -> Tensor:
    """Another Tensor of the same value and record, which later in-place changes do not touch."""
    out = wrap(tensor._v)
    out._node = tensor._node
    return out


def in_trace(cell: Any, leaves: list[Any]) -> bool:
    """Whether JAX is tracing this call: through a compiled function, or a transformation of the user's own."""
    if state.tracing and state.current_scope() is not None:
        return True
    return any(isinstance(t._v, Tracer) for t in leaves) or any(
        isinstance(t._v, Tracer) for t in cell._all_parameters()
    )


def call(cell: Any, construct: Callable, args: tuple, kwargs: dict) -> Any:
    """Run `construct` under the Cell's own gradient rule, its backward hooks, or recomputation."""
    leaves: list[Any] = []
    spec = split((args, kwargs), leaves)
    leaves = [t if isinstance(t, Tensor) else Tensor(t) for t in leaves]
    if in_trace(cell, leaves):
        return _call_traced(cell, construct, spec, leaves)
    if not tape.recording() or tape._paused.depth:
        return construct(*args, **kwargs)
    if cell._has_bprop:
        return _bprop_taped(cell, construct, args, kwargs, leaves)
    inner = construct
    if cell.__dict__.get("_recompute"):

        def inner(*args, **kwargs):
            return recompute.call_taped(cell, construct, args, kwargs)

    if hooks_of(cell, "backward") or hooks_of(cell, "backward_pre"):
        return _hooks_taped(cell, inner, spec, leaves)
    return inner(*args, **kwargs)


# -- bprop -----------------------------------------------------------------------------------------------------------
def _gradients_from_bprop(cell: Any, inputs: tuple, out: Any, dout: Any) -> tuple:
    """What `bprop` returns, one item per positional input: MindSpore is lenient about the number."""
    result = cell.bprop(*inputs, out, dout)
    grads = result if isinstance(result, tuple) else (result,)
    if len(grads) == 2 and isinstance(grads[0], tuple) and isinstance(grads[1], dict):
        grads = grads[0]
    return (*grads, *[None] * (len(inputs) - len(grads)))[: len(inputs)]


def _leaf_gradients(spec: Any, grad: Any, count: int) -> list[Any]:
    """The gradients of one input's leaves: the input may be a tuple or list, and its gradient then is one, too."""
    found: list[Any] = []
    if grad is not None:
        split(grad, found)
    return found if len(found) == count else [None] * count


def _by_leaf(inputs: tuple, grads: tuple) -> list[Any]:
    out: list[Any] = []
    for value, grad in zip(inputs, grads, strict=True):
        leaves: list[Any] = []
        spec = split(value, leaves)
        out.extend(_leaf_gradients(spec, grad, len(leaves)))
    return [g if isinstance(g, Tensor) else None for g in out]


def _bprop_taped(cell, construct, args, kwargs, leaves) -> Any:
    if kwargs:
        raise TypeError(f"For '{type(cell).__name__}', a Cell with 'bprop' takes positional inputs only.")
    targets = [tape.live_node(t) for t in leaves]
    with tape.pause():
        out = construct(*args)
    if not any(node is not None for node in targets):
        return out
    outputs: list[Any] = []
    out_spec = split(out, outputs)
    fresh = [wrap(t._v) for t in outputs]
    result = build(out_spec, iter(fresh))
    inputs = tuple([_snapshot(a) if isinstance(a, Tensor) else a for a in args])

    def pull(*cts):
        filled = [wrap(jnp.zeros_like(o._v)) if ct is None else ct for ct, o in zip(cts, fresh, strict=True)]
        dout = build(out_spec, iter(filled))
        return _by_leaf(args, _gradients_from_bprop(cell, inputs, result, dout))

    tape.record_custom(fresh, targets, pull)
    return result


# -- backward hooks --------------------------------------------------------------------------------------------------
def _run_pre_hooks(cell: Any, grad_output: tuple) -> tuple:
    for hook in hooks_of(cell, "backward_pre"):
        result = hook(cell, grad_output)
        if result is not None:
            grad_output = _as_tuple(result)
    return grad_output


def _run_hooks(cell: Any, grad_input: tuple, grad_output: tuple) -> tuple:
    for hook in hooks_of(cell, "backward"):
        result = hook(cell, grad_input, grad_output)
        if result is not None:
            grad_input = _as_tuple(result)
    return grad_input


def _hooks_taped(cell, construct, spec, leaves) -> Any:
    targets = [tape.live_node(t) for t in leaves]
    recorded = any(node is not None for node in targets)
    seen: dict[str, tuple] = {}
    if recorded:
        inputs = [wrap(t._v) for t in leaves]

        def pull_inputs(*cts):
            return _run_hooks(cell, cts, seen.get("grad_output", ()))

        tape.record_custom(inputs, targets, pull_inputs)
        args, kwargs = build(spec, iter(inputs))
    else:
        args, kwargs = build(spec, iter(leaves))
    out = construct(*args, **kwargs)
    outputs: list[Any] = []
    out_spec = split(out, outputs)
    out_nodes = [tape.live_node(t) for t in outputs]
    if not any(node is not None for node in out_nodes):
        return out
    fresh = [wrap(t._v) for t in outputs]

    def pull_outputs(*cts):
        seen["grad_output"] = grad_output = _run_pre_hooks(cell, cts)
        if not recorded:
            _run_hooks(cell, (None,) * len(leaves), grad_output)
        return grad_output

    tape.record_custom(fresh, out_nodes, pull_outputs)
    return build(out_spec, iter(fresh))


# -- inside a trace --------------------------------------------------------------------------------------------------
def _call_traced(cell: Any, construct: Callable, spec: Any, leaves: list[Tensor]) -> Any:
    members = cell._all_parameters()
    scope = state.current_scope() if state.tracing else None
    if scope is not None:
        for t in members:
            scope.note_read(t)
    found: dict[str, Any] = {}

    def pure(leaf_values, state_values):
        with state.TraceScope() as inner:
            inner.swap(members, state_values)
            tensors = [wrap(v) for v in leaf_values]
            for t in tensors:
                inner.created[id(t)] = t
            args, kwargs = build(spec, iter(tensors))
            out = construct(*args, **kwargs)
            outputs: list[Any] = []
            found["spec"] = split(out, outputs)
            outputs = [t if isinstance(t, Tensor) else Tensor(t) for t in outputs]
            found["changed"] = inner.changed()
            return [t._v for t in outputs], [t._v for t in found["changed"]]

    run = _with_rule(cell, pure, spec, found)
    out_values, changed = run([t._v for t in leaves], [t._v for t in members])
    for t, value in zip(found["changed"], changed, strict=True):
        state.assign(t, value)
    outputs = [wrap(v) for v in out_values]
    if scope is not None:
        for t in outputs:
            scope.created[id(t)] = t
    return build(found["spec"], iter(outputs))


def _with_rule(cell: Any, pure: Callable, spec: Any, found: dict[str, Any]) -> Callable:
    hooked = hooks_of(cell, "backward") or hooks_of(cell, "backward_pre")
    if cell._has_bprop:
        rule = jax.custom_vjp(pure)

        def forward(leaf_values, state_values):
            out = pure(leaf_values, state_values)
            return out, (leaf_values, state_values, out[0])

        def backward(residuals, cotangents):
            leaf_values, state_values, out_values = residuals
            with state.TraceScope():
                inputs = build(spec, iter([wrap(v) for v in leaf_values]))[0]
                out = build(found["spec"], iter([wrap(v) for v in out_values]))
                cts = [_concrete(ct, o) for ct, o in zip(cotangents[0], out_values, strict=True)]
                dout = build(found["spec"], iter([wrap(ct) for ct in cts]))
                grads = _by_leaf(inputs, _gradients_from_bprop(cell, inputs, out, dout))
            return [_fitting(g, v) for g, v in zip(grads, leaf_values, strict=True)], [_zero(v) for v in state_values]

        rule.defvjp(forward, backward)
        return rule
    inner = recompute.checkpointed(cell, pure)
    if not hooked:
        return inner
    rule = jax.custom_vjp(inner)

    def forward_hooked(leaf_values, state_values):
        out, pull = jax.vjp(inner, leaf_values, state_values)
        return out, (pull, out[0])

    def backward_hooked(residuals, cotangents):
        pull, out_values = residuals
        cts, changed_cts = cotangents
        with state.TraceScope():
            given = tuple([wrap(_concrete(ct, o)) for ct, o in zip(cts, out_values, strict=True)])
            grad_output = _run_pre_hooks(cell, given)
            passed = [ct if g is None or o.dtype not in INEXACT else g._v
                      for ct, g, o in zip(cts, grad_output, out_values, strict=True)]  # fmt: skip
            leaf_grads, state_grads = pull((passed, changed_cts))
            inexact = [i for i, g in enumerate(leaf_grads) if g.dtype in INEXACT]
            grad_input = tuple([wrap(g) if i in inexact else None for i, g in enumerate(leaf_grads)])
            grad_input = _run_hooks(cell, grad_input, grad_output)
            leaf_grads = [
                new._v if i in inexact and isinstance(new, Tensor) else old
                for i, (old, new) in enumerate(zip(leaf_grads, grad_input, strict=True))
            ]
        return leaf_grads, state_grads

    rule.defvjp(forward_hooked, backward_hooked)
    return rule


def _concrete(cotangent: Any, value: Any) -> Any:
    """The cotangent as an array; integer outputs have none, and get zeros of their own dtype to show to the user."""
    return cotangent if value.dtype in INEXACT else jnp.zeros(value.shape, value.dtype)


def _zero(value: Any) -> Any:
    return tape.zero_cotangent(value)


def _fitting(grad: Any, value: Any) -> Any:
    if grad is None or value.dtype not in INEXACT:
        return _zero(value)
    return jnp.broadcast_to(grad._v, value.shape).astype(value.dtype)
