"""`if` on a traced condition: both branches are traced and joined by `lax.cond`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.control_flow import checks
from ms_compat._compile.control_flow.merging import fill, merge, structure
from ms_compat._core import random, state
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS, Tracer, jaxpr_as_fun
from ms_compat._core.parameter import Parameter
from ms_compat._core.tensor import Tensor, wrap


def is_traced(value: Any) -> bool:
    """Whether a condition's value is known at run time only."""
    return isinstance(value, Tracer) or (isinstance(value, Tensor) and isinstance(value._v, Tracer))


def condition(value: Any) -> Any:
    """A traced condition as a 0-d bool array.

    Raises:
        ValueError: it has more than one element.
    """
    array = value._v if isinstance(value, Tensor) else value
    if array.size != 1:
        raise ValueError(
            f"The truth value of a Tensor of shape {list(array.shape)} is ambiguous in a condition; use ops.all or "
            "ops.any."
        )
    return array.reshape(()) != 0


def wrap_noted(value: Any) -> Tensor:
    """A Tensor made inside the open trace."""
    out = wrap(value)
    scope = state.current_scope()
    if scope is not None:
        scope.created[id(out)] = out
    return out


class Branch:
    """One branch, traced: its jaxpr, the variables after it, and the tensors it changed."""

    def __init__(self, run: Callable[[], Any]):
        found: dict[str, Any] = {}

        def body():
            with state.TraceScope() as scope:
                scope.inputs = None
                try:
                    after = run()
                except CONCRETIZATION_ERRORS:
                    raise
                except Exception as error:
                    if isinstance(error, checks.COMPILE_ERRORS):
                        raise
                    checks.fail_at_run_time(error)
                    after = None
                found["raises"] = after is None
                if after is None:
                    arrays: list = []
                    found["structure"], found["changed"] = None, []
                else:
                    found["structure"], arrays = structure(after)
                    found["changed"] = scope.changed()
                return arrays, [t._v for t in found["changed"]]

        self.closed, shapes = jax.make_jaxpr(body, return_shape=True)()
        self.count = len(shapes[0])
        self.structure = found["structure"]
        self.changed: list[Tensor] = found["changed"]
        self.raises: bool = found["raises"]

    def values(self) -> tuple[list[Any], dict[int, Any]]:
        """The outputs, and the new values of the changed tensors by id; for use inside `lax.cond`."""
        flat = jaxpr_as_fun(self.closed)()
        changed = {id(t): v for t, v in zip(self.changed, flat[self.count :], strict=True)}
        return list(flat[: self.count]), changed


def stage_if(cond: Any, body: Callable, orelse: Callable, get_state, set_state, names: Sequence[str]) -> None:
    """Run both branches under a trace and set the variables to the selected values."""
    predicate = condition(cond)
    before = get_state()

    def run(branch):
        def traced():
            set_state(before)
            branch()
            return get_state()

        return traced

    try:
        yes, no = Branch(run(body)), Branch(run(orelse))
    finally:
        set_state(before)
    after = select(predicate, yes, no, names, "an 'if'")
    if after is not None:
        set_state(after)


def select(predicate: Any, yes: Branch, no: Branch, names: Sequence[str], where: str) -> Any:
    """Join two traced branches; returns the variables, and assigns the tensors that either changed."""
    if yes.raises and no.raises:
        jax.lax.cond(predicate, lambda: (yes.values(), None)[1], lambda: (no.values(), None)[1])
        return None
    a = yes.structure if not yes.raises else no.structure
    b = no.structure if not no.raises else yes.structure
    merged = merge(a, b, names, where)
    changed = list({id(t): t for t in (*yes.changed, *no.changed)}.values())

    def arm(branch, side):
        def run():
            arrays, new = branch.values()
            if branch.raises:
                outputs = [jnp.zeros(t.shape, t.dtype) for t in merged.targets]
            else:
                outputs = merged.values(side, arrays)
            return outputs, [jax.lax.convert_element_type(new.get(id(t), t._v), t._v.dtype) for t in changed]

        return run

    outputs, state_values = jax.lax.cond(predicate, arm(yes, 0), arm(no, 1))
    for t, value in zip(changed, state_values, strict=True):
        state.assign(t, value)
    return fill(merged.template, outputs, wrap_noted)


def select_expression(cond: Any, if_true: Callable, if_false: Callable) -> Any:
    """`a if cond else b` on a traced condition."""
    yes, no = Branch(lambda: (_plain(if_true()),)), Branch(lambda: (_plain(if_false()),))
    after = select(condition(cond), yes, no, ("the conditional expression",), "its two branches")
    return after[0] if after is not None else None


def _plain(value: Any) -> Any:
    """A Parameter as a Tensor of its value, so that two different ones can be selected from."""
    return wrap_noted(value._v) if isinstance(value, Parameter) else value


def fold_random(scope: state.TraceScope, iteration: Any) -> None:
    """Give a loop body its own random stream for each iteration."""
    pair = random.next_pair()
    key = jax.random.fold_in(random.key_of(pair), iteration)
    scope.rng = random.TraceStream(jax.random.bits(key, (2,), jnp.uint32))
