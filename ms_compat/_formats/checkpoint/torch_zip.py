"""PyTorch's checkpoints, by name: the zip files of `torch.save`, without PyTorch and without calling anything.

Such a file holds a pickle, `data.pkl`, and the bytes of each storage beside it. A reader of the opcodes (`pickles.py`)
learns from the pickle where each tensor is. Names of classes and functions are kept as names: nothing is imported, and
what is not a tensor, a container or a number is left out.

The file is untrusted. The archive's directory and the pickle may both claim a larger storage than there is, so each
tensor is checked against the bytes that were read, before NumPy makes a view of them. Work and memory are bounded by
the size of the file: storages must not be compressed, and the tensors together must not be much larger than the file.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from ms_compat._formats.archive import Archive
from ms_compat.mindrecord.pickles import OPCODES, Reader, shown

_STORAGES = {
    "DoubleStorage": np.float64, "FloatStorage": np.float32, "HalfStorage": np.float16,
    "BFloat16Storage": ml_dtypes.bfloat16, "LongStorage": np.int64, "IntStorage": np.int32, "ShortStorage": np.int16,
    "CharStorage": np.int8, "ByteStorage": np.uint8, "BoolStorage": np.bool_, "ComplexFloatStorage": np.complex64,
    "ComplexDoubleStorage": np.complex128,
}  # fmt: skip
_MOST_OF_PICKLE = 1 << 28  # bytes; a state dict of a million tensors has less
_DEEPEST = 64
_LONGEST_NAME = 4096
_MOST_REPEATS = 8  # tied weights, and containers that hold each other, may multiply what the file has by this
_MOST_READS = 64  # of a byte: tensors that are columns of one matrix are read with what is between their elements
_FREE_BYTES = 1 << 24  # small tensors and names may be repeated more often
_FREE_VALUES = 1 << 16
_ORDER_BYTES = 8
_ARRAY_DIMS = 32
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
    """Where the elements of a tensor are.

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

    @property
    def end(self) -> int:
        """One more than the place of its last element in the storage; `offset` if it has none."""
        if 0 in self.shape:
            return self.offset
        return self.offset + 1 + sum((n - 1) * stride for n, stride in zip(self.shape, self.strides, strict=True))


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
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or len(shape) != len(strides):
        raise ValueError(f"a tensor has the shape {shown(shape)} and the strides {shown(strides)}")
    if len(shape) > _ARRAY_DIMS:
        raise ValueError(f"a tensor has {len(shape)} dimensions")
    if not all(type(size) is int and 0 <= size < 1 << 48 for size in (offset, *shape, *strides)):
        raise ValueError(f"a tensor has the shape {shown(shape)} and the strides {shown(strides)}")
    if math.prod(size for size in shape if size) * storage.dtype.itemsize >= 1 << 63:
        raise ValueError(f"a tensor has the impossible shape {shown(shape)}")
    stored = Stored(storage, offset, shape, strides)
    if stored.end > storage.count:
        raise ValueError(f"a tensor of shape {shown(shape)} exceeds its storage of {storage.count} elements")
    return stored


class _Bound:
    """A sum that must not exceed `most`; the message formats that number."""

    def __init__(self, most: int, message: str) -> None:
        self._left, self._message = most, message.format(most)

    def spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise ValueError(self._message)


class TorchReader:
    """The index of one file; contents are read on demand. Nested dicts and lists give dotted names.

    Args:
        path: the file.

    Raises:
        ValueError: it is damaged, or no such file.
    """

    def __init__(self, path: str):
        self.path = path
        self._checked: set[str] = set()  # the storages whose CRC-32 was compared
        try:
            self._archive = Archive(path)
        except ValueError as error:
            raise self._bad(error) from error
        try:
            self._read_index()
        except ValueError as error:
            self.close()
            raise self._bad(error) from error
        except BaseException:
            self.close()
            raise

    def _bad(self, error: object) -> ValueError:
        return ValueError(f"'{self.path}' is not a PyTorch checkpoint that can be read: {error}")

    def _read_index(self) -> None:
        names = [name for name in self._archive.names if name.endswith("/data.pkl")]
        if len(names) != 1:
            raise ValueError("it holds no 'data.pkl'")
        self._base = names[0].removesuffix("data.pkl")
        order = f"{self._base}byteorder"
        if order in self._archive.names and self._archive.read(order, _ORDER_BYTES) != b"little":
            raise ValueError("its numbers are not little-endian")
        size = os.path.getsize(self.path)
        reader = _TorchReader(self._archive.read(names[0], _MOST_OF_PICKLE), size)
        found = reader.read()
        self.entries: dict[str, Stored] = {}
        self.others: list[str] = []
        values = _Bound(_FREE_VALUES + _MOST_REPEATS * reader.done, "it holds more than {} values")
        letters = _Bound(_FREE_BYTES + _MOST_REPEATS * size, "its names have more than {} characters")
        held = _Bound(
            _FREE_BYTES + _MOST_REPEATS * size,
            f"its tensors have more than {{}} bytes, but the file has {size}: tensors that repeat their elements, as "
            "Tensor.expand makes them, must be saved by Tensor.contiguous",
        )
        read = _Bound(_FREE_BYTES + _MOST_READS * size, "its tensors are scattered over more than {} bytes")
        for name, value in _flat(found):
            values.spend(1)  # containers that hold each other double at each level
            letters.spend(len(name))
            if isinstance(value, Stored):
                self._check(name, value.storage)
                self.entries[name] = value
                held.spend(math.prod(value.shape) * value.storage.dtype.itemsize)
                read.spend((value.end - value.offset) * value.storage.dtype.itemsize)
            elif isinstance(value, _Opaque | _Named) and _items(value) is None:
                self.others.append(name)

    def _place(self, storage: _Storage) -> str:
        return f"{self._base}data/{storage.key}"

    def _check(self, name: str, storage: _Storage) -> None:
        size = self._archive.size(self._place(storage))
        if size is None:
            raise ValueError(f"the storage of '{name}' is missing")
        if size != storage.count * storage.dtype.itemsize:
            raise ValueError(f"the storage of '{name}' has {size} bytes for {storage.count} elements")

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
        """The value of one tensor: an array with its own memory.

        Raises:
            ValueError: the storage is damaged.
        """
        stored = self.entries[name]
        storage, itemsize = stored.storage, stored.storage.dtype.itemsize
        try:
            if storage.key not in self._checked:
                self._archive.check_crc(self._place(storage))
                self._checked.add(storage.key)
            if stored.end <= stored.offset:
                return np.empty(stored.shape, storage.dtype)
            data = self._archive.part(self._place(storage), stored.offset * itemsize, stored.end * itemsize)
            held = np.frombuffer(data, storage.dtype)
            if held.size != stored.end - stored.offset:  # the view below is made without any check
                raise ValueError(f"the storage of '{name}' ends after {held.size} elements")
        except ValueError as error:
            raise ValueError(f"'{self.path}' is damaged: {error}") from error
        steps = [stride * itemsize for stride in stored.strides]
        return np.lib.stride_tricks.as_strided(held, stored.shape, steps).copy()

    def close(self) -> None:
        self._archive.close()

    def __enter__(self) -> TorchReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _flat(value: Any) -> Iterator[tuple[str, Any]]:
    """Each value under its dotted name, containers before what they hold."""
    levels: list[Iterator[tuple[str, Any]]] = [iter([("", value)])]
    while levels:
        found = next(levels[-1], None)
        if found is None:
            levels.pop()
            continue
        yield found
        items = _items(found[1])
        if items is not None:
            if len(levels) > _DEEPEST:
                raise ValueError("it is nested too deeply")
            levels.append(_named(found[0], items))


def _items(value: Any) -> Iterable[tuple[Any, Any]] | None:
    if isinstance(value, _Opaque) and isinstance(value.state, dict) and "_modules" in value.state:
        held = [value.state.get(part) for part in _OF_MODULES]  # a whole module, and not its state dict
        return [item for part in held if isinstance(part, dict) for item in part.items()]
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list | tuple) and not isinstance(value, Stored):
        return enumerate(value)
    return None


def _named(prefix: str, items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    for key, item in items:
        if not isinstance(key, int) and len(prefix) + len(key) > _LONGEST_NAME:
            raise ValueError(f"it has a name of more than {_LONGEST_NAME} characters")
        yield f"{prefix}.{key}" if prefix else str(key), item
