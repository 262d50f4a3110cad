"""The two ways to run a function and its gradient: on the tape (PYNATIVE) and by `jax.vjp` inside a trace.

Both take the Tensors to differentiate as objects: the tape gives each a leaf node, the trace puts tracers into them. So
a function may use them as arguments, through a closure, or as a Cell's Parameters, alike. Both return the same
`Linearized`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._autograd import closures, cotangent_stats, recomputed
from ms_compat._autograd.returned import sum_to_shape
from ms_compat._compile import control_flow
from ms_compat._core import tape
from ms_compat._core.compiled.compiled_op import conjugated
from ms_compat._core.compiled.nodes import Leaf
from ms_compat._core.dispatch import written_arguments
from ms_compat._core.errors import IntegerGradientError
from ms_compat._core.jax_compat import is_deleted_error, is_weak, trace_of
from ms_compat._core.settings import context
from ms_compat._core.tape import INEXACT
from ms_compat._core.tape.backward import backward, clear_cotangents
from ms_compat._core.tape.hooks import through_hooks
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import as_tensors, flatten, unflatten
from ms_compat._core.trace import scopes, write_barrier

_SMALL = 4096
_constants: dict[Any, Any] = {}


def constant_like(aval: Any, value: int) -> Any:
    """Zeros or ones of an array's shape and dtype; small concrete ones are kept (a fill of a new shape compiles)."""
    if scopes.tracing or aval.size > _SMALL:
        return jnp.full(aval.shape, value, aval.dtype)
    key = (aval.shape, aval.dtype, value)
    found = _constants.get(key)
    if found is None:
        if len(_constants) > 256:
            _constants.clear()
        found = _constants[key] = to_device(np.full(aval.shape, value, aval.dtype))
    return found


class Linearized:
    """A function's outputs and its pullback.

    `out` is what the function returned; `outputs` are the Tensors of it that cotangents belong to; `pull(cotangents)`
    takes one array (or None) for each of them and returns one array (or None for "does not depend") per differentiated
    Tensor.
    """

    __slots__ = ("out", "outputs", "pull")

    def __init__(self, out: Any, outputs: list[Tensor], pull: Callable):
        self.out = out
        self.outputs = outputs
        self.pull = pull


def linearize(
    fn: Callable, args: tuple, kwargs: dict, tensors: Sequence[Tensor], has_aux: bool, retain: bool, api: str
):
    """Run `fn` and prepare its pullback with respect to `tensors`."""
    if scopes.tracing and scopes.current_scope() is not None:
        return linearize_traced(fn, args, kwargs, tensors, has_aux, api)
    return _linearize_taped(fn, args, kwargs, tensors, has_aux, retain, api)


def outputs_of(out: Any, has_aux: bool, api: str) -> list[Tensor]:
    """The Tensors that cotangents belong to: all in the output, or in its first item with `has_aux`.

    Numbers and None beside them, or in their place, have no gradient.
    """
    if has_aux:
        if not isinstance(out, tuple) or len(out) < 2:
            error = RuntimeError if context.state.mode == context.GRAPH_MODE and api != "vjp" else ValueError
            raise error(
                f"For '{api}', with 'has_aux' the function must return a tuple of at least two outputs, but got "
                f"{type(out).__name__}."
            )
        out = out[0]
    return _tensors_in(out)


def _tensors_in(out: Any) -> list[Any]:
    if isinstance(out, Parameter):
        return [out]
    if isinstance(out, (tuple, list)):
        return [t for item in out for t in _tensors_in(item)]
    if isinstance(out, dict):
        return [t for item in out.values() for t in _tensors_in(item)]
    if isinstance(out, slice):
        return []
    leaves: list[Any] = []
    flatten(out, leaves)
    return leaves


# -- the tape --------------------------------------------------------------------------------------------------------
def _distinct(args: tuple, tensors: Sequence[Tensor]) -> tuple[tuple, list[Tensor]]:
    """Give every position its own Tensor where one object fills several, so that their gradients stay apart.

    The last keeps the object itself, which is a weight, or what the function reaches otherwise.
    """
    if len({id(t) for t in tensors}) == len(tensors):
        return args, list(tensors)
    left = [id(t) for t in tensors]
    args_list, out = list(args), []
    for tensor in tensors:
        left.remove(id(tensor))
        at = next((i for i, a in enumerate(args_list) if a is tensor), None)
        if id(tensor) in left and at is not None:
            copy = args_list[at] = wrap(tensor._v)
            copy._node = tensor._node
            tensor = copy
        out.append(tensor)
    return tuple(args_list), out


def _is_frozen(tensor: Tensor) -> bool:
    """Whether a Parameter has no gradient because of `requires_grad`, which MindSpore reads in PYNATIVE_MODE alone."""
    return context.state.mode == context.PYNATIVE_MODE and isinstance(tensor, Parameter) and not tensor.requires_grad


def _leaves(session: tape.Session, variables: Sequence[Tensor]) -> list[Any]:
    by_object = {id(t): None if _is_frozen(t) else session.leaf(t) for t in variables}
    return [by_object[id(t)] for t in variables] if len(by_object) < len(variables) else [*by_object.values()]


def _linearize_taped(fn, args, kwargs, tensors, has_aux, retain, api) -> Linearized:
    variables = tensors
    if context.state.mode == context.GRAPH_MODE:  # PYNATIVE_MODE knows objects: each position has the whole gradient
        args, variables = _distinct(args, tensors)
    session = tape.Session()
    with tape.lock, tape.resume_recording() as paused, session, session:
        leaves = _leaves(session, variables)
        out = fn(*args, **kwargs)
        outputs = outputs_of(out, has_aux, api)
        heads = [tape.live_node(t) for t in outputs]
        all_outputs: list[Any] = []
        flatten(out, all_outputs)
    nested = session.outer is not None
    if not nested or paused:
        for t in all_outputs:
            if isinstance(t, Tensor) and t._node is not None:
                t._node = None
    keep = retain or nested
    return Linearized(out, outputs, pullback_on_tape(session, leaves, heads, keep, nested))


def pullback_on_tape(
    session: tape.Session, leaves: Sequence[Leaf | None], heads: Sequence[Any], keep: bool, nested: bool
) -> Callable:
    """The pullback of what a session has recorded.

    Args:
        session: it is over.
        leaves: the nodes whose gradients the caller needs; None for what has none.
        heads: the nodes of the outputs; None for what has no gradient.
        keep: whether the tape is needed again.
        nested: whether another session is open around it.
    """
    nodes = session.nodes()

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        recorded = nested and tape.recording() and not tape.paused()
        variables = [leaf for leaf in leaves if leaf is not None]
        for leaf in variables:  # read here; they also pass on cotangents from outer sessions' backward passes
            leaf.pass_on(False)
        try:
            return backward(nodes, heads, cotangents, leaves, recorded=recorded, nested=nested, retain=keep)
        except (RuntimeError, ValueError) as error:
            if not is_deleted_error(error):
                raise
            raise RuntimeError(
                "For a gradient, an array that the forward pass kept was given away by another thread, which updated "
                "the same Parameters. Hold one lock around the step in each thread, or let one thread train a network."
            ) from error
        finally:
            if keep:
                clear_cotangents(nodes)
            for leaf in variables:
                leaf.ct = None
                leaf.pass_on(True)
            if not keep:
                session.close()

    return pull


# -- a trace ---------------------------------------------------------------------------------------------------------
def linearize_traced(
    fn: Callable, args: tuple, kwargs: dict, tensors: Sequence[Tensor], has_aux: bool, api: str
) -> Linearized:
    """Run `fn` in the open trace with its pullback."""
    args, given = _distinct(args, tensors)
    args, given = closures.apart(fn, args, given)
    variables = list({id(t): t for t in given}.values())  # a weight may be given twice
    found: dict[str, Any] = {}
    at = [i for i, t in enumerate(variables) if t._v.dtype in INEXACT]
    inexact = [variables[i] for i in at]
    outer = scopes.current_scope()
    for t in inexact:
        if isinstance(t, Parameter):
            outer.note_read(t)
    observers = cotangent_stats.enabled_parameters(outer, inexact)
    calls: list[recomputed.Call] = []
    integers = {id(t): t for t in variables if t._v.dtype not in INEXACT}

    def lifted(*values):
        with scopes.TraceScope() as scope:
            scope.forwards = None
            scope.recomputed = calls
            scope.swap([*inexact, *observers], values)
            scope.trace = trace_of(values[0]) if values else None
            scope.integers = dict(integers)
            scope.observers = found["observers"] = {id(p): False for p in observers}
            returned: list[Any] = []
            out = as_tensors(control_flow.converted(fn)(*args, **kwargs), returned)
            outputs = outputs_of(out, has_aux, api)
            if any(id(o) in scope.integers for o in (*outputs, *[parameter for _, parameter in returned])):
                raise IntegerGradientError("The gradient of an integer Tensor cannot be compiled.")
            every: list[Any] = []
            found["spec"] = flatten(out, every)
            every = [t if isinstance(t, Tensor) else Tensor(t) for t in every]
            found["heads"] = [next(i for i, t in enumerate(every) if t is o) for o in outputs]
            diff, of_every = [o._v for o in outputs], [t._v for t in every]
            written_arguments.end(scope)
            found["changed"] = changed = scope.changed()
            return diff, (of_every, [t._v for t in changed])

    _, pull_jax, (values, new_state) = jax.vjp(lifted, *[t._v for t in (*inexact, *observers)], has_aux=True)
    pull_jax = recomputed.without_results(pull_jax, calls)
    write_barrier.assign_all(found["changed"], new_state)
    everything = [wrap(v) for v in values]
    for t in everything:
        outer.created[id(t)] = t
    outputs = [everything[i] for i in found["heads"]]

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        cts = [
            tape.zero_cotangent(o._v) if ct is None or o._v.dtype not in INEXACT else conjugated(ct._v)
            for o, ct in zip(outputs, cotangents, strict=True)
        ]
        grads: list[Any] = [None] * len(variables)
        pulled = pull_jax(cts)
        for p, statistics in zip(observers, pulled[len(at) :], strict=True):
            if found["observers"][id(p)]:
                write_barrier.assign(p, statistics)
        for i, g in zip(at, map(conjugated, pulled[: len(at)]), strict=True):
            hooks = variables[i]._leaf_hooks
            grads[i] = through_hooks(_rewritten(hooks), wrap(g)) if hooks else wrap(g)
        by_object = {id(t): g for t, g in zip(variables, grads, strict=True)}
        return [by_object[id(t)] for t in given]

    return Linearized(unflatten(found["spec"], iter(everything)), outputs, pull)


def _rewritten(hooks: dict) -> dict:
    return {key: control_flow.converted(hook) for key, hook in hooks.items()}


# -- both ------------------------------------------------------------------------------------------------------------
def cotangents_for(linearized: Linearized, sens: Any, api: str) -> list[Any]:
    """One cotangent per output: those given by `sens`, ones without it.

    As in MindSpore, a sensitivity of one element applies to each element of an output in compiled code. In
    PYNATIVE_MODE one of any shape and dtype is summed up for an output without dimensions.

    Raises:
        RuntimeError: in PYNATIVE_MODE, their number is not the outputs', or one without dimensions is for an output
            that has some.
        TypeError: its dtype differs from the output's, or in compiled code their number or kind.
        ValueError: its shape differs from the output's.
    """
    outputs = linearized.outputs
    if sens is None:
        return [wrap(constant_like(o._v, 1)) for o in outputs]
    compiled = context.state.mode == context.GRAPH_MODE or scopes.as_compiled()
    given = _matched(linearized.out, as_tensors(sens, []))
    if len(given) != len(outputs):
        raise (TypeError if compiled else RuntimeError)(
            f"For '{api}', {len(outputs)} outputs need as many sensitivities, but got {len(given)}."
        )
    return [_cotangent_for(o, s, compiled, api) for o, s in zip(outputs, given, strict=True)]


def _cotangent_for(output: Tensor, sens: Any, compiled: bool, api: str) -> Tensor:
    if not isinstance(sens, Tensor):
        # a number stands for the output where that is one, or a condition
        known = is_weak(output._v) or isinstance(sens, bool) and output._v.dtype == bool
        if compiled and not known:
            raise TypeError(f"For '{api}', the sensitivity must be a Tensor, but got {type(sens).__name__}.")
        sens = Tensor(sens, output.dtype)
    if not compiled and not output.shape:
        return sum_to_shape(sens.astype(output.dtype), ())
    if compiled and sens._v.dtype != output._v.dtype:
        raise _other_dtype(output, sens, api)
    if sens.shape != output.shape:
        value = sens._v.reshape(()) if sens._v.size == 1 else sens._v
        extra = max(value.ndim - output.ndim, 0)
        if not compiled or value.size > 1 and (1,) * extra + output.shape != value.shape:
            raise (ValueError if sens.shape or compiled else RuntimeError)(
                f"For '{api}', the sensitivity must have the output's shape {output.shape}, but got {sens.shape}."
            )
        if value.size > 1:
            value = value.reshape(output.shape)
        sens = wrap(jnp.broadcast_to(value, output._v.shape))
    if sens._v.dtype != output._v.dtype:
        raise _other_dtype(output, sens, api)
    return sens


def _other_dtype(output: Tensor, sens: Tensor, api: str) -> TypeError:
    return TypeError(f"For '{api}', the sensitivity must have the output's dtype {output.dtype}, but got {sens.dtype}.")


def _matched(out: Any, sens: Any) -> list[Any]:
    """The sensitivities of an output's Tensors; sensitivities of numbers are left out."""
    if isinstance(out, (tuple, list)) and isinstance(sens, (tuple, list)) and len(out) == len(sens):
        return [g for o, s in zip(out, sens, strict=True) for g in _matched(o, s)]
    if isinstance(out, dict) and isinstance(sens, dict) and list(out) == list(sens):
        return [g for o, s in zip(out.values(), sens.values(), strict=True) for g in _matched(o, s)]
    if isinstance(out, (int, float, str, type(None))) and not isinstance(sens, bool):
        return []
    if isinstance(sens, (bool, np.generic)):  # a bool of a condition, which has no gradient
        return [sens if isinstance(sens, bool) else sens.item()]
    given: list[Any] = []
    flatten(sens, given, True)
    return given


def gradients(linearized: Linearized, tensors: Sequence[Tensor], sens: Any, api: str, inputs: int = 0) -> list[Tensor]:
    """The gradient of every tensor; zeros where the output does not depend on it.

    The first `inputs` tensors are inputs, the others weights. The hooks of a weight see zeros too.
    """
    grads = linearized.pull(cotangents_for(linearized, sens, api))
    out = []
    for i, (t, g) in enumerate(zip(tensors, grads, strict=True)):
        if g is None:
            g = wrap(constant_like(t._v, 0))
            hooks = t._leaf_hooks
            out.append(through_hooks(hooks, g) if hooks and i >= inputs and not _is_frozen(t) else g)
        else:
            out.append(_as_of(t, g))
    return out


def _as_of(tensor: Tensor, grad: Tensor) -> Tensor:
    """The gradient of a mutable number, which is weakly typed in a trace, as a Float32 Tensor."""
    return wrap(jax.lax.convert_element_type(grad._v, jnp.float32)) if is_weak(tensor._v) else grad
