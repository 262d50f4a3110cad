"""What rewritten functions call for their statements: the table of operators that the transpiler names `ag__`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.analysis import inspection, refusals
from ms_compat._compile.control_flow import checks, joining, merging
from ms_compat._compile.control_flow.branches import (
    condition,
    is_traced,
    select_expression,
    stage_if,
    wrap_noted,
)
from ms_compat._compile.control_flow.convert import converted
from ms_compat._compile.control_flow.global_reads import read_global as read_global
from ms_compat._compile.control_flow.loops import stage_while
from ms_compat._compile.control_flow.memberships import augmented as augmented
from ms_compat._compile.control_flow.memberships import get_slice as get_slice
from ms_compat._compile.control_flow.memberships import has_key as has_key
from ms_compat._compile.control_flow.memberships import in_ as in_
from ms_compat._compile.control_flow.memberships import not_in as not_in
from ms_compat._compile.control_flow.memberships import search
from ms_compat._compile.control_flow.numpy_calls import of_open_sizes
from ms_compat._compile.control_flow.printing import print_at_run_time, traced_print
from ms_compat._compile.control_flow.traced_sequences import TracedRange, of_traced_length, rows
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import mutable
from ms_compat._core.tensor.traced_array import TracedArray
from ms_compat._core.tensor.traced_number import TracedNumber, is_number, number
from ms_compat._core.trace import scopes

TABLE = (
    "if_stmt", "while_stmt", "for_stmt", "if_exp", "and_", "or_", "not_", "in_", "not_in", "has_key", "eq", "not_eq",
    "converted_call", "assert_stmt", "ld", "ld_returned",
    "augmented", "get_slice", "set_item", "set_through", "augment_through", "if_exp_returned", "and_returned",
    "or_returned", "call_returned", "read_global", "own",
)  # fmt: skip
# names in the user's code that Python's own meaning does not serve: such a function is rewritten at once
REWRITTEN = (
    frozenset(("has_key", "mutable", "count", "index", "map", "max()", "min()", "np +=", "[] =")) | refusals.NAMES
)
REWRITTEN |= frozenset(f"{name}()" for name in inspection.ITERATORS)
_MAPPING = (map, filter, functools.reduce)  # builtins that call a function of the user
_KNOWN_LENGTH = (list, tuple, Tensor, range)
_ITERATORS = (map, zip, filter, enumerate)
_VIEWS = frozenset(("keys", "values", "items"))
_UNROLL = 64  # a `for` over a range with a traced `break` is unrolled up to this length


def if_stmt(cond, body, orelse, get_state, set_state, symbol_names, nouts) -> None:
    """`if cond: body else: orelse`."""
    if is_traced(cond):
        stage_if(cond, body, orelse, get_state, set_state, symbol_names)
    elif cond:
        body()
    else:
        orelse()


def if_exp(cond, if_true, if_false, expr_repr) -> Any:
    """`a if cond else b`."""
    return refusals.joined(if_exp_returned(cond, if_true, if_false, expr_repr))


def if_exp_returned(cond, if_true, if_false, expr_repr) -> Any:
    """`return a if cond else b`."""
    if is_traced(cond):
        return select_expression(cond, if_true, if_false)
    return if_true() if cond else if_false()


def while_stmt(test, body, get_state, set_state, symbol_names, opts) -> None:
    """`while test: body`: Python's own loop until the condition is traced."""
    while True:
        holds = test()
        if is_traced(holds):
            stage_while(test, body, get_state, set_state, symbol_names)
            return
        if not holds:
            return
        body()


def for_stmt(iter_, extra_test, body, get_state, set_state, symbol_names, opts) -> None:
    """`for target in iter_: body`; `extra_test` is false once a `break` or `return` was met."""
    sequence = rows(iter_)
    if sequence is not None:
        _for_traced(sequence, extra_test, body, get_state, set_state, symbol_names)
        return
    for position, item in enumerate(iter_):
        if extra_test is None:
            body(item)
            continue
        goes_on = extra_test()
        if is_traced(goes_on):
            if isinstance(iter_, range) and len(iter_) - position > _UNROLL:
                rest = TracedRange(item, iter_.stop, iter_.step)
                _for_traced(rest, extra_test, body, get_state, set_state, symbol_names)
                return
            stage_if(goes_on, functools.partial(body, item), _nothing, get_state, set_state, symbol_names)
        elif goes_on:
            body(item)
        else:
            return


def _nothing() -> None:
    pass


def _for_traced(sequence, extra_test, body, get_state, set_state, symbol_names) -> None:
    index = number(sequence.start)

    def get():
        return (*get_state(), index)

    def put(values):
        nonlocal index
        set_state(values[:-1])
        index = values[-1]

    def inside():
        step = sequence.step
        at = index._v
        return jnp.where(step > 0, at < sequence.stop, at > sequence.stop)

    def test():
        goes_on = inside()
        if extra_test is None:
            return wrap_noted(goes_on)
        more = extra_test()
        return wrap_noted(jnp.logical_and(goes_on, condition(more) if is_traced(more) else bool(more)))

    @functools.wraps(body)  # whose containers are watched
    def step_body():
        nonlocal index
        body(sequence.item(index))
        index = number(index._v + sequence.step)

    stage_while(test, step_body, get, put, (*symbol_names, "the loop's index"))


# -- boolean operators
# ---------------------------------------------------------------------------------------------------
def and_(a: Callable, b: Callable) -> Any:
    """`a and b`, with `b` evaluated only if needed where `a` is a constant."""
    return refusals.joined(and_returned(a, b))


def and_returned(a: Callable, b: Callable) -> Any:
    """`return a and b`."""
    left = a()
    if is_traced(left):
        right = b()
        return _chosen(condition(left), right, left, jnp.logical_and)
    return left and b()


def or_(a: Callable, b: Callable) -> Any:
    """`a or b`."""
    return refusals.joined(or_returned(a, b))


def or_returned(a: Callable, b: Callable) -> Any:
    """`return a or b`."""
    left = a()
    if is_traced(left):
        right = b()
        return _chosen(condition(left), left, right, jnp.logical_or)
    return left or b()


def _chosen(holds: Any, yes: Any, no: Any, logical: Callable) -> Any:
    """Which of two operands Python gives; of two conditions it is their conjunction or disjunction."""
    if all(is_number(v) or isinstance(v, Tensor) and v.dtype == mstype.bool_ for v in (yes, no)):
        return _truth_of(logical(_truth(yes), _truth(no)), yes, no)
    return select_expression(holds, lambda: yes, lambda: no)


def _truth_of(value: Any, *operands: Any) -> Any:
    """A bool of the program if all operands are numbers, a Tensor otherwise."""
    return number(value) if all(map(is_number, operands)) else wrap_noted(value)


def _truth(value: Any) -> Any:
    return condition(value) if isinstance(value, Tensor) else bool(value)


def not_(a: Any) -> Any:
    """`not a`."""
    if is_traced(a):
        return _truth_of(jnp.logical_not(condition(a)), a)
    return not a


def eq(a: Any, b: Any) -> Any:
    """`a == b`."""
    return a == b


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`."""
    return a != b


def assert_stmt(expression1: Any, expression2: Callable) -> None:
    """`assert expression1, expression2()`."""
    if is_traced(expression1):
        checks.check_at_run_time(condition(expression1), expression2())
    elif not expression1:
        raise AssertionError(expression2())


def ld(value: Any) -> Any:
    """The read of a variable."""
    return ld_returned(refusals.joined(value))


def ld_returned(value: Any) -> Any:
    """The read of a variable in `return value`."""
    return merging.malt_variables().ld(refusals.bound(value))


def set_item(value: Any, container: Any, index: Any) -> None:
    """`container[index] = value`."""
    if type(container) is list and not isinstance(value, refusals.Unjoined):
        joining.check_item(container, index, value)
    container[index] = value
    if isinstance(index, TracedNumber) and type(container) is list and all(map(_is_number_or_tensor, container)):
        container[:] = mutable(container)  # whichever was written, none is a constant any more


def set_through(value: Any, container: Any, indices: tuple) -> None:
    """`container[i][j] = value`: what was read of a Tensor is written back into it, though it is a copy in a trace."""
    _write_through(_read_through(container, indices), indices, value)


def augment_through(name: str, container: Any, indices: tuple, value: Any) -> None:
    """`container[i][j] += value`, or another operator."""
    path = _read_through(container, indices)
    _write_through(path, indices, augmented(name, path[-1][indices[-1]], value))


def own(value: Any) -> Any:
    """A Tensor of its own with the value of a traced function's Tensor; anything else as it is.

    Rewritten functions call it before they assign an item (`item_assignments.py`).
    """
    if type(value) is not Tensor or not scopes.compiling():
        return value
    out = wrap_noted(value._v)
    out._node = value._node
    return out


def _read_through(container: Any, indices: tuple) -> list:
    path: list[Any] = [container]
    for index in indices[:-1]:
        holder = path[-1]
        item = holder[index]
        if type(item) is Tensor and type(holder) in (list, dict, tuple):
            item = own(item)
            holder[index] = item
        path.append(item)
    return path


def _write_through(path: list, indices: tuple, value: Any) -> None:
    set_item(value, path[-1], indices[-1])
    for at in reversed(range(len(path) - 1)):
        if isinstance(path[at], Tensor):
            path[at][indices[at]] = path[at + 1]


def _is_number_or_tensor(value: Any) -> bool:
    return isinstance(value, (bool, int, float, Tensor))


# -- calls -----------------------------------------------------------------------------------------------------------
def _cast(dtype):
    def cast(value=0):
        # as in PYNATIVE_MODE, where the number leaves the tape
        array = value._value if isinstance(value, TracedArray) else value._v
        return number(jax.lax.stop_gradient(array).reshape(()).astype(dtype))

    return cast


def _fold(name, pick):
    """`max` or `min`. Equal Tensors share the gradient, as in MindSpore's compiled functions."""

    def fold(*args, **kwargs):
        if kwargs:
            raise NotTraceableError(f"'{name}' has no '{next(iter(kwargs))}' in compiled code.")
        if len(args) == 1 and isinstance(args[0], Tensor) and args[0].ndim == 1 and args[0].size:
            return getattr(args[0], f"a{name}")()
        items = list(args[0]) if len(args) == 1 else list(args)
        if not items:
            raise ValueError(f"For '{name}', the sequence must not be empty.")
        if all(isinstance(item, Tensor) and item.ndim == 0 and not is_number(item) for item in items):
            return functools.reduce(lambda best, new: getattr(best, f"{name}imum")(new), items)
        if len({is_number(item) for item in items}) > 1:
            raise NotTraceableError(f"Whether '{name}' gives a number or a Tensor is known at run time only.")
        out = items[0]
        for item in items[1:]:
            out = refusals.joined(select_expression(pick(item, out), lambda item=item: item, lambda out=out: out))
        return out

    return fold


def _traced_range(*args):
    if any(is_traced(a) for a in args):
        return TracedRange(*args)
    return mutable(tuple(range(*map(int, args))), True)  # of numbers that are known, but variables


def _isinstance(value, kinds):
    if not isinstance(value, TracedNumber):
        return isinstance(value, kinds)
    return issubclass(value.python_class, kinds if isinstance(kinds, tuple) else (kinds,))


_BUILTINS: dict[Any, Callable] = {
    isinstance: _isinstance,
    range: _traced_range,
    int: _cast(jnp.int64),
    float: _cast(jnp.float32),
    bool: lambda value=False: number(_truth(value)),
    max: _fold("max", lambda new, best: new > best),
    min: _fold("min", lambda new, best: new < best),
    all: lambda items: number(functools.reduce(jnp.logical_and, map(_truth, items))),
    any: lambda items: number(functools.reduce(jnp.logical_or, map(_truth, items))),
}


def converted_call(f: Any, args: tuple, kwargs: dict | None, caller_fn_scope=None, options=None) -> Any:
    """A call in a rewritten function: the user's functions are rewritten, too; builtins know traced tensors."""
    return refusals.joined(call_returned(f, args, kwargs, caller_fn_scope, options))


def call_returned(f: Any, args: tuple, kwargs: dict | None, caller_fn_scope=None, options=None) -> Any:
    """`return f(*args, **kwargs)`."""
    # A list of the callables that a rewritten function treats in their own way; all others are called or rewritten.
    if f is traced_print:
        return print_at_run_time(*args, **(kwargs or {}))
    if inspect.isbuiltin(f) or isinstance(f, type):
        if f is super and not args:
            from malt.operators.py_builtins import super_in_original_context

            return super_in_original_context(f, args, caller_fn_scope)
        if f is len and len(args) == 1 and getattr(args[0], "dynamic_len", False):
            return mutable(len(args[0]))  # a variable as its sequence is, whose value is known
        counterpart = of_traced_length(f, args)
        if counterpart is not None:
            return counterpart(*args, **(kwargs or {}))
        if f in _BUILTINS and _any_traced(args):
            return _BUILTINS[f](*args, **(kwargs or {}))
        if f.__name__ in _VIEWS and isinstance(getattr(f, "__self__", None), dict) and not args:
            return tuple(f()) if f.__name__ != "items" else list(f())
        refusals.check_builtin(f, args)
        if f in _MAPPING and args:
            args = (converted(args[0]), *args[1:])
        found = search(f, args)
        if found is not None:
            return found(*args)
        if f in _ITERATORS:
            return _as_sequence(f, args, kwargs or {})
    refusals.check_call(f)
    counterpart = of_open_sizes(f, args, kwargs or {})
    return (counterpart or converted(f))(*args, **(kwargs or {}))


def _as_sequence(f: Callable, args: tuple, kwargs: dict) -> Any:
    """The result of `map`, `zip`, `filter`, `enumerate`: for lists, tuples and Tensors a list or tuple, no iterator."""
    by_function: dict[Any, tuple] = {zip: args, enumerate: args[:1]}
    iterated = by_function.get(f, args[1:])
    if f is not filter and any(getattr(items, "dynamic_len", False) for items in iterated):
        text = f"'{f.__name__}' of a variable-length sequence cannot be compiled: iterate over its indices."
        raise refusals.refusal(RuntimeError, text)
    made = f(*args, **kwargs)
    if not all(isinstance(items, _KNOWN_LENGTH) for items in iterated):
        return made
    as_list = f is filter or f is map and all(isinstance(items, list) for items in iterated)
    return list(made) if as_list else tuple(made)


def takes_view_as_sequence(error: TypeError) -> bool:
    """Whether Python refused `d.values()[0]`: rewritten functions have sequences for the views of dicts."""
    return any(f"'dict_{name}' object is not subscriptable" in str(error) for name in _VIEWS)


def _any_traced(args: tuple) -> bool:
    return any(
        is_traced(a)
        or isinstance(a, (TracedArray, TracedNumber))
        or (isinstance(a, (list, tuple)) and any(is_traced(x) for x in a))
        for a in args
    )
