"""Protobuf messages as Python objects: strategy files and group files beside checkpoints, and `.mindir` graphs.

A message is a class with a table of its fields. It parses and prints the wire format as protobuf does (fields in the
order of their numbers, repeated numbers not packed) and has the few methods that scripts call on MindSpore's generated
classes. Every length is checked against the bytes that are there, nesting and counts are capped, and a field that the
schema requires must be there.

Protobuf's runtime reads a graph of 20,000 nodes at once where this takes 2 s, but weights, which are nearly all of a
file, no faster (400 MB: 0.4 s here, 0.7 s there, because it copies them twice), and its errors tell neither the place
nor what was expected there.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from ms_compat._formats.protobuf.wire import _BYTES, _FIXED32, _FIXED64, _VARINT, _Scanner, varint

MAX_TEXT_BYTES = 1 << 16
MAX_ITEMS = 1 << 22
MAX_DEPTH = 100
INT32, UINT32, INT64, UINT64, BOOL = "int32", "uint32", "int64", "uint64", "bool"
FLOAT, DOUBLE, TEXT, RAW = "float", "double", "string", "bytes"
_VARINTS = (INT32, UINT32, INT64, UINT64, BOOL)
_FIXED = {FLOAT: (_FIXED32, struct.Struct("<f")), DOUBLE: (_FIXED64, struct.Struct("<d"))}
_DEFAULTS = {**dict.fromkeys(_VARINTS, 0), BOOL: False, FLOAT: 0.0, DOUBLE: 0.0, TEXT: "", RAW: b""}


class Field(NamedTuple):
    """One field of a message: name, kind (a scalar's, or a Message class), and "repeated", "required" or "optional"."""

    name: str
    kind: Any
    label: str = "optional"


class Repeated(list):
    """The values of a repeated field; `add()` appends an empty message and returns it.

    Entries of a map (messages of a `key` and a `value`) are found and set by their keys, too.
    """

    def __init__(self, kind: Any):
        super().__init__()
        self._kind = kind

    def add(self, **values: Any) -> Any:
        self.append(self._kind(**values))
        return self[-1]

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, str):
            return super().__getitem__(index)
        return next((entry.value for entry in self if entry.key == index), "")

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, str):
            super().__setitem__(index, value)
            return
        entry = next((entry for entry in self if entry.key == index), None) or self.add(key=index)
        entry.value = value


class Message:
    """Base of the messages; a subclass has FIELDS, a dict of number to Field.

    >>> class Point(Message):
    ...     FIELDS = {1: Field("name", TEXT, "required"), 2: Field("at", INT32, "repeated")}
    >>> data = Point(name="a", at=[3, -1]).SerializeToString()
    >>> data.hex()
    '0a0161100310ffffffffffffffffff01'
    >>> found = Point()
    >>> found.ParseFromString(data), found.name, found.at
    (16, 'a', [3, -1])
    """

    FIELDS: dict[int, Field] = {}

    def __init__(self, **values: Any):
        self._set: set[str] = set()
        for field in self.FIELDS.values():
            if field.label == "repeated":
                object.__setattr__(self, field.name, Repeated(field.kind))
        for name, value in values.items():
            if isinstance(value, (list, tuple)):
                getattr(self, name).extend(value)
            else:
                setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_set":
            if name not in {field.name for field in self.FIELDS.values() if field.label != "repeated"}:
                raise AttributeError(f"'{type(self).__name__}' has no field '{name}' that can be assigned")
            self._set.add(name)
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """A field that is not set: its default, or an empty message that counts as not set."""
        field = next((f for f in type(self).FIELDS.values() if f.name == name), None)
        if field is None or name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' has no field '{name}'")
        if field.kind in _DEFAULTS:
            return _DEFAULTS[field.kind]
        object.__setattr__(self, name, field.kind())
        return vars(self)[name]

    def HasField(self, name: str) -> bool:  # protobuf's name
        """Whether a field that is not repeated is set."""
        value = vars(self).get(name)  # a message that was only asked for is there, and empty
        return name in self._set or (isinstance(value, Message) and bool(value.ListFields()))

    def ListFields(self) -> list[tuple[Field, Any]]:
        """(Field, value) of each field that is set or not empty, in the order of their numbers."""
        found = []
        for _, field in sorted(self.FIELDS.items()):
            if len(getattr(self, field.name)) if field.label == "repeated" else self.HasField(field.name):
                found.append((field, getattr(self, field.name)))
        return found

    def SerializeToString(self) -> bytes:
        """The bytes of the message.

        Raises:
            ValueError: a required field is not set.
        """
        self._require(lambda name: ValueError(f"'{type(self).__name__}' lacks the required field '{name}'."))
        out = bytearray()
        for number, field in sorted(self.FIELDS.items()):
            if field.label == "repeated":
                values = getattr(self, field.name)
            else:
                values = [getattr(self, field.name)] if self.HasField(field.name) else []
            for value in values:
                out += _printed(number, field.kind, value)
        return bytes(out)

    def ParseFromString(self, data: bytes) -> int:
        """Take the fields of serialized bytes; returns how many bytes there were.

        Raises:
            ValueError: they are not such a message.
        """
        return self.parse(data, api="ParseFromString", path=type(self).__name__)

    def parse(self, data: bytes, *, api: str, path: str) -> int:
        """`ParseFromString` with an API and a file to name in errors."""
        vars(self).clear()
        Message.__init__(self)
        _fill(self, _Scanner(data, api, path), 0, len(data))
        return len(data)

    def _require(self, error: Any) -> None:
        for field in self.FIELDS.values():
            if field.label == "required" and not (field.name in self._set or self.HasField(field.name)):
                raise error(field.name)


def _printed(number: int, kind: Any, value: Any) -> bytes:
    if kind in _VARINTS:
        return varint(number << 3 | _VARINT) + varint(int(value) & 0xFFFFFFFFFFFFFFFF)
    if kind in _FIXED:
        wire, form = _FIXED[kind]
        return varint(number << 3 | wire) + form.pack(value)
    if kind == TEXT:
        raw = value.encode("utf-8")
    else:
        raw = value if kind == RAW else value.SerializeToString()
    return varint(number << 3 | _BYTES) + varint(len(raw)) + raw


def _numbers(field: Any, scanner: _Scanner, wire: int, body: int, end: int) -> list[Any] | None:
    """The numbers of one field, which may be many in one run of bytes; None for another wire type than the field's."""
    packed = wire == _BYTES and field.label == "repeated"
    if field.kind in _FIXED:
        fixed, form = _FIXED[field.kind]
        if wire == fixed:
            return list(form.unpack_from(scanner.buffer, body))
        if packed and (end - body) % form.size == 0:
            return [value for (value,) in form.iter_unpack(scanner.buffer[body:end])]
        return None
    if wire == _VARINT:
        return [_signed(scanner.varint(body, end)[0], field.kind)]
    if not packed:
        return None
    values = []
    while body < end:
        value, body = scanner.varint(body, end)
        values.append(_signed(value, field.kind))
    return values


def _fill(message: Message, scanner: _Scanner, pos: int, end: int, depth: int = 0) -> None:
    """Set the fields of a message from the bytes at pos to end."""
    # The bytes are untrusted, so that each field is checked before it is taken; one of another wire type than its own
    # is skipped, as protobuf does.
    start = pos
    if depth > MAX_DEPTH:
        raise scanner.fail(pos, "nests its messages too deeply", f"at most {MAX_DEPTH} levels", "more")
    while pos < end:
        at = pos
        number, wire, body, pos = scanner.field(pos, end)
        field = message.FIELDS.get(number)
        if field is None:
            continue
        if field.kind in _VARINTS or field.kind in _FIXED:
            values = _numbers(field, scanner, wire, body, pos)
        elif wire != _BYTES:
            continue
        elif field.kind == TEXT:
            values = [scanner.text(body, pos, field.name, MAX_TEXT_BYTES)]
        elif field.kind == RAW:
            values = [bytes(scanner.buffer[body:pos])]
        else:
            whole = field.label != "repeated" and field.name in message._set  # two parts of one message are merged
            below = getattr(message, field.name) if whole else field.kind()
            _fill(below, scanner, body, pos, depth + 1)
            values = [below]
        if values is None:
            continue
        if field.label == "repeated":
            found = getattr(message, field.name)
            if len(found) + len(values) > MAX_ITEMS:
                raise scanner.fail(at, f"has too many values of '{field.name}'", f"at most {MAX_ITEMS}", "more")
            found.extend(values)
        else:
            setattr(message, field.name, values[-1])
    kind = type(message).__name__
    message._require(lambda name: scanner.fail(start, f"has an incomplete {kind}", f"the field '{name}'", "none"))


def _signed(value: int, kind: str) -> int:
    if kind == BOOL:
        return bool(value)
    bits = 64 if kind in (INT64, UINT64) else 32
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind in (INT32, INT64) and value >> (bits - 1) else value
