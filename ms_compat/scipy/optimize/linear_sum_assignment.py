"""`linear_sum_assignment`, computed by SciPy on the host; inside a compiled function by a callback."""

from __future__ import annotations

import sys

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_type, type_error
from ms_compat._core.tensor import Tensor
from ms_compat.scipy.optimize._callable import callable_module


def _solve(cost, limit, maximize):
    from scipy.optimize import linear_sum_assignment as solve

    cost = np.asarray(cost)
    count = min(cost.shape)
    rows, columns = solve(cost[:, : int(limit)], maximize)
    padded = np.full((2, count), -1, np.int64)
    padded[0, : len(rows)], padded[1, : len(columns)] = rows, columns
    return padded


@op(static=("maximize",), name="linear_sum_assignment")
def _assign(cost, limit, maximize):
    cost = cost.astype(np.float64)
    shape = jax.ShapeDtypeStruct((2, min(cost.shape)), np.int64)
    limit = jnp.minimum(limit, cost.shape[1])
    found = jax.pure_callback(lambda c, n: _solve(c, n, maximize), shape, cost, limit)
    return found[0], found[1]


def linear_sum_assignment(cost_matrix, maximize, dimension_limit=None):
    """The row-to-column assignment with the least cost.

    Args:
        cost_matrix (Tensor): of numbers or bools, with 2 dimensions.
        maximize (bool): whether the largest sum is looked for.
        dimension_limit (Tensor): 0-d, Int64: how many columns take part. Default: all.

    Returns:
        Two Tensors of Int64 as long as the smaller dimension, the rows and their columns; -1 pads them if
        `dimension_limit` leaves fewer.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a matrix of other than 2 dimensions.

    >>> import ms_compat as ms
    >>> from ms_compat.scipy.optimize import linear_sum_assignment
    >>> rows, columns = linear_sum_assignment(ms.Tensor([[4.0, 1.0], [2.0, 5.0]]), False)
    >>> print(columns)
    [1 0]
    """
    api = "linear_sum_assignment"
    check_type(api, "cost_matrix", cost_matrix, Tensor)
    check_bool(api, "maximize", maximize)
    if dimension_limit is None:
        dimension_limit = Tensor(sys.maxsize, mstype.int64)
    if not isinstance(dimension_limit, Tensor) or dimension_limit.dtype is not mstype.int64:
        raise type_error(api, "dimension_limit", "a Tensor of Int64", dimension_limit)
    if cost_matrix.dtype in (mstype.complex64, mstype.complex128):
        raise type_error(api, "cost_matrix", "of real numbers", cost_matrix.dtype)
    check_rank(api, "cost_matrix", cost_matrix, 2)
    return _assign(cost_matrix, dimension_limit, maximize)


callable_module(__name__, "linear_sum_assignment")
