"""Displays a dataset: its steps, its size if known, and in notebooks the first rows."""

from __future__ import annotations

import base64
import io
import itertools
from typing import Any

import numpy as np

from ms_compat._core.diagnostics.html import escape, faint, table

_ROWS = 3
_IMAGES = 4  # of a batch
_LETTERS = 48  # of a text: columns of images beside it stay in sight
_LONGEST = 160  # pixels of an image's longer side


def dataset_text(dataset: Any) -> str:
    """`Dataset.__repr__`: reads no row."""
    steps = " -> ".join(type(node).__name__.removesuffix("Dataset") for node in _path(dataset))
    try:
        size, names = dataset._size(), ", ".join(dataset.get_col_names())
    except Exception as error:  # of a source or sampler of the program's own; a debugger shows its objects all the same
        return f"{type(dataset).__name__}({steps}, {type(error).__name__}: {error})"
    rows = "rows not counted" if size is None else f"{size:,} row{'s' * (size != 1)}"
    return f"{type(dataset).__name__}({steps}, {rows}, columns: {names})"


def dataset_html(dataset: Any) -> str:
    """`Dataset._repr_html_`: reads the first rows in a separate iteration."""
    size = dataset._size()
    steps = " → ".join(escape(type(node).__name__.removesuffix("Dataset")) for node in _path(dataset))
    head = f"<div><b>Dataset</b> {steps}, {'size known when counted' if size is None else f'{size:,} rows'}</div>"
    names = dataset.get_col_names()
    rows, error = _first_rows(dataset)
    if rows:
        types = [faint(_type(item)) for item in rows[0]]
        head += table(names, [types, *[[_shown(item) for item in row] for row in rows]])
    else:
        head += f"<div>columns {escape(', '.join(names))}</div>"
    return head + (f"<div>{faint(f'the next row: {error}')}</div>" if error else "")


def _path(dataset: Any) -> list[Any]:
    """From a source to the dataset, along the first children."""
    nodes = [dataset]
    while getattr(nodes[-1], "children", None):  # none yet, while it is being made
        nodes.append(nodes[-1].children[0])
    return nodes[::-1]


def _first_rows(dataset: Any) -> tuple[list[Any], str]:
    """Some rows, and the error that ended them; the display shows broken pipelines, too."""
    iterator = dataset._rows(dataset._streams(), 0)
    rows: list[Any] = []
    try:
        for row in itertools.islice(iterator, _ROWS):
            rows.append(row)
    except Exception as error:  # whatever a program's function raises; it is shown
        return rows, f"{type(error).__name__}: {error}".partition("\n")[0]
    finally:
        close = getattr(iterator, "close", None)
        if close is not None:
            close()
    return rows, ""


def _type(item: Any) -> str:
    if isinstance(item, dict):
        return "dict"
    array = np.asarray(item)
    return f"{array.shape} {array.dtype}" if array.shape else str(array.dtype)


def _shown(item: Any) -> str:
    if isinstance(item, dict):
        return escape(_cut(", ".join(map(str, item))))
    array = np.asarray(item)
    if array.dtype.kind in "SU":
        array = np.array([_cut(text) for text in array.ravel().tolist()], "U").reshape(array.shape)
    pictures = pictures_of(array)
    if pictures:
        return "".join(f'<img src="data:image/png;base64,{png(p)}" style="margin:2px">' for p in pictures)
    text = np.array2string(array, threshold=12, edgeitems=2, precision=4)
    return f'<pre style="margin:0">{escape(text[:400])}</pre>'


def _cut(text: Any) -> str:
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def pictures_of(array: np.ndarray) -> list[np.ndarray]:
    """The images [H, W] or [H, W, 3 or 4], of uint8, that an array holds; none if it holds no images.

    Images are uint8, [H, W, C] or [H, W], or floats in channels [C, H, W] or [H, W, C], of 8 pixels or more; a batch of
    them has one dimension more. Floats are stretched to their range.

    >>> [p.shape for p in pictures_of(np.zeros((2, 3, 16, 16), np.float32))]
    [(16, 16, 3), (16, 16, 3)]
    >>> pictures_of(np.zeros((16, 16), np.float32))
    []
    """
    if array.dtype.kind not in "fu" or array.dtype.kind == "u" and array.dtype != np.uint8:
        return []
    if array.ndim == 4:
        return [picture for one in array[:_IMAGES] for picture in pictures_of(one)]
    if array.ndim == 3 and array.shape[2] not in (1, 3, 4) and array.shape[0] in (1, 3, 4):
        array = array.transpose(1, 2, 0)
    plain = array.ndim == 2 and array.dtype == np.uint8
    if not (plain or array.ndim == 3 and array.shape[2] in (1, 3, 4)) or min(array.shape[:2]) < 8:
        return []
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    if array.dtype != np.uint8:
        array = np.nan_to_num(array.astype(np.float32))
        low, high = float(array.min()), float(array.max())
        array = ((array - low) * (255 / (high - low or 1))).astype(np.uint8)
    return [array]


def png(picture: np.ndarray) -> str:
    """An image as PNG in base64, small ones enlarged and large ones reduced."""
    from PIL import Image

    image = Image.fromarray(picture)
    longer = max(image.size)
    factor = _LONGEST / longer if longer > _LONGEST else max(1, 64 // longer)
    if factor != 1:
        size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
        image = image.resize(size, Image.Resampling.NEAREST if factor > 1 else Image.Resampling.BILINEAR)
    file = io.BytesIO()
    image.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()
