"""Fractional pooling over windows of random heights and widths, [N, H, W, C]. Graham, arXiv:1412.6071.

An axis has windows in one or two sizes in random order, or pseudo-random with starts at ceil(a (i + u)). Their
borders are runtime values, so windows are gathered in the largest size and elements past a window's end are left
out; shapes stay static and the code compiles.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_type
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.random.draws import draw


def _borders(key: Any, size: int, count: int, pseudo: bool) -> Any:
    """Starts of the windows and the end: [count + 1], Int64."""
    small = size // count
    if size % count == 0:
        return jnp.arange(count + 1, dtype=np.int64) * small
    if pseudo:
        ratio = size / count
        most = min((small + 2) / ratio - 1, (size + 1 - small) / ratio - (count - 1))
        u = jax.random.uniform(key, (), np.float64, 0, most)
        inner = jnp.ceil(ratio * (jnp.arange(1, count) + u)).astype(np.int64) - 1
        return jnp.concatenate([jnp.zeros(1, np.int64), inner, jnp.full(1, size, np.int64)])
    sizes = np.full(count, small, np.int64)
    sizes[: size - small * count] += 1
    return jnp.concatenate([jnp.zeros(1, np.int64), jnp.cumsum(jax.random.permutation(key, sizes))])


@random_op(static=("sizes", "counts", "pseudo"))
def _both_borders(key, sizes, counts, pseudo):
    keys = jax.random.split(key)
    return tuple(_borders(k, n, c, pseudo) for k, n, c in zip(keys, sizes, counts, strict=True))


@op(static=("sizes", "counts", "pseudo", "seed"))
def _fixed_borders(sizes, counts, pseudo, seed):
    keys = jax.random.split(jax.random.key(seed))
    return tuple(_borders(k, n, c, pseudo) for k, n, c in zip(keys, sizes, counts, strict=True))


@op(static=("kind", "overlapping"))
def _pool(x, rows, columns, kind, overlapping):
    out, used = x, []
    for axis, borders in ((1, rows), (3, columns)):  # the first take adds an axis before the columns
        size = out.shape[axis]
        at = borders[:-1, None] + jnp.arange(size // (borders.shape[0] - 1) + 2 + overlapping)
        used.append(at < jnp.minimum(borders[1:, None] + overlapping, size))
        out = jnp.take(out, jnp.clip(at, 0, size - 1), axis)
    inside = (used[0][:, :, None, None] & used[1])[None, ..., None]  # out: [N, rows, height, columns, width, C]
    if kind == "max":
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return jnp.max(jnp.where(inside, out, np.array(lowest, x.dtype)), (2, 4))
    total, count = jnp.sum(jnp.where(inside, out, 0), (2, 4)), jnp.sum(inside, (2, 4))
    return jnp.trunc(total / count).astype(x.dtype) if x.dtype.kind == "i" else total / count.astype(x.dtype)


def fractional_pool(api, kind, x, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2):
    """Maxima or means over windows of random sizes.

    Args:
        api (str): what error messages call it.
        kind (str): "max" or "mean".
        x (Tensor): [N, H, W, C] of Float32, Float64, Int32 or Int64.
        pooling_ratio (list): [1.0, rows, columns, 1.0], how many pixels come to one, at least 1.
        pseudo_random (bool): places by a formula with one random number instead of a random order.
        overlapping (bool): windows share their borders.
        deterministic (bool): the same windows in every call.
        seed, seed2 (int): seeds of the windows.

    Returns:
        Tuple of the result and the borders of rows and columns, Int64.

    Raises:
        TypeError: another type of data.
        ValueError: another rank, or ratios out of range.
    """
    check_type(api, "x", x, Tensor)
    check_rank(api, "x", x, 4)
    if x.dtype._label not in ("Float32", "Float64", "Int32", "Int64"):
        raise TypeError(f"For '{api}', the 'x' must be Float32, Float64, Int32 or Int64, but got {x.dtype}.")
    if len(pooling_ratio) != 4 or pooling_ratio[0] != 1 or pooling_ratio[3] != 1 or min(pooling_ratio) < 1:
        raise ValueError(
            f"For '{api}', the 'pooling_ratio' must be four numbers from 1.0 on, the first and last 1.0, but got "
            f"{pooling_ratio}."
        )
    sizes = tuple(x.shape[1:3])
    counts = tuple(max(math.floor(n / r), 1) for n, r in zip(sizes, pooling_ratio[1:3], strict=True))
    number = (seed * 31 + seed2) & 0x7FFFFFFF
    if deterministic:
        rows, columns = _fixed_borders(sizes, counts, pseudo_random, number)
    else:
        rows, columns = draw(_both_borders, api, number, sizes, counts, pseudo_random)
    return _pool(x, rows, columns, kind, overlapping), rows, columns
