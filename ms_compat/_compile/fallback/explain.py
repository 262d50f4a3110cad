"""Why a compiled function was retraced: which part of its key changed, and how.

With `MS_COMPAT_EXPLAIN_RECOMPILES=1` each retrace logs one line at warning level; `explanations` keeps the last lines
for tests and notebooks. A function compares a new call with its own last traces (`History`).
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from ms_compat._compile.analysis import inspection
from ms_compat._core.tensor import tree

logger = logging.getLogger("ms_compat")
explanations: list[str] = []
_KEPT = 200  # explanations
_TRACES = 8  # of one function that a new one is compared with
_LONGEST = 3  # differences that are named
_ABSENT = "not there"
# Fields of a Cell's key (`nn/_cell/flags.py`) in the words that users have for them; `_parts` names the other fields.
_WORDS = {
    "training": "training",
    "requires_grad": "requires_grad",
    "recompute": "recompute",
    "offload": "offload",
    "layouts": "the layouts of 'shard'",
    "saved_hooks": "the hooks of saved tensors",
    "auto_precision": "its mixed precision",
}


class TracedKey(NamedTuple):
    """The contents of one trace's key, as texts by place.

    Attributes:
        arguments: by argument.
        cells: of each Cell, what its key holds.
        parameters: dtype and shape of each Parameter.
    """

    arguments: dict[str, str]
    cells: dict[str, dict[str, str]]
    parameters: dict[str, str]


History = deque[TracedKey]


def history() -> History:
    """Room for the last traces of a function."""
    return deque(maxlen=_TRACES)


def enabled() -> bool:
    """Whether the user requests explanations."""
    return os.environ.get("MS_COMPAT_EXPLAIN_RECOMPILES", "") not in ("", "0")


def keep(text: str) -> None:
    """Add an explanation to `explanations`, which holds the last ones."""
    explanations.append(text)
    del explanations[:-_KEPT]


def report(function: Any, spec: Any, leaves: list[Any]) -> None:
    """Log how this call differs from the nearest of the function's last traces.

    Args:
        function: the `CompiledFunction`, which has just been traced.
        spec: of the arguments.
        leaves: the arguments' arrays and numbers.
    """
    cells, parameters = _reached(function)
    now = TracedKey(_arguments(spec, leaves), cells, parameters)
    if function.history:
        best = min((_difference(before, now) for before in function.history), key=len)
        shown = [*best[:_LONGEST], f"and {len(best) - _LONGEST} more changes"] if len(best) > _LONGEST else best
        text = f"{function.name}: traced again because " + ("; ".join(shown) or "its Python reaches other objects")
        keep(text)
        logger.warning(text)
    function.history.append(now)


# -- arguments


def _describe(spec: Any, path: str, leaves: Any) -> dict[str, str]:
    """Each leaf of the arguments with a text of what the key holds of it."""
    match spec:
        case tree.Leaf():
            value = next(leaves)
            shape = getattr(value, "shape", ())
            return {path: f"Tensor{list(shape)} {getattr(value, 'dtype', type(value).__name__)}"}
        case tree.Constant(kind, value):
            return {path: f"{kind.__name__} {value if kind is float else repr(value):.60}"}
        case tree.Mapping(kind, pairs):
            named = [(repr(key), part) for key, part in pairs]
        case tree.Slice(items):
            kind, named = slice, [(str(i), part) for i, part in enumerate(items)]
        case _:
            kind, named = spec.kind, [(str(i), part) for i, part in enumerate(spec.items)]
    out = {path: f"{kind.__name__} of length {len(named)}"}
    for key, part in named:
        out.update(_describe(part, f"{path}[{key}]", leaves))
    return out


def _arguments(spec: Any, leaves: list[Any]) -> dict[str, str]:
    values = iter(leaves)
    out: dict[str, str] = {}
    positional, named = spec.items
    for i, part in enumerate(positional.items):
        out.update(_describe(part, f"argument {i}", values))
    for key, part in named.pairs:
        out.update(_describe(part, f"argument '{key}'", values))
    return out


# -- Cells and Parameters


def _reached(function: Any) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """What the keys of all Cells in reach hold, and the Parameters in reach."""
    owners, loose = inspection.reachable_objects(function.fn, function.cell)
    names = dict(_names_of(function.fn))
    cells: dict[str, dict[str, str]] = {}
    parameters: dict[str, str] = {}
    for owner in owners:
        prefix = "" if owner is function.cell else names.get(id(owner), type(owner).__name__) + "."
        for path, cell in owner.cells_and_names():
            name = f"{prefix}{path}".removesuffix(".") or type(cell).__name__
            cells[f"`{name}` ({type(cell).__name__})"] = dict(_parts(cell._own_key()))
        for path, parameter in owner.parameters_and_names():
            parameters[f"Parameter `{prefix}{path}`"] = _kind(parameter)
    for parameter in loose:
        name = f"Parameter `{names.get(id(parameter), parameter.name)}`"
        parameters[name] = f"{_kind(parameter)}, {_trained(parameter.requires_grad)}"
    return cells, parameters


def _names_of(fn: Any) -> Iterator[tuple[int, str]]:
    """The names by which a function reaches objects: its globals and its closure variables."""
    fn = getattr(fn, "__func__", fn)
    code = getattr(fn, "__code__", None)
    if code is not None:
        scope = getattr(fn, "__globals__", {})
        yield from ((id(scope[name]), name) for name in code.co_names if name in scope)
        for name, held in zip(code.co_freevars, fn.__closure__ or (), strict=False):
            try:
                yield id(held.cell_contents), name
            except ValueError:  # a variable without a value
                continue


def _parts(key: Any) -> Iterator[tuple[str, str]]:
    """The contents of a Cell's key, as words and texts."""
    values = key._asdict()
    yield "object", f"Cell {values['serial']}"
    for field, words in _WORDS.items():
        yield words, str(values[field] or None) if field != "training" else str(values[field])
    for name, value in values["flags"] or ():
        yield f"flag '{name}'", str(value[1])
    for name, identity, kind in values["parameters"]:
        trained, chunk, hooks = kind or (None, None, None)
        yield f"Parameter '{name}'", f"{_trained(trained)}, {len(hooks or ())} hooks, chunk {chunk}, at {identity:#x}"
    for name, identity in values["buffers"]:
        yield f"buffer '{name}'", f"at {identity:#x}"
    for kind, handles in values["hooks"] or ():
        yield f"{kind} hooks", str(len(handles))
    for name, hooks in values["parameter_hooks"] or ():
        yield f"hooks of Parameter '{name}'", str(hooks)
    for name, value in values["watched"] or ():
        yield f"attribute '{name}'", str(value[1])
    for name, kind in values["slots"] or ():
        yield f"the class of attribute '{name}'", kind


def _kind(parameter: Any) -> str:
    return f"Tensor{list(parameter.shape)} {parameter.dtype}"


def _trained(requires_grad: Any) -> str:
    return f"requires_grad={requires_grad}"


# -- the difference


def _difference(before: TracedKey, now: TracedKey) -> list[str]:
    """Every place whose text differs. A Cell that was added or removed is named without its fields."""
    out = []
    for name in dict.fromkeys((*before.cells, *now.cells)):
        old, new = before.cells.get(name), now.cells.get(name)
        if old is None or new is None:
            out.append(f"{name} was {_ABSENT}, is there" if old is None else f"{name} was there, is {_ABSENT}")
        elif old["object"] != new["object"]:
            out.append(f"{name} was one Cell, is another")
        else:
            out += [f"{name}: {text}" for text in _changes(old, new)]
    return [*out, *_changes(before.parameters, now.parameters), *_changes(before.arguments, now.arguments)]


def _changes(before: dict[str, str], now: dict[str, str]) -> list[str]:
    places = dict.fromkeys((*before, *now))
    texts = [(place, before.get(place, _ABSENT), now.get(place, _ABSENT)) for place in places]
    return [f"{place} was {a}, is {b}" for place, a, b in texts if a != b]
