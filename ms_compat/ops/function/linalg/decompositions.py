"""Matrices: covariance, condition, eigenvalues, Householder factors, least squares, LU, and stacks of diagonals."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import (
    check_at_least,
    check_choice,
    check_dtype,
    check_length,
    check_rank,
    check_rank_at_least,
    check_rank_at_most,
    check_square,
)
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, to_float
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import integer, tensor
from ms_compat.ops.function.elementwise.slopes import largest_of_equals, magnitude
from ms_compat.ops.function.linalg.eigen import eigen, singular_values
from ms_compat.ops.function.nn.checks import floating, wide


def _matrix(api: str, x: Any, argument: str = "input", square: bool = False) -> jax.Array:
    x = tensor(api, x, argument)
    if x.dtype.kind not in "fcV":
        raise TypeError(f"For '{api}', the '{argument}' must be of a floating or complex type, but got {x.dtype.name}.")
    check_rank_at_least(api, argument, x, 2)
    return check_square(api, argument, x) if square else x


@op(static=("correction",), name="cov")
def _cov(input, correction, fweights, aweights):
    x = tensor("cov", input)
    if x.dtype == bool:
        raise TypeError("For 'cov', the 'input' must not be of type Bool.")
    check_rank_at_most("cov", "input", x, 2)
    x = to_float(x)
    data = x.reshape(1, -1) if x.ndim < 2 else x
    weights = None
    for name, given, kind in (("fweights", fweights, "iu"), ("aweights", aweights, "f")):
        if given is None:
            continue
        if given.dtype.kind not in kind:
            raise TypeError(
                f"For 'cov', the '{name}' must be of {'an integer' if kind == 'iu' else 'a floating'} type, but got "
                f"{given.dtype.name}."
            )
        if given.shape != data.shape[1:]:
            raise ValueError(f"For 'cov', the '{name}' must have {data.shape[1]} elements, but got {given.shape}.")
        weights = given.astype(data.real.dtype) * (1 if weights is None else weights)
    total = data.shape[1] if weights is None else jnp.sum(weights)
    scaled = data if weights is None else data * weights
    mean = jnp.sum(scaled, 1, keepdims=True) / total
    loss = correction
    if aweights is not None:
        loss = correction * jnp.sum(weights * aweights) / total
    centred = data - mean
    left = centred if weights is None else centred * weights
    out = jnp.matmul(left, jnp.conj(centred).T) / jnp.maximum(total - loss, 0)
    return out.reshape(()) if out.size == 1 else out.astype(wide(x).dtype)


@faces("ops Tensor")
def cov(input, *, correction=1, fweights=None, aweights=None):
    """Covariances of the rows, whose columns are the observations.

    Args:
        input: a Tensor of at most two dimensions.
        correction: subtracted from the number of observations.
        fweights: how often each observation occurred; an integer Tensor.
        aweights: the importance of each; a floating Tensor.

    Raises:
        TypeError: a Tensor of Bool, or weights of another type.
        ValueError: more dimensions, or another number of weights.
    """
    return _cov(input, correction, fweights, aweights)


_ORDERS = (None, 2, -2, 1, -1, float("inf"), float("-inf"), "fro", "nuc")


@faces("ops")
@op(static=("p",))
def cond(A, p=None):
    """The condition number of matrices: norm(A) * norm(A's inverse).

    Args:
        A: a Tensor of matrices, square ones unless `p` is 2 or -2.
        p: 2 (default), -2, 1, -1, inf, -inf, "fro" or "nuc".

    Raises:
        ValueError: another `p`, or a matrix that is not square.
    """
    check_choice("cond", "p", p, _ORDERS)
    x = _matrix("cond", A, "A", p not in (None, 2, -2))
    if p in (None, 2, -2):
        s = singular_values(x)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    norms = [jnp.linalg.norm(v, p, (-2, -1)) for v in (x, jnp.linalg.inv(x))]
    return norms[0] * norms[1]


@faces("ops")
@op
def eig(A):
    """Eigenvalues and eigenvectors (as columns) of square matrices, always complex."""
    return eigen(_matrix("eig", A, "A", True))


@faces("ops Tensor")
@op
def eigvals(A):
    """Eigenvalues of square matrices, always complex."""
    return eigen(_matrix("eigvals", A, "A", True))[0]


@faces("ops Tensor", primitive="Geqrf()(x)")
@op
def geqrf(input):
    """Householder's factors of matrices: R on and above the diagonal, the vectors below it; and their scales tau.

    Args:
        input: a Tensor of matrices.
    """
    x = _matrix("geqrf", input)
    packed, tau = jnp.linalg.qr(wide(x), mode="raw")
    return jnp.swapaxes(packed, -1, -2).astype(x.dtype), tau.astype(x.dtype)


@faces("ops Tensor", primitive="Orgqr()(x, tau)")
@op
def orgqr(input, input2):
    """The first columns of the Householder reflections' product, as `geqrf` returns them.

    Args:
        input: vectors below the diagonals of [*, M, N].
        input2: scales [*, K].
    """
    if tensor("orgqr", input2, "input2").ndim != _matrix("orgqr", input).ndim - 1:
        raise ValueError(f"For 'Orgqr', one dimension less than {input.shape} is needed, but got {input2.shape}.")
    return lax.linalg.householder_product(input, input2)


@faces("ops Tensor", primitive="Ormqr(left=True, transpose=False)(x, tau, other)")
@op(static=("left", "transpose"))
def ormqr(input, tau, other, left=True, transpose=False):
    """The product of a matrix with the full Q of `geqrf`.

    Args:
        input: vectors below the diagonals of [*, M, N].
        tau: scales [*, K].
        other: the matrix.
        left: whether Q is the left factor.
        transpose: whether it is conjugated and transposed.
    """
    x = _matrix("ormqr", input)
    size = x.shape[-2]
    if other.shape[-2 if left else -1] != size:
        raise ValueError(f"For 'Ormqr', Q of size {size} does not fit 'other' of shape {other.shape}.")
    if size > x.shape[-1]:
        x = jnp.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, size - x.shape[-1])])
    q = lax.linalg.householder_product(x[..., :size], tau)
    q = jnp.conj(jnp.swapaxes(q, -1, -2)) if transpose else q
    return jnp.matmul(q, other) if left else jnp.matmul(other, q)


@faces("ops Tensor")
@op
def lstsq(input, A):
    """The X for which input @ X is nearest to A; the shortest such X if there are several.

    Args:
        input: a floating Tensor [M, N].
        A: a floating Tensor [M, K] or [M].

    Returns:
        Tensor [N, K].
    """
    x, b = _matrix("lstsq", input), floating("lstsq", "A", A)
    if x.ndim != 2 or b.ndim not in (1, 2) or x.shape[0] != b.shape[0]:
        raise ValueError(f"For 'lstsq', the shapes must be [M, N] and [M, K], but got {x.shape} and {b.shape}.")
    return jnp.linalg.lstsq(x, b if b.ndim == 2 else b[:, None])[0]


def _lu_checks(api: str, lu: jax.Array, pivots: jax.Array) -> None:
    if pivots.dtype.kind != "i":
        raise TypeError(f"For '{api}', the 'LU_pivots' must hold ints, but got {pivots.dtype.name}.")
    if pivots.shape[-1] != min(lu.shape[-2:]):
        raise ValueError(
            f"For '{api}', the last size of 'LU_pivots' must be {min(lu.shape[-2:])}, but got {pivots.shape}."
        )


@faces("ops Tensor", primitive="LuSolve()(x, lu_data, lu_pivots)")
@op(tensors="LU_pivots")
def lu_solve(b, LU_data, LU_pivots):
    """The solutions of A y = b for the LU factors of A, with pivots counted from 1.

    Args:
        b: a Tensor [*, M, K].
        LU_data: both factors in one Tensor [*, M, M].
        LU_pivots: Int32 [*, M].
    """
    x, lu = _matrix("lu_solve", b, "b"), _matrix("lu_solve", LU_data, "LU_data", True)
    _lu_checks("lu_solve", lu, LU_pivots)
    batch = jnp.broadcast_shapes(x.shape[:-2], lu.shape[:-2])
    x, lu = jnp.broadcast_to(x, batch + x.shape[-2:]), jnp.broadcast_to(lu, batch + lu.shape[-2:])
    pivots = jnp.broadcast_to(LU_pivots, batch + LU_pivots.shape[-1:]) - 1
    return jax.scipy.linalg.lu_solve((lu, pivots), x)


@op(tensors="pivots")
def _lu_unpack(lu, pivots):
    _lu_checks("lu_unpack", _matrix("lu_unpack", lu, "LU_data"), pivots)
    rows, columns = lu.shape[-2:]
    small = min(rows, columns)
    order = lax.linalg.lu_pivots_to_permutation(pivots - 1, rows)
    permutation = jnp.swapaxes(jax.nn.one_hot(order, rows, dtype=lu.dtype), -1, -2)
    lower = jnp.tril(lu[..., :small], -1) + jnp.eye(rows, small, dtype=lu.dtype)
    return permutation, lower, jnp.triu(lu[..., :small, :])


@faces("ops")
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):
    """The permutation P, the lower and the upper factor of `LU_data`; None for each one not requested.

    Args:
        LU_data: both factors in one Tensor [*, M, N].
        LU_pivots: Int32 [*, min(M, N)], counted from 1.
        unpack_data: whether to return the factors.
        unpack_pivots: whether to return P.
    """
    permutation, lower, upper = _lu_unpack(LU_data, LU_pivots)
    return (permutation if unpack_pivots else None, *((lower, upper) if unpack_data else (None, None)))


# -- stacks of diagonals ---------------------------------------------------------------------------------------------
_ALIGN = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(api: str, k: Any) -> tuple[int, int]:
    many = k if isinstance(k, tuple) else (k,)
    if len(many) not in (1, 2) or many[0] > many[-1]:
        raise ValueError(f"For '{api}', the 'k' must be an int or two ints in order, but got {k}.")
    return integer(api, "k", many[0]), integer(api, "k", many[-1])


def _aligned(api: str, align: Any) -> str:
    check_one_of(api, "align", align, _ALIGN)
    return align


def _longest(api: str, rows: int, columns: int, low: int, high: int) -> int:
    if low != 0 and not -rows < low < columns or high != 0 and not -rows < high < columns:
        raise ValueError(f"For '{api}', the 'k' must be in ({-rows}, {columns}), but got ({low}, {high}).")
    return min(rows + min(high, 0), columns - max(low, 0))


def _places(rows: int, columns: int, low: int, high: int, align: str, longest: int):
    """For each place of the matrix: whether it is on the band, its diagonal from the top, and the column there."""
    i, j = np.indices((rows, columns))
    d = j - i
    right = np.where(d >= 0, align.startswith("RIGHT"), align.endswith("RIGHT"))
    length = np.minimum(rows + np.minimum(d, 0), columns - np.maximum(d, 0))
    on = (d >= low) & (d <= high)
    return on, np.where(on, high - d, 0), np.where(on, np.minimum(i, j) + right * (longest - length), 0)


@op(static=("k", "num_rows", "num_cols", "align"))
def _matrix_diag(x, k, num_rows, num_cols, padding_value, align):
    api = "matrix_diag"
    x = tensor(api, x, "x")
    low, high = _band(api, k)
    align = _aligned(api, align)
    longest = x.shape[-1]
    least_rows, least_columns = longest - min(high, 0), longest + max(low, 0)
    rows, columns = num_rows, num_cols
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows, columns = least_rows if rows == -1 else rows, least_columns if columns == -1 else columns
    if low != high and (x.ndim < 2 or x.shape[-2] != high - low + 1) or rows < least_rows or columns < least_columns:
        raise ValueError(f"For '{api}', {k} diagonals of shape {x.shape} do not fit into ({rows}, {columns}).")
    on, row, column = _places(rows, columns, low, high, align, longest)
    picked = x[..., column] if low == high else x[..., row, column]
    return jnp.where(on, picked, cast(padding_value, x.dtype))


def _static(value: Any) -> Any:
    return value.asnumpy().tolist() if isinstance(value, Tensor) else value


@faces("ops", primitive="MatrixDiagV3(align='RIGHT_LEFT')(x, k, num_rows, num_cols, padding_value)")
def matrix_diag(x, k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with given diagonals.

    Args:
        x: a Tensor [*, longest diagonal], or [*, diagonals, longest diagonal] from the top one on.
        k: the diagonal (an int or a Tensor of one), or the lowest and the highest.
        num_rows, num_cols: the matrices' size; as small as can be (and square) for -1.
        padding_value: the value elsewhere.
        align: to which side shorter diagonals stand in `x`: those above the main one, then those below.

    Raises:
        ValueError: another `align`, or sizes that do not fit.
    """
    sizes = [_static(n) for n in (num_rows, num_cols)]
    return _matrix_diag(x, _freeze(k), *[n[0] if isinstance(n, list) else n for n in sizes], padding_value, align)


def _freeze(k: Any) -> Any:
    k = _static(k)
    return tuple(k) if isinstance(k, list) else k


@op(static=("k", "align"), tensors="padding_value")
def _matrix_diag_part(x, k, padding_value, align):
    api = "matrix_diag_part"
    x = tensor(api, x, "x")
    check_rank_at_least(api, "x", x, 2)
    low, high = _band(api, k)
    rows, columns = x.shape[-2:]
    longest = _longest(api, rows, columns, low, high)
    on, row, column = _places(rows, columns, low, high, _aligned(api, align), longest)
    i, j = np.nonzero(on)
    shape = (*x.shape[:-2], high - low + 1, longest)
    out = jnp.broadcast_to(cast(padding_value, x.dtype), shape).at[..., row[i, j], column[i, j]].set(x[..., i, j])
    return out[..., 0, :] if low == high else out


@faces("ops", primitive="MatrixDiagPartV3(align='RIGHT_LEFT')(x, k, padding_value)")
def matrix_diag_part(x, k, padding_value, align="RIGHT_LEFT"):
    """The diagonals of matrices as rows, from the top one on; arguments as for `matrix_diag`."""
    return _matrix_diag_part(x, _freeze(k), padding_value, align)


@op(static=("k", "align"))
def _matrix_set_diag(x, diagonal, k, align):
    api = "matrix_set_diag"
    x, diagonal = tensor(api, x, "x"), tensor(api, diagonal, "diagonal")
    low, high = _band(api, k)
    rows, columns = x.shape[-2:]
    longest = _longest(api, rows, columns, low, high)
    stack = diagonal[..., None, :] if low == high else diagonal
    if stack.shape != (*x.shape[:-2], high - low + 1, longest):
        raise ValueError(f"For '{api}', diagonals of shape {diagonal.shape} do not fit into {x.shape} at {k}.")
    on, row, column = _places(rows, columns, low, high, _aligned(api, align), longest)
    return jnp.where(on, stack[..., row, column].astype(x.dtype), x)


@faces("ops", primitive="MatrixSetDiagV3(align='RIGHT_LEFT')(x, diagonal, k)")
def matrix_set_diag(x, diagonal, k=0, align="RIGHT_LEFT"):
    """Copies of matrices with their diagonals replaced; arguments as for `matrix_diag`."""
    return _matrix_set_diag(x, diagonal, _freeze(k), align)


# -- products and distances ------------------------------------------------------------------------------------------
@faces("ops")
@op(static=("axes",))
def batch_dot(x1, x2, axes=None):
    """Products of two batches' samples, summed over one axis of each.

    Args:
        x1: a Float32 Tensor [B, *].
        x2: likewise.
        axes: the two axes, or one for both; by default the last of `x1` and the last but one of `x2`.

    Raises:
        TypeError: another dtype.
        ValueError: axes that do not fit, or two batch sizes.
    """
    a, b = tensor("batch_dot", x1, "x1"), tensor("batch_dot", x2, "x2")
    for name, v in (("x1", a), ("x2", b)):
        check_dtype("batch_dot", name, v, np.float32)
        check_rank_at_least("batch_dot", name, v, 2)
    if axes is None:
        axes = (a.ndim - 1, max(b.ndim - 2, 1))
    axes = axes if isinstance(axes, tuple) else (axes, axes)
    check_length("batch_dot", "axes", axes, 2)
    found = []
    for at, v in zip(axes, (a, b), strict=True):
        if not -v.ndim <= integer("batch_dot", "axes", at) < v.ndim or at % v.ndim == 0:
            raise ValueError(f"For 'batch_dot', the 'axes' must be in [1, {v.ndim}), but got {axes}.")
        found.append(at % v.ndim)
    if a.shape[0] != b.shape[0] or a.shape[found[0]] != b.shape[found[1]]:
        raise ValueError(f"For 'batch_dot', the shapes {a.shape} and {b.shape} do not fit at the axes {axes}.")
    out = lax.dot_general(a, b, (((found[0],), (found[1],)), ((0,), (0,))), precision=lax.Precision.HIGHEST)
    return out[:, None] if out.ndim == 1 else out


@faces("ops", primitive="Pdist(p=2.0)(x)")
@op(static=("p",))
def pdist(input, p=2.0):
    """The p-norm distances between all row pairs, in the order of `itertools.combinations`.

    Args:
        input: a floating Tensor [N, M].
        p: a number of at least 0; 0 counts the differences, inf takes the largest.

    Raises:
        ValueError: a negative `p`, or another rank.
    """
    x = floating("pdist", "input", input)
    check_rank("pdist", "input", x, 2)
    check_at_least("pdist", "p", p, 0)
    i, j = np.triu_indices(x.shape[0], 1)
    gap = magnitude(x[i] - x[j])
    if p == 0:
        return jnp.sum(gap != 0, -1).astype(x.dtype)
    if p == float("inf"):
        return largest_of_equals(gap)
    total = jnp.sum(gap**p, -1)
    apart = total > 0
    return jnp.where(apart, jnp.where(apart, total, 1) ** (1 / p), 0).astype(x.dtype)
