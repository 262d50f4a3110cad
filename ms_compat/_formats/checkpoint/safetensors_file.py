"""The other format: safetensors files as MindSpore writes them, with its own entries in the metadata.

`format` is "ms"; `crc_num` is the CRC-32, in decimal, over each sorted name in UTF-8 followed by its bytes; a
parameter of type Int4 is stored as int8 with its name as a key of the metadata; `remove_redundancy` says whether a
distributed save left copies out. The `safetensors` library writes the file and checks the header of one that is
read; the contents are then read straight into aligned arrays, because the library's own copies cost the memory map
as well.
"""

from __future__ import annotations

import json
import logging
import math
import os
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.atomic import replaced
from ms_compat._formats.checkpoint import arrays, reading
from ms_compat._formats.checkpoint.unread import Contents, KeptFile, kept
from ms_compat._formats.protobuf.wire import bad_file

TYPES = {
    "BOOL": np.bool_, "I8": np.int8, "U8": np.uint8, "I16": np.int16, "U16": np.uint16, "I32": np.int32,
    "U32": np.uint32, "I64": np.int64, "U64": np.uint64, "F16": np.float16, "BF16": ml_dtypes.bfloat16,
    "F32": np.float32, "F64": np.float64, "C64": np.complex64, "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
_WRITABLE = {np.dtype(t) for t in TYPES.values()} | {arrays.INT4}
_INT4_LABEL = "Int4"

logger = logging.getLogger("ms_compat")


def _library(api: str) -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise ImportError(f"For '{api}', format 'safetensors' needs the package 'safetensors': install it.") from error
    return safetensors


class SafetensorsReader:
    """The index of one safetensors file; contents are read on demand.

    Args:
        path: the file.
        api: the API to name in errors.
        crc_check: compare the CRC-32 that the metadata hold, if they do.

    Raises:
        ValueError: if the file is damaged.
    """

    def __init__(self, path: str, *, api: str = "load_checkpoint", crc_check: bool = False):
        self.path = path
        self.api = api
        library = _library(api)
        self._file: BinaryIO = open(path, "rb", buffering=0)
        try:
            try:
                with library.safe_open(path, framework="np") as checked:
                    names = checked.keys()
                    self.metadata: dict[str, str] = checked.metadata() or {}
            except library.SafetensorError as error:
                raise bad_file(api, path, 0, "cannot be parsed", "a safetensors header", str(error)) from error
            self._entries = self._index(names)
            if crc_check:
                self._check_crc()
        except BaseException:
            self._file.close()
            raise

    @property
    def names(self) -> list[str]:
        """The parameters' names, sorted, which is MindSpore's order for this format."""
        return list(self._entries)

    @property
    def has_crc(self) -> bool:
        """Whether the metadata hold a CRC-32."""
        return "crc_num" in self.metadata

    def _index(self, names: Iterable[str]) -> dict[str, tuple[str, tuple[int, ...], tuple[int, int]]]:
        (length,) = struct.unpack("<Q", self._file.read(8))
        header = json.loads(self._file.read(length))
        entries = {}
        for name in sorted(names):
            kind, shape = header[name]["dtype"], tuple(header[name]["shape"])
            begin, end = header[name]["data_offsets"]
            if kind in TYPES and math.prod(shape) * np.dtype(TYPES[kind]).itemsize != end - begin:
                what = f"has a content of '{name}' that does not match its shape"
                raise bad_file(self.api, self.path, 8 + length + begin, what, f"{kind} {shape}", f"{end - begin} bytes")
            entries[name] = (kind, shape, (8 + length + begin, end - begin))
        return entries

    def _check_crc(self) -> None:
        stored = self.metadata.get("crc_num")
        if stored is None:
            message = "For '%s', crc_check=True but the file '%s' holds no CRC, so nothing was checked."
            logger.warning(message, self.api, self.path)
            return
        crc = 0
        for name, (_, _, piece) in self._entries.items():
            crc = zlib.crc32(name.encode("utf-8"), crc)
            crc = zlib.crc32(self._raw(piece).data, crc)
        if str(crc) != stored:
            what = "is damaged: its stored CRC-32 does not match its content,"
            raise bad_file(self.api, self.path, 0, what, stored, crc)

    def _raw(self, piece: tuple[int, int]) -> np.ndarray:
        return reading.read(self._file, (piece,), api=self.api, path=self.path)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of one entry."""
        return self._entries[name][1]

    def dtype(self, name: str) -> np.dtype:
        """The dtype of one entry; UnsupportedError for a type that MindSpore does not have."""
        kind = self._entries[name][0]
        if kind not in TYPES:
            raise UnsupportedError(
                f"For '{self.api}', the parameter '{name}' in '{self.path}' has the type {kind}, which MindSpore does "
                "not have. Leave it out with choice_func to load the rest."
            )
        return arrays.INT4 if kind == "I8" and self.metadata.get(name) == _INT4_LABEL else np.dtype(TYPES[kind])

    def read(self, name: str) -> np.ndarray:
        """The value of one entry: an array with its own memory."""
        dtype = self.dtype(name)
        _, shape, piece = self._entries[name]
        return arrays.as_type(self._raw(piece), dtype, shape, name, api=self.api, path=self.path)

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, np.ndarray]]:
        """Names and values, read by several threads, some 128 MB at a time."""
        types = {name: self.dtype(name) for name in names}
        wanted = ((name, (self._entries[name][2],)) for name in types)
        for window in reading.windows(wanted):
            found = reading.read_all(self._file, [pieces for _, pieces in window], api=self.api, path=self.path)
            for (name, _), raw in zip(window, found, strict=True):
                shape = self._entries[name][1]
                yield name, arrays.as_type(raw, types[name], shape, name, api=self.api, path=self.path)

    def contents(self, name: str) -> Contents | None:
        """Where the value of one entry is; None if it has to be read now, to be checked."""
        dtype = self.dtype(name)
        _, shape, piece = self._entries[name]
        return None if dtype == arrays.INT4 else Contents(dtype, shape, (piece,))

    def kept(self) -> KeptFile | None:
        """The open file, for values that are read later; None if it is small."""
        return kept(self._file, path=self.path, api=self.api)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> SafetensorsReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write(
    path: str,
    items: Iterable[tuple[str, np.ndarray | str]],
    *,
    api: str = "save_checkpoint",
    crc_check: bool = False,
    remove_redundancy: bool | None = None,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write a safetensors file, atomically and with mode 0400.

    Args:
        path: the file; what was there stays if anything fails.
        items: (name, array) pairs. The format has no strings.
        api: the API to name in errors.
        crc_check: put a CRC-32 into the metadata.
        remove_redundancy: what to say about it in the metadata, if anything.
        metadata: further entries.

    Raises:
        TypeError: for a string or for a dtype that the format has no name for.
        OSError: the file cannot be written.
    """
    metadata = {"format": "ms", **(metadata or {})}
    if remove_redundancy is not None:
        metadata["remove_redundancy"] = str(remove_redundancy)
    values = {}
    for name, value in sorted(items, key=lambda item: item[0]):
        received = "a string" if isinstance(value, str) else value.dtype.newbyteorder("=")
        if isinstance(value, str) or received not in _WRITABLE:
            allowed = ", ".join(str(np.dtype(t)) for t in TYPES.values())
            raise TypeError(
                f"For '{api}', format 'safetensors' cannot hold the parameter '{name}': expected an array of {allowed} "
                f"or int4, received {received}. Format 'ckpt' can."
            )
        if value.dtype == arrays.INT4:
            metadata[name] = _INT4_LABEL
            value = value.astype(np.int8)
        values[name] = np.ascontiguousarray(value).reshape(value.shape)  # the library writes from the pointer
    if crc_check:
        crc = 0
        for name, value in values.items():
            crc = zlib.crc32(arrays.as_bytes(value), zlib.crc32(name.encode("utf-8"), crc))
        metadata["crc_num"] = str(crc)
    library = _library(api)
    with replaced(path) as temporary:
        try:
            library.numpy.save_file(values, temporary, metadata=metadata)
        except library.SafetensorError as error:
            number = re.search(r"os error (\d+)", str(error))
            if number is None:
                raise
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from error  # as a '.ckpt' file raises
