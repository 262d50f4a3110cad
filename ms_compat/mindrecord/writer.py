"""`FileWriter`: writes MindRecord files that MindSpore reads too.

`ms_compat.dataset.sources.mindrecord_format` describes the format. The writer collects rows page by page: each blob
page has a raw page with the same rows. It writes files and their sqlite indexes under temporary names, and `commit`
renames them, so that no incomplete file remains.
"""

import json
import logging
import os
import re
import sqlite3
import struct
from typing import Any, BinaryIO

import msgpack
import numpy as np

from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat._core.faces import faces
from ms_compat.dataset.sources.mindrecord_format import Place, Shard
from ms_compat.mindrecord.encryption import encrypt_file
from ms_compat.mindrecord.exceptions import (
    MRMAddSchemaError,
    MRMBuildSchemaError,
    MRMDefineIndexError,
    MRMGetMetaError,
    MRMInvalidSchemaError,
    ParamTypeError,
    ParamValueError,
)

# MindSpore takes NumPy's scalars of the column's own type only, and no subclasses (`bool`, `str_`).
_SCALARS: dict[str, tuple[type, ...]] = {
    "int32": (int, np.int32),
    "int64": (int, np.int64),
    "float32": (float, np.float32),
    "float64": (float, np.float64),
    "string": (str,),
}
_FORBIDDEN = re.compile(r"""[\\/:*?"<>|`&;']""")  # in a file's name
_SQL = {"int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL", "string": "TEXT"}
_HEADER_SIZES, _PAGE_SIZES = (1 << 14, 1 << 27), (1 << 15, 1 << 28)
_INDEX = (
    "CREATE TABLE INDEXES(ROW_ID INT NOT NULL, PAGE_ID_RAW INT NOT NULL, PAGE_OFFSET_RAW INT NOT NULL, "
    "PAGE_OFFSET_RAW_END INT NOT NULL, ROW_GROUP_ID INT NOT NULL, PAGE_ID_BLOB INT NOT NULL, "
    "PAGE_OFFSET_BLOB INT NOT NULL, PAGE_OFFSET_BLOB_END INT NOT NULL{}, PRIMARY KEY(ROW_ID{}))"
)


def pack_integers(array: np.ndarray) -> bytes:
    """Packs an integer array in the smallest widths; `unpack_integers` is the inverse.

    >>> pack_integers(np.array([5, 256])).hex()
    '0000000210050001'
    """
    values = array.reshape(-1).astype("<i8")
    codes = np.zeros(len(values), np.int64)
    for code, bits in ((1, 7), (2, 15), (3, 31)):
        codes[(values >= 1 << bits) | (values < -(1 << bits))] = code
    padded = np.zeros(-(-len(codes) // 4) * 4, np.int64)
    padded[: len(codes)] = codes
    widths = (padded.reshape(-1, 4) << np.array([6, 4, 2, 0])).sum(axis=1).astype(np.uint8)
    body = values.view(np.uint8).reshape(-1, 8)
    kept = np.arange(8) < (1 << codes)[:, None]
    return len(values).to_bytes(4, "big") + widths.tobytes() + body[kept].tobytes()


def _pack_raw(numbers: dict[str, Any]) -> bytes:
    """Packs a flat map as msgpack; floats take 4 bytes if that is exact, as in MindSpore."""
    packer = msgpack.Packer(autoreset=False)
    packer.pack_map_header(len(numbers))
    data = packer.bytes()
    for name in sorted(numbers):
        value = numbers[name]
        data += msgpack.packb(name)
        if isinstance(value, float):
            exact = float(np.float32(value)) == value if abs(value) < 3e38 else False
            data += b"\xca" + struct.pack(">f", value) if exact else b"\xcb" + struct.pack(">d", value)
        else:
            data += msgpack.packb(value)
    return len(data).to_bytes(8, "little") + data


class _ShardFile:
    """One file being written: its pages, its index rows.

    Args:
        path: the final path.
        header_size: bytes for the header.
        page_size: bytes of a page.
    """

    def __init__(self, path: str, header_size: int, page_size: int) -> None:
        self.path, self.header_size, self.page_size = path, header_size, page_size
        # Written beside the files that they become, which may be where a symbolic link points to.
        self.real, self.real_index = os.path.realpath(path), os.path.realpath(path + ".db")
        self.part, self.part_index = (f"{name}.{os.getpid()}.part" for name in (self.real, self.real_index))
        self.file: BinaryIO = open(self.part, "w+b")  # closed by commit or discard
        self.pages: list[dict[str, Any]] = []
        self.index: list[tuple[Any, ...]] = []
        self.groups = self.raw_pages = self.rows = 0
        self._raws: list[bytes] = []
        self._blobs: list[bytes] = []
        self._keys: list[tuple[Any, ...]] = []
        self._used = [0, 0]

    def add(self, raw: bytes, blob: bytes, keys: tuple[Any, ...]) -> None:
        """Adds a row; a full page is written out."""
        if max(len(raw), len(blob)) > self.page_size:
            raise RuntimeError(
                f"For 'FileWriter', a row of {max(len(raw), len(blob))} bytes does not fit into a page "
                f"of {self.page_size}; "
                "use 'set_page_size' before."
            )
        if self._used[0] + len(raw) > self.page_size or self._used[1] + len(blob) > self.page_size:
            self.flush()
        self._raws.append(raw)
        self._blobs.append(blob)
        self._keys.append(keys)
        self._used[0] += len(raw)
        self._used[1] += len(blob)

    def flush(self) -> None:
        """Writes the collected rows as a blob page and a raw page."""
        if not self._raws:
            return
        first, count = self.rows, len(self._raws)
        blob_id = self._page("BLOB_DATA", self.groups, b"".join(self._blobs), 0, first, first + count)
        raw_id = self._page("RAW_DATA", self.groups, b"".join(self._raws), self.groups, 0, 0)
        raw_at = blob_at = 0
        for k, (raw, blob, keys) in enumerate(zip(self._raws, self._blobs, self._keys, strict=True)):
            place = (raw_id, raw_at, raw_at + len(raw), self.groups, blob_id, blob_at, blob_at + len(blob))
            self.index.append((first + k, *place, *keys))
            raw_at, blob_at = raw_at + len(raw), blob_at + len(blob)
        self.groups += 1
        self.rows += count
        self._raws, self._blobs, self._keys, self._used = [], [], [], [0, 0]

    def _page(self, kind: str, type_id: int, data: bytes, group: int, start: int, end: int) -> int:
        number = len(self.pages)
        self.file.seek(self.header_size + number * self.page_size)
        self.file.write(data)
        self.pages.append(
            {
                "page_id": number,
                "shard_id": 0,
                "page_type": kind,
                "page_type_id": type_id,
                "start_row_id": start,
                "end_row_id": end,
                "page_size": len(data),
                "row_group_ids": [{"id": group, "offset": 0}],
            }
        )
        return number

    def finish(self, header: dict[str, Any], columns: list[tuple[str, str]]) -> None:
        """Writes the header and the index, and gives both files their names."""
        self.flush()
        for page in self.pages:
            page["shard_id"] = header["shard_id"]
        text = json.dumps({**header, "page": self.pages}).encode()
        if len(text) + 8 > self.header_size:
            raise RuntimeError(
                f"For 'FileWriter', a header of {len(text)} bytes does not fit into "
                f"{self.header_size}; use 'set_header_size' before."
            )
        self.file.seek(0)
        self.file.write(len(text).to_bytes(8, "little") + text)
        self.file.close()
        connection = sqlite3.connect(self.part_index)
        try:
            quoted = [name.replace('"', '""') for name, _ in columns]
            fields = "".join(f', INC_{k} INT, "{quoted[k]}_0" {kind}' for k, (_, kind) in enumerate(columns))
            connection.execute(_INDEX.format(fields, "".join(f", INC_{k}" for k in range(len(columns)))))
            marks = ", ".join("?" * (8 + 2 * len(columns)))
            connection.executemany(f"INSERT INTO INDEXES VALUES({marks})", self.index)
            connection.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            connection.execute("INSERT INTO SHARD_NAME VALUES(?)", (os.path.basename(self.path),))
            connection.commit()
        finally:
            connection.close()
        os.replace(self.part_index, self.real_index)
        os.replace(self.part, self.real)

    def discard(self) -> None:
        """Removes the unfinished files."""
        self.file.close()
        for path in (self.part, self.part_index):
            if os.path.exists(path):
                os.remove(path)


@faces("mindrecord")
class FileWriter:
    """Writes rows to MindRecord files.

    Args:
        file_name: the file; shards are named with a number at the end.
        shard_num: number of files, 1 to 1000.
        overwrite: replaces files that exist.

    Raises:
        ParamValueError: for an argument of another type or value.
        RuntimeError: if files exist, or the folder does not exist when rows are written.

    >>> writer = FileWriter("train.mindrecord")
    >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}})
    >>> writer.write_raw_data([{"label": 1, "data": b"abc"}])
    >>> writer.commit()
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        check_path("FileWriter", file_name)
        if not isinstance(shard_num, int) or not 1 <= shard_num <= 1000:
            raise ParamValueError(
                f"For 'FileWriter', the 'shard_num' must be int in range [1, 1000], but got {shard_num!r}."
            )
        if not isinstance(overwrite, bool):
            raise ParamValueError(f"For 'FileWriter', the 'overwrite' must be a bool, but got {overwrite!r}.")
        self._paths = (
            [file_name] if shard_num == 1 else [f"{file_name}{k:0{len(str(shard_num - 1))}}" for k in range(shard_num)]
        )
        existing = [path for path in self._paths if os.path.exists(path)]
        if existing and not overwrite:
            raise RuntimeError(f"For 'FileWriter', {existing[0]!r} exists; remove it or set 'overwrite'.")
        self._header_size, self._page_size = 1 << 24, 1 << 25
        self._schema: dict[str, dict[str, Any]] = {}
        self._description = ""
        self._index: list[str] | None = None
        self._shards: list[_ShardFile] | None = None
        self._written = 0
        self._done = False

    @classmethod
    def open_for_append(cls, file_name: str) -> "FileWriter":
        """Opens a file, or the first of its shards, to add rows to it; `commit` writes the files again.

        Raises:
            RuntimeError: if it is not a MindRecord file.
        """
        if not os.path.isfile(check_path("FileWriter.open_for_append", file_name)):
            raise RuntimeError(f"For 'FileWriter.open_for_append', the file must exist, but got {file_name!r}.")
        first = Shard(file_name, "FileWriter.open_for_append")
        folder = os.path.dirname(file_name)
        paths = [os.path.join(folder, os.path.basename(name)) for name in first.names] or [file_name]
        writer = cls(file_name, 1, True)
        writer._paths = paths if len(paths) > 1 else [file_name]
        writer._header_size, writer._page_size = first.header_size, first.page_size
        writer.add_schema(first.schema)
        for path, target in zip(writer._paths, writer._open(), strict=True):
            shard = Shard(path, "FileWriter.open_for_append")
            with open(shard.path, "rb") as file:
                for place in shard.places().tolist():
                    values = shard.read(file, Place(*place), sorted(shard.schema))
                    writer._put(target, dict(zip(sorted(shard.schema), map(plain_value, values), strict=True)))
        return writer

    def set_header_size(self, header_size: int) -> None:
        """Sets the bytes for the header, 16 KiB to 128 MiB; `RuntimeError` outside."""
        low, high = _HEADER_SIZES
        if not low <= check_int("FileWriter.set_header_size", "header_size", header_size) <= high:
            raise RuntimeError(
                f"For 'FileWriter', the 'header_size' must be in range [{low}, {high}], but got {header_size}."
            )
        self._header_size = header_size

    def set_page_size(self, page_size: int) -> None:
        """Sets the bytes of a page, 32 KiB to 256 MiB; `RuntimeError` outside. No row may be larger."""
        low, high = _PAGE_SIZES
        if not low <= check_int("FileWriter.set_page_size", "page_size", page_size) <= high:
            raise RuntimeError(
                f"For 'FileWriter', the 'page_size' must be in range [{low}, {high}], but got {page_size}."
            )
        self._page_size = page_size

    def add_schema(self, content: dict[str, dict[str, Any]], desc: str | None = None) -> None:
        """Sets a row's columns.

        Args:
            content: column name to {"type": t} or, for arrays, {"type": t, "shape": [...]}, where t is "int32",
                "int64", "float32", "float64", "string" or "bytes".
            desc: a description.

        Raises:
            TypeError: if a name or the description is not a str.
            MRMInvalidSchemaError: if it is not a schema.
            MRMBuildSchemaError: if a shape has a size that is neither > 0 nor -1, or more than one -1.
            MRMAddSchemaError: if there is one already.
        """
        if not isinstance(content, dict) or not content:
            raise MRMInvalidSchemaError(
                f"For 'FileWriter.add_schema', the 'content' must be a dict of columns, but got {content!r}."
            )
        for name, entry in content.items():
            kind, shape = (entry.get("type"), entry.get("shape")) if isinstance(entry, dict) else (None, None)
            arrays = kind in _SQL and kind != "string"
            if not re.fullmatch(r"\w+", name, re.ASCII):
                raise MRMInvalidSchemaError(
                    f"For 'FileWriter.add_schema', a name must be letters, digits and '_', but got {name!r}."
                )
            if (
                (kind not in _SQL and kind != "bytes")
                or (shape is not None and (not arrays or not isinstance(shape, list)))
                or entry.keys() - {"type", "shape"}
            ):
                raise MRMInvalidSchemaError(
                    f"For 'FileWriter.add_schema', column {name!r} must have a known type, but got {entry!r}."
                )
            if shape and (
                not all(type(size) is int and (size > 0 or size == -1) for size in shape) or shape.count(-1) > 1
            ):
                raise MRMBuildSchemaError(
                    f"For 'FileWriter.add_schema', sizes must be > 0, or -1 once, but column {name!r} has {shape}."
                )
        if desc is not None:
            check_type("FileWriter.add_schema", "desc", desc, str)
        if self._schema:
            raise MRMAddSchemaError("For 'FileWriter.add_schema', there is a schema already: a file has one.")
        self._schema = {name: dict(content[name]) for name in sorted(content)}
        self._description = desc or ""

    def add_index(self, index_fields: list[str]) -> None:
        """Sets the columns of numbers or strings for the index, which otherwise holds all of them.

        Raises:
            ParamTypeError: if it is not a list of str, or empty.
            MRMGetMetaError: without a schema.
            MRMDefineIndexError: for a column of bytes or arrays.
            RuntimeError: for a column that does not exist.
        """
        if not isinstance(index_fields, list) or not all(isinstance(name, str) for name in index_fields):
            raise ParamTypeError(
                f"For 'FileWriter.add_index', the 'index_fields' must be a list of str, but got {index_fields!r}."
            )
        if not index_fields:
            raise ParamTypeError("For 'FileWriter.add_index', the 'index_fields' must name a column.")
        if not self._schema:
            raise MRMGetMetaError("For 'FileWriter.add_index', the schema is missing: call 'add_schema' first.")
        for name in index_fields:
            if name not in self._schema:
                raise RuntimeError(f"For 'FileWriter.add_index', there is no column {name!r} in {list(self._schema)}.")
            if self._is_blob(name):
                raise MRMDefineIndexError(
                    f"For 'FileWriter.add_index', column {name!r} holds neither numbers nor strings."
                )
        self._index = sorted(set(index_fields))

    def _is_blob(self, name: str) -> bool:
        return self._schema[name]["type"] == "bytes" or "shape" in self._schema[name]

    def _fault(self, row: dict[str, Any]) -> str:
        """The reason not to write a row; empty if the row is valid."""
        for name, entry in self._schema.items():
            if name not in row:
                return f"it has no column {name!r}"
            value, kind = row[name], entry["type"]
            if kind == "bytes":
                fine = isinstance(value, bytes)
            elif "shape" in entry:
                fine = isinstance(value, np.ndarray) and value.dtype == kind and _fits(value, entry["shape"])
            else:
                fine = type(value) in _SCALARS[kind] and (not kind.startswith("int") or -(2**63) <= value < 2**63)
            if not fine:
                return f"column {name!r} must be {entry}, but got {value!r:.60}"
        return ""

    def _fitting(self, raw_data: list[Any]) -> list[dict[str, Any]]:
        """The rows that fit the schema."""
        for number, row in enumerate(raw_data):
            if not isinstance(row, dict):
                raise ParamTypeError(
                    f"For 'FileWriter.write_raw_data', a row must be a dict, but row {number} is {row!r:.60}."
                )
        good = []
        for number, row in enumerate(raw_data):
            fault = self._fault(row)
            if fault:
                logging.getLogger("ms_compat").warning("FileWriter: row %d is left out: %s.", number, fault)
            else:
                good.append(row)
        return good

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> None:
        """Writes rows; one that does not fit the schema is left out, with a warning in the log, as in MindSpore.

        Args:
            raw_data: a list of dicts, column name to data.
            parallel_writer: accepted; rows are written by one thread.

        Raises:
            ParamTypeError: if it is not a list of dicts.
            RuntimeError: without a schema, or if no row fits it.
        """
        if not isinstance(raw_data, list):
            raise ParamTypeError(
                f"For 'FileWriter.write_raw_data', the 'raw_data' must be a list, but got {type(raw_data).__name__}."
            )
        check_bool("FileWriter.write_raw_data", "parallel_writer", parallel_writer)
        if not self._schema:
            raise RuntimeError("For 'FileWriter.write_raw_data', there is no schema: use 'add_schema' before.")
        good = self._fitting(raw_data)
        if not good:
            raise RuntimeError(
                "For 'FileWriter.write_raw_data', no row fits the schema; the log says what is wrong with each."
            )
        shards = self._open()
        share, rest = divmod(len(good), len(shards))
        at = 0
        try:
            for k, shard in enumerate(shards):
                count = share + (k < rest)
                for row in good[at : at + count]:
                    self._put(shard, row)
                at += count
        except BaseException:
            self._discard()
            raise

    def _discard(self) -> None:
        """Ends the writer and removes its unfinished files."""
        shards, self._shards, self._done = self._shards or (), None, True
        for shard in shards:
            shard.discard()

    def _open(self) -> list[_ShardFile]:
        if self._done:
            raise RuntimeError("For 'FileWriter', the files are written: 'commit' was called.")
        if self._shards is None:
            folder = os.path.dirname(self._paths[0]) or "."
            if not os.path.isdir(folder):
                raise RuntimeError(f"For 'FileWriter', the folder {folder!r} must exist.")
            self._shards = [_ShardFile(path, self._header_size, self._page_size) for path in self._paths]
        return self._shards

    def _put(self, shard: _ShardFile, row: dict[str, Any]) -> None:
        numbers, blobs = {}, []
        for name, entry in self._schema.items():
            value = row[name]
            if not self._is_blob(name):
                numbers[name] = value.item() if isinstance(value, np.generic) else value
            elif entry["type"] == "bytes":
                blobs.append(value)
            else:
                blobs.append(pack_integers(value) if value.dtype.kind == "i" else value.tobytes())
        if len(blobs) == 1:
            blob = blobs[0]
        else:
            blob = b"".join(len(part).to_bytes(8, "big") + part for part in blobs)
        # Rows without blobs have four bytes of zero there, as MindSpore writes them.
        blob = blob if blobs else bytes(4)
        keys = [part for name in self._indexed() for part in (0, numbers[name])]
        shard.add(_pack_raw(numbers), len(blob).to_bytes(8, "little") + blob, tuple(keys))

    def _indexed(self) -> list[str]:
        return [name for name in self._schema if not self._is_blob(name)] if self._index is None else self._index

    def commit(self) -> None:
        """Finishes the files and their indexes.

        Raises:
            RuntimeError: if nothing was written, or the header does not fit.
        """
        if self._shards is None:
            raise RuntimeError("For 'FileWriter.commit', there is nothing to write: use 'write_raw_data' before.")
        names = [os.path.basename(path) for path in self._paths]
        blobs = [name for name in self._schema if self._is_blob(name)]
        header = {
            "version": "3.0",
            "header_size": self._header_size,
            "page_size": self._page_size,
            "compression_size": 0,
            "shard_addresses": names,
            "statistics": None,
            "index_fields": [{"schema_id": 0, "index_field": name} for name in self._indexed()],
            "schema": [{"desc": self._description, "schema": self._schema, "blob_fields": blobs}],
        }
        columns = [(name, _SQL[self._schema[name]["type"]]) for name in self._indexed()]
        shards, self._shards, self._done = self._shards, None, True
        try:
            for k, shard in enumerate(shards):
                shard.finish({**header, "shard_id": k}, columns)
            for path in self._paths:
                encrypt_file(path)
                encrypt_file(path + ".db")
        finally:
            for shard in shards:
                shard.discard()

    def __del__(self) -> None:
        if getattr(self, "_shards", None):
            self._discard()


def check_path(api: str, path: Any) -> str:
    """Returns the path of a file; raises `ParamValueError` for what MindRecord files cannot be called."""
    if not isinstance(path, str) or not path or path.endswith("/") or _FORBIDDEN.search(os.path.basename(path)):
        raise ParamValueError(
            f"For '{api}', the path of a file must be a str whose last part has none of "
            f"{_FORBIDDEN.pattern[1:-1]}, but got {path!r}."
        )
    return path


def _fits(array: np.ndarray, shape: list[int]) -> bool:
    """Whether an array can be read back in a shape, where one size may be -1. Its own shape does not matter."""
    try:
        array.reshape(shape)
    except ValueError:
        return False
    return True


def plain_value(value: np.ndarray) -> Any:
    """A column in the writer's input form."""
    if value.dtype.kind == "S":
        return value.tobytes()
    return value.item() if value.ndim == 0 else value
