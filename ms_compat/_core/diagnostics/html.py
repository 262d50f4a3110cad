"""A Tensor's notebook display, and the pieces from which Cells, datasets and models make theirs.

Plain HTML with inline styles: no scripts, and colours that suit dark themes, too.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ms_compat._core.jax_compat import Tracer
from ms_compat._core.settings.memory_limits import values_of

_ROWS, _COLUMNS = 8, 10
_STATISTICS_BELOW = 1 << 24  # elements; a look must not take seconds
_CELL = "padding:1px 8px;text-align:{};border:none;"
_FAINT = "opacity:.6;"


def escape(value: object) -> str:
    """A text as it is to be seen."""
    return html.escape(str(value))


def faint(value: object) -> str:
    """A text that steps back."""
    return f'<span style="{_FAINT}">{escape(value)}</span>'


def bytes_text(count: int) -> str:
    """A number of bytes for people.

    >>> bytes_text(512), bytes_text(1536), bytes_text(3 << 30)
    ('512 B', '1.5 KiB', '3.0 GiB')
    """
    if count < 1024:
        return f"{count} B"
    at = min(int(math.log2(count)) // 10, 4)
    return f"{count / (1 << 10 * at):.1f} {('KiB', 'MiB', 'GiB', 'TiB')[at - 1]}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], align: str = "left") -> str:
    """A table of cells that are HTML already; columns are texts, and none make no head."""
    cell = f'<td style="{_CELL.format(align)}">'
    head = "".join(f'<th style="{_CELL.format(align)}">{escape(column)}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"{cell}{item}</td>" for item in row) + "</tr>" for row in rows)
    return f'<table style="border-collapse:collapse;margin:4px 0">{f"<tr>{head}</tr>" if columns else ""}{body}</table>'


def described(shape: Sequence[int], dtype: Any, nbytes: int) -> str:
    """Shape, dtype and bytes."""
    return f"{tuple(shape)} {dtype}, {bytes_text(nbytes)}"


def tensor_html(tensor: Any) -> str:
    """`Tensor._repr_html_`: what it is, its range, and the values of two dimensions."""
    size = math.prod(tensor.shape)
    itemsize = tensor.dtype.np_dtype.itemsize if tensor.dtype.np_dtype is not None else 0
    head = f"<b>{escape(type(tensor).__name__)}</b> {escape(described(tensor.shape, tensor.dtype, size * itemsize))}"
    name = getattr(tensor, "name", None)
    if name and hasattr(tensor, "requires_grad"):
        head += f" <code>{escape(name)}</code>" + ("" if tensor.requires_grad else faint(" not trained"))
    if isinstance(tensor._v, Tracer):
        return f"<div>{head} {faint('values known at run time')}</div>"
    if tensor.init is not None:
        return f"<div>{head} {faint('not made yet')}</div>"
    array = values_of(tensor)
    if array.dtype.kind == "V":  # bfloat16 and the 8-bit floats
        array = array.astype(np.float32)
    return f"<div>{head}{_statistics(array)}</div>{_values(array)}"


def _statistics(array: np.ndarray) -> str:
    if array.dtype.kind not in "fiu" or not 1 < array.size < _STATISTICS_BELOW:
        return ""
    known = array[np.isfinite(array)] if array.dtype.kind == "f" else array
    texts = []
    if known.size:
        texts = [f"min {known.min():.4g}", f"mean {known.mean(dtype=np.float64):.4g}", f"max {known.max():.4g}"]
    if known.size < array.size:
        texts.append(f"{array.size - known.size} not finite")
    return faint(", " + ", ".join(texts))


def _values(array: np.ndarray) -> str:
    """The elements at both ends of the last two dimensions, at the first place of the others."""
    if not array.size or array.dtype.kind not in "fiubc":
        return ""
    shown = array[(0,) * max(array.ndim - 2, 0)]
    grid = shown.reshape((1, -1) if shown.ndim < 2 else shown.shape)
    rows, columns = _ends(grid.shape[0], _ROWS), _ends(grid.shape[1], _COLUMNS)
    texts = [["…" if None in (at, to) else escape(_text(grid[at, to])) for to in columns] for at in rows]
    where = faint(f"[{', '.join(['0'] * (array.ndim - 2) + [':', ':'])}]") if array.ndim > 2 else ""
    return where + table((), texts, "right")


def _ends(count: int, limit: int) -> list[Any]:
    """The positions to show: all, or those at both ends with None between.

    >>> _ends(3, 4), _ends(9, 4)
    ([0, 1, 2], [0, 1, None, 7, 8])
    """
    half = limit // 2
    return list(range(count)) if count <= limit else [*range(half), None, *range(count - half, count)]


def _text(value: Any) -> str:
    return f"{value:.4g}" if value.dtype.kind in "fc" else str(value)
