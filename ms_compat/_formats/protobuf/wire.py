"""The protobuf wire format of `.ckpt` files: an index of what a buffer holds, and the bytes of one record.

A `.ckpt` file is a run of `Checkpoint` messages (proto2) with no header and no magic number:

    Checkpoint  { repeated Value value = 1 }
    Value       { string tag = 1; oneof { TensorProto tensor = 2; MapTensorProto maptensor = 3 } }
    TensorProto { repeated int64 dims = 1; string tensor_type = 2; bytes tensor_content = 3 }

The parser is written by hand because a protobuf runtime copies the whole file, twice, before a caller can look at a
length: 100 parameters of 2 MB take 0.3 s and 600 MB there, and 3 ms and no memory here.
`scan` touches the few bytes between the contents, checks every length against the bytes that are there, and takes no
memory for contents: what a file claims is refused before it costs anything. Unknown fields are skipped, packed dims
are accepted and the slices into which MindSpore cuts large parameters are joined, all as a protobuf reader of the
schema would do.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ms_compat._core import dtype as mstype

MAX_RECORDS = 1 << 20
MAX_NAME_BYTES = 1 << 16
MAX_TYPE_BYTES = 64
MAX_DIMS = 32
STRING = "str"
SLICE_BYTES = 512 * 1024 * 1024

# tensor_type, as it stands in the file -> numpy dtype. The strings are `str(dtype)` of MindSpore's types.
TYPES = {str(t): t.np_dtype for t in mstype.all_types if t.np_dtype is not None}
NAMES = {np_dtype: name for name, np_dtype in TYPES.items()}

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_INT64_MAX = (1 << 63) - 1


class Record(NamedTuple):
    """Where one parameter is stored: its type and shape, and the (offset, length) of each content piece."""

    name: str
    tensor_type: str
    dims: tuple[int, ...]
    pieces: tuple[tuple[int, int], ...]
    offset: int
    is_map: bool = False

    @property
    def nbytes(self) -> int:
        return sum(length for _, length in self.pieces)


def bad_file(api: str, path: str, offset: int, what: str, expected: object, received: object) -> ValueError:
    """The one form of every complaint about a checkpoint file's content."""
    return ValueError(
        f"For '{api}', the checkpoint file '{path}' {what} at byte {offset}: expected {expected}, received {received}."
    )


def scan(buffer: Any, *, api: str, path: str) -> list[Record]:
    """Index the records of a plain `.ckpt` stream.

    Args:
        buffer: the stream without a CRC trailer; anything that gives ints by index and bytes by slice.
        api: the API to name in errors.
        path: the file to name in errors.

    Returns:
        list of Record in file order, adjacent slices of one parameter joined, each one checked:
        product of dims times item size equals the length of the content.

    Raises:
        ValueError: if the bytes are not such a stream; names the offset, what was expected and what was found.
    """
    return _Scanner(buffer, api, path).records()


class _Scanner:
    """A cursor over the buffer; every read is bounded by the end of its message."""

    def __init__(self, buffer, api: str, path: str):
        self.buffer = buffer
        self.size = len(buffer)
        self.api = api
        self.path = path

    def fail(self, offset: int, what: str, expected: object, received: object) -> ValueError:
        return bad_file(self.api, self.path, offset, what, expected, received)

    def varint(self, pos: int, end: int) -> tuple[int, int]:
        value = shift = 0
        start = pos
        while pos < end:
            byte = self.buffer[pos]
            pos += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value & 0xFFFFFFFFFFFFFFFF, pos
            shift += 7
            if shift > 63:
                raise self.fail(start, "has a bad integer", "a varint of at most 10 bytes", "a longer one")
        raise self.fail(start, "is cut short", "the rest of an integer", f"the end of its message at byte {end}")

    def field(self, pos: int, end: int) -> tuple[int, int, int, int]:
        """One field: its number, wire type, and the start and end of its payload (of a varint: its bytes)."""
        start = pos
        key, pos = self.varint(pos, end)
        number, wire = key >> 3, key & 7
        if wire == _BYTES:
            length, pos = self.varint(pos, end)
            stop = pos + length
        elif wire == _VARINT:
            stop = self.varint(pos, end)[1]
        elif wire in (_FIXED64, _FIXED32):
            stop = pos + (8 if wire == _FIXED64 else 4)
        else:
            raise self.fail(start, "is not a checkpoint", "a protobuf wire type 0, 1, 2 or 5", wire)
        if number == 0:
            raise self.fail(start, "is not a checkpoint", "a protobuf field number from 1", 0)
        if stop > end:
            raise self.fail(start, "is cut short or damaged", f"a field of at most {end - pos} bytes", stop - pos)
        return number, wire, pos, stop

    def text(self, pos: int, stop: int, what: str, cap: int) -> str:
        if stop - pos > cap:
            raise self.fail(pos, f"has too long a {what}", f"at most {cap} bytes", stop - pos)
        raw = bytes(self.buffer[pos:stop])
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self.fail(pos, f"has a bad {what}", "UTF-8 text", repr(raw[:32])) from error

    def records(self) -> list[Record]:
        found: list[Record] = []
        pos = count = 0
        while pos < self.size:
            start = pos
            number, wire, body, pos = self.field(pos, self.size)
            if number != 1 or wire != _BYTES:
                continue
            count += 1
            if count > MAX_RECORDS:
                raise self.fail(start, "has too many records", f"at most {MAX_RECORDS}", "more")
            piece = self.value(start, body, pos)
            last = found[-1] if found else None
            if last is not None and last.name == piece.name and not (last.is_map or piece.is_map):
                found[-1] = self.joined(last, piece)
            else:
                found.append(piece)
        return [self.checked(record) for record in found]

    def value(self, start: int, pos: int, end: int) -> Record:
        name = None
        tensor = _Tensor()
        is_map = False
        while pos < end:
            number, wire, body, pos = self.field(pos, end)
            if wire != _BYTES:
                continue
            if number == 1:
                name = self.text(body, pos, "parameter name", MAX_NAME_BYTES)
            elif number == 2:
                self.tensor(tensor, body, pos)
            elif number == 3:
                is_map = True
        if name is None:
            raise self.fail(start, "has a record without a name", "field 1 (tag)", "none")
        if is_map:
            return Record(name, "", (), (), start, True)
        if tensor.type is None or tensor.content is None:
            missing = "tensor_type" if tensor.type is None else "tensor_content"
            raise self.fail(start, f"has an incomplete record '{name}'", f"a tensor with {missing}", "none")
        return Record(name, tensor.type, tuple(tensor.dims), (tensor.content,), start)

    def tensor(self, into: _Tensor, pos: int, end: int) -> None:
        while pos < end:
            number, wire, body, pos = self.field(pos, end)
            if number == 1 and wire == _VARINT:
                self.dim(into.dims, body, pos)
            elif number == 1 and wire == _BYTES:
                while body < pos:
                    body = self.dim(into.dims, body, pos)
            elif number == 2 and wire == _BYTES:
                into.type = self.text(body, pos, "tensor type", MAX_TYPE_BYTES)
            elif number == 3 and wire == _BYTES:
                into.content = (body, pos - body)

    def dim(self, dims: list[int], pos: int, end: int) -> int:
        value, stop = self.varint(pos, end)
        if value > _INT64_MAX:
            raise self.fail(pos, "has a bad shape", "dimensions from 0", value - (1 << 64))
        if len(dims) == MAX_DIMS:
            raise self.fail(pos, "has a bad shape", f"at most {MAX_DIMS} dimensions", "more")
        dims.append(value)
        return stop

    def joined(self, record: Record, piece: Record) -> Record:
        if (record.tensor_type, record.dims) != (piece.tensor_type, piece.dims):
            raise self.fail(
                piece.offset,
                f"has slices of '{piece.name}' that do not fit together",
                f"{record.tensor_type} {record.dims}",
                f"{piece.tensor_type} {piece.dims}",
            )
        return record._replace(pieces=record.pieces + piece.pieces)

    def checked(self, record: Record) -> Record:
        """The record with its final shape, once its content is known to be as long as shape and type say."""
        if record.is_map:
            return record
        name, kind, dims, have = record.name, record.tensor_type, record.dims, record.nbytes
        if kind == STRING:
            if have % 4:
                what = f"has a bad string '{name}'"
                raise self.fail(record.offset, what, "UTF-32 text, a multiple of 4 bytes", f"{have} bytes")
            return record
        if kind not in TYPES:
            known = ", ".join((*TYPES, STRING))
            raise self.fail(record.offset, f"has an unknown tensor type for '{name}'", f"one of {known}", repr(kind))
        itemsize = TYPES[kind].itemsize
        if dims == (0,) and have == itemsize:  # how old MindSpore versions wrote a scalar
            return record._replace(dims=())
        if math.prod(d for d in dims if d) * itemsize > _INT64_MAX:
            raise self.fail(record.offset, f"has an impossible shape for '{name}'", "less than 2**63 bytes", dims)
        want = math.prod(dims) * itemsize
        if have != want:
            raise self.fail(
                record.offset,
                f"has a content of '{name}' that does not match its shape",
                f"{want} bytes for {kind} {dims}",
                f"{have} bytes in {len(record.pieces)} piece(s)",
            )
        return record


class _Tensor:
    """What the TensorProto fields of one Value have said so far."""

    __slots__ = ("content", "dims", "type")

    def __init__(self) -> None:
        self.dims: list[int] = []
        self.type: str | None = None
        self.content: tuple[int, int] | None = None


def header(name: str, tensor_type: str, dims: tuple[int, ...], length: int) -> bytes:
    """Everything of one `Checkpoint` message before its content; `length` bytes of content must follow.

    >>> header("s", "Float32", (), 4).hex()
    '0a140a0173120f1207466c6f617433321a04'
    """
    shape = b"".join(b"\x08" + varint(d) for d in dims)
    tensor = shape + _text(2, tensor_type) + b"\x1a" + varint(length)
    value = _text(1, name) + b"\x12" + varint(len(tensor) + length) + tensor
    return b"\x0a" + varint(len(value) + length) + value


def _text(field: int, text: str) -> bytes:
    raw = text.encode("utf-8")
    return bytes((field << 3 | _BYTES,)) + varint(len(raw)) + raw


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
