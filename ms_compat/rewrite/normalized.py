"""The arguments of a call by the names of the parameters that take them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ms_compat.nn.cell import Cell
from ms_compat.rewrite.scoped_value import ScopedValue

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def normalized(called: Any, args: Sequence[ScopedValue], kwargs: Mapping[str, ScopedValue]) -> dict[str, ScopedValue]:
    """Returns {parameter: argument} for a Cell; for anything else, arguments by position are "arg_0", "arg_1".

    Arguments that `*rest` takes are numbered by their place, as "rest_2". Keywords come in the order of the parameters,
    then those that `**more` takes. As in MindSpore, a Cell with such a parameter takes every keyword.

    Args:
        called: what is called.
        args: the arguments by position.
        kwargs: the arguments by keyword.

    Raises:
        RuntimeError: the Cell's `construct` does not take the arguments.
    """
    if not isinstance(called, Cell):
        return {**{f"arg_{at}": value for at, value in enumerate(args)}, **kwargs}
    parameters = [*inspect.signature(type(called).construct).parameters.values()][1:]
    names = [parameter.name for parameter in parameters if parameter.kind in _BY_POSITION]
    rest = next((p.name for p in parameters if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    order = names + [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
    found: dict[str, ScopedValue] = {}
    for at, value in enumerate(args):
        if at >= len(names) and rest is None:
            raise _wrong(called, f"takes {len(names)} arguments by position, but got {len(args)}")
        name = names[at] if at < len(names) else f"{rest}_{at}"
        if name in kwargs:
            raise _wrong(called, f"got two values for {name!r}")
        found[name] = value
    unknown = [name for name in kwargs if name not in order]
    if unknown and not takes_any:
        raise _wrong(called, f"has no parameter {unknown[0]!r}")
    found |= {name: kwargs[name] for name in order if name in kwargs}
    return found | {name: kwargs[name] for name in unknown}


def _wrong(called: Cell, what: str) -> RuntimeError:
    return RuntimeError(f"For 'Node.create_call_cell', {type(called).__name__}.construct {what}.")
