"""`mindspore.numpy.fft`: NumPy's names of arguments over the transforms of `mindspore.ops`, a table."""

from __future__ import annotations

from typing import Any

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.numpy._array import tensor, to_dtype
from ms_compat.ops.function.spectral import fft as _ops


def _along(name: str) -> Any:
    operation = getattr(_ops, name)

    def one(a, n=None, axis=-1, norm=None):
        return operation(tensor(a), n, axis, norm)

    def two(a, s=None, axes=(-2, -1), norm=None):
        return operation(tensor(a), s, axes, norm)

    def many(a, s=None, axes=None, norm=None):
        return operation(tensor(a), s, axes, norm)

    function = {"2": two, "n": many}.get(name[-1], one)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`ops.{name}` of anything `asarray` takes, with NumPy's names of arguments."
    return function


for _name in _ops.NAMES:
    globals()[_name] = _along(_name)


def fftshift(x, axes=None):
    """The zero frequency moved to the middle, along axes (None: all)."""
    return _ops.fftshift(tensor(x), axes)


def ifftshift(x, axes=None):
    """The inverse of `fftshift`."""
    return _ops.ifftshift(tensor(x), axes)


def fftfreq(n, d=1.0, dtype=None):
    """The frequencies of `fft`'s elements."""
    return _ops.fftfreq(n, d, to_dtype(dtype))


def rfftfreq(n, d=1.0, dtype=None):
    """The frequencies of `rfft`'s elements."""
    return _ops.rfftfreq(n, d, to_dtype(dtype))


__getattr__ = unsupported_getattr(__name__)
