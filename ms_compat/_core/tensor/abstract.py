"""Arrays with a shape, a dtype and a sharding, but no memory, for planning a program (`_targets`).

A Tensor may hold one where nothing will read its values: a Parameter of a net that no machine at hand could hold.
Compiled functions are traced with it like with any other Tensor.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import from_host
from ms_compat._core.settings import device


class AbstractArray(jax.ShapeDtypeStruct):
    """An array without values.

    Args:
        shape, dtype, sharding, weak_type: as of `jax.ShapeDtypeStruct`.
    """

    @property
    def nbytes(self) -> int:
        """The bytes that it would take."""
        return self.size * self.dtype.itemsize

    def astype(self, dtype: Any) -> AbstractArray:
        """As of an array."""
        return AbstractArray(self.shape, np.dtype(dtype), sharding=self.sharding)

    def _values(self, *args: Any, **kwargs: Any) -> Any:
        if _on_request is not None:
            _on_request()
        raise UnsupportedError(
            f"Reading the values of a planned program's array (shape {self.shape}, dtype {self.dtype})",
            "Use ms-compat run to run the program.",
        )

    __array__ = __bool__ = __int__ = __float__ = __index__ = __complex__ = item = tolist = _values


_region = False
_on_request: Callable[[], None] | None = None  # is called where code reads values that do not exist


@contextlib.contextmanager
def on_value_request(answer: Callable[[], None]) -> Iterator[None]:
    """A region in which a function is called, and may raise, where code reads values that do not exist."""
    global _on_request
    before, _on_request = _on_request, answer
    try:
        yield
    finally:
        _on_request = before


@contextlib.contextmanager
def parameters() -> Iterator[None]:
    """A region in which Parameters that an initializer would fill are abstract."""
    global _region
    before, _region = _region, True
    try:
        yield
    finally:
        _region = before


def placeholder_for_init(shape: tuple[int, ...], dtype: Any) -> AbstractArray | None:
    """The replacement for an initializer's values in the region of `parameters`; None outside."""
    return AbstractArray(tuple(shape), np.dtype(dtype)) if _region else None


def device_put(value: Any, sharding: Any) -> Any:
    """`jax.device_put`, which devices that are only compiled for get no values by."""
    if device.is_planned() or isinstance(value, AbstractArray):
        return AbstractArray(value.shape, value.dtype, sharding=sharding)
    return jax.device_put(value, sharding)


def full_like(value: Any, fill: int) -> Any:
    """An array of one number, as large as another and laid out over devices as that is."""
    if isinstance(value, AbstractArray):
        return AbstractArray(value.shape, value.dtype, sharding=value.sharding)
    several = isinstance(value, jax.Array) and len(getattr(value, "devices", set)()) > 1
    if not several and jax.default_backend() == "cpu":
        return from_host(np.full(value.shape, fill, value.dtype), fresh=True)
    return jnp.full(value.shape, fill, value.dtype, device=value.sharding if several else None)
