"""Parameters that a backward pass writes statistics into, for optimizers that want more than gradients.

`record(x, parameter, statistic)` passes `x` on; when the backward pass reaches `x`, the Parameter becomes
`statistic(cotangent)`. On the tape that is a side effect of the node's pullback. Inside a trace a backward rule may not
assign, because its values can belong to an inner trace (of a checkpoint, a loop) that is over by then. There the
Parameter is one more input that the function is differentiated with respect to, and the rule returns the statistic as
that input's cotangent: `engine.linearize` takes the Parameters that `enable` marked and assigns what comes back. A
function that was compiled alone and is differentiated on the tape does the same for the Parameters that it passed.

If several calls share a Parameter, the last one in the backward pass counts, in both ways.
"""

from __future__ import annotations

import functools
from typing import Any

import jax

from ms_compat._autograd.custom import call_with_bprop
from ms_compat._core.dispatch.op import Op
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, flat_weights, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes, write_barrier


def enable(parameter: Parameter) -> Parameter:
    """Let linearizations look for this Parameter; returns it."""
    parameter.__dict__["_observes"] = True
    return parameter


def enabled_parameters(scope: Any, differentiated: list[Any]) -> list[Any]:
    """The marked Parameters that hold tracers of a scope or an outer scope, except those differentiated anyway."""
    found: dict[int, Any] = {}
    while scope is not None:
        for storage, _, _ in scope.swapped:
            for tensor in storage.members if isinstance(storage, flat_weights.Chunk) else (storage,):
                if "_observes" in tensor.__dict__:
                    found[id(tensor)] = tensor
        scope = scope.outer
    for tensor in differentiated:
        found.pop(id(tensor), None)
    return list(found.values())


def record(x: Tensor, parameter: Parameter, statistic: Op) -> Tensor:
    """Pass `x` on, and let `parameter` become `statistic(cotangent of x)` in the backward pass.

    Args:
        x: any Tensor.
        parameter: a Parameter that `enable` was called for.
        statistic: an operation from an array of `x`'s shape to an array of the Parameter's shape.
    """
    scope = scopes.current_scope()
    if scope is None:
        if isinstance(x._v, Tracer):  # a transformation of the user's own, which must not leave tracers behind
            return x

        def bprop(x, out, dout):
            write_barrier.assign(parameter, statistic(wrap(dout._v))._v.astype(parameter._v.dtype))
            return (dout,)

        return call_with_bprop(lambda x: x, bprop, (x,), {}, statistic.name)
    if scope.forward_mode:
        return x
    if not scope.owns(parameter):
        scope.note_read(parameter)  # the function will be traced again, with the Parameter as its state
        return x
    _note_reached(scope, parameter)
    value, kept = _identity(statistic, x._v, parameter._v)
    write_barrier.assign(parameter, kept)
    out = wrap(value)
    scope.created[id(out)] = out
    return out


def _note_reached(scope: Any, parameter: Parameter) -> None:
    """Mark the Parameter's statistics as present in the linearization that takes them; without one, do nothing."""
    while scope is not None:
        if id(parameter) in scope.observers:
            scope.observers[id(parameter)] = True
            return
        scope = scope.outer


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _identity(statistic, x, kept):
    """Both arguments; the statistic of the first one's cotangent becomes the cotangent of the second."""
    return x, kept


def _forward(statistic, x, kept):
    return (x, kept), None


def _backward(statistic, _, cotangents):
    return cotangents[0], statistic.fn(cotangents[0]).astype(cotangents[1].dtype)


_identity.defvjp(_forward, _backward)
