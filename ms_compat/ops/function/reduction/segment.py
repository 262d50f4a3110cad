"""Reductions over segments that follow one another; how many there are is read from the last segment's number.

So the size of the result depends on values: a compiled function takes `ops.unsorted_segment_sum` and its like, whose
callers pass the number of segments.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_dtype, check_same_dtype
from ms_compat._core.compiled.integer_grad import integer_quotient
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.sparse.host import host

_WAY = "Use ops.unsorted_segment_{0} and pass the number of segments."


def _divided(sums: jax.Array, counts: jax.Array) -> jax.Array:
    """The quotient; of integers it is cut towards 0."""
    return integer_quotient(sums, counts) if sums.dtype.kind in "iu" else sums / counts


def _products(x: jax.Array, ids: jax.Array, size: int) -> jax.Array:
    """The products of segments whose numbers do not fall; 1 for an empty one.

    It is a scan that starts again at each segment, because JAX's `segment_prod` has no gradient.
    """
    rest = (1,) * (x.ndim - 1)

    def joined(one, two):
        return one[0] | two[0], jnp.where(two[0], two[1], one[1] * two[1])

    first = jnp.concatenate([jnp.ones(1, bool), ids[1:] != ids[:-1]]).reshape(-1, *rest)
    _, running = jax.lax.associative_scan(joined, (first, x))
    numbers = jnp.arange(size, dtype=ids.dtype)
    last = jnp.maximum(jnp.searchsorted(ids, numbers, side="right") - 1, 0)
    return jnp.where((ids[last] == numbers).reshape(-1, *rest), running[last], 1)


@op(static=("size", "kind"))
def _reduced(x, ids, size, kind):
    rest = (1,) * (x.ndim - 1)
    if kind == "prod":
        return _products(x, ids, size).astype(x.dtype)
    if kind == "sum":
        return jax.ops.segment_sum(x, ids, size).astype(x.dtype)
    counts = jax.ops.segment_sum(jnp.ones(ids.shape, np.int32), ids, size).reshape(-1, *rest)
    if kind == "mean":
        return _divided(jax.ops.segment_sum(x, ids, size), cast(jnp.maximum(counts, 1), x.dtype)).astype(x.dtype)
    found = getattr(jax.ops, f"segment_{kind}")(x, ids, size)
    return jnp.where(counts > 0, found, 0).astype(x.dtype)


def _numbers(api: str, segment_ids: Tensor, way: str, error: type = ValueError) -> np.ndarray:
    ids = host(api, "segment_ids", segment_ids, way)
    check_dtype(api, "segment_ids", ids, np.int32, np.int64)
    if ids.ndim != 1 or not ids.size:
        raise ValueError(f"For '{api}', the 'segment_ids' must have one dimension and elements, but got {ids.shape}.")
    if ids[0] < 0 or (np.diff(ids) < 0).any():
        raise error(f"For '{api}', the 'segment_ids' must not be negative and must not decrease, but got {ids}.")
    return ids


def _segment(kind: str) -> Callable:
    api = f"Segment{kind.capitalize()}"
    empty = 1 if kind == "prod" else 0

    def function(input_x, segment_ids):
        ids = _numbers(api, segment_ids, _WAY.format("sum" if kind == "mean" else kind))
        check_type(api, "input_x", input_x, Tensor)
        if input_x.dtype is mstype.bool_ or (kind in ("max", "min") and input_x.dtype in mstype.complex_type):
            raise TypeError(f"For '{api}', the 'input_x' must hold numbers that it can reduce, not {input_x.dtype}.")
        if input_x.shape[:1] != ids.shape:
            raise ValueError(
                f"For '{api}', the 'segment_ids' must have as many elements as 'input_x' has rows, but got {ids.shape} "
                f"and {input_x.shape}."
            )
        return _reduced(input_x, segment_ids, int(ids[-1]) + 1, kind)

    function.__name__ = function.__qualname__ = f"segment_{kind}"
    function.__doc__ = (
        f"The {kind} of the rows of each segment; {empty} for a segment without rows.\n\nArgs:\n"
        "    input_x: [n, ...], a Tensor of numbers.\n    segment_ids: [n] of Int32 or Int64 that do not fall.\n\n"
        "Returns:\n    Tensor [segment_ids[-1] + 1, ...] of the same dtype.\n\nRaises:\n    TypeError: another dtype.\n"
        "    ValueError: segment numbers that fall or are negative, shapes that do not fit.\n"
    )
    return faces(primitive=f"{api}()(input_x, segment_ids)")(function)


segment_sum, segment_mean, segment_max, segment_min, segment_prod = map(_segment, "sum mean max min prod".split())


@op(static=("size",))
def _row_means(x, indices, segment_ids, size):
    rows = jnp.take(x, indices, axis=0, mode="fill")
    counts = jax.ops.segment_sum(jnp.ones(segment_ids.shape, x.dtype), segment_ids, size)
    sums = jax.ops.segment_sum(rows, segment_ids, size)
    return sums / jnp.maximum(counts, 1).reshape((-1,) + (1,) * (x.ndim - 1))


@faces("ops")
def sparse_segment_mean(x, indices, segment_ids):
    """The means of chosen rows, segment by segment; 0 for a segment without rows.

    Args:
        x: [rows, ...], a Tensor of Float16, Float32 or Float64.
        indices: [n] of Int32 or Int64: which rows.
        segment_ids: [n] of the same dtype, which do not fall: the segment of each.

    Returns:
        Tensor [segment_ids[-1] + 1, ...].

    Raises:
        TypeError: another dtype.
        ValueError: shapes that do not fit.
        RuntimeError: an index out of range, segment numbers that fall or are negative.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.sparse_segment_mean(Tensor([[0.0], [2.0], [6.0]]), Tensor([0, 1, 2]), Tensor([0, 1, 1])))
    [[0.]
     [4.]]
    """
    api = "SparseSegmentMean"
    ids = _numbers(api, segment_ids, _WAY.format("sum"), RuntimeError)
    at = host(api, "indices", indices)
    if not isinstance(x, Tensor) or x.dtype not in (mstype.float16, mstype.float32, mstype.float64):
        raise TypeError(f"For '{api}', the 'x' must be a Tensor of Float16, Float32 or Float64.")
    check_same_dtype(api, indices=at, segment_ids=ids)
    if at.shape != ids.shape or not x.shape:
        raise ValueError(
            f"For '{api}', the 'indices' and 'segment_ids' must have one shape and 'x' rows, but got {at.shape}, "
            f"{ids.shape} and {x.shape}."
        )
    if (at < 0).any() or (at >= x.shape[0]).any():
        raise RuntimeError(f"For '{api}', the 'indices' must be in range [0, {x.shape[0]}), but got {at}.")
    return _row_means(x, indices, segment_ids, int(ids[-1]) + 1)
