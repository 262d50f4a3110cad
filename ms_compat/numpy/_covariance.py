"""`mindspore.numpy`'s covariances and correlations."""

from __future__ import annotations

import functools

from ms_compat._core import dtype as mstype
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.numpy._array import flag, tensor, to_dtype
from ms_compat.ops.function.elementwise import arithmetic
from ms_compat.ops.function.linalg import basic
from ms_compat.ops.function.reduction import reduce
from ms_compat.ops.function.shape import create, join, views


def _variables(api: str, x, y, rowvar: bool, dtype) -> Tensor:
    """The variables of both, one a row."""
    flag(api, rowvar=rowvar)
    rows = []
    for data in (x,) if y is None else (x, y):
        data = create.cast(tensor(data), to_dtype(dtype) or mstype.float32)
        if len(data.shape) > 2:
            raise ValueError(f"For 'numpy.{api}', the variables must have at most 2 dimensions, but got {data.shape}.")
        data = join.atleast_2d(data)
        rows.append(data if rowvar or data.shape[0] == 1 else views.t(data))
    if len({row.shape[1] for row in rows}) > 1:
        raise ValueError(f"For 'numpy.{api}', the numbers of samples must be equal, but got {[r.shape for r in rows]}.")
    return join.concat(rows, 0) if len(rows) > 1 else rows[0]


def _weights(name: str, weights, samples: int, kind, whole: bool) -> Tensor | None:
    if weights is None:
        return None
    weights = tensor(weights)
    if whole and weights.dtype not in mstype.int_type + mstype.uint_type:
        raise TypeError(f"For 'numpy.cov', the '{name}' must be integers, but got {weights.dtype}.")
    if len(weights.shape) > 1:
        raise RuntimeError(f"For 'numpy.cov', the '{name}' must be 1-d, but got the shape {weights.shape}.")
    if weights.shape[0] != samples:
        raise RuntimeError(f"For 'numpy.cov', there must be {samples} '{name}', but got {weights.shape[0]}.")
    return create.cast(weights, kind)


@faces("numpy")
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None):
    """The covariance matrix of variables in rows (or columns).

    Args:
        m, y: the observations, and further ones; of at most 2 dimensions.
        rowvar: whether a row is a variable.
        bias: whether to divide by the number of observations N in place of N - 1.
        ddof: a number to divide by N - ddof.
        fweights: how often each observation occurs; integers.
        aweights: the weight of each observation; integers, as in MindSpore.
        dtype: of the result; Float32 for None.
    """
    x = _variables("cov", m, y, rowvar, dtype)
    repeats = _weights("fweights", fweights, x.shape[1], x.dtype, True)
    shares = _weights("aweights", aweights, x.shape[1], x.dtype, True)
    given = [weights for weights in (repeats, shares) if weights is not None]
    weights = functools.reduce(arithmetic.mul, given) if given else None
    if ddof is None:
        ddof = 0 if bias else 1
    if weights is None:
        x = arithmetic.sub(x, reduce.mean(x, 1, True))
        return views.squeeze(arithmetic.div(basic.matmul(x, views.t(x)), x.shape[1] - ddof))
    total = reduce.sum(weights)
    x = arithmetic.sub(x, arithmetic.div(reduce.sum(arithmetic.mul(x, weights), 1, True), total))
    divisor = total
    if ddof:
        lost = ddof if shares is None else reduce.sum(arithmetic.mul(weights, shares)) * ddof / total
        divisor = arithmetic.sub(total, lost)
    return views.squeeze(arithmetic.div(basic.matmul(arithmetic.mul(x, weights), views.t(x)), divisor))


@faces("numpy")
def corrcoef(x, y=None, rowvar=True, dtype=None):
    """The correlation coefficients of variables in rows (or columns), Float32."""
    data = _variables("corrcoef", x, y, rowvar, dtype)
    data = arithmetic.sub(data, reduce.mean(data, 1, True))
    covariance = basic.matmul(data, views.t(data))
    scale = views.diagonal(covariance) ** 0.5
    return views.squeeze(covariance / views.reshape(scale, (-1, 1)) / views.reshape(scale, (1, -1)))
