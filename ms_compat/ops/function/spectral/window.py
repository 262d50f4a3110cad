"""Window functions, computed on the host: constants of a length.

MindSpore has two kinds, as here: `bartlett_window` and `blackman_window` take a Tensor length,
`hann_window` and `kaiser_window` return Float64 unless another dtype is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.checks import check_at_least
from ms_compat._core.dtype import to_np_dtype
from ms_compat._core.errors import check_bool, check_int, check_number
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor

_FLOAT32 = np.dtype(np.float32)


def _length(api: str, value: Any, as_tensor: bool) -> int:
    if as_tensor:
        if not isinstance(value, Tensor) or value.dtype.np_dtype.kind != "i":
            raise TypeError(f"For '{api}', the 'window_length' must be a Tensor of an int, but got {value!r:.60}.")
        value = value.item()
    check_int(api, "window_length", value)
    check_at_least(api, "window_length", value, 0)
    return value


def _window(api: str, fn: Any, length: Any, periodic: Any, dtype: Any, default: np.dtype, as_tensor=False) -> Tensor:
    n = _length(api, length, as_tensor)
    check_bool(api, "periodic", periodic)
    kind = default if dtype is None else to_np_dtype(dtype, api)
    if kind.kind not in "fV":
        raise TypeError(f"For '{api}', the 'dtype' must be a floating type, but got {dtype}.")
    if n <= 1:
        values = np.ones(n)
    else:
        values = fn(n + 1)[:-1] if periodic else fn(n)
    return Tensor(values.astype(kind))


@faces("ops")
def bartlett_window(window_length, periodic=True, *, dtype=None):
    """A triangle: 1 - |2 i / (n - 1) - 1|.

    Args:
        window_length (Tensor): a 0-d int n >= 0.
        periodic (bool): leave out the last of n + 1 points.
        dtype: a floating type; Float32 by default.
    """
    return _window("bartlett_window", np.bartlett, window_length, periodic, dtype, _FLOAT32, True)


@faces("ops")
def blackman_window(window_length, periodic=True, *, dtype=None):
    """0.42 - 0.5 cos(2 pi i / (n - 1)) + 0.08 cos(4 pi i / (n - 1)); arguments as for `bartlett_window`."""

    def values(n):
        return np.maximum(np.blackman(n), 0)

    return _window("blackman_window", values, window_length, periodic, dtype, _FLOAT32, True)


@faces("ops")
def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None):
    """alpha - beta cos(2 pi i / (n - 1)), in Float32 by default.

    Args:
        window_length (int): n >= 0.
        periodic (bool): leave out the last of n + 1 points.
        alpha, beta (float): coefficients.
        dtype: a floating type.
    """

    def values(n):
        return alpha - beta * np.cos(2 * np.pi * np.arange(n) / (n - 1))

    return _window("hamming_window", values, window_length, periodic, dtype, _FLOAT32)


@faces("ops")
def hann_window(window_length, periodic=True, *, dtype=None):
    """0.5 - 0.5 cos(2 pi i / (n - 1)), in Float64 by default; arguments as for `hamming_window`."""
    return _window("hann_window", np.hanning, window_length, periodic, dtype, np.dtype(np.float64))


@faces("ops")
def kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None):
    """I0(beta sqrt(1 - (2 i / (n - 1) - 1) ** 2)) / I0(beta), in Float64 by default.

    Args:
        window_length (int): n >= 0.
        periodic (bool): leave out the last of n + 1 points.
        beta (float): the shape.
        dtype: a floating type.
    """
    check_number("kaiser_window", "beta", beta)
    return _window("kaiser_window", lambda n: np.kaiser(n, beta), window_length, periodic, dtype, np.dtype(np.float64))
