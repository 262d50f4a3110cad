"""Matrices that are singular or not positive definite, wherever their values are known.

Compiled functions and `vmap` do not know the values while they are traced: their results hold infinities or NaN.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor

_GROWTH = 8  # by how much a bound on the last pivot may be off


def check_factor(api: str, matrix: Tensor, factor: Tensor) -> Tensor:
    """The Cholesky factor of known matrices.

    Raises:
        RuntimeError: a matrix is not symmetric, or not positive definite.
    """
    if not isinstance(factor._v, Tracer) and not bool(_is_factor(matrix._v, factor._v)):
        raise RuntimeError(f"For '{api}', the matrix must be symmetric and positive definite.")
    return factor


@jax.jit
def _is_factor(matrix: jax.Array, factor: jax.Array) -> jax.Array:
    wide = matrix.astype(jnp.promote_types(factor.dtype, jnp.float32))
    allowed = 1e-12 if jnp.finfo(wide.dtype).dtype == np.float64 else 1e-5
    off = jnp.linalg.norm(wide - wide.conj().mT, axis=(-2, -1))
    symmetric = off <= allowed * jnp.linalg.norm(wide, axis=(-2, -1))
    return jnp.all(symmetric) & jnp.all(jnp.isfinite(factor))


def check_solution(api: str, matrix: Tensor, solution: Tensor) -> Tensor:
    """The solution of linear equations with known matrices.

    Raises:
        ValueError: elimination with row exchanges meets a pivot of exactly 0.
    """
    if isinstance(matrix._v, Tracer) or isinstance(solution._v, Tracer) or bool(_is_finite(solution._v)):
        return solution
    if bool(_has_zero_pivot(matrix._v.astype(solution._v.dtype))):
        raise ValueError(f"For '{api}', the 'matrix' must be invertible, but it is singular.")
    return solution


@jax.jit
def _is_finite(x: jax.Array) -> jax.Array:
    return jnp.all(jnp.isfinite(x))


@jax.jit
def _has_zero_pivot(matrix: jax.Array) -> jax.Array:
    return jnp.any(jnp.diagonal(jax.lax.linalg.lu(matrix)[0], axis1=-2, axis2=-1) == 0)


def check_invertible(api: str, matrix: Tensor) -> None:
    """Look whether known matrices have an inverse in Float32.

    Raises:
        ValueError: one has none, or an element is not finite.
    """
    if isinstance(matrix._v, Tracer):
        return
    narrow = matrix._v.astype(jnp.complex64 if matrix._v.dtype.kind == "c" else jnp.float32)
    if bool(_may_be_singular(narrow, jnp.linalg.inv(narrow))):
        numbers = np.asarray(narrow)
        if not np.isfinite(numbers).all() or bool((_pivots(numbers)[2] < numbers.shape[-1]).any()):
            raise ValueError(f"For '{api}', a negative power needs matrices with an inverse.")


def inverse_of_regular_part(matrix: Tensor, inverse: Tensor) -> Tensor:
    """The inverse of known matrices; of a singular one, the inverse of its largest regular part, and 0 elsewhere.

    This is MindSpore's value. Elimination with row and column exchanges finds the part: its pivots are larger than
    the dtype's precision times the matrix's size times the largest of them. Infinities and NaN are left as they are.
    """
    if isinstance(matrix._v, Tracer) or isinstance(inverse._v, Tracer):
        return inverse
    matrix = matrix.astype(inverse.dtype)
    if not bool(_may_be_singular(matrix._v, inverse._v)):
        return inverse
    numbers = matrix.asnumpy()
    if not np.isfinite(numbers).all():
        return inverse
    rows, columns, ranks = _pivots(numbers)
    if (ranks == numbers.shape[-1]).all():
        return inverse
    return _inverse_of_part(matrix, Tensor(rows), Tensor(columns), Tensor(ranks))


@jax.jit
def _may_be_singular(matrix: jax.Array, inverse: jax.Array) -> jax.Array:
    """Whether the last pivot may be too small: the inverse holds an element that is at least its reciprocal."""
    precision = jnp.finfo(matrix.dtype).eps * matrix.shape[-1] * _GROWTH
    condition = jnp.max(jnp.abs(matrix), (-2, -1)) * jnp.max(jnp.abs(inverse), (-2, -1))
    return ~jnp.all(condition * precision < 1)


def _pivots(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows and the columns [..., N] in the order in which elimination takes its pivots, and the ranks [...]."""
    size = matrices.shape[-1]
    found = [_pivots_of(matrix) for matrix in matrices.reshape(-1, size, size)]
    rows, columns, ranks = (np.array(part, np.int32) for part in zip(*found, strict=True))
    return (
        rows.reshape(matrices.shape[:-1]),
        columns.reshape(matrices.shape[:-1]),
        ranks.reshape(matrices.shape[:-2]),
    )


def _pivots_of(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    left, size = matrix.copy(), len(matrix)
    rows, columns, pivots = np.arange(size), np.arange(size), np.zeros(size)
    for step in range(size):
        corner = np.abs(left[step:, step:])
        row, column = np.unravel_index(np.argmax(corner), corner.shape) + np.array(step)
        if left[row, column] == 0:
            break
        for order, at in ((rows, row), (columns, column)):
            order[[step, at]] = order[[at, step]]
        left[[step, row]] = left[[row, step]]
        left[:, [step, column]] = left[:, [column, step]]
        pivots[step] = abs(left[step, step])
        below = left[step + 1 :, step] / left[step, step]
        left[step + 1 :, step + 1 :] -= np.outer(below, left[step, step + 1 :])
    return rows, columns, int((pivots > np.finfo(matrix.dtype).eps * size * pivots.max(initial=0)).sum())


@op(name="inverse")
def _inverse_of_part(matrix: Any, rows: Any, columns: Any, ranks: Any):
    def ordered(x, first, second):
        return jnp.take_along_axis(jnp.take_along_axis(x, first[..., :, None], -2), second[..., None, :], -1)

    inside = jnp.arange(matrix.shape[-1]) < ranks[..., None]
    part = inside[..., :, None] & inside[..., None, :]
    whole = jnp.where(part, ordered(matrix, rows, columns), jnp.eye(matrix.shape[-1], dtype=matrix.dtype))
    found = jnp.where(part, jnp.linalg.inv(whole), 0)
    return ordered(found, jnp.argsort(columns, -1), jnp.argsort(rows, -1))
