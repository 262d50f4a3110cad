"""Functions with their own gradient: `Cell.bprop`, `Custom` functions, and gradient hooks on values.

One piece of code for both ways of differentiating: on the tape it is a node whose pullback is the user's Python; under
a trace it is `jax.custom_vjp`. Parameters read by the function are inputs of it without a gradient, as in MindSpore.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.signature import build, split
from ms_compat._core import state, tape
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap


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
    scope = state.current_scope()
    if scope is not None:
        return _call_traced(forward, bprop, args, kwargs, api, parameters)
    leaves: list[Any] = []
    split(args, leaves)
    links = [tape.live_node(t) for t in leaves]
    if all(node is None for node in links):
        return forward(*args, **kwargs)
    with tape.pause():
        out = forward(*args, **kwargs)
    outputs: list[Any] = []
    spec = split(out, outputs)
    fresh = [wrap(t._v) for t in outputs]
    result = build(spec, iter(fresh))

    def pull(*cts):
        dout = build(spec, iter([_zeros_like(o) if ct is None else ct for o, ct in zip(fresh, cts, strict=True)]))
        return _leaf_gradients(bprop(*args, result, dout), args, leaves, api)

    tape.record_custom(fresh, links, pull)
    return result


def _zeros_like(t: Tensor) -> Tensor:
    return wrap(jnp.zeros(t._v.shape, t._v.dtype))


def _leaf_gradients(grads: Any, args: tuple, leaves: Sequence[Tensor], api: str) -> list[Any]:
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
        split(argument, parts)
        given: list[Any] = []
        split(gradient, given, True)
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


def _call_traced(forward, bprop, args, kwargs, api, parameters):
    leaves: list[Any] = []
    arg_spec = split(args, leaves)
    scope = state.current_scope()
    for p in parameters:
        scope.note_read(p)
    found: dict[str, Any] = {}

    def run(values, parameter_values):
        with state.TraceScope() as inner:
            inner.swap(parameters, parameter_values)
            out = forward(*build(arg_spec, iter(_noted(inner, values))), **kwargs)
            outputs: list[Any] = []
            found["spec"] = split(out, outputs)
            found["changed"] = inner.changed()
            return [o._v for o in outputs], [t._v for t in found["changed"]]

    @jax.custom_vjp
    def function(values, parameter_values):
        return run(values, parameter_values)

    def forward_rule(values, parameter_values):
        outputs, changed = run(values, parameter_values)
        return (outputs, changed), (values, parameter_values, outputs)

    def backward_rule(residuals, cts):
        values, parameter_values, outputs = residuals
        with state.TraceScope() as inner:
            inner.swap(parameters, parameter_values)
            inputs = _noted(inner, values)
            call_args = build(arg_spec, iter(inputs))
            out = build(found["spec"], iter(_noted(inner, outputs)))
            douts = [
                jnp.zeros(o.shape, o.dtype) if o.dtype not in INEXACT else c
                for o, c in zip(outputs, cts[0], strict=True)
            ]
            grads = _leaf_gradients(
                bprop(*call_args, out, build(found["spec"], iter(_noted(inner, douts)))), call_args, inputs, api
            )
            of_values = [
                g._v if v.dtype in INEXACT else tape.zero_cotangent(v) for v, g in zip(values, grads, strict=True)
            ]
            return of_values, [tape.zero_cotangent(v) for v in parameter_values]

    function.defvjp(forward_rule, backward_rule)
    outputs, changed = function([t._v for t in leaves], [p._v for p in parameters])
    for t, value in zip(found["changed"], changed, strict=True):
        state.assign(t, value)
    return build(found["spec"], iter(_noted(scope, outputs)))


def _noted(scope, values) -> list[Tensor]:
    out = [wrap(v) for v in values]
    for t in out:
        scope.created[id(t)] = t
    return out


def register_hook(tensor: Tensor, hook: Callable) -> tape.HookHandle:
    """`Tensor.register_hook`: on the tape a mark of the record; under a trace the tensor's cotangent passes the hook.

    Raises:
        TypeError: `hook` is not a function.
    """
    if state.current_scope() is None:
        return tape.register_tensor_hook(tensor, hook)
    hooks: dict[int, Callable] = {}
    handle = tape.HookHandle(hooks, hook)

    def bprop(x, out, dout):
        return (tape.through_hooks(hooks, dout),)

    hooked = call_with_bprop(lambda x: x, bprop, (tensor,), {}, "Tensor.register_hook")
    state.assign(tensor, hooked._v)
    return handle
