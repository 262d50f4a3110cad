"""The MindRecord file format, for reading.

A file is a u64 (little endian) length, a JSON header of that length padded to `header_size`, then pages of
`page_size`. A row has two parts, each in a page of its kind: the *raw* part is a u64 length and a msgpack map of the
numbers and strings; the *blob* part is a u64 length and, for each bytes or array column in sorted order, a big-endian
u64 length and the bytes (no inner length for a single column). Integer arrays are packed. The index is an sqlite
database next to the file (`<file>.db`); where it is missing the pages are scanned instead.

Files are untrusted: this module checks every length against the file before it allocates memory.
"""

import os
import sqlite3
import urllib.parse
from typing import Any, BinaryIO, NamedTuple

import msgpack
import numpy as np

from ms_compat._core.untrusted import parse_json
from ms_compat.mindrecord.encryption import PlainFile

_DTYPES = {"int32": np.int32, "int64": np.int64, "float32": np.float32, "float64": np.float64}
_U64 = 8
_LONGEST_VALUE = 1 << 20  # bytes of an index field


# So many rows of an index are made Python objects at a time.
_ROWS_A_PART = 10_000


class Place(NamedTuple):
    """A row's position in its file: begin and end of the raw part and of the blob part, in bytes."""

    raw: int
    raw_end: int
    blob: int
    blob_end: int


def broken(path: str, what: str) -> RuntimeError:
    """The error for a file that does not match its header."""
    return RuntimeError(f"For 'MindDataset', {path!r} is not a valid MindRecord file: {what}.")


def unpack_integers(data: bytes, dtype: Any, path: str) -> np.ndarray:
    """Unpacks an integer array: a big-endian u32 count, two bits of width (1, 2, 4 or 8 bytes) a number, the numbers.

    >>> unpack_integers(bytes([0, 0, 0, 2, 0b00010000, 5, 0, 1]), np.int64, "file").tolist()
    [5, 256]
    """
    count = int.from_bytes(data[:4], "big")
    start = 4 + -(-count // 4)
    if len(data) < start or count > len(data):
        raise broken(path, f"an integer array of {count} numbers in {len(data)} bytes")
    codes = np.frombuffer(data, np.uint8, start - 4, 4)
    widths = 1 << ((codes[:, None] >> np.array([6, 4, 2, 0])) & 3).reshape(-1)[:count]
    if start + int(widths.sum()) != len(data):
        raise broken(path, f"an integer array of {int(widths.sum())} bytes in {len(data) - start}")
    out, ends = np.empty(count, dtype), start + np.cumsum(widths)
    body = np.frombuffer(data, np.uint8)
    for width in (1, 2, 4, 8):
        chosen = np.flatnonzero(widths == width)
        if len(chosen):
            picked = body[(ends[chosen] - width)[:, None] + np.arange(width)]
            out[chosen] = np.ascontiguousarray(picked).view(f"<i{width}").reshape(-1)
    return out


def _numbers(data: bytes, schema: dict[str, Any]) -> dict[str, Any]:
    """The values in a msgpack map that the schema names; it makes no others, and no containers."""
    unpacker = msgpack.Unpacker(None, max_buffer_size=len(data), max_array_len=0, max_map_len=0)
    unpacker.feed(data)
    found = {}
    for _ in range(unpacker.read_map_header()):
        name = unpacker.unpack()
        if isinstance(name, str) and name in schema:
            found[name] = unpacker.unpack()
        else:
            unpacker.skip()
    return found


class Shard:
    """One file: its header and its rows' positions.

    Args:
        path: the file.

    Raises:
        RuntimeError: if it is not a MindRecord file, or `set_enc_key` does not fit.
    """

    def __init__(self, path: str, api: str = "MindDataset") -> None:
        self._plain = PlainFile(api, path)  # which removes a decrypted file when the shard is gone
        path = self._plain.path
        self.path, self.size = path, os.path.getsize(path)
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(_U64), "little")
            if self.size < _U64 or not 0 < length <= self.size - _U64:
                raise broken(path, f"a header of {length} bytes in a file of {self.size}")
            file.seek(_U64)
            try:
                header = parse_json(file.read(length))
                self.header_size, self.page_size = int(header["header_size"]), int(header["page_size"])
                schema = header["schema"][0]
                self.schema: dict[str, dict[str, Any]] = dict(schema["schema"])
                self.blobs: list[str] = sorted(schema.get("blob_fields", []))
                parts = ("page_type_id", "page_id", "page_size")
                self.pages = [(str(page["page_type"]), *(int(page[part]) for part in parts)) for page in header["page"]]
                fields = sorted(str(entry["index_field"]) for entry in header.get("index_fields") or [])
                self.index_fields = [name for name in fields if name in self.schema and name not in self.blobs]
                self.names: list[str] = [str(name) for name in header.get("shard_addresses", [])]
            except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError) as error:
                raise broken(path, f"its header cannot be read ({type(error).__name__}: {error})") from error
        if self.header_size <= 0 or self.page_size <= 0:
            raise broken(path, f"header_size {self.header_size} and page_size {self.page_size}")
        for name, entry in self.schema.items():
            if not isinstance(entry, dict) or entry.get("type") not in (*_DTYPES, "string", "bytes"):
                raise broken(path, f"column {name!r} has the unknown type {entry!r}")

    def _begin(self, page: int) -> int:
        return self.header_size + page * self.page_size

    def places(self) -> np.ndarray:
        """Every row's `Place`, by row number: an int64 array of shape (rows, 4), since there may be millions."""
        found = self._indexed() if os.path.isfile(self.path + ".db") else self._scanned()
        begins, ends = found[:, ::2], found[:, 1::2]
        wrong = np.flatnonzero(((begins < 0) | (begins > ends) | (ends > self.size)).any(axis=1))
        if len(wrong):
            raise broken(self.path, f"a row at {tuple(found[wrong[0]].tolist())} in a file of {self.size} bytes")
        for kind in (ends - begins).sum(axis=0, dtype=np.float64).tolist():
            if kind > self.size:  # overlapping rows would make a small file large
                raise broken(self.path, f"rows of {int(kind)} bytes in a file of {self.size} bytes")
        return found

    def _indexed(self) -> np.ndarray:
        query = (
            "SELECT PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, "
            "PAGE_OFFSET_BLOB_END "
            "FROM INDEXES ORDER BY ROW_ID LIMIT ?"
        )
        most = self.size // _U64 + 1  # the parts of a row are not shorter
        try:
            place = urllib.parse.quote(os.fsencode(os.path.abspath(self.path) + ".db"))
            connection = sqlite3.connect(f"file:{place}?mode=ro", uri=True)
            try:
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
                connection.execute("PRAGMA trusted_schema = OFF")
                made = connection.execute("SELECT type, sql FROM sqlite_master WHERE name = 'INDEXES'").fetchone()
                if made is None or made[0] != "table" or not str(made[1]).upper().startswith("CREATE TABLE"):
                    raise ValueError("INDEXES must be a table")  # a view can run any query, for any time
                found = connection.execute(query, (most + 1,))
                places = self._places(found)
            finally:
                connection.close()
            if len(places) > most:
                raise ValueError(f"more than {most} rows for a file of {self.size} bytes")
            return places
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            raise broken(self.path + ".db", f"its index cannot be read ({error})") from error

    def _places(self, found: sqlite3.Cursor) -> np.ndarray:
        """Where the parts of each row begin and end, from the rows of the index."""
        begin, parts = self._begin, [np.empty((0, 4), np.int64)]
        while rows := found.fetchmany(_ROWS_A_PART):
            if not all(type(value) is int for row in rows for value in row):
                raise ValueError("a place must be an integer")
            places = [(begin(a) + b, begin(a) + c, begin(d) + e, begin(d) + f) for a, b, c, d, e, f in rows]
            parts.append(np.array(places, np.int64))
        return np.concatenate(parts)

    def _scanned(self) -> np.ndarray:
        """Walks over the pages, part by part: slower than the index, but needs nothing else."""
        raws, blobs = self._parts("RAW_DATA"), self._parts("BLOB_DATA")
        if not self.blobs:
            blobs = [(0, 0)] * len(raws)
        if len(raws) != len(blobs):
            raise broken(self.path, f"{len(raws)} raw parts and {len(blobs)} blob parts")
        return np.concatenate([np.array(parts, np.int64).reshape(-1, 2) for parts in (raws, blobs)], axis=1)

    def _parts(self, kind: str) -> list[tuple[int, int]]:
        found = []
        with open(self.path, "rb") as file:
            entry: Any
            left = self.size
            for entry in sorted(entry for entry in self.pages if entry[0] == kind):
                _, _, page, used = entry
                at = self._begin(page)
                end = at + used
                if at < 0 or end > self.size:
                    raise broken(self.path, f"a page that ends at {end} in a file of {self.size} bytes")
                left -= max(used, 0)
                if left < 0:
                    raise broken(self.path, f"pages of more than its {self.size} bytes")
                while at < end:
                    file.seek(at)
                    stop = at + _U64 + int.from_bytes(file.read(_U64), "little")
                    if stop > end:
                        raise broken(self.path, f"a part that ends at {stop} in a page that ends at {end}")
                    found.append((at, stop))
                    at = stop
        return found

    # Columns.

    def dtype(self, name: str) -> Any:
        """The numpy dtype of a column; None for strings and bytes."""
        return _DTYPES.get(self.schema[name]["type"])

    def _value(self, name: str, found: Any) -> np.ndarray:
        """A number or string of the raw part."""
        dtype = self.dtype(name)
        if not isinstance(found, (str, bytes) if dtype is None else (int, float)):
            raise broken(self.path, f"column {name!r} has a value of type {type(found).__name__}")
        try:
            with np.errstate(over="ignore"):  # a double beyond Float32 is infinite there
                return np.array(found) if dtype is None else np.array(found, dtype)
        except (OverflowError, ValueError) as error:
            raise broken(self.path, f"column {name!r} must hold {np.dtype(dtype)} values ({error})") from error

    def _blob(self, name: str, data: bytes) -> np.ndarray:
        dtype = self.dtype(name)
        if dtype is None:
            return np.array([data])
        if np.dtype(dtype).kind == "i":
            array = unpack_integers(data, dtype, self.path)
        elif len(data) % np.dtype(dtype).itemsize:
            raise broken(self.path, f"column {name!r} has {len(data)} bytes of {np.dtype(dtype)}")
        else:
            array = np.frombuffer(data, dtype).copy()
        try:
            return array.reshape(self.schema[name].get("shape", [-1]))
        except (ValueError, TypeError, OverflowError) as error:
            raise broken(
                self.path, f"column {name!r} has {array.size} values for shape {self.schema[name].get('shape')}"
            ) from error

    def read(self, file: BinaryIO, place: Place, names: list[str]) -> list[np.ndarray]:
        """The named columns of a row.

        Args:
            file: the file, open.
            place: the row's position.
            names: the columns.
        """
        numbers: dict[str, Any] = {}
        if any(name not in self.blobs for name in names):
            file.seek(place.raw)
            data = file.read(place.raw_end - place.raw)
            length = int.from_bytes(data[:_U64], "little")
            try:
                numbers = _numbers(data[_U64 : _U64 + length], self.schema)
            except Exception as error:  # msgpack has a class for every way to be broken, and ValueError
                raise broken(self.path, f"a raw part must be msgpack ({error})") from error
        parts = self._split(file, place) if any(name in self.blobs for name in names) else {}
        out = []
        for name in names:
            if name in parts:
                out.append(self._blob(name, parts[name]))
            elif isinstance(numbers, dict) and name in numbers:
                out.append(self._value(name, numbers[name]))
            else:
                raise broken(self.path, f"a row without column {name!r}")
        return out

    def _split(self, file: BinaryIO, place: Place) -> dict[str, bytes]:
        file.seek(place.blob)
        data = file.read(place.blob_end - place.blob)
        length = int.from_bytes(data[:_U64], "little")
        if length != len(data) - _U64:
            raise broken(self.path, f"a blob part of {length} bytes in {len(data) - _U64}")
        if len(self.blobs) == 1:
            return {self.blobs[0]: data[_U64:]}
        parts, at = {}, _U64
        for name in self.blobs:
            size = int.from_bytes(data[at : at + _U64], "big")
            at += _U64
            if at + size > len(data):
                raise broken(self.path, f"column {name!r} of {size} bytes in {len(data) - at}")
            parts[name] = data[at : at + size]
            at += size
        return parts
