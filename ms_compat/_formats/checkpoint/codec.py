"""Reading and writing MindSpore's `.ckpt` files, over numpy arrays.

Reading goes in two steps: `wire.scan` indexes and checks the whole file by the few bytes between the contents; each
content is afterwards read from the file straight into its own array, from large files at its first use (`unread.py`).
No copy of the file is ever held, so reading peaks at about the size of the parameters (MindSpore: three times that),
and a file that states wrong lengths is refused before memory is taken.
"""

from __future__ import annotations

import logging
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats import crypto
from ms_compat._formats.atomic import replaced
from ms_compat._formats.checkpoint import arrays, reading
from ms_compat._formats.checkpoint.unread import Contents, KeptFile, kept
from ms_compat._formats.protobuf import wire

CRC_MARK = b"crc_num"
CRC_BYTES = len(CRC_MARK) + 10
_CHUNK = 1 << 20

logger = logging.getLogger("ms_compat")


class CkptReader:
    """The index of one `.ckpt` file; contents are read on demand.

    Args:
        path: the file.
        api: the API to name in errors.
        crc_check: compare the CRC-32 at the end of the file, if there is one.
        dec_key: key of an encrypted file, or None.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".

    Attributes:
        has_crc: whether there is a CRC-32 at the end of the file.

    Raises:
        ValueError: if the file is damaged, encrypted without `dec_key`, or the other way round.

    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(folder + "/w.ckpt", {"w": np.arange(3, dtype=np.float32), "note": "hi"}.items())
    ...     with CkptReader(folder + "/w.ckpt") as reader:
    ...         {name: reader.read(name) for name in reader.names}
    {'w': array([0., 1., 2.], dtype=float32), 'note': 'hi'}
    """

    def __init__(
        self,
        path: str,
        *,
        api: str = "load_checkpoint",
        crc_check: bool = False,
        dec_key: bytes | None = None,
        dec_mode: str = "AES-GCM",
    ):
        self.path = path
        self.api = api
        self.has_crc = False
        self._file: BinaryIO = open(path, "rb", buffering=0)
        try:
            mode = crypto.detect(self._file.read(4))
            if mode is not None or dec_key is not None:
                plain = crypto.decrypt_file(self._file, mode, dec_key, dec_mode, api=api, path=path)
                self._file.close()
                self._file = plain
            records = self._index(crc_check)
        except BaseException:
            self._file.close()
            raise
        # A name that comes twice, with others between: the last one counts, as in MindSpore.
        self.records = {record.name: record for record in records}

    @property
    def names(self) -> list[str]:
        """The parameters' names, in the order of the file."""
        return list(self.records)

    def _index(self, crc_check: bool) -> list[wire.Record]:
        size = self._file.seek(0, os.SEEK_END)
        end = size - CRC_BYTES
        whole = self._bytes(size)
        self.has_crc = end >= 0 and whole[end : end + len(CRC_MARK)] == CRC_MARK
        if crc_check and self.has_crc:
            self._check_crc(int.from_bytes(whole[end + len(CRC_MARK) :], "big"), end)
        elif crc_check:
            message = "For '%s', crc_check=True but the file '%s' holds no CRC, so nothing was checked."
            logger.warning(message, self.api, self.path)
        return wire.scan(self._bytes(end if self.has_crc else size), api=self.api, path=self.path)

    def _bytes(self, size: int) -> reading.Bytes:
        return reading.Bytes(self._file, size, api=self.api, path=self.path)

    def _check_crc(self, stored: int, size: int) -> None:
        self._file.seek(0)
        crc, left = 0, size
        while left:
            chunk = self._file.read(min(_CHUNK, left))
            crc = zlib.crc32(chunk, crc)
            left = left - len(chunk) if chunk else 0
        if crc != stored:
            what = "is damaged: its stored CRC-32 does not match its content,"
            raise wire.bad_file(self.api, self.path, size, what, f"0x{stored:08x}", f"0x{crc:08x}")

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of one record, or None if it holds no array."""
        record = self.records[name]
        return None if record.is_map or record.tensor_type == wire.STRING else record.dims

    def read(self, name: str) -> np.ndarray | str:
        """The value of one record: an array with its own memory, or a string."""
        self._check_kind(name)
        return self._value(name, self.content(name))

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, np.ndarray | str]]:
        """Names and values, read by several threads, some 128 MB at a time."""
        names = list(names)
        for name in names:
            self._check_kind(name)
        wanted = ((name, self.records[name].pieces) for name in names)
        for window in reading.windows(wanted):
            found = reading.read_all(self._file, [pieces for _, pieces in window], api=self.api, path=self.path)
            for (name, _), raw in zip(window, found, strict=True):
                yield name, self._value(name, raw)

    def _check_kind(self, name: str) -> None:
        if self.records[name].is_map:
            raise UnsupportedError(
                f"For '{self.api}', the parameter '{name}' in '{self.path}' is a MapParameter (a hash table), which "
                "ms_compat does not have. Leave it out with choice_func to load the rest."
            )

    def _value(self, name: str, raw: np.ndarray) -> np.ndarray | str:
        record = self.records[name]
        if record.tensor_type == wire.STRING:
            try:
                return raw.tobytes().decode("utf-32-le").rstrip("\0")
            except UnicodeDecodeError as error:
                offset, what = record.pieces[0][0], f"has a bad string '{name}'"
                raise wire.bad_file(self.api, self.path, offset, what, "UTF-32 text", error.reason) from error
        dtype = wire.TYPES[record.tensor_type]
        return arrays.as_type(raw, dtype, record.dims, name, api=self.api, path=self.path)

    def contents(self, name: str) -> Contents | None:
        """Where the value of one record is; None if it has to be read now: a text, or numbers to be checked."""
        record = self.records[name]
        if record.is_map or record.tensor_type == wire.STRING or wire.TYPES[record.tensor_type] == arrays.INT4:
            return None
        return Contents(wire.TYPES[record.tensor_type], record.dims, record.pieces)

    def kept(self) -> KeptFile | None:
        """The open file, for values that are read later; None if it is small or was encrypted."""
        return kept(self._file, path=self.path, api=self.api)

    def content(self, name: str) -> np.ndarray:
        """The bytes of one record that is not a MapParameter, as a uint8 array with its own memory."""
        return reading.read(self._file, self.records[name].pieces, api=self.api, path=self.path)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> CkptReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write(
    path: str,
    items: Iterable[tuple[str, np.ndarray | str]],
    *,
    api: str = "save_checkpoint",
    crc_check: bool = False,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
) -> None:
    """Write a `.ckpt` file, atomically and with mode 0400.

    Args:
        path: the file; what was there stays if anything fails.
        items: (name, array or string) pairs, taken one at a time.
        api: the API to name in errors.
        crc_check: end the file with a CRC-32 of its content.
        enc_key: encrypt with this key.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".

    Raises:
        TypeError: for a dtype that the format has no name for.
        ValueError: for `crc_check` together with `enc_key` (the file would be unreadable), or a bad key.
    """
    if enc_key is not None and crc_check:
        raise ValueError(f"For '{api}', crc_check=True and enc_key exclude each other: expected one, received both.")
    with replaced(path) as temporary, open(temporary, "wb") as file:
        if enc_key is not None:
            with crypto.Encryptor(file, enc_key, enc_mode, api=api) as sink:
                _write_items(sink.write, items, api)
        elif crc_check:
            crc = _Crc(file)
            _write_items(crc.write, items, api)
            file.write(CRC_MARK + crc.value.to_bytes(10, "big"))
        else:
            _write_items(file.write, items, api)


class _Crc:
    """A sink that keeps the CRC-32 of what goes through it."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self.value = 0

    def write(self, data: bytes | memoryview) -> None:
        self.value = zlib.crc32(data, self.value)
        self._file.write(data)


def _write_items(put: Callable, items: Iterable[tuple[str, np.ndarray | str]], api: str) -> None:
    for name, value in items:
        if isinstance(value, str):
            content, kind, dims = memoryview((value or "\0").encode("utf-32-le")), wire.STRING, (0,)
        else:
            content, kind, dims = arrays.as_bytes(value), type_name(value.dtype, name, api=api), value.shape
        for at in range(0, max(len(content), 1), wire.SLICE_BYTES):  # an empty array has one empty slice
            piece = content[at : at + wire.SLICE_BYTES]
            put(wire.header(name, kind, dims, len(piece)))
            put(piece)


def type_name(dtype: np.dtype, name: str, *, api: str) -> str:
    """The format's name of a numpy dtype; TypeError if it has none."""
    kind = wire.NAMES.get(dtype.newbyteorder("="))
    if kind is None:
        raise TypeError(
            f"For '{api}', the parameter '{name}' has a dtype that a checkpoint cannot hold: expected one of "
            f"{', '.join(wire.TYPES)} or str, received {dtype}."
        )
    return kind
