"""Functions of whole matrices: logarithm, eigenvalues, regularised least squares, nuclear norm, tridiagonal product."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_dtype, check_length, check_square
from ms_compat._core.dispatch.op import op
from ms_compat._core.faces import faces
from ms_compat.ops.function.axes import axis_of, tensor
from ms_compat.ops.function.linalg.eigen import eigen, singular_values
from ms_compat.ops.function.reduction.histogram import of_types

_WIDE = "float32 float64 complex64 complex128"
_ROOTS = 8  # square roots taken before the series: log(A) = 2**8 log(A**(1 / 2**8))


@op(static=("compute_v",), name="Eig")
def eig(x, compute_v=False):
    """Eigenvalues of square matrices and, on request, their eigenvectors as columns.

    Args:
        x: Tensor [..., N, N] of Float32, Float64, Complex64 or Complex128.
        compute_v: whether the eigenvectors are computed; a 0-d zero stands in their place otherwise.

    Returns:
        (values, vectors), complex.
    """
    _square("Eig", tensor("Eig", x, "x"))
    x = of_types("Eig", "x", x, _WIDE)
    values, vectors = eigen(x)
    return values, vectors if compute_v else jnp.zeros((), values.dtype)


def _square(api: str, x: Any) -> None:
    check_square(api, "x", x)


def _log(a: Any) -> Any:
    """The logarithm of one Complex128 matrix by inverse scaling and squaring.

    Source: Al-Mohy & Higham, 2012, with Gauss-Legendre quadrature for the integral of (A - I)(t(A - I) + I)**-1 (Dieci
    & Papini, 1996) in place of its Pade fraction, to which it is equal.
    """
    a = jax.lax.fori_loop(0, _ROOTS, lambda _, root: jax.scipy.linalg.sqrtm(root), a)
    one = jnp.eye(a.shape[0], dtype=a.dtype)
    x = a - one
    rule = zip(*np.polynomial.legendre.leggauss(8), strict=True)  # Gauss's nodes and weights
    parts = [w / 2 * jnp.linalg.solve((1 + t) / 2 * x + one, x) for t, w in rule]
    return 2**_ROOTS * sum(parts)


@jax.custom_vjp
def _logarithm(a: Any) -> Any:
    return jnp.vectorize(_log, signature="(n,n)->(n,n)")(a)


def _pullback(a: Any, cotangent: Any) -> tuple[Any]:
    # The derivative of f at A in the direction E is the upper right block of f([[A, E], [0, A]]) (Higham, 2008, 3.2);
    # its transpose is the derivative at the transposed A.
    a = jnp.swapaxes(a, -1, -2)
    block = jnp.block([[a, cotangent], [jnp.zeros_like(a), a]])
    n = a.shape[-1]
    return (_logarithm(block)[..., :n, n:],)


_logarithm.defvjp(lambda a: (_logarithm(a), a), _pullback)


@faces(primitive="MatrixLogarithm()(x)")
@op(name="MatrixLogarithm")
def matrix_logarithm(x):
    """The principal logarithm of square matrices.

    Args:
        x: Tensor [..., N, N] of Complex64 or Complex128, without eigenvalues on the closed negative real axis.
    """
    x = of_types("MatrixLogarithm", "x", x, "complex64 complex128")
    _square("MatrixLogarithm", x)
    return _logarithm(x.astype(np.complex128)).astype(x.dtype)


@faces(primitive="MatrixSolveLs(fast: bool = True)(matrix, rhs, l2_regularizer)")
@op(static=("fast",), name="MatrixSolveLs")
def matrix_solve_ls(matrix, rhs, l2_regularizer, fast=True):
    """The least-squares solution of matrix @ x = rhs.

    Args:
        matrix: [..., M, N] of Float32, Float64, Complex64 or Complex128.
        rhs: [..., M, K] of the same type.
        l2_regularizer: 0-d Float64; weighs the squared norm of x, if `fast`.
        fast: solves the normal equations; otherwise by singular values, without the regularizer.
    """
    api = "MatrixSolveLs"
    a, b = of_types(api, "matrix", matrix, _WIDE), of_types(api, "rhs", rhs, _WIDE)
    l2 = of_types(api, "l2_regularizer", l2_regularizer, "float64")
    if a.dtype != b.dtype:
        raise TypeError(f"For '{api}', the 'rhs' must be of {a.dtype.name}, as the 'matrix', but got {b.dtype.name}.")
    if a.ndim < 2 or b.ndim < 2 or a.shape[:-1] != b.shape[:-1]:
        raise ValueError(
            f"For '{api}', the 'matrix' must be [..., M, N] and the 'rhs' [..., M, K], but got {a.shape} and {b.shape}."
        )
    if not fast:
        return jnp.matmul(jnp.linalg.pinv(a), b)
    adjoint = jnp.conj(jnp.swapaxes(a, -1, -2))
    m, n = a.shape[-2:]
    weight = l2.reshape(()).astype(a.dtype)
    if m >= n:
        return jnp.linalg.solve(jnp.matmul(adjoint, a) + weight * jnp.eye(n, dtype=a.dtype), jnp.matmul(adjoint, b))
    inner = jnp.linalg.solve(jnp.matmul(a, adjoint) + weight * jnp.eye(m, dtype=a.dtype), b)
    return jnp.matmul(adjoint, inner)


@op(static=("dim", "keepdim"), name="NuclearNorm")
def nuclear_norm(x, dim=None, keepdim=False):
    """The sum of each matrix's singular values.

    Args:
        x: Tensor of Float32 or Float64.
        dim: the two dimensions of the matrices; None for a 2-d Tensor's own.
        keepdim: whether these dimensions stay with size 1.
    """
    api = "NuclearNorm"
    x = of_types(api, "x", x, "float32 float64")
    if dim is None:
        if x.ndim != 2:
            raise ValueError(f"For '{api}', the 'x' must have 2 dimensions where 'dim' is None, but got {x.shape}.")
        dim = (0, 1)
    check_length(api, "dim", dim, 2)
    at = [axis_of(api, d, x.ndim, "dim") for d in dim]
    if at[0] == at[1]:
        raise ValueError(f"For '{api}', the elements of 'dim' must be different, but got {dim}.")
    out = jnp.sum(singular_values(jnp.moveaxis(x, at, (-2, -1))), -1)
    return jnp.expand_dims(out, sorted(at)) if keepdim else out


@faces(primitive="TridiagonalMatMul()(superdiag, maindiag, subdiag, rhs)")
@op(name="TridiagonalMatMul")
def tridiagonal_matmul(superdiag, maindiag, subdiag, rhs):
    """The product of tridiagonal matrices and matrices.

    Args:
        superdiag, maindiag, subdiag: the diagonals [..., 1, M]; the last element of the upper and the first of the
            lower one are not used.
        rhs: [..., M, N] of the same type.
    """
    api = "TridiagonalMatMul"
    rhs = of_types(api, "rhs", rhs, f"float16 {_WIDE}")
    columns = []
    for name, value in (("superdiag", superdiag), ("maindiag", maindiag), ("subdiag", subdiag)):
        value = tensor(api, value, name)
        check_dtype(api, name, value, rhs.dtype)
        if value.ndim < 2 or value.shape != (*rhs.shape[:-2], 1, rhs.shape[-2]):
            raise ValueError(
                f"For '{api}', the '{name}' must have shape {(*rhs.shape[:-2], 1, rhs.shape[-2])}, but got "
                f"{value.shape}."
            )
        columns.append(jnp.swapaxes(value, -1, -2))
    zero = jnp.zeros_like(rhs[..., :1, :])
    below = jnp.concatenate([rhs[..., 1:, :], zero], -2)
    above = jnp.concatenate([zero, rhs[..., :-1, :]], -2)
    return columns[0] * below + columns[1] * rhs + columns[2] * above
