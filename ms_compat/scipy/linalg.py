"""`mindspore.scipy.linalg`: factorizations and solvers of matrices.

Integers are computed in Float64, as MindSpore does. The flags of SciPy that only save memory (`overwrite_a`) or a check
(`check_finite`) change nothing.

>>> import ms_compat as ms
>>> from ms_compat.scipy.linalg import inv
>>> print(inv(ms.Tensor([[2.0, 0.0], [0.0, 4.0]])))
[[0.5  0.  ]
 [0.   0.25]]
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy import linalg as _linalg

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_choice, check_rank, check_same_dtype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_type, value_error
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.ops.function.linalg.eigen import eigen_hermitian
from ms_compat.ops.function.linalg.singular import check_factor, inverse_of_regular_part

_REAL = (mstype.int32, mstype.int64, mstype.float32, mstype.float64)
_COMPLEX = (*_REAL, mstype.complex64, mstype.complex128)
_TRANS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _flags(api: str, **flags: Any) -> None:
    for name, value in flags.items():
        check_bool(api, name, value)
        if name.startswith("overwrite"):
            no_effect(api, "arrays are immutable", **{name: value})


def _matrix(api: str, a: Any, name: str = "a", square: bool = True, dtypes: tuple = _REAL) -> Tensor:
    """A checked matrix, of a float type."""
    check_type(api, name, a, Tensor)
    if a.dtype not in dtypes:
        raise TypeError(f"For '{api}', the dtype of '{name}' must be one of {list(dtypes)}, but got {a.dtype}.")
    check_rank(api, name, a, 2)
    if square and a.shape[0] != a.shape[1]:
        raise ValueError(f"For '{api}', the '{name}' must be a square matrix, but got the shape {a.shape}.")
    return a


def _wide(x: jax.Array) -> jax.Array:
    return x.astype(np.float64) if x.dtype.kind in "iu" else x


@op(name="inv")
def _inv(a):
    return jnp.linalg.inv(_wide(a))


@op(static=("lower",), name="cholesky")
def _cholesky(a, lower):
    return _linalg.cholesky(_wide(a), lower=lower)


@op(static=("lower",), name="cho_solve")
def _cho_solve(c, b, lower):
    return _linalg.cho_solve((_wide(c), lower), _wide(b))


@op(static=("lower",), name="eigh")
def _eigh(a, lower):
    a = _wide(a)
    # the other triangle from the one that counts, so that this one gets the whole gradient
    rest = jnp.tril(a, -1) if lower else jnp.triu(a, 1)
    whole = (jnp.tril(a) if lower else jnp.triu(a)) + jnp.swapaxes(rest, -1, -2).conj()
    values, vectors = eigen_hermitian(whole)
    return values.astype(a.dtype), vectors


@op(name="lu_factor")
def _lu_factor(a):
    factors, pivots = _linalg.lu_factor(_wide(a))
    return factors, pivots.astype(np.int32)


@op(name="lu")
def _lu(a):
    permutation, lower, upper = _linalg.lu(_wide(a))
    return permutation.astype(np.int32), lower, upper


@op(static=("trans",), name="lu_solve")
def _lu_solve(factors, pivots, b, trans):
    return _linalg.lu_solve((_wide(factors), pivots), _wide(b), trans)


@op(name="det")
def _det(a):
    return jnp.linalg.det(_wide(a))


@op(static=("trans", "lower", "unit_diagonal"), name="solve_triangular")
def _solve_triangular(a, b, trans, lower, unit_diagonal):
    check_same_dtype("solve_triangular", a=a, b=b)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"For 'solve_triangular', the 'a' must be square matrices, but got the shape {a.shape}.")
    vector = b.ndim == a.ndim - 1
    if (b.shape if vector else b.shape[:-1]) != a.shape[:-1]:
        raise ValueError(
            f"For 'solve_triangular', the rows of 'a' and 'b' must match, but got the shapes {a.shape} and {b.shape}."
        )
    kind = {"int32": np.float32, "int64": np.float64}.get(a.dtype.name, a.dtype)
    inner = np.dtype(np.float32) if a.dtype.itemsize == 2 else kind
    right = b[..., None] if vector else b
    x = jax.lax.linalg.triangular_solve(
        a.astype(inner),
        right.astype(inner),
        left_side=True,
        lower=lower,
        transpose_a=trans > 0,
        conjugate_a=trans == 2,
        unit_diagonal=unit_diagonal,
    )
    return (x[..., 0] if vector else x).astype(kind)


@op(name="lstsq")
def _lstsq(a, b, rcond):
    if a.dtype != b.dtype or a.dtype.kind not in "fc":
        raise TypeError(f"For 'lstsq', 'A' and 'B' must have one float dtype, but got {a.dtype} and {b.dtype}.")
    vector = b.ndim == a.ndim - 1
    if a.ndim < 2 or (b.shape if vector else b.shape[:-1]) != a.shape[:-1]:
        raise ValueError(f"For 'lstsq', the rows of 'A' and 'B' must match, but got {a.shape} and {b.shape}.")
    right = b[..., None] if vector else b
    s = jnp.linalg.svd(a, compute_uv=False)
    limit = jnp.finfo(a.dtype).eps * max(a.shape[-2:]) if rcond is None else rcond
    x = jnp.linalg.pinv(a, rtol=limit) @ right
    rank = jnp.sum(s > limit * s[..., :1], -1).astype(np.int64)
    residues = jnp.sum(jnp.abs(a @ x - right) ** 2, -2).astype(s.dtype)
    # MindSpore differentiates the solution alone
    residues, values = jax.lax.stop_gradient((residues, s))
    return (x[..., 0] if vector else x).astype(a.dtype), residues, rank, values


def inv(a, overwrite_a=False, check_finite=True):
    """The inverse of a matrix.

    Args:
        a (Tensor): square matrix of Float32, Float64, Int32 or Int64.
        overwrite_a, check_finite (bool): without effect.

    Returns:
        Tensor; for a singular `a` see `ops.inverse`.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a square matrix.
    """
    _flags("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    a = _matrix("inv", a)
    return inverse_of_regular_part(a, _inv(a))


def _factor(api: str, a: Any, lower: bool) -> Tensor:
    a = _matrix(api, a)
    return check_factor(api, a, _cholesky(a, lower))


def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """The Cholesky factor U of a = U^H U, or L of a = L L^H.

    Args:
        a (Tensor): positive definite matrix of Float32, Float64, Int32 or Int64.
        lower (bool): whether to give L.
        overwrite_a, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a square matrix.
        RuntimeError: `a` is not positive definite; inside a compiled function the factor is NaN.
    """
    _flags("cholesky", lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    return _factor("cholesky", a, lower)


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """The Cholesky factor and `lower`, for `cho_solve`; arguments as of `cholesky`."""
    _flags("cho_factor", lower=lower, overwrite_a=overwrite_a, check_finite=check_finite)
    return _factor("cho_factor", a, lower), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """Solves a x = b.

    Args:
        c_and_lower (tuple): what `cho_factor` gave for a.
        b (Tensor): vector or matrix.
        overwrite_b, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type, or two dtypes.
        ValueError: the shapes do not match.
    """
    c, lower = c_and_lower
    _flags("cho_solve", lower=lower, overwrite_b=overwrite_b, check_finite=check_finite)
    _matrix("cho_solve", c, "c")
    check_type("cho_solve", "b", b, Tensor)
    check_same_dtype("cho_solve", c=c, b=b)
    if b.ndim not in (1, 2) or b.shape[0] != c.shape[0]:
        raise ValueError(f"For 'cho_solve', the shapes of 'c' and 'b' must match, but got {c.shape} and {b.shape}.")
    return _cho_solve(c, b, lower)


def eigh(
    a,
    b=None,
    lower=True,
    eigvals_only=False,
    overwrite_a=False,
    overwrite_b=False,
    turbo=True,
    eigvals=None,
    type=1,
    check_finite=True,
):
    """Eigenvalues and eigenvectors of a Hermitian matrix.

    Args:
        a (Tensor): square matrix.
        b, eigvals: None, as in MindSpore.
        lower (bool): whether the lower triangle is read.
        eigvals_only (bool): whether to leave the eigenvectors out.
        overwrite_a, overwrite_b, turbo, type, check_finite: without effect on this problem.

    Returns:
        The eigenvalues in rising order, and the eigenvectors as columns.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a square matrix; `b` or `eigvals` is given.
    """
    _flags(
        "eigh",
        lower=lower,
        eigvals_only=eigvals_only,
        overwrite_a=overwrite_a,
        overwrite_b=overwrite_b,
        turbo=turbo,
        check_finite=check_finite,
    )
    for name, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise value_error("eigh", name, "None", value)
    check_choice("eigh", "type", type, (1, 2, 3))
    values, vectors = _eigh(_matrix("eigh", a, dtypes=_COMPLEX), lower)
    return values if eigvals_only else (values, vectors)


def lu_factor(a, overwrite_a=False, check_finite=True):
    """The pivoted factors L and U in one matrix, and the pivots.

    Args:
        a (Tensor): square matrix of Float32, Float64, Int32 or Int64.
        overwrite_a, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a square matrix.
    """
    _flags("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    return _lu_factor(_matrix("lu_factor", a))


def lu(a, permute_l=False, overwrite_a=False, check_finite=True):
    """The factors P, L and U of a = P L U; P is of Int32.

    Args:
        a (Tensor): matrix of Float32, Float64, Int32 or Int64.
        permute_l (bool): whether to give P L in place of P and L.
        overwrite_a, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a matrix.
    """
    _flags("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    permutation, lower, upper = _lu(_matrix("lu", a, square=False))
    return (permutation.astype(lower.dtype) @ lower, upper) if permute_l else (permutation, lower, upper)


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """Solves a x = b.

    Args:
        lu_and_piv (tuple): what `lu_factor` gave for a.
        b (Tensor): vector or matrix.
        trans (int): 0 for a, 1 for its transpose, 2 for its adjoint.
        overwrite_b, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type, or two dtypes.
        ValueError: the shapes do not match, or an unknown `trans`.
    """
    _flags("lu_solve", overwrite_b=overwrite_b, check_finite=check_finite)
    factors, pivots = lu_and_piv
    _matrix("lu_solve", factors, "lu")
    for name, value in (("piv", pivots), ("b", b)):
        check_type("lu_solve", name, value, Tensor)
    check_same_dtype("lu_solve", lu=factors, b=b)
    if b.ndim not in (1, 2) or b.shape[0] != factors.shape[0]:
        raise ValueError(f"For 'lu_solve', the shapes of 'lu' and 'b' must match, got {factors.shape} and {b.shape}.")
    check_choice("lu_solve", "trans", trans, (0, 1, 2))
    return _lu_solve(factors, pivots, b, trans)


def det(a, overwrite_a=False, check_finite=True):
    """The determinant.

    Args:
        a (Tensor): square matrix of Float32, Float64, Int32 or Int64.
        overwrite_a, check_finite (bool): without effect.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `a` is not a square matrix.
    """
    _flags("det", overwrite_a=overwrite_a, check_finite=check_finite)
    return _det(_matrix("det", a))


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, debug=None, check_finite=True):
    """Solves a x = b for a triangular a.

    Args:
        a (Tensor): matrices of shape (*, M, M).
        b (Tensor): of shape (*, M) or (*, M, N).
        trans (Union[int, str]): 0 or "N" for a, 1 or "T" for its transpose, 2 or "C" for its adjoint.
        lower (bool): whether the lower triangle is read.
        unit_diagonal (bool): whether the diagonal counts as ones.
        overwrite_b, debug, check_finite: without effect.

    Raises:
        TypeError: an argument of a wrong type, or two dtypes.
        ValueError: the shapes do not match, or an unknown `trans`.
    """
    _flags("solve_triangular", lower=lower, unit_diagonal=unit_diagonal, overwrite_b=overwrite_b)
    for name, value in (("a", a), ("b", b)):
        check_type("solve_triangular", name, value, Tensor)
    check_choice("solve_triangular", "trans", trans, _TRANS)
    unchecked = None if check_finite is True else str(check_finite)
    no_effect("solve_triangular", "MindSpore leaves it out too", debug=debug, check_finite=unchecked)
    return _solve_triangular(a, b, _TRANS[trans], lower, unit_diagonal)


def block_diag(*arrs):
    """A matrix with the given ones along its diagonal, of the first one's dtype.

    Args:
        arrs: Tensors of 2 dimensions at most; numbers and vectors count as matrices of one row.

    Raises:
        TypeError: something else than Tensors.
        ValueError: a Tensor of more dimensions.
    """
    for number, a in enumerate(arrs):
        check_type("block_diag", f"arrs[{number}]", a, Tensor)
        if a.ndim > 2:
            raise ValueError(f"For 'block_diag', Tensors must have 2 dimensions at most, but got {a.ndim}.")
    if not arrs:
        return Tensor(np.zeros((1, 0), np.float32))
    return _block_diag(arrs)


@op(name="block_diag")
def _block_diag(arrs):
    return _linalg.block_diag(*[a.astype(arrs[0].dtype) for a in arrs])


def lstsq(A, B, rcond=None, driver=None):
    """The solution of A x = B of least squares, the smallest if there are many.

    Args:
        A (Tensor): matrices of shape (*, M, N).
        B (Tensor): of shape (*, M) or (*, M, K).
        rcond (float): singular values below this share of the largest count as zero.
        driver (str): LAPACK's way that MindSpore would take: "gels", "gelsy" (also None), "gelsd" or "gelss"; it
            decides which of the other results are filled.

    Returns:
        The solution, the sums of squared residues ("gels", "gelsd", "gelss" with M > N; else empty), the rank of A
        (empty for "gels"), and the singular values ("gelsd", "gelss"; else empty).

    Raises:
        TypeError: an argument of a wrong type, or two dtypes.
        ValueError: the shapes do not match, or an unknown driver.
    """
    for name, value in (("A", A), ("B", B)):
        check_type("lstsq", name, value, Tensor)
    check_choice("lstsq", "driver", driver, (None, "gels", "gelsy", "gelsd", "gelss"))
    x, residues, rank, singular = _lstsq(A, B, rcond)
    nothing = Tensor(np.zeros(0, mstype.dtype_to_nptype(singular.dtype)))
    if driver in (None, "gelsy") or A.shape[-2] <= A.shape[-1]:
        residues = nothing
    if driver not in ("gelsd", "gelss"):
        singular = nothing
    return x, residues, Tensor(np.zeros(0, np.int64)) if driver == "gels" else rank, singular


__getattr__ = unsupported_getattr(__name__)
