"""`mindspore.mint.linalg`."""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat.ops.function.linalg.norms import matrix_norm as _matrix_norm
from ms_compat.ops.function.linalg.norms import vector_norm_ext as _vector_norm

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]  # noqa: F822  (`inv` and `qr` are faces)


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A norm of vectors or matrices, as `mindspore.ops.norm`."""
    from ms_compat.ops.function.linalg import norms

    rank = norms.rank_of(A, dim)
    if ord is None or (rank == 1 and isinstance(ord, (int, float))) or (rank == 2 and ord == "fro"):
        return norms.vector_norm_ext(A, 2 if ord in (None, "fro") else ord, dim, keepdim, dtype)
    return norms.norm(A, norms.by_value(ord), dim, keepdim, dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """A norm of matrices, as `mindspore.ops.matrix_norm`."""
    if ord == "fro":
        return _vector_norm(A, 2, dim, keepdim, dtype)
    return _matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """A norm of vectors: (sum of |x|**ord)**(1/ord) over dimensions; inf, -inf and 0 as limits.

    Args:
        x: a Tensor.
        ord: a number.
        dim: None (all), an int or a tuple of ints.
        keepdim: whether reduced dimensions stay with size 1.
        dtype: compute in this dtype.
    """
    return _vector_norm(x, ord, dim, keepdim, dtype)


__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
