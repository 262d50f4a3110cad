"""Tables on the terminal and JSON for machines, the same for all commands."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], file: TextIO | None = None
) -> None:
    """Prints a table; where that is no terminal, wide enough to cut nothing.

    Args:
        title: what stands above.
        columns: the headings.
        rows: the cells, which are printed as `str` gives them.
        file: where to; the standard output if None.
    """
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console = Console(markup=False, highlight=False, file=file or sys.stdout)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def print_json(value: Any) -> None:
    """Prints a value as one JSON document; numbers that JSON does not have (NaN, infinities) are null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None  # false for NaN, too
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
