"""`if` on a traced condition: both branches are traced and joined by `lax.cond`."""

from __future__ import annotations

import builtins
import dis
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._compile.analysis.refusals import Unbound, Unjoined, is_refusal, joined, note_unjoined, refusal
from ms_compat._compile.control_flow import checks
from ms_compat._compile.control_flow.containers import Containers, ContainersChanged, staged
from ms_compat._compile.control_flow.convert import converted
from ms_compat._compile.control_flow.joining import unlike
from ms_compat._compile.control_flow.merging import (
    INTEGERS_BRANCH,
    Merge,
    fill,
    has_integer_gradients,
    is_undefined,
    merge_into,
    shown,
    structure,
)
from ms_compat._core.dispatch import random, written_arguments
from ms_compat._core.errors import IntegerGradientError, NotTraceableError
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS, Tracer, is_weak, jaxpr_as_fun
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes, write_barrier

# variables of the rewritten function that say that a branch has left the function or the loop
_LEFT = ("do_return", "break_", "continue_")
_EXPRESSION = "the conditional expression"
# How often a branch may be traced within itself. Recursion that ends by a number, with conditions on Tensors in it, is
# compiled up to this depth; the time of a trace grows with the square of the depth.
RECURSION_LIMIT = 16


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
            "Only tensor which shape is () or (1,) can be converted to bool, but got tensor shape is "
            f"{array.shape}. Its truth value is ambiguous: use ops.all or ops.any."
        )
    return array.reshape(()) != 0


def wrap_noted(value: Any) -> Tensor:
    """A Tensor made inside the open trace."""
    out = wrap(value)
    scope = scopes.current_scope()
    if scope is not None:
        scope.created[id(out)] = out
    return out


class Branch:
    """One branch, traced: its jaxpr, the variables after it, and the tensors it changed.

    Args:
        run: runs it and gives the variables.
        function: of the program, which `run` calls.

    Raises:
        NotTraceableError: the branch is within itself many times, because a function calls itself until the value of
            a Tensor ends it. A trace knows no end.
    """

    def __init__(self, run: Callable[[], Any], function: Callable):
        code = getattr(inspect.unwrap(function), "__code__", None)
        found: dict[str, Any] = {}

        def body():
            with scopes.TraceScope() as scope:
                scope.enter_staged()
                scope.branch = code
                if code is not None and sum(outer.branch is code for outer in scope.around()) > RECURSION_LIMIT:
                    raise NotTraceableError("a function calls itself until the value of a Tensor ends it")
                try:
                    after = run()
                except CONCRETIZATION_ERRORS:
                    raise
                except Exception as error:
                    if isinstance(error, checks.COMPILE_ERRORS) or is_refusal(error):
                        raise
                    checks.fail_at_run_time(error)
                    after = None
                found["raises"] = after is None
                found["structure"], arrays = (None, []) if after is None else structure(after)
                found["integers"] = has_integer_gradients(after)
                found["changed"] = scope.changed()
                return arrays, [t._v for t in found["changed"]]

        self.closed, shapes = jax.make_jaxpr(body, return_shape=True)()
        self.count = len(shapes[0])
        self.structure = found["structure"]
        self.changed: list[Tensor] = found["changed"]
        self.raises: bool = found["raises"]
        self.integers: bool = found["integers"]  # with a gradient

    def values(self) -> tuple[list[Any], dict[int, Any]]:
        """The outputs, and the new values of the changed tensors by id; for use inside `lax.cond`."""
        flat = jaxpr_as_fun(self.closed)()
        changed = {id(t): v for t, v in zip(self.changed, flat[self.count :], strict=True)}
        return list(flat[: self.count]), changed


def check_names(code: types.CodeType, names: dict[str, Any]) -> None:
    """Raise NameError for a name that is nowhere defined, as MindSpore does before it looks at any value."""
    for instruction in dis.get_instructions(code):
        name = instruction.argval
        if instruction.opname == "LOAD_GLOBAL" and name not in names and not hasattr(builtins, name):
            raise refusal(NameError, f"The name '{name}' is used in a compiled function, but is not defined.")
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            check_names(inner, names)


def stage_if(cond: Any, body: Callable, orelse: Callable, get_state, set_state, names: Sequence[str]) -> None:
    """Run both branches under a trace and set the variables to the selected values."""
    try:
        predicate = condition(cond)
    except ValueError:
        for branch in (body, orelse):
            check_names(branch.__code__, branch.__globals__)
        raise

    def stage(branches, get, put, all_names):
        before, ends = get(), []

        def run(branch):
            def traced():
                put(before)
                branch()
                ends.append(get())
                return ends[-1]

            return traced

        try:
            yes, no = [Branch(run(branch), branch) for branch in branches]
        finally:
            put(before)
        after = select(predicate, yes, no, all_names, "an 'if'")
        if after is not None:
            # a Tensor that stays bound may have other names; what was written into it was assigned
            put(tuple([b if _stays(b, i, ends) else a for i, (b, a) in enumerate(zip(before, after, strict=True))]))

    staged(stage, (body, orelse), get_state, set_state, names)


def _stays(before: Any, at: int, ends: list[Sequence[Any]]) -> bool:
    """Whether a variable is bound to the same Tensor at the end of each branch."""
    return type(before) is Tensor and all(end[at] is before for end in ends)


def select(predicate: Any, yes: Branch, no: Branch, names: Sequence[str], where: str) -> Any:
    """Join two traced branches; returns the variables, and assigns the tensors that either changed."""
    leaves = yes.raises and no.raises
    a = yes.structure if not yes.raises else no.structure
    b = no.structure if not no.raises else yes.structure
    merged, unjoined = (Merge(), {}) if leaves else _join(a, b, names, where)
    if yes.integers or no.integers:
        # results that do not join are an error of the Cell, which its own program raises
        raise (NotTraceableError if unjoined else IntegerGradientError)(INTEGERS_BRANCH)
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
    write_barrier.assign_all(changed, state_values)
    if changed:
        written_arguments.note_control_flow()
    if leaves:
        return None
    after = fill(merged.template, outputs, wrap_noted)
    for position, text in unjoined.items():
        note_unjoined(scopes.current_scope(), after[position], text)
    return after


def _join(a: Any, b: Any, names: Sequence[str], where: str) -> tuple[Merge, dict[int, str]]:
    """The variables after two branches, and messages about variables whose types MindSpore does not join."""
    result = Merge()
    template: list[Any] = []
    left = [
        any(v is not False for v, name in zip(side, names, strict=True) if name.startswith(_LEFT)) for side in (a, b)
    ]
    texts: dict[int, str] = {}
    for x, y, name in zip(a, b, names, strict=True):
        before = next((v for v in (x, y) if type(v) is Unjoined), None)
        found = unlike(x, y) if before is None and name.isidentifier() or name is _EXPRESSION else None
        if before is not None:
            template.append(before)
        elif name.isidentifier() and _is_unbound(x, y, left) and not name.startswith(("retval_", *_LEFT)):
            template.append(Unbound(name))
        elif found is None:
            template.append(merge_into(result, x, y, name, where))
        else:
            text = (
                f"Cannot join the return values of different branches. In a compiled function, {shown(name)} must have "
                f"one type after {where}, but it is {found}."
            )
            count = len(result.targets)
            try:
                template.append(merge_into(result, x, y, name, where))
                texts[len(template) - 1] = text
            except NotTraceableError:
                result.keep(count)
                template.append(Unjoined(text))
    result.template = tuple(template)
    return result, texts


def _is_unbound(x: Any, y: Any, left: list[bool]) -> bool:
    """Whether a variable has a value after one branch only, and the other one goes on to what follows."""
    unset = [is_undefined(x), is_undefined(y)]
    if all(unset):
        return Unbound in (type(x), type(y))
    return any(missing and not gone for missing, gone in zip(unset, left, strict=True))


def select_expression(cond: Any, if_true: Callable, if_false: Callable) -> Any:
    """`a if cond else b` on a traced condition; gives an `Unjoined` for values that have no type in common."""
    containers = Containers((if_true, if_false), ())

    def run(arm: Callable) -> tuple:
        out = (_plain(arm()),)
        containers.check(())
        return out

    try:
        yes, no = Branch(lambda: run(if_true), if_true), Branch(lambda: run(if_false), if_false)
    except ContainersChanged as found:
        containers.restore()
        kind = type(found.changed[0]).__name__
        raise NotTraceableError(f"In a compiled function, {_EXPRESSION} changes a {kind}.") from None
    after = select(condition(cond), yes, no, (_EXPRESSION,), "its two branches")
    return after[0] if after is not None else None


def select_call(index: Tensor, functions: Sequence[Callable], api: str) -> Callable:
    """A function that calls the one at an index that is known at run time only, and computes no other.

    Raises:
        ValueError: the index is not one Int32.
        IndexError: after the program has run, the index is out of range.
    """
    count, array = len(functions), index._v
    if array.size != 1 or array.dtype != np.int32 and not is_weak(array):
        raise ValueError(f"For '{api}', a Tensor as index must be one Int32, but got {index.dtype}, {index.shape}.")
    position = jnp.where(array < 0, array + count, array).reshape(())

    def call(*args: Any, **kwargs: Any) -> Any:
        def from_(at: int) -> Any:
            if at == count:
                raise IndexError(f"For '{api}', the index is out of the range [{-count}, {count}).")
            function = converted(functions[at])
            return joined(select_expression(position == at, lambda: function(*args, **kwargs), lambda: from_(at + 1)))

        return from_(0)

    return call


def _plain(value: Any) -> Any:
    """A Parameter as a Tensor of its value, so that two different ones can be selected from."""
    return wrap_noted(value._v) if isinstance(value, Parameter) else value


def fold_random(scope: scopes.TraceScope, iteration: Any) -> None:
    """Give a loop body its own random stream for each iteration."""
    outer = random.trace_stream()
    pair = random.next_pair() if outer is None else outer.reserve()
    key = jax.random.fold_in(random.key_of(pair), iteration)
    scope.rng = random.TraceStream(jax.random.bits(key, (2,), jnp.uint32), outer)
