"""`mindspore.dataset.utils`: `LineReader`, the lines of a file by number."""

import os
from typing import IO

from ms_compat._core.errors import check_int_range, check_type
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat._names.resolve import unsupported_getattr


@faces("dataset")
class LineReader:
    """Reads any line of a text file without reading those before it.

    Args:
        filename: the file; UTF-8.

    Raises:
        TypeError: if it is not a str.
        RuntimeError: if there is no such file.
    """

    def __init__(self, filename: str) -> None:
        self._file: IO[bytes] | None = None
        if not os.path.isfile(check_type("LineReader", "filename", filename, str)):
            raise RuntimeError(f"For 'LineReader', the 'filename' must be a file that exists, but got {filename!r}.")
        self.filename = os.path.realpath(filename)
        self.offsets = [0]
        with open(self.filename, "rb") as file:
            for line in file:
                self.offsets.append(self.offsets[-1] + len(line))
        self.offsets.pop()

    def readline(self, line: int) -> str:
        """A line, without its line break.

        Args:
            line: its number, from 1 on.

        Raises:
            TypeError: if it is not an int.
            ValueError: if there is no such line.
        """
        check_int_range("LineReader.readline", "line", line, 1, len(self.offsets))
        if self._file is None:
            self._file = open(self.filename, "rb")  # kept open until `close`
        self._file.seek(self.offsets[line - 1])
        with reading("LineReader", self.filename):
            line_text = self._file.readline().decode()
        return line_text.removesuffix("\n").removesuffix("\r")

    def __getitem__(self, line: int) -> str:
        return self.readline(line)

    def __len__(self) -> int:
        return len(self.offsets)

    def len(self) -> int:
        """The number of lines."""
        return self.__len__()

    def close(self) -> None:
        """Closes the file; the next `readline` opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __del__(self) -> None:
        self.close()


__getattr__ = unsupported_getattr(__name__)
