"""Lists and dicts that a branch or a loop's body changes: variables like those that it assigns.

JAX traces both branches of an `if` on a Tensor, and a loop's body once; an `append` in it would run once, whatever the
Tensors' values. So each trace of the code is followed by a check of the containers that the code can reach. A changed
container is restored, and the trace is repeated with its contents among the selected or carried variables. Contents
that cannot be selected or carried (lists of two lengths, other strings) make a graph break, as other variables do.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ms_compat._compile.analysis.inspection import closed_over
from ms_compat._compile.analysis.side_effects import is_object_of_user, is_same, refill
from ms_compat._core.errors import NotTraceableError

_LIMIT = 1024  # the most containers that are watched, and the most elements of one that are inspected
_KINDS = (list, dict, set)


class ContainersChanged(BaseException):  # control flow, not an error: no handler of the program catches it
    """A piece of the program has changed containers that are not among its variables yet."""

    def __init__(self, changed: list[Any]):
        self.changed = changed


class Containers:
    """The lists, dicts and sets that functions can reach, as they are before these run."""

    def __init__(self, functions: Iterable[Callable], values: Any):
        self._found: dict[int, tuple[Any, Any]] = {}
        queue: list[Any] = list(values)
        for function in functions:
            queue.extend(_reached(function))
        while queue and len(self._found) < _LIMIT:
            value = queue.pop()
            kind = type(value)
            if kind in _KINDS:
                if id(value) in self._found or len(value) > _LIMIT:
                    continue
                self._found[id(value)] = (value, value.copy())
                queue.extend(value.values() if kind is dict else value)
            elif kind is tuple:
                queue.extend(value)
            elif hasattr(kind, "_all_parameters"):
                queue.extend(item for item in value._plain_values() if type(item) in _KINDS)
            elif is_object_of_user(value):
                queue.extend(item for item in vars(value).values() if type(item) in _KINDS)

    def check(self, known: Sequence[Any]) -> None:
        """Raise ContainersChanged if others than these have changed, and NotTraceableError for a set."""
        changed = [value for value, before in self._found.values() if not _is_as_before(value, before)]
        new = [value for value in changed if not any(value is other for other in known)]
        if any(type(value) is set for value in new):
            raise NotTraceableError("In a compiled function, a set must be the same after both branches and a loop.")
        if new:
            raise ContainersChanged(new)

    def restore(self) -> None:
        """Put the contents back."""
        for value, before in self._found.values():
            if not _is_as_before(value, before):
                refill(value, before)


def staged(
    run: Callable, functions: Sequence[Callable], get_state: Callable, set_state: Callable, names: Sequence[str]
) -> None:
    """Call `run(watched functions, get_state, set_state, names)` with the containers that they change as variables.

    Args:
        run: traces the functions and sets the variables to what comes out.
        functions: the branches, or the body, as the program has them.
        get_state: gives the variables.
        set_state: sets them.
        names: of the variables.
    """
    watched = Containers(functions, get_state())
    carried: list[Any] = []
    while True:
        get, put = _with_contents(carried, get_state, set_state, len(names))
        more = [f"{type(value).__name__} that is changed" for value in carried]
        try:
            run([_checked(function, watched, carried) for function in functions], get, put, (*names, *more))
            return
        except ContainersChanged as found:
            watched.restore()
            carried += found.changed
        except BaseException:
            watched.restore()
            raise


def _with_contents(carried: Sequence[Any], get_state: Callable, set_state: Callable, count: int) -> Any:
    if not carried:
        return get_state, set_state

    def get() -> tuple:
        return (*get_state(), *[value.copy() for value in carried])

    def put(values: Sequence[Any]) -> None:
        set_state(values[:count])
        for value, contents in zip(carried, values[count:], strict=True):
            refill(value, contents)

    return get, put


def _checked(function: Callable, watched: Containers, carried: Sequence[Any]) -> Callable:
    @functools.wraps(function)
    def run(*args: Any) -> Any:
        out = function(*args)
        watched.check(carried)
        return out

    return run


def _reached(function: Any) -> list[Any]:
    """The values in a function's closure, and the globals that it names."""
    if isinstance(function, functools.partial):
        return [*_reached(function.func), *function.args]
    function = inspect.unwrap(function)
    out = [value for _, value in closed_over(function)]
    code, space = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    return [*out, *[space[name] for name in (code.co_names if code else ()) if name in space]]


def _is_as_before(now: Any, before: Any) -> bool:
    return now == before if type(now) is set else is_same(now, before)
