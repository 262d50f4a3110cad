"""`Tensor.from_numpy`: a Tensor over the memory of a NumPy array.

A write into the array is a write into the Tensor, and the other way round. JAX arrays do not change, so such a Tensor
has no array of its own but copies NumPy's at each read. (XLA on a CPU can compute in NumPy's memory, but an operation
may return its input array, and then its result would change, too.) To the program, and to an operation's hot path, it
is a `Tensor`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor, to_device, wrap


class _OverArray(Tensor):
    """A Tensor over a NumPy array, until it gets another shape or dtype: then it has its own array."""

    _printed = Tensor._printed
    _made_of_numpy = True

    def __init__(self, array: np.ndarray):
        self.__dict__["_array"] = array

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return Tensor

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        copied = memo[id(self)] = wrap(self._v)
        return copied

    @property
    def _v(self) -> Any:
        own = self.__dict__.get("_own")
        return to_device(self.__dict__["_array"]) if own is None else own

    @_v.setter
    def _v(self, value: Any) -> None:
        array = self.__dict__["_array"]
        fits = value.shape == array.shape and value.dtype == array.dtype and array.flags.writeable
        if isinstance(value, Tracer) or not fits:
            self.__dict__["_own"] = value
        else:
            self.__dict__.pop("_own", None)
            np.copyto(array, np.asarray(value))


_OverArray.__name__, _OverArray.__qualname__, _OverArray.__module__ = "Tensor", "Tensor", Tensor.__module__


def over_array(array: np.ndarray) -> Tensor:
    """The Tensor over a NumPy array of numbers."""
    return _OverArray(array)
