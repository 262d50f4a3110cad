"""The elements of `ms::Tensor`, the class of C++ in `include/ms_extension/tensor.h`, as numpy arrays.

C++ may write to the elements of an argument, which is how an operator works in place. JAX's arrays do not change, so
C++ gets a copy, made when it takes the address. When C++ has no `ms::Tensor` of the argument any more, the copy is
compared with the argument's value. If it differs, it becomes the value.
"""

from __future__ import annotations

import logging
import math
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.trace import concurrency
from ms_compat.ops._aot.kernels import TYPE_IDS

_logger = logging.getLogger("ms_compat")
_DTYPES = {number: jnp.dtype(name) for name, number in TYPE_IDS.items()}


class _Local(threading.local):
    """The memories of arguments that C++ of this thread has, by the Tensor's id."""

    def __init__(self) -> None:
        self.memories: weakref.WeakValueDictionary[int, Memory] = weakref.WeakValueDictionary()


_local = _Local()


class Memory:
    """Elements in the order of rows, which several `View`s may show.

    Args:
        array: the elements.
        source: the Tensor that has them; None for elements that C++ has made.
    """

    def __init__(self, array: np.ndarray, source: Tensor | None = None):
        self.array, self.source = array, source
        self._before: np.ndarray | None = None

    def own(self) -> np.ndarray:
        """The elements, where C++ may write to them."""
        if self.source is not None and self._before is None:
            self._before, self.array = self.array, self.array.copy()
        return self.array

    def give_back(self) -> None:
        """Give the source the elements that C++ has written."""
        if self.source is None or self._before is None or np.array_equal(_bytes(self.array), _bytes(self._before)):
            return
        new = wrap(to_device(self.array))
        self._before = np.asarray(new._v)
        new._node = self.source._node  # no gradient sees what C++ does, as in MindSpore
        shared_storage.write(self.source, new)

    def __del__(self) -> None:
        self.give_back()


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


class View:
    """What one `ms::Tensor` shows of a memory.

    Args:
        memory: the elements.
        array: the part of `memory.own()` that is shown; None for all of it.
    """

    def __init__(self, memory: Memory, array: np.ndarray | None = None):
        self.memory, self._array = memory, array

    # -- what the header reads -----------------------------------------------------------------------------------------
    @property
    def type_id(self) -> int:
        return TYPE_IDS[self._shown.dtype.name]

    @property
    def shape(self) -> list[int]:
        return list(self._shown.shape)

    @property
    def strides(self) -> list[int]:
        return [step // self._shown.itemsize for step in self._shown.strides]

    @property
    def offset(self) -> int:
        return (_address(self._shown) - _address(self.memory.array)) // self._shown.itemsize

    @property
    def _shown(self) -> np.ndarray:
        return self.memory.array if self._array is None else self._array

    @property
    def array(self) -> np.ndarray:
        """The elements, where C++ may write to them."""
        return self.memory.own() if self._array is None else self._array

    def address(self) -> int:
        return _address(self.array)

    def result(self) -> Tensor:
        """The Tensor that Python gets: one that shares the storage of the argument, or a new one."""
        if self.memory.source is not None and self._array is None:
            self.memory.give_back()
            return self.memory.source.view(self.memory.source.shape)
        return wrap(to_device(np.ascontiguousarray(self._shown).reshape(self._shown.shape)))

    # -- the methods of `ms::Tensor` -----------------------------------------------------------------------------------
    def _part(self, array: np.ndarray) -> View:
        """A view of an array that shares this memory, or that is new."""
        return View(self.memory, array) if np.may_share_memory(array, self.memory.array) else View(Memory(array))

    def assign(self, other: View) -> None:
        self.array[...] = other.array

    def cast(self, type_id: int) -> View:
        dtype = _dtype(type_id)
        return self if dtype == self._shown.dtype else View(Memory(_cast(self._shown, dtype)))

    def chunk(self, chunks: int, dim: int) -> Iterator[View]:
        array = self.array
        if chunks <= 0:
            raise ValueError(f"For 'chunk', the 'chunks' must be positive, but got {chunks}.")
        axis = _axis("chunk", dim, array.ndim)
        step = max(1, math.ceil(array.shape[axis] / chunks))
        for start in range(0, max(1, array.shape[axis]), step):
            yield self._part(array[(slice(None),) * axis + (slice(start, start + step),)])

    def contiguous(self) -> View:
        """This view if it is row by row from the memory's start, or else a copy, as in MindSpore."""
        if self._shown.flags.c_contiguous and not self.offset:
            return self
        return View(Memory(self._shown.copy()))

    def flatten(self, start_dim: int, end_dim: int) -> View:
        shape = self.shape or [1]
        start, end = (_axis("flatten", dim, len(shape)) for dim in (start_dim, end_dim))
        if start > end:
            raise ValueError(f"For 'flatten', 'start_dim' must not be behind 'end_dim', but got {start} and {end}.")
        return self.reshape([*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]])

    def index_select(self, dim: int, index: View) -> View:
        axis, places = _axis("index_select", dim, len(self.shape)), index._shown
        size = self.shape[axis]
        if places.ndim != 1 or places.dtype.kind not in "iu":
            raise ValueError("For 'index_select', the 'index' must be one-dimensional and of integers.")
        if places.size and not (0 <= places.min() and places.max() < size):
            raise IndexError(f"For 'index_select', each index must be in [0, {size}), but got {places.tolist()}.")
        return View(Memory(np.take(self._shown, places, axis)))

    def reshape(self, shape: list[int]) -> View:
        return self._part(self.array.reshape(shape))

    def repeat(self, repeats: list[int]) -> View:
        if len(repeats) < len(self.shape):
            raise ValueError(
                f"For 'repeat', 'repeats' must have a number for each of the {len(self.shape)} dimensions, but got "
                f"{repeats}."
            )
        return View(Memory(np.tile(self._shown, repeats)))

    def repeat_interleave(self, repeats: View | int, dim: int | None, output_size: int | None) -> View:
        counts = repeats if isinstance(repeats, int) else repeats._shown
        out = np.repeat(self._shown, counts, None if dim is None else _axis("repeat_interleave", dim, len(self.shape)))
        size = out.shape[0 if dim is None else dim]
        if output_size is not None and size != output_size:
            raise ValueError(f"For 'repeat_interleave', 'output_size' is {output_size}, but the result has {size}.")
        return View(Memory(out))


def argument(value: Any) -> View | None:
    """The view of a Tensor that Python passes to C++; None for another object.

    A Tensor that is passed twice has one memory.
    """
    if not isinstance(value, Tensor):
        return None
    memory = _local.memories.get(id(value))
    if memory is None:
        array = np.asarray(concurrency.held_value(value))
        if array.dtype.name not in TYPE_IDS:
            raise TypeError(f"A Tensor of {value.dtype} cannot be passed to C++.")
        memory = _local.memories[id(value)] = Memory(np.ascontiguousarray(array).reshape(array.shape), value)
    return View(memory)


def new(type_id: int, shape: list[int]) -> View:
    """Elements without values."""
    return View(Memory(np.empty(shape, _dtype(type_id))))


def full(shape: list[int], number: int, type_id: int) -> View:
    return View(Memory(np.full(shape, number, _dtype(type_id))))


def filled(value: Any, type_id: int) -> View:
    """A number, or numbers."""
    return View(Memory(_cast(np.asarray(value), _dtype(type_id))))


def log(level: str, text: str) -> None:
    """Write a message of C++ to the log."""
    getattr(_logger, level)("%s", text)


def _dtype(type_id: int) -> np.dtype:
    if type_id not in _DTYPES:
        raise TypeError(f"The TypeId {type_id} is not the number of a dtype that a Tensor can have.")
    return _DTYPES[type_id]


def _cast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    from ms_compat.ops.function.shape.create import cast

    return np.array(cast(wrap(to_device(array)), mstype.pytype_to_dtype(dtype)).asnumpy())


def _axis(api: str, dim: int, ndim: int) -> int:
    if not -ndim <= dim < ndim:
        raise ValueError(f"For '{api}', the dimension must be in [{-ndim}, {ndim}), but got {dim}.")
    return dim % ndim


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
