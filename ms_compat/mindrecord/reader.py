"""`FileReader`: the rows of MindRecord files as Python dicts."""

import os
from collections.abc import Iterator
from typing import Any

from ms_compat._core.faces import faces
from ms_compat.dataset.checks import positions
from ms_compat.dataset.sources.mindrecord import MindDataset
from ms_compat.mindrecord.writer import _plain


@faces("mindrecord")
class FileReader:
    """Reads rows of MindRecord files, in order.

    Args:
        file_name: one file, whose shards are read too, or a list of all files.
        num_consumer: accepted; rows are read by the caller's thread.
        columns: the columns to read; None reads all.
        operator: must be None.

    Raises:
        RuntimeError: if a file does not exist or is no MindRecord file, or there is no such column.
    """

    def __init__(
        self, file_name: Any, num_consumer: int = 4, columns: list[str] | None = None, operator: Any = None
    ) -> None:
        for path in file_name if isinstance(file_name, list) else [file_name]:
            if not isinstance(path, str) or not os.path.isfile(path):
                raise RuntimeError(f"For 'FileReader', the files must exist, but got {path!r}.")
        if operator is not None:
            raise RuntimeError(f"For 'FileReader', the 'operator' must be None, but got {operator!r}.")
        self._data = MindDataset(file_name, shuffle=False)
        self._schema = self._data._open()[0][0].schema
        if columns is not None:
            positions("FileReader", "columns", columns, sorted(self._schema))
        self._columns = sorted(self._schema) if columns is None else list(columns)
        self.num_consumer = num_consumer

    def get_next(self) -> Iterator[dict[str, Any]]:
        """Yields the rows as dicts: numbers and strings of Python, bytes, arrays."""
        shards, places = self._data._open()
        files: dict[int, Any] = {}
        try:
            for number, place in places:
                if number not in files:
                    files[number] = open(shards[number].path, "rb")  # closed below
                values = shards[number].read(files[number], place, self._columns)
                yield dict(zip(self._columns, map(_plain, values), strict=True))
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
        """Does nothing: files are closed when the rows were read."""
