"""What a trace does to the user's own containers and objects, and taking it back.

A trace runs the user's Python once, for all calls to come; what it puts into a list that outlives it would be put there
once, and be a tracer. In MindSpore's compiled functions what is appended to a list from outside, or put into a dict, is
seen inside of the call alone. So a trace puts back what it found: lists that were appended to or whose elements were
set, sets, and dicts where a tracer was left in them. All else every call is to change: a list that was reversed or
popped from, the attributes of an object of the user's, a global. Such a function runs in Python (`breaks.py`).
"""

from __future__ import annotations

from typing import Any

from ms_compat._compile import inspection
from ms_compat._compile.outputs import Given, containers_in
from ms_compat._compile.users import is_object_of_user
from ms_compat._core import tree
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.jax_compat import Tracer

# methods of lists that change them for the caller, too, in MindSpore's compiled functions
_CHANGE_IN_PLACE = frozenset(("clear", "extend", "insert", "pop", "remove", "reverse", "sort"))
_CONTAINERS = (list, dict, set)
_LIMIT = 4096  # of containers that are watched, and of the elements of one that are looked into


class Watch:
    """The containers that a function can reach, as they are before a trace.

    Args:
        fn, cell: the function and the Cell that it belongs to.
        spec: of the arguments; objects of the user's among them are constants of the trace, and watched with what they
            hold (lists and dicts among them are the business of `Arguments`).
    """

    def __init__(self, fn: Any, cell: Any, spec: Any):
        self._found: dict[int, tuple[Any, Any]] = {}
        self._objects: dict[int, tuple[Any, dict]] = {}
        cells, others, found = inspection.reachable_values(fn, cell)
        self.names, self.functions = found.used, found.functions
        self._globals = [(space, name, space.get(name, Watch)) for space, name in found.assigned]
        for owner in cells:
            for _, member in owner.cells_and_names():
                self._watch_values(member._plain_values())
        self._watch_values(others)
        self._watch_values([given for given in constants_in(spec) if is_object_of_user(given)])

    def _watch_values(self, values: Any) -> None:
        queue = list(values)
        while queue and len(self._found) < _LIMIT:
            value = queue.pop()
            kind = type(value)
            if kind in _CONTAINERS:
                if id(value) in self._found or len(value) > _LIMIT:
                    continue
                self._found[id(value)] = (value, value.copy())
                queue.extend(value.values() if kind is dict else value)
            elif kind is tuple:
                queue.extend(value)
            elif id(value) not in self._objects and is_object_of_user(value):
                self._objects[id(value)] = (value, dict(vars(value)))
                queue.extend(vars(value).values())

    def unchanged(self, container: Any) -> Any:
        """The container itself if it was there before the trace, and is as it was; else None."""
        _, before = self._found.get(id(container), (None, None))
        return container if before is not None and is_same(container, before) else None

    def restore(self) -> None:
        """Put everything back, for a trace that failed."""
        for value, before in self._found.values():
            refill(value, before)
        for owner, attributes in self._objects.values():
            if not is_same(vars(owner), attributes):
                refill(vars(owner), attributes)
        for space, name, before in self._globals:
            if before is Watch:  # there was none
                space.pop(name, None)
            else:
                space[name] = before

    def settle(self) -> None:
        """Put back what a trace that has ended must not leave.

        Raises:
            NotTraceableError: it changed what every call is to change.
        """
        for value, before in self._found.values():
            if is_same(value, before) or type(value) is dict and not any(map(_is_traced, value.values())):
                continue
            if type(value) is list and not (is_appended(value, before, self.names) or self._is_set(value, before)):
                self.restore()
                raise NotTraceableError("it changes a list in place.")
            refill(value, before)
        for space, name, before in self._globals:
            if space.get(name, Watch) is not before:
                self.restore()
                raise NotTraceableError(f"it assigns the global '{name}'.")
        for owner, attributes in self._objects.values():
            if not is_same(vars(owner), attributes):
                name = next(k for k, v in vars(owner).items() if attributes.get(k, Watch) is not v)
                self.restore()
                raise NotTraceableError(f"it changes the attribute '{name}' of a {type(owner).__name__}.")

    def _is_set(self, now: list, before: list) -> bool:
        """Whether a list was changed by `list[i] = value` alone, as far as the names that the program uses tell."""
        return len(now) == len(before) and _CHANGE_IN_PLACE.isdisjoint(self.names)


class Arguments:
    """The lists and dicts among the arguments of a trace, which stand for those of each call."""

    def __init__(self, arguments: tuple[tuple, dict]):
        self._found = {
            key: (container, path, container.copy()) for key, (container, path) in containers_in(arguments).items()
        }

    def check(self, names: frozenset[str]) -> None:
        """Raise NotTraceableError for a list that was changed in place, other than by appending."""
        for container, _, before in self._found.values():
            changed = type(container) is list and not is_same(container, before)
            if changed and not is_appended(container, before, names):
                raise NotTraceableError("it changes a list among its arguments in place.")

    def given(self, container: Any) -> Given | None:
        """What stands for a container in an output, if it is as it came."""
        found, path, before = self._found.get(id(container), (None, (), None))
        return Given(path) if before is not None and is_same(found, before) else None


def constants_in(spec: Any) -> list[Any]:
    """The objects that stand for themselves in a spec."""
    found = [node.value for node in tree.walk(spec) if isinstance(node, tree.Constant)]
    return [value.value if isinstance(value, tree.Identity) else value for value in found]


def is_appended(now: list, before: list, names: frozenset[str] = frozenset()) -> bool:
    """Whether a list has grown at its end, by `append` as far as the names that the program uses tell."""
    return len(now) >= len(before) and is_same(now[: len(before)], before) and "extend" not in names


def is_same(now: Any, before: Any) -> bool:
    """Whether a container holds the very objects that it held before."""
    if len(now) != len(before):
        return False
    if isinstance(now, dict):
        return all(k in before and before[k] is v for k, v in now.items())
    return isinstance(now, set) or all(a is b for a, b in zip(now, before, strict=True))


def refill(value: Any, before: Any) -> None:
    """Give a container the contents of another."""
    if isinstance(value, list):
        value[:] = before
    else:
        value.clear()
        value.update(before)


def _is_traced(value: Any) -> bool:
    return isinstance(getattr(value, "_v", value), Tracer)
