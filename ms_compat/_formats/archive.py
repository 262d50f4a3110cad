"""Zip archives from untrusted sources: sizes and places are checked against the file before anything is read.

`zipfile` trusts the directory at the end of the archive. The directory may claim that a member is longer than its
bytes, and a small file may expand without a bound. Members that are read here are stored without compression, as
`torch.save` and `numpy.savez` do, so that all of them together have at most as many bytes as the file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator

_LOCAL = struct.Struct("<4s22xHH")  # mark, length of the name, length of the extra field
_CHUNK = 1 << 20
_WRONG = (
    zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, NotImplementedError, EOFError, UnicodeDecodeError,
    OverflowError,
)  # fmt: skip


@contextlib.contextmanager
def damage_as_value_error() -> Iterator[None]:
    """Turn `zipfile`'s errors for damaged archives into ValueError."""
    try:
        yield
    except _WRONG as error:  # RuntimeError: an encrypted member; NotImplementedError: another compression
        raise ValueError(str(error) or type(error).__name__) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # it seeks to a place before the file
            raise
        raise ValueError("a member begins before the file") from error


class Archive:
    """The members of one zip archive, read by name.

    Args:
        path: the file.

    Raises:
        ValueError: it is not a zip archive, or its members overlap or end after the file.
        OSError: it cannot be opened.
    """

    def __init__(self, path: str):
        self._file = open(path, "rb")
        try:
            with damage_as_value_error():
                opened = zipfile.ZipFile(self._file)
            self._members = {info.filename: info for info in opened.infolist()}
            self._size = os.fstat(self._file.fileno()).st_size
            total = sum(info.compress_size for info in self._members.values())
            if total > self._size:
                raise ValueError(f"its members have {total} bytes in a file of {self._size}")
        except BaseException:
            self._file.close()
            raise
        self.names = frozenset(self._members)

    def size(self, name: str) -> int | None:
        """The bytes of a member; None if there is no such member.

        Raises:
            ValueError: the member is compressed, or the file does not have that many bytes.
        """
        if name not in self._members:
            return None
        self._begin(name)
        return self._members[name].file_size

    def _begin(self, name: str) -> int:
        info = self._members[name]
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
            raise ValueError(f"its member '{name:.60}' is compressed or encrypted")
        if info.compress_size != info.file_size:
            raise ValueError(f"its member '{name:.60}' has {info.compress_size} bytes and not {info.file_size}")
        if not 0 <= info.header_offset <= self._size - _LOCAL.size:
            raise ValueError(f"its member '{name:.60}' begins at {info.header_offset} in a file of {self._size} bytes")
        self._file.seek(info.header_offset)
        mark, name_bytes, extra_bytes = _LOCAL.unpack(self._file.read(_LOCAL.size))
        begin = info.header_offset + _LOCAL.size + name_bytes + extra_bytes
        if mark != b"PK\3\4" or begin + info.file_size > self._size:
            raise ValueError(f"its member '{name:.60}' ends after the file")
        return begin

    def part(self, name: str, start: int, stop: int) -> bytes:
        """The bytes of a member from `start` to `stop`.

        Raises:
            ValueError: the member is compressed, or does not have these bytes.
        """
        begin = self._begin(name)
        if not 0 <= start <= stop <= self._members[name].file_size:
            raise ValueError(f"its member '{name:.60}' has {self._members[name].file_size} bytes and not {stop}")
        self._file.seek(begin + start)
        data = self._file.read(stop - start)
        if len(data) != stop - start:
            raise ValueError(f"its member '{name:.60}' became shorter while it was read")
        return data

    def check_crc(self, name: str) -> None:
        """Compare the CRC-32 of a member with the one in the directory.

        Raises:
            ValueError: they differ.
        """
        crc, size = 0, self._members[name].file_size
        for start in range(0, size, _CHUNK):
            crc = zlib.crc32(self.part(name, start, min(start + _CHUNK, size)), crc)
        if crc != self._members[name].CRC:
            raise ValueError(f"the CRC-32 of its member '{name:.60}' differs")

    def read(self, name: str, most: int) -> bytes:
        """A whole member of at most `most` bytes.

        Raises:
            ValueError: it is longer or damaged.
        """
        size = self._members[name].file_size
        if size > most:
            raise ValueError(f"its member '{name:.60}' has {size} bytes and not at most {most}")
        self.check_crc(name)
        return self.part(name, 0, size)

    def close(self) -> None:
        self._file.close()
