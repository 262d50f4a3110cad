"""`FileReader`: the rows of MindRecord files as Python dicts."""

import os
from collections.abc import Iterator
from typing import Any

from ms_compat._core.faces import faces
from ms_compat.dataset._support.checks import positions
from ms_compat.dataset.sources.mindrecord import MindDataset
from ms_compat.dataset.sources.mindrecord_format import Place
from ms_compat.mindrecord.exceptions import ParamTypeError, ParamValueError
from ms_compat.mindrecord.writer import check_path, plain_value


@faces("mindrecord")
class FileReader:
    """Reads rows of MindRecord files, in order.

    Args:
        file_name: one file, whose shards are read too, or a list of all files.
        num_consumer: accepted; rows are read by the caller's thread.
        columns: the columns to read; None reads all.
        operator: must be None.

    Raises:
        ParamValueError: for a path or a `num_consumer` of another type or value.
        ParamTypeError: if the columns are not a list.
        RuntimeError: if a file does not exist or is not a MindRecord file, or there is no such column.

    >>> import ms_compat.dataset as ds
    >>> from ms_compat.mindrecord import FileReader
    >>> ds.NumpySlicesDataset({"id": [1, 2]}, shuffle=False).save("ids.mindrecord")
    >>> reader = FileReader("ids.mindrecord")
    >>> [row["id"] for row in reader.get_next()]
    [1, 2]
    >>> reader.close()
    """

    def __init__(
        self, file_name: Any, num_consumer: int = 4, columns: list[str] | None = None, operator: Any = None
    ) -> None:
        for path in file_name if isinstance(file_name, list) else [file_name]:
            if not os.path.isfile(check_path("FileReader", path)):
                raise RuntimeError(f"For 'FileReader', the files must exist, but got {path!r}.")
        if not isinstance(num_consumer, int) or num_consumer < 1:
            raise ParamValueError(
                f"For 'FileReader', the 'num_consumer' must be int and > 0, but got {num_consumer!r}."
            )
        if columns is not None and not isinstance(columns, list):
            raise ParamTypeError(f"For 'FileReader', the 'columns' must be a list of names, but got {columns!r}.")
        if operator is not None:
            raise RuntimeError(f"For 'FileReader', the 'operator' must be None, but got {operator!r}.")
        self._data = MindDataset(file_name, shuffle=False)
        self._schema = self._data._open()[0][0].schema
        if columns is not None:
            positions("FileReader", "columns", columns, sorted(self._schema))
        self._columns = sorted(self._schema) if columns is None else list(columns)
        self.num_consumer = num_consumer
        self._left = iter(self._data._open()[1])

    def get_next(self) -> Iterator[dict[str, Any]]:
        """Yields the rows that were not read before, as dicts: numbers and strings of Python, bytes, arrays."""
        shards = self._data._open()[0]
        files: dict[int, Any] = {}
        try:
            for line in self._left:
                number, *place = line.tolist()
                if number not in files:
                    files[number] = open(shards[number].path, "rb")  # closed below
                values = shards[number].read(files[number], Place(*place), self._columns)
                yield dict(zip(self._columns, map(plain_value, values), strict=True))
        finally:
            for file in files.values():
                file.close()

    def schema(self) -> dict[str, dict[str, Any]]:
        """The columns, as `FileWriter.add_schema` takes them."""
        return self._schema

    def len(self) -> int:
        """The number of rows."""
        return len(self._data._open()[1])

    def close(self) -> None:
        """Ends the reading: `get_next` yields nothing more."""
        self._left = iter(())
