"""What a function can reach without running it: the Cells and Parameters of its closure, globals and defaults.

State that this analysis finds is swapped in before the first trace. The trace itself notices state that the analysis
misses, at the cost of one more trace. Also writes each program's jaxpr and HLO for `set_context(save_graphs=...)`.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Any, cast

from ms_compat._core.homes import is_of_the_package
from ms_compat._core.settings import context, tensor_float
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.flat_weights import kind_of
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.tree import Constant, Identity, walk

_GLOBAL_STORES = frozenset((dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"]))
_EXTREMES = frozenset(("max", "min"))
_ITEM_STORE = dis.opmap["STORE_SUBSCR"]
_NUMPY = frozenset(("np", "numpy"))
# Builtins that give iterators in Python and sequences in compiled code, and what makes no difference between them.
ITERATORS = frozenset(("zip", "filter", "enumerate"))
_ITERATING = frozenset(("GET_ITER", "UNPACK_SEQUENCE", "LIST_EXTEND"))
_CONSUMERS = frozenset("all any dict enumerate frozenset list max min set sorted sum tuple".split())


def _neighbours(fn: Any) -> list[Any]:
    """Objects that a function refers to: bound self, closure, used globals, defaults, wrapped functions."""
    out: list[Any] = []
    if isinstance(fn, types.MethodType):
        owner = fn.__self__
        out.append(owner)
        if not hasattr(type(owner), "_all_parameters"):
            out.extend(vars(owner).values() if hasattr(owner, "__dict__") else ())
        fn = fn.__func__
    if _tells(fn):
        out.extend(fn.reachable())
    if isinstance(fn, types.FunctionType):
        out.extend(value for _, value in closed_over(fn))
        out.extend(fn.__globals__[name] for name in _global_names(fn.__code__) if name in fn.__globals__)
        out.extend(fn.__defaults__ or ())
        out.extend((fn.__kwdefaults__ or {}).values())
    return out


def closed_over(fn: Any) -> list[tuple[str, Any]]:
    """A function's closure variables that are bound by now, by name; nothing for other objects."""
    if not isinstance(fn, types.FunctionType):
        return []
    found = []
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:  # a name that is bound later
            continue
    return found


def _global_names(code: types.CodeType) -> list[str]:
    names = list(code.co_names)
    if not _EXTREMES.isdisjoint(names):  # the builtin functions, not the methods
        loaded = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
        names.extend(f"{name}()" for name in _EXTREMES & loaded)
    if not ITERATORS.isdisjoint(names):
        names.extend(f"{name}()" for name in _kept_iterators(list(dis.get_instructions(code))))
    # for any operator: `+=` on an array differs from NumPy's in compiled code
    if not _NUMPY.isdisjoint(names) and any(
        i.opname == "BINARY_OP" and i.argrepr.endswith("=") for i in dis.get_instructions(code)
    ):
        names.append("np +=")
    if _ITEM_STORE in code.co_code[::2]:
        names.append("[] =")
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            names.extend(_global_names(const))
    return names


def _kept_iterators(instructions: list[dis.Instruction]) -> set[str]:
    """Which of `ITERATORS` are called for more than one walk over what they give, by which it is gone."""
    found = set()
    for start, first in enumerate(instructions):
        if first.opname != "LOAD_GLOBAL" or first.argval not in ITERATORS:
            continue
        depth, at = 1, start  # of the stack, from the function on
        while at + 1 < len(instructions):
            at += 1
            each = instructions[at]
            depth += dis.stack_effect(each.opcode, each.arg if each.opcode >= dis.HAVE_ARGUMENT else None, jump=False)
            if each.opname.startswith("CALL") and depth <= 1:
                break
        after = [each for each in instructions[at + 1 : at + 3] if each.opname != "PRECALL"]
        before = instructions[start - 1] if start else first
        consumed = before.opname == "LOAD_GLOBAL" and before.argval in _CONSUMERS and before is not first
        if not after or after[0].opname in _ITERATING or consumed and after[0].opname.startswith("CALL"):
            continue
        found.add(first.argval)
    return found


@functools.lru_cache(maxsize=4096)
def _assigned_globals(code: types.CodeType) -> tuple[str, ...]:
    """The names under `global` that code assigns or deletes, its inner functions' included."""
    found = []
    if not _GLOBAL_STORES.isdisjoint(code.co_code[::2]):
        found = [i.argval for i in dis.get_instructions(code) if i.opcode in _GLOBAL_STORES]
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return tuple(dict.fromkeys([*found, *(name for each in inner for name in _assigned_globals(each))]))


class _Names:
    """What the code on the way of `_reach` names: `used`, and `assigned` globals with their namespaces."""

    def __init__(self) -> None:
        self.assigned: list[tuple[dict[str, Any], str]] = []
        self._noted: list[tuple[types.FunctionType, frozenset[str]]] = []
        self.aliases: set[int] = set()  # of functions that are not called by their names, or may not be, the ids

    def note(self, fn: Any) -> None:
        """Add the names of a function's or method's code."""
        self._noted.append((getattr(fn, "__func__", fn), _names_of(fn.__code__)))
        self.assigned += [(fn.__globals__, name) for name in _assigned_globals(fn.__code__)]

    @property
    def used(self) -> frozenset[str]:
        """All names that the code uses."""
        return frozenset().union(*(names for _, names in self._noted))

    @property
    def functions(self) -> list[tuple[str, frozenset[str]]]:
        """The functions' names, "" for those with others, and the names that their code uses.

        A function that another closes over, as a decorator's does, is called there; under its own name, for this.
        """
        found = []
        for fn, names in self._noted:
            inner = [value.__name__ for _, value in closed_over(fn) if isinstance(value, types.FunctionType)]
            found.append(("" if id(fn) in self.aliases else fn.__name__, names.union(inner) if inner else names))
        return found

    def note_aliases(self, item: Any) -> None:
        """Note the functions that an object holds under other names than their own, or under none."""
        if isinstance(item, (list, tuple)):
            held: list[tuple[Any, Any]] = [(None, value) for value in item]
        elif isinstance(item, dict):
            held = list(item.items())
        else:
            fn = item.__func__ if isinstance(item, types.MethodType) else item
            held = [(None, value) for value in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values())]
            held += [(n, fn.__globals__[n]) for n in _names_of(fn.__code__) if n in fn.__globals__]
            if isinstance(item, types.MethodType) and hasattr(item.__self__, "__dict__"):
                held += vars(item.__self__).items()
        for name, value in held:
            value = value.__func__ if isinstance(value, types.MethodType) else value
            if isinstance(value, types.FunctionType) and value.__name__ != name:
                self.aliases.add(id(value))


def naming(functions: Iterable[tuple[str, frozenset[str]]], wanted: frozenset[str]) -> frozenset[str] | None:
    """The names by which code leads to a use of `wanted`: these, and the names of functions that use such a name.

    A Cell is called by no name, and not followed: its call rewrites it. None where an object that is not a Cell is
    called, or a function under another name than its own (`""`).
    """
    found, functions = set(wanted), list(functions)
    while True:
        more = {name for name, names in functions if name not in found and not names.isdisjoint(found)}
        if not more:
            return None if found & {"__call__", ""} else frozenset(found)
        found |= more


@functools.lru_cache(maxsize=4096)
def _names_of(code: types.CodeType) -> frozenset[str]:
    return frozenset(_global_names(code))


def leads(fn: types.FunctionType, wanted: frozenset[str]) -> bool:
    """Whether a function, or one that it closes over, is or names one of `wanted`, which `naming` gave."""
    functions = [fn, *(inner for _, inner in closed_over(fn) if isinstance(inner, types.FunctionType))]
    # every Cell has a `construct`, whose name says nothing
    return any(f.__name__ in wanted - {"construct"} or not _names_of(f.__code__).isdisjoint(wanted) for f in functions)


def reachable_objects(fn: Callable, cell: Any) -> tuple[list[Any], list[Parameter]]:
    """The Cells and the loose Parameters that `fn` can reach."""
    cells, parameters, _ = _reach(fn, cell)
    return cells, parameters


def reachable_values(fn: Callable, cell: Any) -> tuple[list[Any], list[Any], _Names]:
    """What `fn` can reach: the Cells, all else that is not a function, and what the code on the way names."""
    names = _Names()
    cells, _, others = _reach(fn, cell, names)
    kinds = {type(member): None for owner in cells for _, member in owner.cells_and_names()}
    methods = [method for kind in kinds for method in _methods(cast(Hashable, kind))]
    if methods:
        others = [*others, *_reach(fn, None, names, methods)[2]]
    return cells, others, names


def values_of(fn: types.FunctionType | types.MethodType) -> list[Any]:
    """What a function or bound method can reach that is neither a Cell nor a function."""
    return _reach(fn, None)[2]


@functools.lru_cache(maxsize=1024)
def _methods(kind: Any) -> tuple[types.FunctionType, ...]:
    """The methods of a user's class that its calls can run."""
    if is_of_the_package(kind.__module__):
        return ()
    members = [member for name, member in vars(kind).items() if name != "__init__"]
    compiled = [fn for member in members if _tells(member) for fn in member.reachable()]
    return tuple([f for f in (*members, *compiled) if isinstance(f, types.FunctionType)])


def _reach(
    fn: Callable, cell: Any, names: _Names | None = None, more: Iterable[Any] = ()
) -> tuple[list[Any], list[Parameter], list[Any]]:
    # A search over unlike things: closures, globals, attributes and containers each say otherwise what they lead to.
    cells: dict[int, Any] = {}
    parameters: dict[int, Parameter] = {}
    others: list[Any] = []
    seen: set[int] = set()
    queue: list[Any] = [cell] if cell is not None else []
    queue += [fn, *more]
    while queue:
        item = queue.pop(0)
        if id(item) in seen:
            continue
        seen.add(id(item))
        if names is not None and isinstance(item, (list, tuple, dict, types.FunctionType, types.MethodType)):
            names.note_aliases(item)
        if isinstance(item, Parameter):
            parameters[id(item)] = item
        elif isinstance(item, Tensor):
            continue
        elif hasattr(type(item), "_all_parameters"):
            cells[id(item)] = item
        elif isinstance(item, (list, tuple)):
            others.append(item)
            if len(item) <= 4096:
                queue.extend(item)
        elif isinstance(item, dict):
            others.append(item)
            if len(item) <= 4096:
                queue.extend(item.values())
        elif isinstance(item, (types.FunctionType, types.MethodType)) or _tells(item):
            module = getattr(item, "__module__", "") or ""
            if item is fn or not is_of_the_package(module) or _tells(item):
                queue.extend(_neighbours(item))
                if names is not None and hasattr(item, "__code__"):
                    names.note(item)
        else:
            others.append(item)
            if not isinstance(item, (type, types.ModuleType)):  # such as a loss scaler
                queue.extend(value for value in getattr(item, "__dict__", {}).values() if isinstance(value, Parameter))
    return list(cells.values()), list(parameters.values()), others


def _tells(item: Any) -> bool:
    """Whether an object of ours says what it reaches. Its class is asked, since a module answers for all its names."""
    return hasattr(type(item), "reachable")


def reachable_parameters(fn: Callable, cell: Any, spec: Any) -> list[Tensor]:
    """Parameters of the reachable Cells, loose ones, and those handed over as arguments; each once."""
    cells, loose = reachable_objects(fn, cell)
    found: dict[int, Tensor] = {}
    for owner in cells:
        for parameter in owner._all_parameters():
            found[id(parameter)] = parameter
    for parameter in (*loose, *_parameters_in(spec)):
        found[id(parameter)] = parameter
    return list(found.values())


def _parameters_in(spec: Any) -> list[Parameter]:
    constants = [node for node in walk(spec) if node.__class__ is Constant]
    return [node.value.value for node in constants if node.kind is Parameter]


def static_key(fn: Callable, cell: Any) -> Any:
    """The compile-relevant flags (train mode, mixed precision, hooks, ...) of all Cells and Parameters in reach."""
    cells, loose = reachable_objects(fn, cell)
    own = [(Identity(owner), owner._static_key()) for owner in cells]
    return tuple(own + [(Identity(parameter), kind_of(parameter)) for parameter in loose]), tensor_float.current()


_saved = 0


def saving() -> bool:
    """Whether `set_context(save_graphs=...)` requests the programs as text."""
    return bool(context.get_context("save_graphs"))


def save_text(name: str, kind: str, text: str) -> None:
    """Write one program, as `<number>_<function>.<kind>.txt` under `save_graphs_path`."""
    global _saved
    folder = Path(context.get_context("save_graphs_path"))
    folder.mkdir(parents=True, exist_ok=True)
    safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in name)
    (folder / f"{_saved:04d}_{safe}.{kind}.txt").write_text(text, encoding="utf-8")
    _saved += 1
