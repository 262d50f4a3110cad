"""What commands print: tables on the terminal, JSON for machines, and messages about files and packages."""

import json
import os
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any, TextIO

from rich.cells import cell_len
from rich.console import Console

_GAP = "  "
_LEAST_PROSE = 20  # wrapped text needs this width to be readable


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    file: TextIO | None = None,
    optional: Sequence[str] = (),
    prose: Collection[str] = (),
) -> None:
    """Prints a table without breaking names, so that users can copy them.

    On a narrow terminal it leaves out the optional columns. If the others do not fit either, each row becomes a
    paragraph with a line for each cell. If the output is not a terminal and COLUMNS is not set, the width is unlimited.

    Args:
        title: the line above.
        columns: the headings.
        rows: the cells, printed by `str`.
        file: the output file; the standard output if None.
        optional: headings of columns that may be left out, the first one first.
        prose: headings of columns with sentences, which may wrap between words.
    """
    lines = [[str(cell) for cell in row] for row in rows]
    file = file or sys.stdout
    console = Console(markup=False, highlight=False, file=file)
    limit = console.width if console.is_terminal or os.environ.get("COLUMNS") else sys.maxsize
    left_out = []
    for name in optional:
        if _least_width(columns, lines, prose) <= limit:
            break
        left_out.append(name)
        at = list(columns).index(name)
        columns, *lines = ([*line[:at], *line[at + 1 :]] for line in (columns, *lines))
    for part in _wrapped(title, limit):
        console.print(part, soft_wrap=True)
    if _least_width(columns, lines, prose) > limit:
        for part in _paragraphs(columns, lines, prose, limit):
            console.print(part, soft_wrap=True)
    else:
        heading, *body = _aligned(columns, lines, prose, limit)
        console.print(heading, style="bold", soft_wrap=True)
        rule = "─" if can_print("─", file) else "-"
        console.print(rule * min(max(map(cell_len, (heading, *body))), limit), soft_wrap=True)
        for part in body:
            console.print(part, soft_wrap=True)
    if left_out:
        for part in _wrapped(f"Not shown, as the terminal is narrow: {', '.join(left_out)}", limit):
            console.print(part, soft_wrap=True)


def _wrapped(text: str, width: int) -> list[str]:
    """Wraps a text into lines; it does not break words that are wider than a line."""
    return textwrap.wrap(text, max(width, 1), break_long_words=False, break_on_hyphens=False)


def _widths(columns: Sequence[str], lines: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, cells)) for cells in zip(columns, *lines, strict=True)]


def _least_width(columns: Sequence[str], lines: Sequence[Sequence[str]], prose: Collection[str]) -> int:
    """The width that a table needs. The last column's longest words may run over the edge."""
    least = _widths(columns, lines)
    for i, name in enumerate(columns):
        if name in prose:
            words = (cell_len(word) for line in lines for word in line[i].split() if i < len(columns) - 1)
            least[i] = max([min(least[i], _LEAST_PROSE), *words])
    return sum(least) + len(_GAP) * (len(columns) - 1)


def _aligned(
    columns: Sequence[str], lines: Sequence[Sequence[str]], prose: Collection[str], limit: int
) -> Iterable[str]:
    """The lines of a table, the heading first."""
    widths = _widths(columns, lines)
    for i in sorted(range(len(columns)), key=lambda i: -widths[i]):  # shrinks the widest first
        excess = sum(widths) + len(_GAP) * (len(columns) - 1) - limit
        if excess > 0 and columns[i] in prose:
            widths[i] = max(widths[i] - excess, _LEAST_PROSE)
    for line in (columns, *lines):
        cells = [_wrapped(c, w) if name in prose else [c] for c, w, name in zip(line, widths, columns, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (part + " " * (width - cell_len(part)) for part, width in zip(parts, widths, strict=True))
            yield _GAP.join(padded).rstrip()


def _paragraphs(
    columns: Sequence[str], lines: Iterable[Sequence[str]], prose: Collection[str], limit: int
) -> Iterable[str]:
    """Rows below each other: the first cell, and a line for each of the others."""
    indent = max(map(cell_len, columns)) + 2 * len(_GAP)
    for first, *others in lines:
        yield first
        for name, cell in zip(columns[1:], others, strict=True):
            for i, part in enumerate(_wrapped(cell, limit - indent) if name in prose else [cell] * bool(cell)):
                yield (f"{_GAP}{name}" if i == 0 else "").ljust(indent) + part


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "Cell"), counted(1200, "Cell"), counted(0, "entry", "entries")
    ('1 Cell', '1,200 Cells', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def about_file(verb: str, path: object, error: Exception) -> str:
    """The message about a file that cannot be read or written.

    >>> about_file("read", "net.ckpt", FileNotFoundError(2, "No such file or directory", "a temporary name"))
    "can't read 'net.ckpt': No such file or directory"
    >>> about_file("read", "net.ckpt", ValueError("For 'load', the file 'net.ckpt' is cut short."))
    "the file 'net.ckpt' is cut short"
    """
    if isinstance(error, OSError) and error.strerror:
        return f"can't {verb} '{path}': {error.strerror}"
    text = re.sub(r"^For '\w+', ", "", str(error)).removesuffix(".")
    return text if str(path) in text else f"can't {verb} '{path}': {text}"


def relative(path: str) -> str:
    """A path from the current folder; the path itself where there is no way, as between drives of Windows."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return path


def missing_extra(package: str, extra: str) -> str:
    """The message about a package that an extra installs."""
    return f"{package} is not installed: python -m pip install 'ms-compat[{extra}]'"


def can_print(text: str, file: TextIO | None = None) -> bool:
    """Whether a file's encoding (by default the standard output's) has all characters in a text."""
    try:
        text.encode((file or sys.stdout).encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def print_json(value: Any) -> None:
    """Prints a value as one JSON document; numbers that JSON lacks (NaN, infinities) become null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None  # false for NaN, too
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
