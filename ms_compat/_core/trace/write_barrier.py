"""The write barrier: every in-place change of a Tensor goes through `assign`.

Within a trace `assign` remembers the first value, so that the trace can return only what changed and restore everything
at its end.
"""

from __future__ import annotations

import jax

from ms_compat._core import interrupts
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.trace import scopes
from ms_compat._core.trace.scopes import ABSENT, current_scope


def set_attributes(changes) -> None:
    """Give plain attributes `(attributes, name, value)` these values, and tell compiled functions of what is new."""
    for attributes, name, value in changes:
        if value is ABSENT:
            attributes.pop(name, None)
        elif attributes.get(name, ABSENT) is not value:
            attributes[name] = value
        else:
            continue
        scopes.structure_version += 1


def assign(tensor, value, node=None) -> None:
    """Replace a Tensor's array. Every in-place change calls this function."""
    if scopes.tracing:
        scope = current_scope()
        if scope is not None:
            if id(tensor) not in scope.writes:
                scope.writes[id(tensor)] = (tensor, tensor._v, tensor._node)
            slot = tensor.__dict__.get("_slot")  # of the attribute that it stands for
            if slot is not None and id(slot) not in scope.writes:
                scope.writes[id(slot)] = (slot, slot._v, slot._node)
            if scope.failed is not None:
                value = _unless_failed(scope.failed, tensor, value)
    elif interrupts.in_whole_step() and tensor._is_parameter:
        interrupts.begin_change()
    tensor._v = value
    tensor._node = node


def assign_all(tensors, values) -> None:
    """Assign what a branch, a loop or another part of a trace has changed; its failure counts for what follows it."""
    scope = current_scope()
    failed, last = None if scope is None else scope.failed, []
    for tensor, value in zip(tensors, values, strict=True):
        if tensor is failed:
            last.append(value)
        else:
            assign(tensor, value)
    for value in last:
        assign(failed, value)


def note_failure(failed) -> None:
    """Nothing that the trace changes from here on is to reach a Tensor where `failed`, a 0-d bool array."""
    scope = current_scope()
    if scope is not None and scope.failed is not None:
        assign(scope.failed, jax.numpy.logical_or(scope.failed._v, failed))


def is_failure(tensor) -> bool:
    """Whether a changed Tensor is what `note_failure` sets."""
    scope = current_scope()
    return scope is not None and tensor is scope.failed


def _unless_failed(failed, tensor, value):
    """The value to assign: where an error was reported before, which Python would have ended at, the former one."""
    flag, former = failed._v, tensor._v
    if tensor is failed or not isinstance(flag, Tracer) or value is None or former is None:
        return value
    if former.shape != value.shape or former.dtype != value.dtype:
        return value
    return jax.lax.select(jax.numpy.broadcast_to(flag, value.shape), former, value)


def overwrite(tensor, value, node=None) -> None:
    """As `assign`, for what the program itself writes in place.

    A Parameter is a variable of differentiation and stays the one it is: the written value has no gradient, and later
    results computed from it are differentiated with respect to the Parameter. That is MindSpore's rule.
    """
    if tensor._is_parameter:
        node = tensor._node
        if current_scope() is not None:
            value = rebound(tensor._v, value)
    assign(tensor, value, node)


def rebound(variable, value):
    """A traced value in place of a variable's own, with the variable's derivative."""
    if value is variable or value.dtype != variable.dtype or value.shape != variable.shape:
        return jax.lax.stop_gradient(value)
    return _rebound(variable, value) if jax.numpy.issubdtype(value.dtype, jax.numpy.inexact) else value


@jax.custom_jvp
def _rebound(variable, value):
    return value


@_rebound.defjvp
def _rebound_jvp(primals, tangents):
    return _rebound(*primals), tangents[0]
