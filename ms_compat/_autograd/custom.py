"""Functions with their own gradient: `Cell.bprop`, backward hooks, `Custom` functions, hooks on Tensors.

One mechanism for both ways of differentiating. On the tape a call is a node whose pullback is the user's Python, which
runs at backward time with real values. Under a trace the call is lifted (`Lifted`) to a pure function of its Tensors'
and Parameters' arrays, because a `jax.custom_vjp` cannot close over what is differentiated; Parameters are inputs of it
without a gradient, as in MindSpore.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._autograd.returned import gradients_of
from ms_compat._compile import control_flow
from ms_compat._compile.analysis import refusals
from ms_compat._core import tape
from ms_compat._core.compiled.compiled_op import conjugated
from ms_compat._core.errors import IntegerGradientError, UnsupportedError
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS
from ms_compat._core.tape import INEXACT
from ms_compat._core.tape.hooks import HookHandle, Hooks, register_tensor_hook, through_hooks
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import as_tensors, flatten, unflatten
from ms_compat._core.trace import scopes, write_barrier


def call_with_bprop(
    forward: Callable, bprop: Callable, args: tuple, kwargs: dict, api: str, parameters: Sequence = ()
) -> Any:
    """Call `forward(*args)` so that its gradient is `bprop(*args, out, dout)`.

    Args:
        forward: the function.
        bprop: takes the inputs, the output and its cotangent (in the output's structure); returns one gradient per
            positional input, as `returned.py` says.
        args: positional arguments; Tensors are differentiable, tuples of Tensors too.
        kwargs: keyword arguments, constants.
        api: the name for messages.
        parameters: Parameters the function reads (under a trace they are inputs of the custom function).
    """

    def match(given: tuple, grads: Any) -> list[Any]:
        return gradients_of(given, grads, api, numbers=True)

    if scopes.current_scope() is not None:
        call = Lifted(lambda *given: forward(*given, **kwargs), args, {}, parameters)
        return call.apply(with_bprop(call, bprop, match))
    return call_taped(lambda *given: forward(*given, **kwargs), bprop, args, match)


# -- the tape --------------------------------------------------------------------------------------------------------
def call_taped(
    forward: Callable, bprop: Callable, args: tuple, match: Callable, fill: Callable[[], bool] = lambda: True
) -> Any:
    """Run `forward(*args)` off the tape and record one node in its place.

    Args:
        forward: the function.
        bprop: called as `bprop(*args, out, dout)`.
        args: its arguments.
        match: turns the arguments and what `bprop` returned into one gradient (Tensor or None) per Tensor in them.
        fill: whether `bprop` gets zeros, not None, for the cotangents of outputs that were not used.
    """
    leaves: list[Any] = []
    spec = flatten(as_tensors(args, []), leaves)
    targets = [tape.live_node(t) for t in leaves]
    if tape.paused():
        return forward(*args)
    with tape.no_record():
        out = forward(*args)
    if all(node is None for node in targets):
        return out  # what `forward` reads otherwise, such as weights, has no gradient through it
    out = as_tensors(out, [])
    outputs: list[Any] = []
    out_spec = flatten(out, outputs)
    fresh = [wrap(t._v) for t in outputs]
    result = unflatten(out_spec, iter(fresh))
    given = unflatten(spec, iter([_snapshot(t) for t in leaves]))

    def pull(*cts: Any) -> list[Any]:
        if fill():
            cts = tuple([wrap(jnp.zeros_like(o._v)) if ct is None else ct for o, ct in zip(fresh, cts, strict=True)])
        return match(given, bprop(*given, result, unflatten(out_spec, iter(cts))))

    integers = any(n is not None and t._v.dtype not in INEXACT for n, t in zip(targets, leaves, strict=True))
    tape.record_custom_vjp(fresh, targets, pull, integers)
    return result


def _snapshot(value: Any) -> Any:
    """Another Tensor with the same value and record, which later in-place changes do not affect."""
    if not isinstance(value, Tensor):
        return value
    out = wrap(value._v)
    out._node = value._node
    return out


# -- inside a trace --------------------------------------------------------------------------------------------------
class Lifted:
    """A call as a pure function `(leaf values, state values) -> (output values, values of changed state)`.

    Args:
        function: what is called.
        args, kwargs: its arguments; the Tensors and Parameters in them are the leaves.
        members: the Parameters and buffers that it reads and may change.
    """

    def __init__(self, function: Callable, args: tuple, kwargs: dict, members: Sequence = ()):
        leaves: list[Any] = []
        self.function, self.members = function, members
        scope = scopes.current_scope()
        pairs: list[Any] = []
        self.spec = flatten(as_tensors((args, kwargs), pairs), leaves)
        self.parameters = {i: p for i, t in enumerate(leaves) for shown, p in pairs if t is shown}
        # JAX may trace a backward rule after the surrounding trace has ended
        self.convert = scope is not None and scope.convert
        if scope is not None:
            for p in self.parameters.values():
                scope.note_read(p)
        self.leaves = [t if isinstance(t, Tensor) else Tensor(t) for t in leaves]
        self.out_spec: Any = None
        self.changed: Sequence[Any] = ()

    def __call__(self, leaf_values: Any, state_values: Any) -> tuple[list[Any], list[Any]]:
        with scopes.TraceScope() as inner:
            inner.convert = inner.convert or self.convert
            inner.swap(self.members, state_values)
            tensors = noted(inner, leaf_values)
            args, kwargs = self.inputs(tensors)
            outputs: list[Any] = []
            self.out_spec = flatten(as_tensors(self.function(*args, **kwargs), []), outputs)
            outputs = [t if isinstance(t, Tensor) else Tensor(t) for t in outputs]
            changed = inner.changed()
            written = self._written(tensors, leaf_values)
            self.changed = [*changed, *[self.parameters[i] for i in written]]
            changed = [*changed, *[tensors[i] for i in written]]
            return [t._v for t in outputs], [t._v for t in changed]

    def _written(self, tensors: Sequence[Tensor], before: Any) -> list[int]:
        """The arguments that are Parameters and have another value now."""
        return [i for i in self.parameters if tensors[i]._v is not before[i]]

    def inputs(self, tensors: Sequence[Tensor]) -> Any:
        """The arguments (args, kwargs) with these leaves."""
        return unflatten(self.spec, iter(tensors))

    def outputs(self, tensors: Sequence[Tensor]) -> Any:
        """The output with these leaves."""
        return unflatten(self.out_spec, iter(tensors))

    def apply(self, rule: Callable) -> Any:
        """Make the call through `rule`, a function of the same signature, and put the results into place."""
        scope = scopes.current_scope() if scopes.tracing else None
        if scope is not None:
            scope.note_rule()
            if scope.integers and any(id(t) in scope.integers for t in self.leaves):
                raise IntegerGradientError("A custom gradient of an integer Tensor cannot be compiled.")
            for t in self.members:
                scope.note_read(t)
        outputs, changed = rule([t._v for t in self.leaves], [t._v for t in self.members])
        write_barrier.assign_all(self.changed, changed)
        return self.outputs(noted(scope, outputs))


def with_bprop(call: Lifted, bprop: Callable, match: Callable) -> Callable:
    """The lifted call with a user-defined gradient; `bprop` and `match` as for `call_taped`."""
    scopes.check_reverse_mode()
    rule = jax.custom_vjp(lambda leaf_values, state_values: call(leaf_values, state_values))

    def forward(leaf_values, state_values):
        out = rule(leaf_values, state_values)  # by the rule, as `out` may itself be differentiated
        return out, (leaf_values, state_values, out[0])

    def backward(residuals, cotangents):
        leaf_values, state_values, out_values = residuals
        with scopes.TraceScope() as inner:
            inner.swap(call.members, state_values)
            args, _ = call.inputs(noted(inner, leaf_values))
            out = call.outputs(noted(inner, out_values))
            douts = [conjugated(shown(ct, o)) for ct, o in zip(cotangents[0], out_values, strict=True)]
            grads = match(args, _of_user(bprop, (*args, out, call.outputs(noted(inner, douts))), inner))
            of_leaves = [conjugated(_fitting(g, v)) for g, v in zip(grads, leaf_values, strict=True)]
            refuse_writes(inner)
        return of_leaves, [tape.zero_cotangent(v) for v in state_values]

    rule.defvjp(forward, backward)
    return rule


def refuse_writes(scope: Any) -> None:
    """Raise UnsupportedError, which lets the function run in Python, if a rule has written into a Parameter."""
    if scope.changed():
        raise UnsupportedError(
            "assigning to a Parameter in a backward rule or hook of a compiled function",
            "Assign after the gradient was computed, or run in PYNATIVE_MODE.",
        )


def _of_user(bprop: Callable, args: tuple, scope: Any) -> Any:
    """Call a user's backward rule; if it branches on traced values, rewrite its control flow."""
    try:
        return control_flow.converted(bprop)(*args)
    except CONCRETIZATION_ERRORS:
        if scope.convert:
            raise
        scope.convert = True
        return control_flow.converted(bprop)(*args)


def shown(cotangent: Any, value: Any) -> Any:
    """The cotangent as an array; integer outputs have none, and get zeros of their own dtype to show to the user."""
    return cotangent if value.dtype in INEXACT else jnp.zeros(value.shape, value.dtype)


def _fitting(grad: Any, value: Any) -> Any:
    return tape.zero_cotangent(value) if grad is None or value.dtype not in INEXACT else grad._v


def noted(scope: Any, values: Sequence[Any]) -> list[Tensor]:
    """Arrays as Tensors that a scope knows as made inside it."""
    out = [wrap(v) for v in values]
    if scope is not None:
        for t in out:
            scope.created[id(t)] = t
    return out


def register_hook(tensor: Tensor, hook: Callable) -> HookHandle:
    """Call `hook(grad)` when this tensor's gradient is known; what it returns (if not None) replaces the gradient.

    On the tape it marks the record; under a trace the tensor's cotangent passes the hook.

    Args:
        tensor: the Tensor.
        hook: function of one Tensor.

    Returns:
        A handle whose `remove()` takes the hook away.

    Raises:
        TypeError: `hook` is not a function.
        RuntimeError: the tensor is a Parameter that needs no gradient; in compiled code, it has a hook already.
        ValueError: the tensor is a Parameter, in compiled code.
    """
    if isinstance(tensor, Parameter) and not tensor.requires_grad:
        raise RuntimeError("The tensor requires grad is false, which can not register tensor hook. It is a Parameter.")
    if scopes.current_scope() is None:
        return register_tensor_hook(tensor, hook)
    if scopes.compiling():
        refusals.check_hook(tensor, sys._getframe(1), control_flow.is_generated)
    hooks = Hooks()
    handle = HookHandle(hooks, hook)

    def bprop(x, out, dout):
        return (through_hooks({i: control_flow.converted(hook) for i, hook in hooks.items()}, dout),)

    hooked = call_with_bprop(lambda x: x, bprop, (tensor,), {}, "Tensor.register_hook")
    write_barrier.assign(tensor, hooked._v)
    return handle
