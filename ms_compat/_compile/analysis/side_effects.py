"""What a trace does to the user's own containers and objects, and taking it back.

A trace runs the user's Python once, for all later calls. A value that it puts into a list that outlives it would be put
there once, and be a tracer. In MindSpore's compiled functions, only the call itself sees what it appends to a list from
outside or sets in it, and what a method such as `update` changes in a dict. So a trace restores lists, such dicts and
sets. Every call must repeat all other changes: to a list that was reversed or popped from, to a dict whose
items were set (a dict of a Cell only if the items are computed), to attributes of the user's objects, to a global. Such
a function runs in Python (`breaks.py`).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ms_compat._compile.analysis import inspection
from ms_compat._compile.analysis.outputs import ArgumentRef, containers_in
from ms_compat._compile.analysis.users import is_object_of_user, is_users_module
from ms_compat._core.errors import NotTraceableError, StrictSyntaxError
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import tree

# methods of lists that change them for the caller, too, in MindSpore's compiled functions
_CHANGE_IN_PLACE = frozenset(("extend", "insert", "pop", "remove", "reverse", "sort"))
# methods of dicts whose changes the caller does not see there
_OF_DICTS = frozenset(("clear", "pop", "popitem", "setdefault", "update"))
_CONTAINERS = (list, dict, set)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_KEYWORDS = (1,)  # the path to the keyword arguments themselves
_LIMIT = 4096  # the most containers that are watched, and the most elements of one that are inspected


class Watch:
    """The containers that a function can reach, as they are before a trace.

    Args:
        fn, cell: the function and the Cell that it belongs to.
        spec: of the arguments, or None; objects of the user's among them are constants of the trace, and watched with
            what they hold (lists and dicts among them are the business of `Arguments`).
    """

    def __init__(self, fn: Any, cell: Any, spec: Any):
        self._found: dict[int, tuple[Any, Any]] = {}
        self._objects: dict[int, tuple[Any, dict]] = {}
        self._functions: dict[Any, None] = {}  # that attributes, containers and arguments hold, and objects' methods
        cells, others, found = inspection.reachable_values(fn, cell)
        self.names, self.functions = found.used, found.functions
        self._globals = [(space, name, space.get(name, Watch)) for space, name in found.assigned]
        for owner in cells:
            for _, member in owner.cells_and_names():
                self._watch_values(member._plain_values())
        self._watch_values(others)
        if spec is not None:
            given = [value for value in constants_in(spec) if is_object_of_user(value) or isinstance(value, _FUNCTIONS)]
            self._watch_values(given)
        followed: set[Any] = set()
        while functions := [fn for fn in self._functions if fn not in followed]:
            followed.update(functions)
            for fn in functions:
                self._watch_values(inspection.values_of(fn))

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
            elif isinstance(value, _FUNCTIONS):
                self._functions[value] = None
            elif id(value) not in self._objects and is_object_of_user(value):
                self._objects[id(value)] = (value, dict(vars(value)))
                queue.extend(vars(value).values())
                queue.append(kind)
            elif isinstance(value, type) and is_users_module(value.__module__):
                self._functions |= dict.fromkeys(_code_of(value))

    def unchanged(self, container: Any) -> Any:
        """The container itself if it was there before the trace, and is as it was or keeps its changes; else None."""
        if id(container) not in self._found:
            return None
        return container if not self._within_changed(container) else None

    def _within_changed(self, container: Any) -> bool:
        """Whether a container, or one that it holds, is to be put back."""
        for held in (container, *containers_within(container)):
            _, before = self._found.get(id(held), (held, held))
            if not is_same(held, before) and not _keeps(held):
                return True
        return False

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

    def put_back_lists(self) -> dict[int, list]:
        """Restore the lists whose changes only the call itself sees, after it ran in Python.

        Returns:
            What was in them, by their ids.
        """
        found, inside = {}, within_dicts(value for value, _ in self._found.values())
        for value, before in self._found.values():
            if type(value) is not list or id(value) in inside or is_same(value, before):
                continue
            if not reaches_caller(value, before, self.names):
                found[id(value)] = value.copy()
                refill(value, before)
        return found

    def finish(self) -> None:
        """Put back what a trace that has ended must not leave.

        Raises:
            NotTraceableError: it changed what every call is to change.
        """
        inside = within_dicts(value for value, _ in self._found.values())
        for value, before in self._found.values():
            if is_same(value, before) or _keeps(value):
                continue
            if type(value) is not set and (id(value) in inside or reaches_caller(value, before, self.names)):
                self.restore()
                raise NotTraceableError(f"it changes a {type(value).__name__} in place.")
            refill(value, before)
        for space, name, before in self._globals:
            if space.get(name, Watch) is not before:
                self.restore()
                raise NotTraceableError(f"it assigns the global '{name}'.")
        for owner, attributes in self._objects.values():
            if not is_same(vars(owner), attributes):
                name = next(k for k, v in vars(owner).items() if attributes.get(k, Watch) is not v)
                self.restore()
                raise StrictSyntaxError(f"it changes the attribute '{name}' of a {type(owner).__name__}.")


class Arguments:
    """The lists, dicts and NumPy arrays among a trace's arguments; each later call has its own in their place."""

    def __init__(self, arguments: tuple[tuple, dict]):
        self._found = {
            key: (container, path, container.copy()) for key, (container, path) in containers_in(arguments).items()
        }

    def check(self, names: frozenset[str]) -> None:
        """Raise NotTraceableError for a container whose changes the caller is to see."""
        inside = within_dicts(found for found, path, _ in self._found.values() if path != _KEYWORDS)
        for container, _, before in self._found.values():
            if not is_same(container, before) and (id(container) in inside or reaches_caller(container, before, names)):
                raise NotTraceableError(f"it changes a {type(container).__name__} among its arguments in place.")

    def given(self, container: Any) -> ArgumentRef | None:
        """What stands for a container in an output if neither it nor anything in it has changed."""
        _, path, _ = self._found.get(id(container), (None, (), None))
        for held in (container, *containers_within(container)):
            found, _, before = self._found.get(id(held), (None, (), None))
            if before is None or not is_same(found, before):
                return None
        return ArgumentRef(path)


def within_dicts(containers: Iterable[Any]) -> set[int]:
    """The ids of what stands in dicts at any depth, whose changes are seen through these."""
    return {id(item) for found in containers if type(found) is dict for item in containers_within(found)}


def containers_within(container: Any) -> list[Any]:
    """The lists and dicts that a container holds at any depth, each once."""
    found: dict[int, Any] = {}
    queue = _contents(container)
    while queue:
        item = queue.pop()
        if type(item) in (list, dict):
            if id(item) in found:
                continue
            found[id(item)] = item
        if isinstance(item, (list, dict, tuple)):
            queue += _contents(item)
    return list(found.values())


def _contents(container: Any) -> list[Any]:
    if isinstance(container, np.ndarray):
        return []
    return list(container.values()) if isinstance(container, dict) else list(container)


@functools.lru_cache(maxsize=1024)
def _code_of(kind: type) -> list[types.FunctionType]:
    """The functions of a user's class and its bases: methods, static and class methods, properties."""
    members = [m for base in kind.__mro__ if is_users_module(base.__module__) for m in vars(base).values()]
    plain = [getattr(member, "fget", None) or getattr(member, "__func__", member) for member in members]
    return [member for member in plain if isinstance(member, types.FunctionType)]


def constants_in(spec: Any) -> list[Any]:
    """The objects that stand for themselves in a spec."""
    found = [node.value for node in tree.walk(spec) if isinstance(node, tree.Constant)]
    return [value.value if isinstance(value, tree.Identity) else value for value in found]


def reaches_caller(now: Any, before: Any, names: frozenset[str]) -> bool:
    """Whether whoever holds a list or dict sees its change, as far as the names that the program uses tell.

    A list that has only grown at its end was appended to, unless the program uses `extend` alone.
    """
    if type(now) is dict:
        return names.isdisjoint(_OF_DICTS)
    if type(now) is np.ndarray:
        return True
    is_longer = len(now) >= len(before) and is_same(now[: len(before)], before)
    is_appended = is_longer and ("append" in names or "extend" not in names)
    return not names.isdisjoint(_CHANGE_IN_PLACE) and not is_appended


def is_same(now: Any, before: Any) -> bool:
    """Whether a container holds the very objects that it held before, or an array the same elements."""
    if isinstance(now, np.ndarray):
        return now.tobytes() == before.tobytes()
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


def _keeps(container: Any) -> bool:
    """Whether changes to a container that the program reaches stay: changes to a dict that store nothing computed."""
    return type(container) is dict and not any(map(_is_traced, container.values()))


def _is_traced(value: Any) -> bool:
    return isinstance(getattr(value, "_v", value), Tracer)
