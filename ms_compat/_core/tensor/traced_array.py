"""The result of `Tensor.asnumpy()` inside a compiled function: an array whose values are not known yet.

MindSpore leaves a compiled graph for numpy and comes back. The most frequent reason is to make another Tensor from the
values (`Tensor(x.asnumpy(), ms.float16)`, without gradients). Here that is a computation like any other, and shape and
dtype are known. All other uses by numpy need the values, and raise an error that says so.
"""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

from ms_compat._core.trace import scopes


class HostArrayError(jax.errors.TracerArrayConversionError):
    """Raised where numpy needs the values of a traced Tensor, which are known at run time only."""


class TracedArray:
    """The values of a Tensor at run time, seen while a function is compiled.

    >>> import ms_compat as ms
    >>> double = ms.jit(lambda x: ms.Tensor(x.asnumpy(), ms.float32) * 2)
    >>> print(double(ms.Tensor([1, 2])))
    [2. 4.]
    """

    __slots__ = ("_value",)

    def __init__(self, value: Any):
        self._value = jax.lax.stop_gradient(value)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes."""
        return self._value.shape

    @property
    def dtype(self) -> np.dtype:
        """The numpy dtype."""
        return self._value.dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._value.ndim

    @property
    def size(self) -> int:
        """The number of elements."""
        return self._value.size

    def copy(self) -> TracedArray:
        """Itself: nobody can write to it."""
        return self

    def astype(self, dtype: Any) -> TracedArray:
        """The values in another numpy dtype."""
        return TracedArray(self._value.astype(dtype))

    def __len__(self) -> int:
        return len(self._value)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        scopes.note_concretization()
        raise HostArrayError(self._value)

    def __str__(self) -> str:
        return str(self.__array__())

    def __repr__(self) -> str:
        return repr(self.__array__())

    def __format__(self, form: str) -> str:
        return format(self.__array__(), form)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.__array__(), name)


def _needs_values(name: str) -> Any:
    def method(self, *args):
        return getattr(self.__array__(), name)(*args)

    method.__name__ = name
    return method


for _name in (
    "add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul rmatmul neg pos abs "
    "invert and rand or ror xor rxor lt le gt ge eq ne getitem setitem iter bool int float complex index"
).split():
    setattr(TracedArray, f"__{_name}__", _needs_values(f"__{_name}__"))
