"""`Dataset.save`: the rows of a pipeline as MindRecord files, for `MindDataset` here and in MindSpore.

The first row determines the columns. MindRecord has six types, so `save` widens smaller ones; only the first axis of an
array may differ in length between rows. `save` removes files that it cannot finish.
"""

import os
import string
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ms_compat._core.diagnostics.progress import Progress
from ms_compat._core.errors import value_error
from ms_compat.dataset._support.arguments import check_int_range, check_type

if TYPE_CHECKING:
    from ms_compat.dataset._base.dataset import Dataset

_API = "Dataset.save"
_TYPES = dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32"), "int32")
_TYPES |= dict.fromkeys(("uint32", "int64", "uint64"), "int64")
_TYPES |= {"float16": "float32", "float32": "float32", "float64": "float64"}
_VALID = str.maketrans(dict.fromkeys(string.punctuation, "_"))
_LOT = 256  # rows handed to the writer at a time


def check(file_name: Any, num_files: Any, file_type: Any) -> list[str]:
    """Checks the arguments of `Dataset.save`; returns the names of the files.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number or a file type is not allowed.
        RuntimeError: if the folder does not exist, or a file does.
    """
    check_int_range(_API, "num_files", num_files, 1, 1000)
    check_type(_API, "file_name", file_name, str)
    check_type(_API, "file_type", file_type, (str, type(None)))
    if file_type != "mindrecord":
        raise value_error(_API, "file_type", "'mindrecord'", file_type)
    if not os.path.basename(file_name) or os.path.isdir(file_name):
        raise RuntimeError(f"For '{_API}', the 'file_name' must name a file, but got {file_name!r}.")
    if not os.path.isdir(os.path.dirname(file_name) or "."):
        raise RuntimeError(f"For '{_API}', the folder of {file_name!r} must exist.")
    paths = [file_name] if num_files == 1 else [f"{file_name}{k}" for k in range(num_files)]
    for path in paths:
        if os.path.exists(path):
            raise RuntimeError(f"For '{_API}', {path!r} exists already; remove it or choose another 'file_name'.")
    return paths


def _column(name: str, array: np.ndarray) -> dict[str, Any]:
    """The entry of a column in the schema."""
    if array.dtype.kind in "US":
        if array.ndim:
            raise RuntimeError(
                f"For '{_API}', strings and bytes must have no axes, but column {name!r} has shape {array.shape}."
            )
        return {"type": "string" if array.dtype.kind == "U" else "bytes"}
    if array.dtype.name not in _TYPES:
        raise RuntimeError(
            f"For '{_API}', column {name!r} must hold numbers, strings or bytes, but got {array.dtype}. "
            "Convert it with 'map' before."
        )
    kind = _TYPES[array.dtype.name]
    return {"type": kind, "shape": [-1, *array.shape[1:]]} if array.ndim else {"type": kind}


def _value(array: np.ndarray, kind: str) -> Any:
    """A column of a row as the writer takes it; uint64 beyond int64 wraps around, as in MindSpore."""
    if kind in ("string", "bytes"):
        return array.item()
    wide = array.astype(kind)
    return wide if wide.ndim else wide.item()


def _rows(data: "Dataset") -> Iterator[dict[str, np.ndarray]]:
    for row in data.create_dict_iterator(num_epochs=1, output_numpy=True):
        made = {name.translate(_VALID): np.asarray(value) for name, value in row.items()}
        if len(made) != len(row):
            raise RuntimeError(
                f"For '{_API}', names differ in letters, digits or '_', but the columns are {list(row)}."
            )
        yield made


def save(data: "Dataset", paths: list[str]) -> None:
    """Writes one epoch; rows go to the files in turn.

    Raises:
        RuntimeError: if there are no rows, or one cannot be stored or differs from the first.
    """
    from ms_compat.mindrecord.exceptions import MRMInvalidSchemaError
    from ms_compat.mindrecord.writer import FileWriter

    count = len(paths)
    size = count * max(1, _LOT // count)
    schema: dict[str, dict[str, Any]] = {}
    lot: list[dict[str, Any]] = []
    writer = FileWriter(paths[0], 1, True)
    writer._paths = paths

    def write() -> None:
        writer.write_raw_data([row for k in range(count) for row in lot[k::count]])
        lot.clear()

    bar = Progress(f"saving {os.path.basename(paths[0])}", None, "rows")
    try:
        for number, row in enumerate(_rows(data)):
            found = {name: _column(name, array) for name, array in row.items()}
            if not schema:
                schema = found
                writer.add_schema(schema)
            if found != schema:
                raise RuntimeError(
                    f"For '{_API}', all rows must have the dtypes and shapes of the first, {schema} "
                    f"(-1 is free), but row {number} has {found}."
                )
            lot.append({name: _value(array, schema[name]["type"]) for name, array in row.items()})
            if len(lot) == size:
                write()
            bar.advance()
        if not schema:
            raise RuntimeError(f"For '{_API}', the dataset must have rows, but it has none.")
        if lot:
            write()
        writer.commit()
    except MRMInvalidSchemaError as error:
        writer._discard()
        raise RuntimeError(f"For '{_API}', the columns cannot be stored: {error}") from error
    except BaseException:
        writer._discard()
        raise
    finally:
        bar.close()
