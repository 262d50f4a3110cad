"""A trial of a fused kernel: on the current device it must compile as requested, and match the formula.

Kernels depend on software beside JAX (cuDNN) and on the chip. A failing one would end a training run, or give other
numbers; so its first call of a kind is tried beforehand. Where that fails, a warning says why, once, and the scores of
some queries at a time are computed.
"""

from __future__ import annotations

import functools
import logging
from typing import Any

import jax
import numpy as np

from ms_compat.ops.function.attention import kernels
from ms_compat.ops.function.attention.bands import Band

logger = logging.getLogger("ms_compat")

_PLACES = 256  # query and key positions that are computed
_AROUND = 100  # which of them are seen, at most, in a band
_OFF = 0.05  # of the largest number, in half precision: what a wrong mask or scale gives is beyond
_told: set[str] = set()


def passed(kernel: str, query: Any, key: Any, scale: float, band: Band) -> bool:
    """Whether a kernel serves arrays like these, of one device.

    Args:
        kernel: "cudnn" or "splash".
        query, key: what a device gets of the arrays that `kernels.attend` takes.
        scale: a float.
        band: what queries see.
    """
    return _is_accurate(kernel, query.shape, key.shape, np.dtype(query.dtype), float(scale), band)


@functools.lru_cache(maxsize=4096)
def _is_accurate(kernel: str, queries: tuple, keys: tuple, dtype: np.dtype, scale: float, band: Band) -> bool:
    near = [None if limit is None else max(min(limit, _AROUND), 0) for limit in (band.before, band.behind)]
    try:
        off = _off(kernel, queries[1] // keys[1], queries[3], dtype, Band(0, *near))
        if off <= _OFF:
            _compiled(functools.partial(kernels.attend, kernel, alone=True), (queries, keys), dtype, scale, band)
            return True
        problem = f"its results are off by {off:.3g} of the largest"
    except Exception as error:  # whatever an installation lacks: the formula needs none of it
        problem = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    say = logger.debug if kernel in _told else logger.warning
    _told.add(kernel)
    say(
        "Attention is computed without the fused kernel '%s', which fails here for queries %s and keys %s: %s. "
        "MS_COMPAT_FUSED_ATTENTION=0 leaves it untried.", kernel, queries, keys, problem,
    )  # fmt: skip
    return False


def _compiled(attention: Any, shapes: tuple, dtype: Any, scale: float, band: Band) -> Any:
    """Output and gradients, compiled; not called, so that a trace around stays as it is."""

    def step(query: Any, key: Any, value: Any, cotangent: Any) -> tuple:
        out, pull = jax.vjp(lambda *qkv: attention(*qkv, scale, band), query, key, value)
        return out, *pull(cotangent)

    queries, keys = (jax.ShapeDtypeStruct(shape, dtype) for shape in shapes)
    return jax.jit(step).lower(queries, keys, keys, queries).compile()


@functools.cache
def _off(kernel: str, share: int, size: int, dtype: Any, band: Band) -> float:
    """The largest difference between a kernel and the formula, as a part of the largest number, over a short sequence.

    Args:
        kernel: "cudnn" or "splash".
        share: how many heads share one of the keys.
        size: of a head.
        dtype: of the arrays.
        band: what queries see.
    """
    shapes = ((1, 2 * share, _PLACES, size), (1, 2, _PLACES, size))
    draw = np.random.default_rng(0).standard_normal
    values = [draw(shape).astype(dtype) for shape in (shapes[0], shapes[1], shapes[1], shapes[0])]
    found, expected = (
        [np.asarray(x, np.float32) for x in _compiled(attention, shapes, dtype, size**-0.5, band)(*values)]
        for attention in (functools.partial(kernels.attend, kernel, alone=True), kernels.plain)
    )
    off = [np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, expected, strict=True)]
    return float(np.nan_to_num(max(off), nan=np.inf))
