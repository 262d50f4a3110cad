"""Memory for contents read from files, shared by both formats.

Arrays are aligned to 64 bytes because JAX's CPU backend adopts such arrays without a copy.
"""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np

from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.protobuf.wire import bad_file

INT4 = np.dtype(ml_dtypes.int4)
_ALIGNMENT = 64


def read_pieces(file: Any, pieces: tuple[tuple[int, int], ...], *, api: str, path: str) -> np.ndarray:
    """The bytes at (offset, length) pieces of a file, joined in a new aligned uint8 array."""
    total = sum(length for _, length in pieces)
    raw = np.empty(total + _ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    raw = raw[start : start + total]
    view = raw.data
    done = 0
    for offset, length in pieces:
        file.seek(offset)
        stop = done + length
        while done < stop:
            count = file.readinto(view[done:stop])
            if not count:
                raise bad_file(
                    api, path, file.tell(), "became shorter while it was read", f"{stop - done} more bytes", 0
                )
            done += count
    return raw


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
