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
FREE_MESSAGES = 1 << 14
BYTES_OF_MESSAGE = 12  # graphs have 30 or more; a file with fewer is made to fill the memory
INT32, UINT32, INT64, UINT64, BOOL = "int32", "uint32", "int64", "uint64", "bool"
FLOAT, DOUBLE, TEXT, RAW = "float", "double", "string", "bytes"
_VARINTS = (INT32, UINT32, INT64, UINT64, BOOL)
_FIXED = {FLOAT: (_FIXED32, struct.Struct("<f")), DOUBLE: (_FIXED64, struct.Struct("<d"))}
_IMPLIED = "_implied"  # of a message that was only looked at, and counts as not set
_DEFAULTS = {**dict.fromkeys(_VARINTS, 0), BOOL: False, FLOAT: 0.0, DOUBLE: 0.0, TEXT: "", RAW: b""}


_names: dict[Any, dict[str, Field]] = {}  # class -> its fields, from the first use on: classes refer to each other


def _by_name(kind: Any) -> dict[str, Field]:
    if kind not in _names:
        _names[kind] = {field.name: field for field in kind.FIELDS.values()}
    return _names[kind]


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
        for name, value in values.items():
            if isinstance(value, (list, tuple)):
                getattr(self, name).extend(value)
            else:
                setattr(self, name, value)

    @classmethod
    def _field(cls, name: str) -> Field | None:
        """The field with this name."""
        return _by_name(cls).get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field is None or field.label == "repeated":
            raise AttributeError(f"'{type(self).__name__}' has no field '{name}' that can be assigned")
        object.__setattr__(self, name, value)
        if isinstance(value, Message):
            vars(value).pop(_IMPLIED, None)

    def __getattr__(self, name: str) -> Any:
        """A field that is not set: its default, or an empty list or message that counts as not set."""
        field = self._field(name)
        if field is None or name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' has no field '{name}'")
        if field.label == "repeated":
            made: Any = Repeated(field.kind)
        elif field.kind in _DEFAULTS:
            return _DEFAULTS[field.kind]
        else:
            made = field.kind()
            object.__setattr__(made, _IMPLIED, True)
        object.__setattr__(self, name, made)
        return made

    def HasField(self, name: str) -> bool:  # protobuf's name
        """Whether a field that is not repeated is set."""
        value = vars(self).get(name)
        if value is None or isinstance(value, Repeated):
            return False
        return not isinstance(value, Message) or _IMPLIED not in vars(value) or bool(value.ListFields())

    def ListFields(self) -> list[tuple[Field, Any]]:
        """(Field, value) of each field that is set or not empty, in the order of their numbers."""
        found = []
        for _, field in sorted(self.FIELDS.items()):
            value = vars(self).get(field.name)
            if value if field.label == "repeated" else self.HasField(field.name):
                found.append((field, value))
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
                values = vars(self).get(field.name, ())
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
        _Filler(_Scanner(data, api, path)).fill(self, 0, len(data))
        return len(data)

    def _require(self, error: Any) -> None:
        for field in self.FIELDS.values():
            if field.label == "required" and not self.HasField(field.name):
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


class _Filler:
    """Sets the fields of messages from untrusted bytes: each field is checked before it is taken."""

    def __init__(self, scanner: _Scanner):
        self._scanner = scanner
        self._most = FREE_MESSAGES + scanner.size // BYTES_OF_MESSAGE
        self._left = self._most

    def fill(self, message: Message, pos: int, end: int, depth: int = 0) -> None:
        """Set the fields of a message from the bytes at pos to end."""
        scanner, fields, start = self._scanner, message.FIELDS, pos
        self._left -= 1
        if self._left < 0:  # an empty one has two bytes, but needs 300 of memory
            raise scanner.fail(pos, "has too many messages for its size", f"at most {self._most}", "more")
        if depth > MAX_DEPTH:
            raise scanner.fail(pos, "nests its messages too deeply", f"at most {MAX_DEPTH} levels", "more")
        while pos < end:
            at = pos
            number, wire, body, pos = scanner.field(pos, end)
            field = fields.get(number)
            values = None if field is None else self._values(message, field, wire, body, pos, depth)
            if field is None or values is None:  # one of another wire type than its own is skipped, as protobuf does
                continue
            if field.label == "repeated":
                found = getattr(message, field.name)
                if len(found) + len(values) > MAX_ITEMS:
                    raise scanner.fail(at, f"has too many values of '{field.name}'", f"at most {MAX_ITEMS}", "more")
                found.extend(values)
            else:
                object.__setattr__(message, field.name, values[-1])
        if any(field.label == "required" for field in fields.values()):
            kind = type(message).__name__
            message._require(
                lambda name: scanner.fail(start, f"has an incomplete {kind}", f"the field '{name}'", "none")
            )

    def _values(self, message: Message, field: Field, wire: int, body: int, end: int, depth: int) -> list[Any] | None:
        """The values of one field; None for another wire type than the field's."""
        scanner = self._scanner
        if field.kind in _VARINTS or field.kind in _FIXED:
            return _numbers(field, scanner, wire, body, end)
        if wire != _BYTES:
            return None
        if field.kind == TEXT:
            return [scanner.text(body, end, field.name, MAX_TEXT_BYTES)]
        if field.kind == RAW:
            return [bytes(scanner.buffer[body:end])]
        whole = field.label != "repeated" and message.HasField(field.name)  # two parts of one message are merged
        below = getattr(message, field.name) if whole else field.kind()
        self.fill(below, body, end, depth + 1)
        return [below]


def _signed(value: int, kind: str) -> int:
    if kind == BOOL:
        return bool(value)
    bits = 64 if kind in (INT64, UINT64) else 32
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind in (INT32, INT64) and value >> (bits - 1) else value
