"""A primitive's docstring, made when it is read from its row and from what the docstring of its function says."""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from typing import Any

from ms_compat._core.faces import find, load
from ms_compat.ops._documentation.examples import example
from ms_compat.ops._documentation.sections import entries, summary
from ms_compat.ops._documentation.texts import ARGUMENTS, FUNCTIONS, SUMMARIES

_WIDTH = 112


def described(name: str, row: Any, types: dict[str, tuple], required: object) -> str:
    """The docstring of a primitive.

    Args:
        name: of the class.
        row: its `Row`.
        types: `{name: types}` of the settings that the constructor checks.
        required: what stands for a missing default.

    >>> from ms_compat import ops
    >>> print(ops.Softmax.__doc__.split("Raises")[0])  # doctest: +NORMALIZE_WHITESPACE
    The elements' exponentials divided by their sum along an axis.
    <BLANKLINE>
    The class of `ops.softmax`. `Softmax(axis=-1)` makes a primitive; its call takes `(input)`.
    <BLANKLINE>
    Args:
        axis (int or None or tuple): the axis. Default: -1.
    <BLANKLINE>
    Inputs:
        input: at least one dimension, floating type.
    """
    public, function = _function(name, row)
    inputs = [one if isinstance(one, tuple) else (one, required) for one in row.inputs]
    settings = list(row.parameters.items())
    texts = _texts(function, row.fn, [key for key, _ in (*inputs, *settings)])
    made = _call(name, settings, required)
    call = "any number of inputs" if row.variadic else f"`{_call('', inputs, required)}`"
    text = SUMMARIES.get(name) or summary(getattr(function, "__doc__", ""))
    blocks = [
        _filled(text),
        _filled(
            f"{f'The class of `ops.{public}`. ' if public else ''}`{made}` makes a primitive; its call takes {call}."
        ),
        _section("Args", [_entry(key, texts[key], types.get(key, ()), value, required) for key, value in settings]),
        _section("Inputs", [_entry(key, texts[key], (), value, required) for key, value in inputs]),
        _section("Raises", _errors(types, function if function is row.fn else None)),
        _filled(f"`help(ops.{public})` says more of the computation.") if public else "",
        example(name),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


@functools.cache
def _public() -> dict[tuple[str, str], str]:
    """The function of `ops` that a module's variable is."""
    found: dict[tuple[str, str], str] = {}
    for name, face in find("ops").items():
        if not face.kind and not name[0].isupper():
            found.setdefault((face.module, face.name), name)
            if name == face.name:
                found[face.module, face.name] = name
    return found


def _function(name: str, row: Any) -> tuple[str, Callable]:
    """The name in `ops` of the function that a primitive is, and the function whose docstring describes it."""
    face = find("ops").get(name)
    if face is not None and face.kind == "primitive":
        return _public().get((face.module, face.name), ""), row.fn
    public = FUNCTIONS.get(name, _spelled(name))
    face = find("ops").get(public)
    if face is None or face.kind:
        return "", row.fn
    return public, load(face)


def _spelled(name: str) -> str:
    """A class's name as a function's: "BroadcastTo" is broadcast_to.

    >>> _spelled("ResizeBilinearV2"), _spelled("LSTM")
    ('resize_bilinear_v2', 'lstm')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _texts(function: Callable, computed: Callable, names: list[str]) -> dict[str, str]:
    """What is said of the arguments: by the same name, or by the place if the primitive calls the function itself."""
    said = entries(getattr(function, "__doc__", ""), "Args")
    places: list[str] = []
    if function is computed:
        places = [one for one in inspect.signature(function).parameters if one != "pair"]
    out = {}
    for at, name in enumerate(names):
        place = places[at] if at < len(places) else ""
        out[name] = said.get(place) or said.get(name) or ARGUMENTS.get(name, "")
    return out


def _call(name: str, arguments: Iterable[tuple[str, Any]], required: object) -> str:
    shown = [key if default is required else f"{key}={default!r}" for key, default in arguments]
    return f"{name}({', '.join(shown)})"


def _kinds(types: tuple) -> str:
    # A bool counts as an int wherever the constructor takes an int.
    shown = [one for one in types if one is not bool or int not in types]
    return " or ".join("None" if one is type(None) else one.__name__ for one in shown)


def _entry(name: str, text: str, types: tuple, default: Any, required: object) -> str:
    typed = f"{name} ({_kinds(types)})" if types else name
    text = text or ("a setting" if types or default is not required else "an input")
    ending = "" if default is required else f" Default: {default!r}."
    return f"{typed}: {text if text.endswith('.') else text + '.'}{ending}"


def _errors(types: dict[str, tuple], function: Callable | None) -> list[str]:
    known = "is missing, unknown or of a type that is not named above" if types else "is missing or unknown"
    said = entries(getattr(function, "__doc__", ""), "Raises")
    own = f"a setting {known}; the call has other inputs than these."
    return [f"TypeError: {own}", *[f"{error}: {text}" for error, text in said.items()]]


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([f"{title}:", *[_filled(line, "    ", "        ") for line in lines]]) if lines else ""


def _filled(text: str, first: str = "", later: str = "") -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False, break_long_words=False
    )
