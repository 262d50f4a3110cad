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

from ms_compat._autograd import observed
from ms_compat._compile import control_flow
from ms_compat._compile.signature import build, split
from ms_compat._core import state, tape
from ms_compat._core.jax_compat import is_weak
from ms_compat._core.parameter import Parameter
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap

_SMALL = 4096
_constants: dict[Any, Any] = {}


def constant_like(aval: Any, value: int) -> Any:
    """Zeros or ones of an array's shape and dtype; small concrete ones are kept (an eager fill costs 20 us)."""
    if state.tracing or aval.size > _SMALL:
        return jnp.full(aval.shape, value, aval.dtype)
    key = (aval.shape, aval.dtype, value)
    found = _constants.get(key)
    if found is None:
        if len(_constants) > 256:
            _constants.clear()
        found = _constants[key] = jnp.full(aval.shape, value, aval.dtype)
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
    if state.tracing and state.current_scope() is not None:
        return _linearize_traced(fn, args, kwargs, tensors, has_aux, api)
    return _linearize_taped(fn, args, kwargs, tensors, has_aux, retain, api)


def _outputs_of(out: Any, has_aux: bool, api: str) -> list[Tensor]:
    """The Tensors that cotangents belong to."""
    if has_aux:
        if not isinstance(out, tuple) or len(out) < 2:
            raise ValueError(
                f"For '{api}', with 'has_aux' the function must return a tuple of at least two outputs, but got "
                f"{type(out).__name__}."
            )
        out = out[0]
    leaves: list[Any] = []
    split(out, leaves)
    if not leaves:
        raise TypeError(f"For '{api}', the function must return a Tensor or a tuple of Tensors, but got {out!r:.80}.")
    return leaves


# -- the tape --------------------------------------------------------------------------------------------------------
def _distinct(args: tuple, tensors: Sequence[Tensor]) -> tuple[tuple, list[Tensor]]:
    """Give every position its own Tensor where one object stands in several, so that their gradients stay apart."""
    if len({id(t) for t in tensors}) == len(tensors):
        return args, list(tensors)
    seen: set[int] = set()
    args_list, out = list(args), []
    for tensor in tensors:
        if id(tensor) in seen and not isinstance(tensor, Parameter):
            copy = wrap(tensor._v)
            copy._node = tensor._node
            at = [i for i, a in enumerate(args_list) if a is tensor]
            if len(at) > 1:
                args_list[at[-1]] = copy
            tensor = copy
        seen.add(id(tensor))
        out.append(tensor)
    return tuple(args_list), out


def _linearize_taped(fn, args, kwargs, tensors, has_aux, retain, api) -> Linearized:
    variables = list(tensors)
    session = tape.Session()
    with tape.resumed() as paused, session:
        by_object = {id(t): session.leaf(t) for t in variables if t._v.dtype in INEXACT}
        leaves = [by_object.get(id(t)) for t in variables]
        out = fn(*args, **kwargs)
        outputs = _outputs_of(out, has_aux, api)
        nodes = session.nodes()
        heads = [tape.live_node(t) for t in outputs]
        all_outputs: list[Any] = []
        split(out, all_outputs)
    nested = session.outer is not None
    if not nested or paused:
        for t in all_outputs:
            if isinstance(t, Tensor) and t._node is not None:
                t._node = None
    keep = retain or nested

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        recorded = nested and tape.recording() and not tape.paused()
        session.pass_through(leaves, False)
        try:
            for head, ct in zip(heads, cotangents, strict=True):
                if head is not None and ct is not None:
                    if recorded:
                        tape.accumulate_recorded(head, ct)
                    else:
                        head.ct = ct._v if head.ct is None else head.ct + ct._v
            if recorded:
                tape.backward_recorded(nodes, leaves)
            else:
                tape.backward(nodes, keep)
            grads = [None if leaf is None or leaf.ct is None else leaf.ct for leaf in leaves]
        finally:
            if keep:
                tape.clear_cotangents(nodes)
            for leaf in leaves:
                if leaf is not None:
                    leaf.ct = None
            session.pass_through(leaves, True)
            if not keep:
                session.close()
        return grads if recorded else [None if g is None else wrap(g) for g in grads]

    return Linearized(out, outputs, pull)


# -- a trace ---------------------------------------------------------------------------------------------------------
def _linearize_traced(fn, args, kwargs, tensors, has_aux, api) -> Linearized:
    args, variables = _distinct(args, tensors)
    found: dict[str, Any] = {}
    at = [i for i, t in enumerate(variables) if t._v.dtype in INEXACT]
    inexact = [variables[i] for i in at]
    outer = state.current_scope()
    for t in inexact:
        if isinstance(t, Parameter):
            outer.note_read(t)
    observers = observed.within(outer, inexact)

    def lifted(*values):
        with state.TraceScope() as scope:
            scope.swap([*inexact, *observers], values)
            scope.observers = found["observers"] = {id(p): False for p in observers}
            out = control_flow.converted(fn)(*args, **kwargs)
            outputs = _outputs_of(out, has_aux, api)
            every: list[Any] = []
            found["spec"] = split(out, every)
            every = [t if isinstance(t, Tensor) else Tensor(t) for t in every]
            changed = scope.changed()
            found["changed"] = changed
            found["heads"] = [next(i for i, t in enumerate(every) if t is o) for o in outputs]
            diff = [o._v for o in outputs]
            return diff, ([t._v for t in every], [t._v for t in changed])

    _, pull_jax, (values, new_state) = jax.vjp(lifted, *[t._v for t in (*inexact, *observers)], has_aux=True)
    for t, value in zip(found["changed"], new_state, strict=True):
        state.assign(t, value)
    everything = [wrap(v) for v in values]
    for t in everything:
        outer.created[id(t)] = t
    outputs = [everything[i] for i in found["heads"]]

    def pull(cotangents: Sequence[Any]) -> list[Any]:
        cts = [
            tape.zero_cotangent(o._v) if ct is None or o._v.dtype not in INEXACT else ct._v
            for o, ct in zip(outputs, cotangents, strict=True)
        ]
        grads: list[Any] = [None] * len(variables)
        pulled = pull_jax(cts)
        for p, statistics in zip(observers, pulled[len(at) :], strict=True):
            if found["observers"][id(p)]:
                state.assign(p, statistics)
        for i, g in zip(at, pulled[: len(at)], strict=True):
            hooks = variables[i].__dict__.get("_leaf_hooks")
            grads[i] = tape.through_hooks(hooks, wrap(g)) if hooks else wrap(g)
        return grads

    return Linearized(build(found["spec"], iter(everything)), outputs, pull)


# -- both ------------------------------------------------------------------------------------------------------------
def cotangents_for(linearized: Linearized, sens: Any, api: str) -> list[Any]:
    """One cotangent per output: those given by `sens`, ones without it.

    Raises:
        TypeError: `sens` is not a Tensor or number for each output.
        ValueError: its shape differs from the output's.
    """
    outputs = linearized.outputs
    if sens is None:
        return [wrap(constant_like(o._v, 1)) if o._v.dtype in INEXACT else None for o in outputs]
    given: list[Any] = []
    split(sens, given, True)
    if len(given) != len(outputs):
        raise ValueError(f"For '{api}', {len(outputs)} outputs need as many sensitivities, but got {len(given)}.")
    out = []
    for o, s in zip(outputs, given, strict=True):
        if not isinstance(s, Tensor):
            s = Tensor(s, o.dtype)
        if s.shape != o.shape:
            if s._v.size == 1 and not s.shape:
                s = wrap(jnp.broadcast_to(s._v, o._v.shape))
            else:
                raise ValueError(
                    f"For '{api}', the sensitivity must have the output's shape {o.shape}, but got {s.shape}."
                )
        if s._v.dtype != o._v.dtype:
            node = s._node
            s = wrap(jax.lax.convert_element_type(s._v, o._v.dtype))
            s._node = node
        out.append(s)
    return out


def gradients(linearized: Linearized, tensors: Sequence[Tensor], sens: Any, api: str) -> list[Tensor]:
    """The gradient of every tensor; zeros where the output does not depend on it."""
    grads = linearized.pull(cotangents_for(linearized, sens, api))
    return [wrap(constant_like(t._v, 0)) if g is None else _as_of(t, g) for t, g in zip(tensors, grads, strict=True)]


def _as_of(tensor: Tensor, grad: Tensor) -> Tensor:
    """The gradient of a mutable number, which is weakly typed in a trace, as a Float32 Tensor."""
    return wrap(jax.lax.convert_element_type(grad._v, jnp.float32)) if is_weak(tensor._v) else grad
