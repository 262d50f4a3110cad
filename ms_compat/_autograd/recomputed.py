"""`Primitive.recompute`: what a primitive computes is not kept for the backward pass but computed there again.

`jax.checkpoint` drops a function's inner values, but not its result, which its consumers keep. A pullback of
JAX is a pytree whose leaves are the arrays that it keeps, so the result is found among them: the trace of a gradient
notes the marked calls with their inputs and outputs, and puts what computes the outputs again into their places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

from ms_compat._autograd.custom import Lifted
from ms_compat._core.jax_compat import bind_equation, jaxpr_as_fun, primal_of
from ms_compat._core.trace import scopes


class Call:
    """A marked call in a trace.

    Attributes:
        function: of its inputs, a list of arrays; returns the list of its outputs.
        inputs, outputs: tracers of the gradient's trace.
    """

    def __init__(self, function: Callable, inputs: Sequence[Any], outputs: Sequence[Any]):
        self.function = function
        self.inputs = inputs
        self.outputs = outputs


def _calls() -> list[Call] | None:
    """Where the innermost gradient that is traced notes calls; None outside of gradients."""
    scope = scopes.current_scope() if scopes.tracing else None
    while scope is not None:
        if scope.recomputed is not None:
            return scope.recomputed
        scope = scope.outer
    return None


def recomputed(function: Callable, args: tuple, kwargs: dict) -> Any:
    """`function(*args, **kwargs)`, in whose place the gradient that is traced keeps its inputs."""
    calls = _calls()
    if calls is None:
        return function(*args, **kwargs)
    lifted = Lifted(function, args, kwargs)

    def rule(leaf_values: Any, state_values: Any) -> Any:
        closed, shapes = jax.make_jaxpr(lifted, return_shape=True)(leaf_values, state_values)
        # what the function reaches otherwise are inputs, too: Parameters, and keys of random numbers
        constants, tree = closed.consts, jax.tree.structure(shapes)

        def run(values: Sequence[Any]) -> Sequence[Any]:
            own = closed.replace(consts=list(values[: len(constants)]))
            return jaxpr_as_fun(own)(*values[len(constants) :])

        inputs = [*constants, *jax.tree.leaves((leaf_values, state_values))]
        outputs = jax.checkpoint(run)(inputs)  # inner values are not kept either
        calls.append(Call(run, inputs, outputs))
        return jax.tree.unflatten(tree, outputs)

    return lifted.apply(rule)


def _made(calls: Sequence[Call]) -> dict[int, tuple[Call, int]]:
    """The calls by the ids of outputs that they made; a Cast to the dtype at hand made none, and returned its input."""
    made = {}
    for call in calls:
        given = {id(primal_of(value)) for value in call.inputs}
        outputs = ((id(primal_of(out)), i) for i, out in enumerate(call.outputs))
        made.update({out: (call, i) for out, i in outputs if out not in given})
    return made


def without_results(pull: Any, calls: Sequence[Call]) -> Any:
    """A pullback of `jax.vjp` that computes what the calls noted in its trace gave again, and does not keep it."""
    if not calls:
        return pull
    kept, tree = jax.tree.flatten(pull)
    made = _made(calls)
    if not any(id(leaf) in made for leaf in kept):
        return pull

    def run(leaves: Any, cotangents: Any) -> Any:
        return jax.tree.unflatten(tree, leaves)(cotangents)

    def pulled(cotangents: Any) -> Any:
        closed, shapes = jax.make_jaxpr(run, return_shape=True)(kept, cotangents)
        jaxpr = closed.jaxpr
        values = dict(zip(jaxpr.constvars, closed.consts, strict=True))
        values.update(zip(jaxpr.invars, [*kept, *jax.tree.leaves(cotangents)], strict=True))
        residuals = set(jaxpr.invars[: len(kept)])
        done: dict[int, Any] = {}

        def again(value: Any, beside: Sequence[Any]) -> Any:
            call, i = made.get(id(value), (None, 0))
            if call is None:
                return value
            if id(call) not in done:
                inputs = [again(primal_of(v), beside) for v in call.inputs]
                # XLA would find that these are the results of the forward pass, and keep them; nor are they computed
                # before the cotangents that they meet
                inputs, _ = jax.lax.optimization_barrier((inputs, beside))
                done[id(call)] = list(call.function(inputs))
            return done[id(call)][i]

        def read(atoms: Sequence[Any]) -> list[Any]:
            beside = [values[v] for v in atoms if not hasattr(v, "val") and v not in residuals]
            return [v.val if hasattr(v, "val") else again(values[v], beside) for v in atoms]  # literals have one

        for eqn in jaxpr.eqns:
            values.update(zip(eqn.outvars, bind_equation(eqn, read(eqn.invars), eqn.params), strict=True))
        return jax.tree.unflatten(jax.tree.structure(shapes), read(jaxpr.outvars))

    return pulled
