"""`mindspore.mint.linalg`."""

from ms_compat.ops.function.linalg import inverse as inv
from ms_compat.ops.function.linalg import matrix_norm as matrix_norm
from ms_compat.ops.function.linalg import qr as qr
from ms_compat.ops.function.linalg import vector_norm as vector_norm

__all__ = ["inv", "matrix_norm", "norm", "qr", "vector_norm"]


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """A norm of vectors or matrices, as `mindspore.ops.norm`."""
    from ms_compat.ops.function.linalg import norm as general

    return general(A, ord, dim, keepdim, dtype)
