"""The memory of a tensor: its bytes as a storage, and the buffers of other libraries.

Arrays of JAX are immutable, so a storage is the tensor that owns the bytes, and writing to it replaces that tensor's
array. What comes from a buffer or goes to another library is shared where JAX can, and copied where it cannot.
"""

from __future__ import annotations

import ctypes
from typing import Any

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.errors import UnsupportedError, check_bool, check_int
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.trace import concurrency


class UntypedStorage:
    """The bytes of a tensor, or of the tensor that it is a view of; made by `Tensor.untyped_storage`.

    Raises:
        TypeError: it is made directly.

    >>> from ms_compat import Tensor
    >>> storage = Tensor([1.0, 2.0]).untyped_storage()
    >>> storage.nbytes(), storage.element_size(), storage.device
    (8, 1, 'CPU')
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("cannot create 'UntypedStorage' instances; ask a tensor for its untyped_storage()")

    @classmethod
    def of_tensor(cls, tensor: Tensor) -> UntypedStorage:
        """The storage of a tensor."""
        link = tensor._alias
        root = link[0]() if link is not None else None
        storage = object.__new__(cls)
        storage._tensor = tensor if root is None else root
        return storage

    _tensor: Tensor

    @property
    def dtype(self) -> mstype.Type:
        """The dtype of the tensor."""
        return self._tensor.dtype

    @property
    def device(self) -> str:
        """Where the bytes are."""
        return self._tensor.device

    def nbytes(self) -> int:
        """The number of bytes."""
        return self._tensor.nbytes

    size = nbytes

    def element_size(self) -> int:
        """Returns 1: the elements are bytes."""
        return 1

    def data_ptr(self) -> int:
        """The address; JAX may move the bytes whenever the tensor is written to."""
        return self._tensor._v.unsafe_buffer_pointer()

    def is_shared(self) -> bool:
        """Whether other processes can have the same bytes; not in JAX."""
        return False

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Overwrites the bytes by another storage's of the same size; returns this one.

        Args:
            source: the other storage.
            non_blocking: accepted; JAX computes asynchronously anyway.

        Raises:
            TypeError: `source` is not a storage.
            RuntimeError: it has another size.
        """
        if not isinstance(source, UntypedStorage):
            raise TypeError(f"For 'UntypedStorage.copy_', a storage is needed, but got {type(source).__name__}.")
        check_bool("UntypedStorage.copy_", "non_blocking", non_blocking)
        if source.nbytes() != self.nbytes():
            raise RuntimeError(
                f"For 'UntypedStorage.copy_', both sizes must be equal, but got {self.nbytes()} and {source.nbytes()}."
            )
        target = self._tensor
        data = np.frombuffer(source._tensor.asnumpy().tobytes(), target.dtype.np_dtype).reshape(target.shape)
        shared_storage.write(target, wrap(to_device(data)))
        return self

    def resize_(self, size: int) -> UntypedStorage:
        """Returns this storage, if it has that size already.

        Raises:
            UnsupportedError: another size: a tensor of JAX has the bytes of its shape.
        """
        if check_int("UntypedStorage.resize_", "size", size) != self.nbytes():
            raise UnsupportedError(
                f"mindspore.UntypedStorage.resize_ to {size} bytes",
                "The tensor's shape decides how many bytes there are. Assign another tensor with set_data.",
            )
        return self


def untyped_storage(self) -> UntypedStorage:
    """The bytes of the tensor, or of the tensor that it is a view of."""
    return UntypedStorage.of_tensor(self)


def pin_memory(self) -> Tensor:
    """A copy with the mark that `is_pinned` reads. JAX moves host data through pinned buffers of its own, and does not
    compute with tensors in different kinds of memory; so the mark is all."""
    copied = wrap(concurrency.held_value(self))
    copied._node = self._node
    copied.__dict__["_pinned"] = True
    return copied


def is_pinned(self) -> bool:
    """Whether `pin_memory` made the tensor."""
    return self.__dict__.get("_pinned", False)


def is_shared(self) -> bool:
    """Whether other processes can have the same bytes; not in JAX."""
    return False


def data_sync(self, need_wait: bool = True) -> None:
    """Returns when the tensor is computed.

    Args:
        need_wait: whether to wait; without it nothing is done.

    Raises:
        TypeError: it is not a bool.
    """
    if check_bool("Tensor.data_sync", "need_wait", need_wait) and not self.has_init:
        self._v.block_until_ready()


def frombuffer(buffer, dtype, count=-1, offset=0) -> Tensor:
    """A 1-d tensor of a buffer's bytes; unlike MindSpore's it is a copy.

    Args:
        buffer: an object with Python's buffer protocol, such as bytes.
        dtype: the mindspore dtype of the elements.
        count: how many elements; -1 for all.
        offset: how many bytes are skipped.

    Raises:
        RuntimeError: `buffer` is none, `dtype` is not a dtype, or the numbers do not fit.

    >>> import ms_compat as ms
    >>> print(ms.frombuffer(b"abc", ms.uint8, offset=1))
    [98 99]
    """
    try:
        data = memoryview(buffer).cast("B")
    except TypeError:
        raise RuntimeError(
            f"For 'frombuffer', the object does not implement Python's buffer protocol: {type(buffer).__name__}."
        ) from None
    if not isinstance(dtype, mstype.Type):
        raise RuntimeError(f"For 'frombuffer', the dtype must be mindspore dtype object, but got {dtype!r}.")
    item, length = dtype.np_dtype.itemsize, len(data)
    if length == 0 or count == 0:
        raise RuntimeError(f"For 'frombuffer', both buffer length ({length}) and count ({count}) must not be 0.")
    if not 0 <= offset < length:
        raise RuntimeError(
            f"For 'frombuffer', the offset ({offset} bytes) must be non-negative and below the length ({length} bytes)."
        )
    if count < 0 and (length - offset) % item:
        raise RuntimeError(
            f"For 'frombuffer', the buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({item})."
        )
    if count < 0:
        count = (length - offset) // item
    if count * item > length - offset:
        raise RuntimeError(
            f"For 'frombuffer', the buffer length ({length - offset} bytes) after offset ({offset} bytes) is not "
            f"enough for {count} elements of {item} bytes."
        )
    return wrap(to_device(np.frombuffer(data, dtype.np_dtype, count, offset)))


def to_dlpack(tensor) -> Any:
    """A DLPack capsule of a tensor's memory, for `from_dlpack` of this or another library, once.

    Args:
        tensor: the Tensor. Whoever takes the capsule must not write to it.

    Raises:
        TypeError: it is not a Tensor.

    >>> from ms_compat import Tensor, utils
    >>> print(utils.from_dlpack(utils.to_dlpack(Tensor([1.0, 2.0]))))
    [1. 2.]
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'to_dlpack', a Tensor is needed, but got {type(tensor).__name__}.")
    return tensor._v.__dlpack__()


class _Taken:
    """A capsule in the form that today's DLPack protocol requires. It does not say where its memory is."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        # DLManagedTensor begins with DLTensor: the data's address, then the device's kind and number
        address = pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)
        self._device = tuple((ctypes.c_int32 * 2).from_address(address))

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> Any:
        return self._device


def from_dlpack(dlpack) -> Tensor:
    """A tensor of the memory that another library gives, not copied where JAX can share it.

    Args:
        dlpack: a DLPack capsule that nobody has taken yet, or an object with `__dlpack__`.

    Raises:
        RuntimeError: it is neither.
    """
    if not hasattr(dlpack, "__dlpack__"):
        valid = ctypes.pythonapi.PyCapsule_IsValid
        valid.restype, valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
        if not valid(dlpack, b"dltensor"):
            raise RuntimeError(
                "For 'from_dlpack', an invalid capsule was received. A capsule can be taken only once, so you might "
                "have made a tensor of it already."
            )
        dlpack = _Taken(dlpack)
    return wrap(jax.dlpack.from_dlpack(dlpack))


TENSOR: dict[str, Any] = {
    "untyped_storage": untyped_storage,
    "storage": untyped_storage,
    "pin_memory": pin_memory,
    "is_pinned": is_pinned,
    "is_shared": is_shared,
    "is_meta": property(lambda self: False, doc="Whether the tensor has no memory; never the case here."),
    "data_sync": data_sync,
    "to_dlpack": to_dlpack,
    "from_dlpack": staticmethod(from_dlpack),
}


def attach() -> None:
    """Give Tensor these methods."""
    for name, member in TENSOR.items():
        setattr(Tensor, name, member)
