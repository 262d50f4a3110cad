"""`CSVDataset`: rows of comma-separated files."""

import csv
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support import checks, rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.streams import StreamDataset

_KINDS = {int: np.int32, float: np.float32}


@faces("dataset")
class CSVDataset(StreamDataset):
    r"""Reads comma-separated files.

    Args:
        dataset_files: a file, a pattern or a list of them; UTF-8.
        field_delim: the separator, one character.
        column_defaults: a value for each column. Its type (int, float or str) determines the column's (int32, float32,
            strings), and it replaces empty fields; None reads strings.
        column_names: names; None takes the first line of each file.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a pattern matches no file, or the delimiter is invalid.
        RuntimeError: while iterating, for a line with another number of fields or a field of another type.

    >>> import ms_compat.dataset as ds
    >>> with open("rows.csv", "w") as file:
    ...     _ = file.write("1,2\n3,4\n")
    >>> data = ds.CSVDataset("rows.csv", column_defaults=[0, 0], column_names=["a", "b"], shuffle=False)
    >>> [[item.item() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [[1, 2], [3, 4]]
    """

    def __init__(
        self,
        dataset_files: Any,
        field_delim: str = ",",
        column_defaults: list[Any] | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        if len(check_type("CSVDataset", "field_delim", field_delim, str)) != 1 or field_delim in '"\r\n':
            raise value_error("CSVDataset", "field_delim", "one character, no quote and no line break", field_delim)
        check_type("CSVDataset", "column_defaults", column_defaults, (list, type(None)))
        for k, value in enumerate(column_defaults or ()):
            check_type("CSVDataset", f"column_defaults[{k}]", value, (int, float, str))
        self.field_delim, self.column_defaults = field_delim, column_defaults
        self.column_names = checks.column_list("CSVDataset", "column_names", column_names, none=True)

    def _lines(self, path: str) -> Iterator[list[str]]:
        with reading("CSVDataset", path), open(path, encoding="utf-8", newline="") as file:
            yield from (line for line in csv.reader(file, delimiter=self.field_delim) if line)

    def _columns(self) -> list[str]:
        if self.column_names is None:
            path = self._own_files()[0]
            lines = self._lines(path)
            header = next(lines, None)
            lines.close()  # type: ignore[attr-defined]
            if header is None:
                raise RuntimeError(
                    f"For 'CSVDataset', {path!r} must begin with the names of its columns, but it is empty."
                )
            self.column_names = header
            self._header = True
        return self.column_names

    _header = False

    def _value(self, path: str, k: int, text: str) -> np.ndarray:
        if self.column_defaults is None:
            return np.array(text)
        default = self.column_defaults[k]
        if text == "":
            return np.array(default, _KINDS.get(type(default)))
        try:
            return np.array(type(default)(text), _KINDS.get(type(default)))
        except ValueError as error:
            raise RuntimeError(f"For 'CSVDataset', {text!r} in {path!r} must be {type(default).__name__}.") from error

    def _read(self, path: str) -> Iterator[rows.Row]:
        count = len(self._columns())
        if self.column_defaults is not None and len(self.column_defaults) != count:
            raise RuntimeError(
                f"For 'CSVDataset', the 'column_defaults' must be {count}, but got {len(self.column_defaults)}."
            )
        lines = self._lines(path)
        if self._header:
            next(lines, None)
        for number, line in enumerate(lines, 1):
            if len(line) != count:
                raise RuntimeError(
                    f"For 'CSVDataset', row {number} of {path!r} must have {count} fields, but has {len(line)}."
                )
            yield tuple([self._value(path, k, text) for k, text in enumerate(line)])
