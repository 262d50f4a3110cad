"""Reads pickles of dicts, lists, numbers, strings and numeric arrays, and of nothing else.

Python's own unpickler, even if `find_class` restricts it, passes the file's states to the allowed classes; NumPy trusts
them, and makes an array of dtype object from any addresses in the file. This reader calls no class from the file: it
interprets the few opcodes in such files one by one, and checks an array's description before `numpy.frombuffer` makes
the array. The file's size bounds the memory: one opcode of one byte may make an object of 200, so each opcode has a
price.
"""

from __future__ import annotations

import reprlib
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

_MARK = object()
_repr = reprlib.Repr()  # values may be nested without end
_repr.maxlevel, _repr.maxtuple = 2, 6
shown = _repr.repr
_FREE_BYTES = 32 << 20
_BYTES_OF_ONE = 6  # of memory for the objects, for each byte of the file
_ARRAY_PARTS = {
    (b"numpy.core.multiarray", b"_reconstruct"): "array",
    (b"numpy._core.multiarray", b"_reconstruct"): "array",
    (b"numpy.core.numeric", b"_frombuffer"): "buffer",
    (b"numpy._core.numeric", b"_frombuffer"): "buffer",
    (b"numpy", b"ndarray"): "ndarray",
    (b"numpy", b"dtype"): "dtype",
    (b"_codecs", b"encode"): "encode",
}
_KINDS = {kind + size for kind in "iu" for size in "1248"} | {"b1", "f2", "f4", "f8"}


class _Global:
    """A name in the file that this reader understands."""

    def __init__(self, name: str) -> None:
        self.name = name


class _DType:
    """A dtype before and after its state: `numpy.dtype(...)` comes first, its byte order in a BUILD."""

    def __init__(self, code: str) -> None:
        self.code, self.order = code, "<"

    def build(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) < 5 or state[2:5] != (None, None, None):
            raise ValueError(f"it describes a dtype by {shown(state)}")
        order = _text(state[1])
        if order not in ("<", ">", "|", "="):
            raise ValueError(f"it names the byte order {order!r:.20}")
        self.order = order

    def numpy_dtype(self) -> np.dtype:
        return np.dtype(self.order + self.code)


class _Array:
    """An array before its state."""

    value: np.ndarray | None = None

    def build(self, state: Any) -> None:
        if not isinstance(state, tuple) or len(state) != 5 or not isinstance(state[2], _DType):
            raise ValueError("it describes an array by another state than NumPy's")
        self.value = _array(state[4], state[2], state[1], "F" if state[3] else "C")


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("ascii")
    if not isinstance(value, str):
        raise ValueError(f"it has {shown(value)} where a name should be")
    return value


def _array(data: Any, dtype: _DType, shape: Any, order: Any) -> np.ndarray:
    if not isinstance(data, bytes):
        raise ValueError("the elements of an array are not bytes")
    if not isinstance(shape, tuple) or len(shape) > 32:
        raise ValueError(f"an array has the shape {shown(shape)}")
    if not all(type(size) is int and 0 <= size < 1 << 48 for size in shape):
        raise ValueError(f"an array has the shape {shown(shape)}")
    made = dtype.numpy_dtype()
    count = 1
    for size in shape:
        count *= size
    if count * made.itemsize != len(data):
        raise ValueError(f"an array of shape {shown(shape)} and dtype {made} has {len(data)} bytes")
    return np.frombuffer(data, made).reshape(shape, order="F" if _text(order) == "F" else "C")


class Reader:
    """One file's stack and memo. Readers of other pickles add opcodes, and define the meaning of names and calls.

    Args:
        data: the pickle.
        size: the bytes of the whole file, of which the pickle may be a part; by default its own.

    Attributes:
        done: the number of opcodes that have run.
    """

    @property
    def opcodes(self) -> dict[bytes, Callable[[Reader], Any]]:
        """The implementation of each opcode."""
        return OPCODES

    def __init__(self, data: bytes, size: int | None = None) -> None:
        self.data, self.place = data, 0
        self.stack: list[Any] = []
        self.memo: list[Any] = []  # a list, since the file chooses the numbers: in a dict they could collide
        self.encoded = self.done = 0
        self.left = _FREE_BYTES + _BYTES_OF_ONE * (len(data) if size is None else size)

    def take(self, count: int) -> bytes:
        part = self.data[self.place : self.place + count]
        if len(part) != count:
            raise ValueError("it ends in the middle")
        self.place += count
        return part

    def number(self, form: str) -> Any:
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def line(self) -> bytes:
        end = self.data.find(b"\n", self.place, self.place + 256)
        if end < 0:
            raise ValueError("it names something without an end")
        part, self.place = self.data[self.place : end], end + 1
        return part

    def pop(self) -> Any:
        if not self.stack or self.stack[-1] is _MARK:
            raise ValueError("its stack is empty")
        return self.stack.pop()

    def top(self, kind: type) -> Any:
        if not self.stack or not isinstance(self.stack[-1], kind):
            raise ValueError(f"it adds to something other than a {kind.__name__}")
        return self.stack[-1]

    def since_mark(self) -> list[Any]:
        for start in range(len(self.stack) - 1, -1, -1):
            if self.stack[start] is _MARK:
                items = self.stack[start + 1 :]
                del self.stack[start:]
                return items
        raise ValueError("its stack lacks a mark")

    def tuple_of(self, count: int) -> None:
        items = [self.pop() for _ in range(count)][::-1]
        self.stack.append(tuple(items))

    def recall(self, key: int) -> None:
        if key >= len(self.memo) or self.memo[key] is _MARK:
            raise ValueError("it recalls what it never kept")
        self.stack.append(self.memo[key])

    def keep(self, key: int) -> None:
        if not self.stack or self.stack[-1] is _MARK:
            raise ValueError("its stack is empty")
        if key >= len(self.data):  # Python numbers them from 0
            raise ValueError(f"it keeps something as number {key}")
        self.memo.extend([_MARK] * (key + 1 - len(self.memo)))
        self.memo[key] = self.stack[-1]

    def name(self, module: bytes, name: bytes) -> None:
        part = _ARRAY_PARTS.get((module, name))
        if part is None:
            raise ValueError(f"it names {ascii((module + b'.' + name).decode('latin1'))}, which arrays do not need")
        self.stack.append(_Global(part))

    def stack_name(self) -> None:
        name, module = self.pop(), self.pop()
        self.name(_text(module).encode(), _text(name).encode())

    def append(self, items: list[Any]) -> None:
        self.top(list).extend(items)

    def set_items(self, items: list[Any]) -> None:
        if len(items) % 2:
            raise ValueError("a dict lacks a value")
        held = self.top(dict)
        self.spend(len(items) * _PRICE_OF_ITEM)
        for key, value in zip(items[::2], items[1::2], strict=True):
            if not isinstance(key, (str, bytes, int)):
                raise ValueError(f"a key of a dict is {type(key).__name__}")
            # Numbers would allow many keys with the same hash, and so minutes of work for a small file.
            held[str(key) if isinstance(key, int) else key] = value

    def spend(self, price: int) -> None:
        """Count memory that the file needs, in bytes."""
        self.left -= price
        if self.left < 0:
            raise ValueError(f"its {self.done} objects need more memory than the {len(self.data)} bytes justify")

    def call(self) -> None:
        given, called = self.pop(), self.pop()
        name = called.name if isinstance(called, _Global) else None
        given = given if isinstance(given, tuple) else ()
        if name == "array" and len(given) == 3 and isinstance(given[0], _Global) and given[0].name == "ndarray":
            self.stack.append(_Array())
        elif name == "dtype" and given and isinstance(given[0], (str, bytes)) and _text(given[0]) in _KINDS:
            self.stack.append(_DType(_text(given[0])))
        elif name == "buffer" and len(given) == 4 and isinstance(given[1], _DType):
            made = _Array()
            made.value = _array(given[0], given[1], given[2], given[3])
            self.stack.append(made)
        elif name == "encode" and len(given) == 2 and isinstance(given[0], str) and given[1] in ("latin1", b"latin1"):
            self.encoded += len(given[0])
            if self.encoded > len(self.data):  # one string in the file, encoded again and again
                raise ValueError("its strings are longer than itself")
            self.stack.append(given[0].encode("latin1"))
        elif name == "dtype":
            raise ValueError(f"it has an array of dtype {shown(given[0]) if given else None}, and not of numbers")
        else:
            raise ValueError(f"it calls {name or type(called).__name__} with other arguments than NumPy's")

    def build(self) -> None:
        state = self.pop()
        made = self.stack[-1] if self.stack else None
        if not isinstance(made, (_DType, _Array)):
            raise ValueError("it gives a state to something that has none")
        made.build(state)

    def read(self) -> Any:
        opcodes = self.opcodes
        while True:
            code = self.take(1)
            if code == b".":
                return self.pop()
            if code not in opcodes:
                raise ValueError(f"it has the opcode {code!r}, which files of arrays and lists lack")
            self.done += 1
            try:
                self.spend(_PRICES.get(code, _PRICE))
                opcodes[code](self)
            except ValueError as error:
                raise ValueError(f"{error}, at byte {self.place}") from None


def _length(form: str, convert: Callable[[bytes], Any]) -> Callable[[Reader], None]:
    return lambda at: at.stack.append(convert(at.take(at.number(form))))


def _value(form: str) -> Callable[[Reader], None]:
    return lambda at: at.stack.append(at.number(form))


def _made(make: Callable[[], Any]) -> Callable[[Reader], None]:
    return lambda at: at.stack.append(make())


OPCODES: dict[bytes, Callable[[Reader], Any]] = {
    b"\x80": lambda at: at.number("<B"),  # the protocol
    b"\x95": lambda at: at.number("<Q"),  # the length of a frame
    b"}": _made(dict),
    b"]": _made(list),
    b")": _made(tuple),
    b"(": _made(lambda: _MARK),
    b"N": _made(lambda: None),
    b"\x88": _made(lambda: True),
    b"\x89": _made(lambda: False),
    b"J": _value("<i"),
    b"K": _value("<B"),
    b"M": _value("<H"),
    b"G": _value(">d"),
    b"U": _length("<B", bytes),
    b"T": _length("<I", bytes),
    b"C": _length("<B", bytes),
    b"B": _length("<I", bytes),
    b"\x8e": _length("<Q", bytes),
    b"\x96": _length("<Q", bytes),
    b"\x8c": _length("<B", bytes.decode),
    b"X": _length("<I", bytes.decode),
    b"\x8d": _length("<Q", bytes.decode),
    b"\x85": lambda at: at.tuple_of(1),
    b"\x86": lambda at: at.tuple_of(2),
    b"\x87": lambda at: at.tuple_of(3),
    b"t": lambda at: at.stack.append(tuple(at.since_mark())),
    b"a": lambda at: at.append([at.pop()]),
    b"e": lambda at: at.append(at.since_mark()),
    b"s": lambda at: at.set_items([at.pop(), at.pop()][::-1]),
    b"u": lambda at: at.set_items(at.since_mark()),
    b"q": lambda at: at.keep(at.number("<B")),
    b"r": lambda at: at.keep(at.number("<I")),
    b"\x94": lambda at: at.keep(len(at.memo)),
    b"h": lambda at: at.recall(at.number("<B")),
    b"j": lambda at: at.recall(at.number("<I")),
    b"c": lambda at: at.name(at.line(), at.line()),
    b"\x93": Reader.stack_name,
    b"R": Reader.call,
    b"b": Reader.build,
}


_PRICE = 96  # bytes of an empty list or a short text, with its place in a container
_PRICE_OF_ITEM = 80  # two are one entry of a dict
_PRICES = {
    **dict.fromkeys([b"(", b"N", b"\x88", b"\x89", b"h", b"j", b"q", b"r", b"\x94", b"\x80", b"\x95", b"0"], 16),
    **dict.fromkeys([b"J", b"K", b"M", b"G", b"a", b"e", b"s", b"u"], 40),
    **dict.fromkeys([b"}", b"R", b"c", b"\x81", b"\x93"], 250),
}


def read_arrays(data: bytes) -> dict[str, Any]:
    """The dict that a pickle holds, with its keys as str; arrays are `numpy.ndarray`, strings of Python 2 are bytes.

    Raises:
        ValueError: the data is damaged, names anything but NumPy's arrays, or is not a dict.

    >>> import pickle
    >>> read_arrays(pickle.dumps({b"labels": [3, 1], b"data": np.zeros(2)}))
    {'labels': [3, 1], 'data': array([0., 0.])}
    """
    found = Reader(data).read()
    if not isinstance(found, dict):
        raise ValueError(f"it holds no dict, but {type(found).__name__}")
    held = {key.decode("latin1") if isinstance(key, bytes) else str(key): value for key, value in found.items()}
    for key, value in held.items():
        if isinstance(value, _Array):
            if value.value is None:
                raise ValueError(f"the array {key!r:.40} has no elements and no shape")
            held[key] = value.value
    return held
