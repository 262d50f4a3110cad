"""PyTorch's checkpoints, by name: the zip files of `torch.save`, without PyTorch and without calling anything.

Such a file holds a pickle, `data.pkl`, and the bytes of each storage beside it. A reader of the opcodes (`pickles.py`)
learns from the pickle which tensor lies where. Names of classes and functions stand for themselves: nothing is
imported, what is not a tensor, a container or a number is left out, and each tensor is checked against the storage.
"""

from __future__ import annotations

import dataclasses
import struct
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from ms_compat.mindrecord.pickles import OPCODES, Reader

_STORAGES = {
    "DoubleStorage": np.float64, "FloatStorage": np.float32, "HalfStorage": np.float16,
    "BFloat16Storage": ml_dtypes.bfloat16, "LongStorage": np.int64, "IntStorage": np.int32, "ShortStorage": np.int16,
    "CharStorage": np.int8, "ByteStorage": np.uint8, "BoolStorage": np.bool_, "ComplexFloatStorage": np.complex64,
    "ComplexDoubleStorage": np.complex128,
}  # fmt: skip
_MOST_OF_PICKLE = 1 << 28  # bytes; a state dict of a million tensors has less
_DEEPEST = 64
_MOST_VALUES = 1 << 22
_OF_MODULES = ("_parameters", "_buffers", "_modules")


class _Named:
    """A name of the pickle's."""

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name


class _Opaque:
    """An object that is neither tensor nor container; of a module, the state holds its parameters and modules."""

    state: Any = None


@dataclasses.dataclass(frozen=True)
class _Storage:
    dtype: np.dtype
    key: str
    count: int


class Stored(NamedTuple):
    """Where a tensor lies.

    Attributes:
        storage: the storage's dtype, name and number of elements.
        offset: its first element.
        shape: as PyTorch has it.
        strides: in elements.
    """

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


class _TorchReader(Reader):
    @property
    def opcodes(self) -> dict[bytes, Callable[[Any], Any]]:
        return _TORCH_OPCODES

    def name(self, module: bytes, name: bytes) -> None:
        self.stack.append(_Named(module.decode("latin1"), name.decode("latin1")))

    def call(self) -> None:
        given, called = self.pop(), self.pop()
        given = given if isinstance(given, tuple) else ()
        kind = (called.module, called.name) if isinstance(called, _Named) else ("", "")
        if kind == ("collections", "OrderedDict"):
            self.stack.append({})
        elif kind[0] == "torch._utils" and kind[1] in ("_rebuild_tensor_v2", "_rebuild_tensor") and len(given) >= 4:
            self.stack.append(_stored(*given[:4]))
        elif kind[0] == "torch._utils" and kind[1].startswith("_rebuild_parameter") and given:
            self.stack.append(given[0])
        else:
            self.stack.append(_Opaque())

    def build(self) -> None:
        state = self.pop()
        if self.stack and isinstance(self.stack[-1], _Opaque):
            self.stack[-1].state = state

    def made_without_call(self) -> None:
        self.pop()
        self.pop()
        self.stack.append(_Opaque())

    def persistent(self) -> None:
        match self.pop():
            case ("storage", _Named(name=name), str(key), str(), int(count)) if name in _STORAGES:
                self.stack.append(_Storage(np.dtype(_STORAGES[name]), key, count))
            case ("storage", _Named(name=name), *_):
                raise ValueError(f"it has a storage of the type {name!r:.40}")
            case other:
                raise ValueError(f"it refers to {type(other).__name__} outside")

    def long(self) -> None:
        self.stack.append(int.from_bytes(self.take(self.number("<B")), "little", signed=True))


_TORCH_OPCODES: dict[bytes, Callable[[Any], Any]] = {
    **OPCODES,
    b"R": _TorchReader.call,
    b"b": _TorchReader.build,
    b"Q": _TorchReader.persistent,
    b"\x81": _TorchReader.made_without_call,
    b"\x8a": _TorchReader.long,
    b"0": lambda at: at.pop(),
    b"\x8f": lambda at: at.stack.append([]),  # a set, of which the items are kept
    b"\x90": lambda at: at.append(at.since_mark()),
}


def _stored(storage: Any, offset: Any, shape: Any, strides: Any) -> Stored:
    if not isinstance(storage, _Storage):
        raise ValueError("a tensor has no storage")
    sizes = [offset, *shape, *strides] if isinstance(shape, tuple) and isinstance(strides, tuple) else [-1]
    if len(shape) != len(strides) or not all(type(size) is int and 0 <= size < 1 << 48 for size in sizes):
        raise ValueError(f"a tensor has the shape {shape!r:.60} and the strides {strides!r:.60}")
    if 0 not in shape:
        last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        if last >= storage.count or len(shape) > 32:
            raise ValueError(f"a tensor of the shape {shape!r:.60} lies outside its storage of {storage.count}")
    return Stored(storage, offset, shape, strides)


class TorchReader:
    """The index of one file; contents are read when they are asked for. Nested dicts and lists give dotted names.

    Args:
        path: the file.

    Raises:
        ValueError: it is damaged, or no such file.
    """

    def __init__(self, path: str):
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
            names = [name for name in self._zip.namelist() if name.endswith("/data.pkl")]
            if len(names) != 1:
                raise ValueError("it holds no 'data.pkl'")
            self._base = names[0].removesuffix("data.pkl")
            if self._zip.getinfo(names[0]).file_size > _MOST_OF_PICKLE:
                raise ValueError(f"its 'data.pkl' has more than {_MOST_OF_PICKLE} bytes")
            order = f"{self._base}byteorder"
            if order in self._zip.namelist() and self._zip.read(order) != b"little":
                raise ValueError("its numbers are not little-endian")
            found = _TorchReader(self._zip.read(names[0])).read()
            self.entries: dict[str, Stored] = {}
            self.others: list[str] = []
            for count, (name, value) in enumerate(_flat(found, "", 0)):
                if count > _MOST_VALUES:  # containers that hold each other double at each level
                    raise ValueError(f"it holds more than {_MOST_VALUES} values")
                if isinstance(value, Stored):
                    self._check(name, value.storage)
                    self.entries[name] = value
                elif isinstance(value, _Opaque | _Named):
                    self.others.append(name)
        except (zipfile.BadZipFile, struct.error, RecursionError, UnicodeDecodeError, NotImplementedError) as error:
            raise ValueError(f"'{path}' is no PyTorch checkpoint that can be read: {error}") from error
        except ValueError as error:
            raise ValueError(f"'{path}' is no PyTorch checkpoint that can be read: {error}") from error

    def _check(self, name: str, storage: _Storage) -> None:
        try:
            info = self._zip.getinfo(f"{self._base}data/{storage.key}")
        except KeyError:
            raise ValueError(f"the storage of '{name}' is missing") from None
        if info.file_size != storage.count * storage.dtype.itemsize or info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"the storage of '{name}' has {info.file_size} bytes for {storage.count} elements")

    @property
    def names(self) -> list[str]:
        """The tensors' names, in the order of the file."""
        return list(self.entries)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of one tensor."""
        return self.entries[name].shape

    def dtype(self, name: str) -> np.dtype:
        """The dtype of one tensor."""
        return self.entries[name].storage.dtype

    def read(self, name: str) -> np.ndarray:
        """The value of one tensor: an array of its own memory."""
        storage, offset, shape, strides = self.entries[name]
        try:
            whole = np.frombuffer(self._zip.read(f"{self._base}data/{storage.key}"), storage.dtype)
        except zipfile.BadZipFile as error:
            raise ValueError(f"'{self.path}' is damaged: {error}") from error
        if 0 in shape:
            return np.empty(shape, storage.dtype)
        steps = [stride * storage.dtype.itemsize for stride in strides]
        return np.lib.stride_tricks.as_strided(whole[offset:], shape, steps).copy()

    def close(self) -> None:
        self._zip.close()

    def __enter__(self) -> TorchReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _flat(value: Any, prefix: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > _DEEPEST:
        raise ValueError("it is nested too deeply")
    if isinstance(value, _Opaque) and isinstance(value.state, dict) and "_modules" in value.state:
        held = [value.state.get(part) for part in _OF_MODULES]  # a whole module, and not its state dict
        value = {key: item for part in held if isinstance(part, dict) for key, item in part.items()}
    if isinstance(value, dict):
        items: Any = value.items()
    elif isinstance(value, list | tuple) and not isinstance(value, Stored):
        items = enumerate(value)
    else:
        yield prefix, value
        return
    if not value:
        yield prefix, None  # counts
    for key, item in items:
        yield from _flat(item, f"{prefix}.{key}" if prefix else str(key), depth + 1)
