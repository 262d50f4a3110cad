"""Diagonals taken and made without 64-bit indices, which accelerators emulate.

`jnp` counts in the dtype of the offset, and a Python number's dtype is Int64 here: on an attention's mask of
4,096 x 4,096 that is 128 MiB of indices twice.
"""

from __future__ import annotations

import operator
from typing import Any

import jax.numpy as jnp
import numpy as np

_MOST = np.iinfo(np.int32).max


def offset32(offset: int) -> Any:
    """The number of a diagonal as Int32; one beyond any array stays so."""
    return np.int32(min(max(operator.index(offset), -_MOST), _MOST))


def take_diagonal(x: Any, offset: int, first: int, second: int) -> Any:
    """A diagonal of two axes as the last one."""
    x = jnp.moveaxis(x, (first, second), (-2, -1))
    rows, columns = x.shape[-2:]
    row, column = max(-offset, 0), max(offset, 0)
    size = max(min(rows - row, columns - column), 0)
    square = x[..., row : row + size, column : column + size]
    return square.reshape(*x.shape[:-2], size * size)[..., :: size + 1]


def put_on_diagonal(x: Any, offset: int) -> Any:
    """Put the last axis on a diagonal of the result's last two axes, with zeros elsewhere."""
    size = x.shape[-1] + abs(offset)
    padded = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(max(offset, 0), max(-offset, 0))])
    return jnp.where(jnp.eye(size, k=offset32(offset), dtype=bool), padded[..., None, :], jnp.zeros((), x.dtype))
