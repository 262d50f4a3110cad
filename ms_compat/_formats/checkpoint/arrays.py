"""Bytes as arrays and arrays as bytes, shared by both formats."""

from __future__ import annotations

import sys

import ml_dtypes
import numpy as np

from ms_compat._core.errors import UnsupportedError

INT4 = np.dtype(ml_dtypes.int4)


def as_type(raw: np.ndarray, dtype: np.dtype, shape: tuple[int, ...], name: str, *, api: str, path: str) -> np.ndarray:
    """See little-endian bytes as an array of `dtype`; bool and Int4 are one byte each in both formats."""
    if dtype == np.bool_:
        raw = np.not_equal(raw, 0, out=raw.view(np.bool_))
    elif dtype == INT4:
        raw = raw.view(np.int8)
        if raw.size and (raw.min() < -8 or raw.max() > 7):  # some tools pack two values in a byte; a cast drops one
            raise UnsupportedError(
                f"For '{api}', the parameter '{name}' in '{path}' holds packed pairs of int4 (byte values outside "
                "[-8, 7]), which ms_compat has no dtype for. Leave it out with choice_func to load the rest."
            )
        raw = raw.astype(INT4)
    else:
        raw = _swapped(raw.view(dtype))
    return raw.reshape(shape)


def as_bytes(value: np.ndarray) -> memoryview:
    """The little-endian C-order bytes of an array, without a copy where it already has that form."""
    if value.dtype == INT4:
        value = value.astype(np.int8)
    elif not value.dtype.isnative:
        value = value.astype(value.dtype.newbyteorder("="))
    return _swapped(np.ascontiguousarray(value).reshape(-1)).view(np.uint8).data


def _swapped(value: np.ndarray) -> np.ndarray:
    return value.byteswap() if sys.byteorder == "big" else value
