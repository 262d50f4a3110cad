"""Cells that are one operation with settings, made from rows of a table.

`table_cell` makes the class: its constructor binds, converts and keeps the settings; `construct` calls the operation
with its inputs and them. A row says everything that distinguishes one such layer from the next.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from ms_compat._core.checks import Check, check_all
from ms_compat._core.dispatch import keywords
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell

REQUIRED = inspect.Parameter.empty
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _by_name(api: str, names: tuple[str, ...], inputs: tuple, named: dict[str, Any]) -> tuple:
    """Positional inputs of a call that gave some by keyword."""
    rest = dict(named)
    values = [*inputs, *[rest.pop(name) for name in names[len(inputs) :] if name in rest]]
    if rest or len(values) != len(names):
        raise TypeError(
            f"{api}.construct() takes {len(names)} inputs ({', '.join(names)}), but got {len(inputs)}"
            + (f" and {', '.join(map(repr, named))}." if named else ".")
        )
    return tuple(values)


def _not_bound(name: str, settings: Mapping[str, Any], given: Mapping[str, Any], error: TypeError) -> TypeError:
    unknown = [key for key in given if key not in settings]
    if unknown:
        hint = keywords.hint(unknown[0], settings)
        return TypeError(f"{name}.__init__() got an unexpected keyword argument '{unknown[0]}'. {hint}")
    return TypeError(f"{name}.__init__(): {error}.")


def table_cell(
    name: str,
    module: str,
    operation: Callable,
    inputs: tuple[str, ...],
    settings: Mapping[str, Any],
    text: str,
    rules: Callable[..., tuple] | Mapping[str, Check] | None = None,
    base: type = Cell,
    keyword_only: bool = False,
    served: str = "nn nn.layer",
    about: Mapping[str, str] | None = None,
    more: str = "",
) -> Any:
    """The Cell class of one row.

    Args:
        name: of the class.
        module: its `__module__`.
        operation: called with the inputs and the settings.
        inputs: names of `construct`'s inputs.
        settings: the constructor's parameters and their defaults (`REQUIRED` for none).
        text: the first line of its docstring.
        rules: the checks of settings by their names, or a function that checks all and returns those that the operation
            gets.
        base: the class to derive from.
        keyword_only: whether the settings can only be given by keyword.
        served: where, as in `@faces`.
        about: what the docstring says of settings, such as "(int): the axis", and of inputs, such as "any shape".
        more: the rest of the docstring: outputs, errors, an example.
    """
    kind = inspect.Parameter.KEYWORD_ONLY if keyword_only else _POSITIONAL
    signature = inspect.Signature([inspect.Parameter(n, kind, default=d) for n, d in settings.items()])
    count = len(inputs)

    def __init__(self, *args, **kwargs):
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise _not_bound(name, settings, kwargs, error) from None
        bound.apply_defaults()
        base.__init__(self)  # type: ignore[misc]
        values = tuple(bound.arguments.values())
        self._settings = tuple(rules(*values)) if callable(rules) else values
        if isinstance(rules, Mapping):
            check_all(name, bound.arguments, rules)
        for key, value in bound.arguments.items():
            self.__dict__.setdefault(key, value)
        if "reduction" in settings and hasattr(self, "average"):  # a LossBase: what its `get_loss` goes by
            self._set_reduction(bound.arguments["reduction"])

    def construct(self, *args, **kwargs):
        if kwargs or len(args) != count:
            args = _by_name(name, inputs, args, kwargs)
        return operation(*args, *self._settings)

    made: tuple[tuple[Any, Any], ...] = ((__init__, signature.parameters.values()), (construct, ()))
    for fn, parameters in made:
        fn.__qualname__ = f"{name}.{fn.__name__}"
        names = ["self"] if fn is __init__ else ["self", *inputs]
        fn.__signature__ = inspect.Signature([*[inspect.Parameter(n, _POSITIONAL) for n in names], *parameters])
    doc = _docstring(text, settings, inputs, about or {}, more)
    body = {"__doc__": doc, "__module__": module, "__init__": __init__, "construct": construct}
    return faces(served)(type(name, (base,), body))


def _docstring(
    text: str, settings: Mapping[str, Any], inputs: tuple[str, ...], about: Mapping[str, str], more: str
) -> str:
    """The docstring of one row's class, from the words that `table_cell` gets."""
    lines = [f"{text}."]
    if settings:
        lines += ["", "    Args:"]
        for name, default in settings.items():
            words = f"{name} {about[name]}; " if name in about else f"{name}: "
            shown = repr(default) if isinstance(default, str) else default
            lines.append(f"        {words}{'required' if default is REQUIRED else f'by default {shown}'}.")
    lines += ["", "    Inputs:"]
    lines += [f"        {name} (Tensor){f': {about[name]}' if name in about else ''}." for name in inputs]
    if more:
        lines += ["", *[f"    {line}".rstrip() for line in inspect.cleandoc(more).splitlines()]]
    return "\n".join(lines) + "\n    "
