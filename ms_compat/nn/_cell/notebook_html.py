"""What a notebook shows of a Cell: a tree that opens, with types, shapes, dtypes, numbers of parameters and bytes."""

from __future__ import annotations

import math
from typing import Any

from ms_compat._core.diagnostics.html import bytes_text, described, escape, faint

_OPEN = 2  # levels that are open at first


def has_replaced_value(parameter: Any) -> bool:
    """Whether `jax.tree.map` has put something else in the array's place: a shape, a dtype, None."""
    return parameter.init is None and not hasattr(parameter._v, "dtype")


def parameters_of(cell: Any) -> list[Any]:
    """The Parameters of a Cell and the Cells below it, each once."""
    found: dict[int, Any] = {}
    pending = [cell]
    seen: set[int] = set()
    while pending:
        at = pending.pop()
        if at is None or id(at) in seen:
            continue
        seen.add(id(at))
        found.update((id(p), p) for p in at._params.values() if p is not None)
        pending.extend(reversed(list(at._cells.values())))
    return [p for p in found.values() if not has_replaced_value(p)]


def bytes_of(parameters: list[Any]) -> int:
    """What Parameters take."""
    return sum(math.prod(p.shape) * p.dtype.np_dtype.itemsize for p in parameters)


def elements_of(parameters: list[Any]) -> tuple[int, int]:
    """How many elements Parameters have, and those that are trained."""
    sizes = [(math.prod(p.shape), p.requires_grad) for p in parameters]
    return sum(size for size, _ in sizes), sum(size for size, trained in sizes if trained)


def counted(parameters: list[Any]) -> str:
    """Numbers of elements and bytes, and how many are trained."""
    elements, trained = elements_of(parameters)
    text = f"{elements:,} parameters" + (f", {trained:,} trained" if trained != elements else "")
    return f"{text}, {bytes_text(bytes_of(parameters))}"


def cell_html(cell: Any) -> str:
    """`Cell._repr_html_`."""
    return f'<div style="font-family:monospace">{_node("", cell, 0, set())}</div>'


def _node(name: str, cell: Any, depth: int, seen: set[int]) -> str:
    label = f"{escape(name)}: " if name else ""
    head = f"{label}<b>{escape(type(cell).__name__)}</b>"
    own = cell.extend_repr()
    if own and "\n" not in own and len(own) < 120:
        head += f" {faint(own)}"
    if id(cell) in seen:
        return f"<div>{head} {faint('(shown above)')}</div>"
    seen.add(id(cell))
    parameters = parameters_of(cell)
    if parameters:
        head += f" {faint('— ' + counted(parameters))}"
    lines = [_parameter(at, p) for at, p in cell._params.items() if p is not None]
    lines += [_node(at, child, depth + 1, seen) for at, child in cell._cells.items() if child is not None]
    if not lines:
        return f'<div style="padding-left:1.1em">{head}</div>'
    opened = " open" if depth < _OPEN else ""
    inner = "".join(lines)
    return f'<details{opened}><summary>{head}</summary><div style="padding-left:1.5em">{inner}</div></details>'


def _parameter(name: str, parameter: Any) -> str:
    if has_replaced_value(parameter):
        return f'<div style="padding-left:1.1em"><i>{escape(name)}</i> {faint(repr(parameter._v)[:200])}</div>'
    frozen = "" if parameter.requires_grad else faint(" not trained")
    text = described(parameter.shape, parameter.dtype, bytes_of([parameter]))
    return f'<div style="padding-left:1.1em"><i>{escape(name)}</i> {faint(text)}{frozen}</div>'
