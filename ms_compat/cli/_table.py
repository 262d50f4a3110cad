"""Tables on the terminal, the same for all commands."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints a table to the standard output; where that is no terminal, wide enough to cut nothing."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)
