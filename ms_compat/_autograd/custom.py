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

from ms_compat._compile import control_flow, refusals
from ms_compat._core import state, tape
from ms_compat._core.entry import conjugated
from ms_compat._core.errors import IntegerGradientError, UnsupportedError
from ms_compat._core.hooks import HookHandle, Hooks, register_tensor_hook, through_hooks
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS
from ms_compat._core.op import op
from ms_compat._core.parameter import Parameter
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tree import as_tensors, flatten, unflatten


def call_with_bprop(
    forward: Callable, bprop: Callable, args: tuple, kwargs: dict, api: str, parameters: Sequence = ()
) -> Any:
    """Call `forward(*args)` so that its gradient is `bprop(*args, out, dout)`.

    Args:
        forward: the function.
        bprop: takes the inputs, the output and its cotangent (in the output's structure); returns one gradient per
            positional input, as a tuple (or the only one).
        args: positional arguments; Tensors are differentiable, tuples of Tensors too.
        kwargs: keyword arguments, constants.
        api: the name for messages.
        parameters: Parameters the function reads (under a trace they are inputs of the custom function).
    """

    def match(given: tuple, grads: Any) -> list[Any]:
        return _leaf_gradients(grads, given, api)

    if state.current_scope() is not None:
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
        match: makes of the arguments and what `bprop` returned one gradient (Tensor or None) per Tensor in them.
        fill: whether `bprop` gets zeros, not None, for the cotangents of outputs that were not used.
    """
    leaves: list[Any] = []
    spec = flatten(as_tensors(args, []), leaves)
    targets = [tape.live_node(t) for t in leaves]
    if tape.paused() or all(node is None for node in targets):
        return forward(*args)
    with tape.pause():
        out = as_tensors(forward(*args), [])
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
    tape.record_custom(fresh, targets, pull, integers)
    return result


def _snapshot(value: Any) -> Any:
    """Another Tensor of the same value and record, which later in-place changes do not touch."""
    if not isinstance(value, Tensor):
        return value
    out = wrap(value._v)
    out._node = value._node
    return out


def _leaf_gradients(grads: Any, args: tuple, api: str) -> list[Any]:
    """Match what a bprop returned with the leaves of the arguments.

    Raises:
        ValueError: not one gradient per argument, or a gradient of another shape.
        TypeError: a gradient is not a Tensor.
    """
    if not isinstance(grads, (tuple, list)):
        grads = (grads,)
    if len(grads) < len(args):
        raise ValueError(
            f"For '{api}', 'bprop' must return one gradient per input ({len(args)}), but returned {len(grads)}."
        )
    out: list[Any] = []
    for argument, gradient in zip(args, grads, strict=False):
        parts: list[Any] = []
        flatten(argument, parts)
        given: list[Any] = []
        flatten(gradient, given, True)
        if parts and len(given) < len(parts):
            raise ValueError(
                f"For '{api}', 'bprop' returned {len(given)} gradients for an input of {len(parts)} Tensors."
            )
        for part, g in zip(parts, given, strict=False):
            g = g if isinstance(g, Tensor) else Tensor(g, part.dtype)
            if g.shape != part.shape:
                if g._v.size != 1 and part._v.size != 1:
                    raise ValueError(
                        f"For '{api}', 'bprop' returned a gradient of shape {g.shape} for an input of shape "
                        f"{part.shape}."
                    )
                g = wrap(jnp.broadcast_to(g._v.reshape(()), part._v.shape) if g._v.size == 1 else g._v)
            if g._v.dtype != part._v.dtype:
                node = g._node
                g = wrap(jax.lax.convert_element_type(g._v, part._v.dtype))
                g._node = node
            out.append(g)
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
        scope = state.current_scope()
        pairs: list[Any] = []
        self.spec = flatten(as_tensors((args, kwargs), pairs), leaves)
        self.parameters = {i: p for i, t in enumerate(leaves) for shown, p in pairs if t is shown}
        if scope is not None:
            for p in self.parameters.values():
                scope.note_read(p)
        self.leaves = [t if isinstance(t, Tensor) else Tensor(t) for t in leaves]
        self.out_spec: Any = None
        self.changed: Sequence[Any] = ()

    def __call__(self, leaf_values: Any, state_values: Any) -> tuple[list[Any], list[Any]]:
        with state.TraceScope() as inner:
            inner.swap(self.members, state_values)
            tensors = noted(inner, leaf_values)
            args, kwargs = self.inputs(tensors)
            outputs: list[Any] = []
            self.out_spec = flatten(as_tensors(self.function(*args, **kwargs), []), outputs)
            outputs = [t if isinstance(t, Tensor) else Tensor(t) for t in outputs]
            changed = inner.changed()
            written = [i for i in self.parameters if tensors[i]._v is not leaf_values[i]]
            self.changed = [*changed, *[self.parameters[i] for i in written]]
            changed = [*changed, *[tensors[i] for i in written]]
            return [t._v for t in outputs], [t._v for t in changed]

    def inputs(self, tensors: Sequence[Tensor]) -> Any:
        """The arguments (args, kwargs) with these leaves."""
        return unflatten(self.spec, iter(tensors))

    def outputs(self, tensors: Sequence[Tensor]) -> Any:
        """The output with these leaves."""
        return unflatten(self.out_spec, iter(tensors))

    def apply(self, rule: Callable) -> Any:
        """Make the call through `rule`, a function of the same signature, and put the results into place."""
        scope = state.current_scope() if state.tracing else None
        if scope is not None:
            scope.note_rule()
            if scope.integers and any(id(t) in scope.integers for t in self.leaves):
                raise IntegerGradientError("A custom gradient of an integer Tensor cannot be compiled.")
            for t in self.members:
                scope.note_read(t)
        outputs, changed = rule([t._v for t in self.leaves], [t._v for t in self.members])
        state.assign_all(self.changed, changed)
        return self.outputs(noted(scope, outputs))


def with_bprop(call: Lifted, bprop: Callable, match: Callable) -> Callable:
    """The lifted call with a gradient of the user's; `bprop` and `match` as for `call_taped`."""
    rule = jax.custom_vjp(lambda leaf_values, state_values: call(leaf_values, state_values))

    def forward(leaf_values, state_values):
        out = call(leaf_values, state_values)
        return out, (leaf_values, state_values, out[0])

    def backward(residuals, cotangents):
        leaf_values, state_values, out_values = residuals
        with state.TraceScope() as inner:
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
    """Call a backward rule of the user's; if it branches on what is traced, with its control flow rewritten."""
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
    if grad is None or value.dtype not in INEXACT:
        return tape.zero_cotangent(value)
    if grad._v.ndim > value.ndim:
        grad = sum_to_shape(grad, value.shape)
    return jnp.broadcast_to(grad._v, value.shape).astype(value.dtype)


def fitted(grad: Any, leaf: Any, broadcast: bool = False) -> Tensor | None:
    """A gradient of the user's in the dtype of its input, summed over the dimensions that the input has not.

    With `broadcast` also over those in which the input has size one and the gradient more. None is no gradient.
    """
    if not isinstance(grad, Tensor) or not isinstance(leaf, Tensor):
        return None
    if grad.ndim > leaf.ndim or (broadcast and grad.shape != leaf.shape):
        grad = sum_to_shape(grad, leaf.shape)
    return grad if grad.dtype is leaf.dtype else grad.astype(leaf.dtype)


@op(static=("shape",))
def sum_to_shape(x, shape):
    """The sum over the dimensions in which `shape` was broadcast to the shape of `x`."""
    extra = x.ndim - len(shape)
    if extra < 0 or any(n not in (1, m) for n, m in zip(shape, x.shape[extra:], strict=True)):
        raise RuntimeError(f"A gradient of shape {x.shape} does not fit an input of shape {shape}.")
    axes = [*range(extra), *[extra + i for i, n in enumerate(shape) if n == 1 and x.shape[extra + i] != 1]]
    return jnp.sum(x, axis=tuple(axes), dtype=x.dtype).reshape(shape)


def noted(scope: Any, values: Sequence[Any]) -> list[Tensor]:
    """Arrays as Tensors that a scope knows as made inside it."""
    out = [wrap(v) for v in values]
    if scope is not None:
        for t in out:
            scope.created[id(t)] = t
    return out


def register_hook(tensor: Tensor, hook: Callable) -> HookHandle:
    """Call `hook(grad)` when this tensor's gradient is known; what it returns (if not None) replaces the gradient.

    On the tape it is a mark of the record; under a trace the tensor's cotangent passes the hook.

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
        raise RuntimeError("For 'register_hook', the Parameter has no gradient: its 'requires_grad' is False.")
    if state.current_scope() is None:
        return register_tensor_hook(tensor, hook)
    if state.compiling():
        refusals.check_hook(tensor, sys._getframe(1), control_flow.is_generated)
    hooks = Hooks()
    handle = HookHandle(hooks, hook)

    def bprop(x, out, dout):
        return (through_hooks({i: control_flow.converted(hook) for i, hook in hooks.items()}, dout),)

    hooked = call_with_bprop(lambda x: x, bprop, (tensor,), {}, "Tensor.register_hook")
    state.assign(tensor, hooked._v)
    return handle
