"""Gradients that a Cell decides about: its `bprop` method, its backward hooks, and recomputation.

In PYNATIVE_MODE they are nodes with a Python pullback on the tape, inside a trace a rule around the whole Cell; both
ways are in `_autograd/custom.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax

from ms_compat._autograd.custom import Lifted, call_taped, refuse_writes, shown, with_bprop
from ms_compat._autograd.returned import gradients_of
from ms_compat._compile.jit import JitFunction
from ms_compat._core import tape
from ms_compat._core.compiled.compiled_op import conjugated
from ms_compat._core.compiled.gradient_rules import by_rule
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.tree import flatten, unflatten
from ms_compat._core.trace import scopes
from ms_compat.nn._cell import recompute
from ms_compat.nn._cell.hooks import hooks_of


def _returned(value: Any, gradients: tuple, hook: str) -> tuple:
    """What a hook returned, as a tuple with one gradient for each that it got; TypeError otherwise."""
    found = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if len(found) != len(gradients) or not all(g is None or isinstance(g, Tensor) for g in found):
        raise TypeError(f"A {hook} must return {len(gradients)} gradients, each a Tensor, but returned {value!r:.80}.")
    return found


def in_trace(cell: Any, leaves: list[Any]) -> bool:
    """Whether JAX is tracing this call: through a compiled function, or the user's own transformation."""
    if _is_compiled():
        return True
    return any(isinstance(t._v, Tracer) for t in leaves) or any(
        isinstance(t._v, Tracer) for t in cell._all_parameters()
    )


def has_bprop_around(cell: Any) -> bool:
    """Whether a Cell's `bprop` method stands around its hooks, too, as MindSpore's compiler has it."""
    return cell._has_bprop and _is_compiled()


def has_bprop_inside(cell: Any) -> bool:
    """Whether a Cell's `bprop` method stands around its `construct`, as in PYNATIVE_MODE."""
    return cell._has_bprop and not _is_compiled()


def _is_compiled() -> bool:
    return bool(scopes.tracing) and scopes.current_scope() is not None


def call_with_bprop(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of a Cell that has a `bprop` method."""
    args = _as_bprop_takes_them(cell, args, kwargs)
    _, leaves = _flat(args, {})
    if in_trace(cell, leaves):
        lifted = Lifted(inner, args, {}, cell._all_parameters())
        return lifted.apply(with_bprop(lifted, cell.bprop, _match_of(cell)))
    if not tape.recording() or tape.paused():
        return inner(*args)
    if isinstance(vars(type(cell)).get("bprop"), JitFunction):
        raise RuntimeError(
            f"For '{type(cell).__name__}', 'bprop' must not be under 'ms.jit' in PYNATIVE_MODE: compile the "
            "function that takes the gradient."
        )
    return call_taped(inner, cell.bprop, args, _match_of(cell))


def is_recomputed(cell: Any) -> bool:
    """Whether the backward pass computes a Cell's results again, or loads what it has offloaded."""
    attributes = cell.__dict__
    return not cell._has_bprop and bool(attributes.get("_recompute") or attributes.get("_offload"))


def call_recomputed(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    _, leaves = _flat(args, kwargs)
    if in_trace(cell, leaves):
        lifted = Lifted(inner, args, kwargs, cell._all_parameters())
        return lifted.apply(recompute.checkpointed(cell, lifted))
    if cell.__dict__.get("_recompute") and tape.recording() and not tape.paused():
        return recompute.call_taped(cell, inner, args, kwargs)
    return inner(*args, **kwargs)


def _flat(args: tuple, kwargs: dict) -> tuple[Any, list[Tensor]]:
    """The structure of a call's arguments, and their leaves as Tensors."""
    leaves: list[Any] = []
    spec = flatten((args, kwargs), leaves)
    return spec, [t if isinstance(t, Tensor) else Tensor(t) for t in leaves]


def _as_bprop_takes_them(cell: Any, args: tuple, kwargs: dict) -> tuple:
    """All arguments of a call by position, with the defaults of those that were not given."""
    bound = inspect.signature(cell.construct).bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(
            f"For 'Cell', a 'bprop' takes its inputs by position, but 'construct' takes {', '.join(bound.kwargs)} by "
            "keyword only."
        )
    return bound.args


def _match_of(cell: Any) -> Callable:
    """A function that turns the result of a Cell's `bprop` into gradients."""
    return lambda inputs, returned: gradients_of(inputs, returned, type(cell).__name__)


# -- backward hooks --------------------------------------------------------------------------------------------------
def has_backward_hooks(cell: Any) -> bool:
    """Whether hooks see the gradients of a Cell's outputs or inputs."""
    hooks = cell.__dict__.get("_hooks", {})
    return bool(hooks.get("backward") or hooks.get("backward_pre"))


def call_with_backward_hooks(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell. The hooks stand around its forward hooks, too, as in MindSpore."""
    spec, leaves = _flat(args, kwargs)
    if in_trace(cell, leaves):
        lifted = Lifted(inner, args, kwargs, cell._all_parameters())
        return lifted.apply(_hooks_traced(cell, lifted))
    if not tape.recording() or tape.paused():
        return inner(*args, **kwargs)
    return _hooks_taped(cell, inner, spec, leaves)


def _run_pre_hooks(cell: Any, grad_output: tuple) -> tuple:
    for hook in hooks_of(cell, "backward_pre"):
        result = hook(cell, grad_output)
        if result is not None:
            grad_output = _returned(result, grad_output, "backward_pre_hook")
    return grad_output


def _run_hooks(cell: Any, grad_input: tuple, grad_output: tuple) -> tuple:
    for hook in hooks_of(cell, "backward"):
        result = hook(cell, grad_input, grad_output)
        if result is not None:
            grad_input = _returned(result, grad_input, "backward_hook")
    return grad_input


def _hooks_taped(cell, construct, spec, leaves) -> Any:
    targets = [tape.live_node(t) for t in leaves]
    recorded = any(node is not None for node in targets)
    seen: dict[str, tuple] = {}
    if recorded:
        inputs = [wrap(t._v) for t in leaves]

        def pull_inputs(*cts):
            return _run_hooks(cell, cts, seen.get("grad_output", ()))

        tape.record_custom_vjp(inputs, targets, pull_inputs)
        args, kwargs = unflatten(spec, iter(inputs))
    else:
        args, kwargs = unflatten(spec, iter(leaves))
    out = construct(*args, **kwargs)
    outputs: list[Any] = []
    out_spec = flatten(out, outputs)
    out_nodes = [tape.live_node(t) for t in outputs]
    if not any(node is not None for node in out_nodes):
        return out
    fresh = [wrap(t._v) for t in outputs]

    def pull_outputs(*cts):
        seen["grad_output"] = grad_output = _run_pre_hooks(cell, cts)
        if not recorded:
            _run_hooks(cell, (None,) * len(leaves), grad_output)
        return grad_output

    tape.record_custom_vjp(fresh, out_nodes, pull_outputs)
    return unflatten(out_spec, iter(fresh))


def _hooks_traced(cell: Any, inner: Lifted) -> Callable:
    scopes.check_reverse_mode()
    rule = jax.custom_vjp(lambda leaf_values, state_values: inner(leaf_values, state_values))

    def forward(leaf_values, state_values):
        out, pull = jax.vjp(inner, leaf_values, state_values)
        residuals = pull, out[0]
        return by_rule(out, (leaf_values, state_values), residuals, backward), residuals

    def backward(residuals, cotangents):
        pull, out_values = residuals
        cts, changed_cts = cotangents
        with scopes.TraceScope() as scope:
            given = tuple([wrap(conjugated(shown(ct, o))) for ct, o in zip(cts, out_values, strict=True)])
            grad_output = _run_pre_hooks(cell, given)
            passed = [ct if g is None or o.dtype not in INEXACT else conjugated(g._v)
                      for ct, g, o in zip(cts, grad_output, out_values, strict=True)]  # fmt: skip
            leaf_grads, state_grads = pull((passed, changed_cts))
            inexact = _inexact(leaf_grads)
            grad_input = tuple([wrap(conjugated(g)) if i in inexact else None for i, g in enumerate(leaf_grads)])
            grad_input = _run_hooks(cell, grad_input, grad_output)
            refuse_writes(scope)
            leaf_grads = [
                conjugated(new._v) if i in inexact and isinstance(new, Tensor) else old
                for i, (old, new) in enumerate(zip(leaf_grads, grad_input, strict=True))
            ]
        return leaf_grads, state_grads

    rule.defvjp(forward, backward)
    return rule


def _inexact(values: Any) -> list[int]:
    """The positions of the floats and complex numbers."""
    return [i for i, value in enumerate(values) if value.dtype in INEXACT]
