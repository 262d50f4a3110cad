"""Matrices in compressed rows, one or a batch, given as five Tensors: primitives of `ops.operations.sparse_ops`.

The five are the shape, where each matrix of the batch begins among the elements, where each row begins (a matrix of m
rows has m + 1 such places), the columns, and the values. The host computes the element positions; see
`coordinates.py`.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_same_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import value_error
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.sparse.coordinates import (
    Coordinates,
    _softmax,
    _united,
    coordinates,
    like_indices,
    sizes,
    taken,
)
from ms_compat.ops.function.sparse.host import host

CSR = ("x_dense_shape", "x_batch_pointers", "x_row_pointers", "x_col_indices", "x_values")


def _elements(api: str, shape: Any, batch: Any, rows: Any, columns: Any) -> Coordinates:
    """The element positions; for a batch, each starts with its matrix number."""
    whole = sizes(api, "dense_shape", shape)
    if len(whole) not in (2, 3):
        raise ValueError(f"For '{api}', the 'dense_shape' must have 2 or 3 sizes, but got {whole}.")
    height = whole[-2]
    ends = host(api, "row_pointers", rows).astype(np.int64).reshape(-1, height + 1)
    row = np.concatenate([np.repeat(np.arange(height), np.diff(one)) for one in ends])
    parts = [row, host(api, "col_indices", columns).astype(np.int64)]
    if len(whole) == 3:
        parts.insert(0, np.repeat(np.arange(whole[0]), np.diff(host(api, "batch_pointers", batch))))
    return Coordinates(np.stack(parts, 1), whole)


def _compressed(found: Coordinates, values: Any, like: Any, shape: Any = None) -> tuple:
    """The five Tensors of elements, which come in the order of their coordinates."""
    matrices = found.shape[0] if len(found.shape) == 3 else 1
    height = found.shape[-2]
    row = found.at[:, -2] + (found.at[:, 0] * height if matrices > 1 or len(found.shape) == 3 else 0)
    counts = np.bincount(row, minlength=matrices * height).reshape(matrices, height)
    rows = np.concatenate([np.zeros((matrices, 1), np.int64), np.cumsum(counts, 1)], 1).reshape(-1)
    batch = np.concatenate([[0], np.cumsum(counts.sum(1))])
    shape = like_indices(np.array(found.shape), like) if shape is None else shape
    return shape, like_indices(batch, like), like_indices(rows, like), like_indices(found.at[:, -1], like), values


def csr_to_coo(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """Coordinates, values and shape."""
    api = "CSRSparseMatrixToSparseTensor"
    found = _elements(api, x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)
    return like_indices(found.at, x_col_indices), x_values, x_dense_shape


def coo_to_csr(x_indices, x_values, x_dense_shape):
    """The five Tensors of a sparse matrix, or of a batch."""
    found = coordinates("SparseTensorToCSRSparseMatrix", x_indices, x_values, x_dense_shape, "x_")
    order = np.argsort(found.flat, kind="stable")
    return _compressed(
        found._replace(at=found.at[order]), taken(x_values, Tensor(order)), x_indices, shape=x_dense_shape
    )


@op
def _picked(dense, at):
    return dense[tuple(at.T)]


def dense_to_csr(dense_input, indices):
    """The five Tensors for some elements of a matrix or a batch."""
    found = coordinates("DenseToCSRSparseMatrix", indices, None, dense_input.shape)
    found = found._replace(at=found.at[np.argsort(found.flat, kind="stable")])
    return _compressed(found, _picked(dense_input, Tensor(found.at)), indices)


@op(static=("shape",))
def _dense(values, at, shape):
    return jnp.zeros(shape, values.dtype).at[tuple(at.T)].add(values)


def csr_to_dense(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """The dense matrix, or a batch."""
    found = _elements("CSRSparseMatrixToDense", x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)
    return _dense(x_values, Tensor(found.at), found.shape)


def csr_nnz(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values):
    """Each matrix's number of elements, in Int32."""
    return Tensor(np.diff(host("SparseMatrixNNZ", "x_batch_pointers", x_batch_pointers)).astype(np.int32))


def csr_softmax(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values, dtype=None):
    """Softmax over each row's stored elements; other elements do not count. `dtype` is the values' dtype."""
    found = _elements("SparseMatrixSoftmax", x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)
    _, rows = np.unique(found.flat // found.shape[-1], return_inverse=True)
    out = _softmax(x_values, Tensor(rows), len(rows))
    return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, out


@op
def _conjugate(x):
    return jnp.conj(x)


def csr_transpose(x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, x_values, conjugate=False):
    """The transposed matrices, conjugated if asked."""
    found = _elements("SparseMatrixTranspose", x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices)
    axes = [*range(len(found.shape) - 2), -1, -2]
    turned = Coordinates(found.at[:, axes], tuple([found.shape[axis] for axis in axes]))
    order = np.argsort(turned.flat, kind="stable")
    values = taken(_conjugate(x_values) if conjugate else x_values, Tensor(order))
    return _compressed(turned._replace(at=turned.at[order]), values, x_col_indices)


@op(static=("turns",))
def _product(left, right, turns):
    for side, (turned, conjugated) in enumerate(turns[:2]):
        x = jnp.swapaxes((left, right)[side], -1, -2) if turned or conjugated else (left, right)[side]
        x = jnp.conj(x) if conjugated else x
        left, right = (x, right) if side == 0 else (left, x)
    out = jnp.matmul(left, right)
    turned, conjugated = turns[2]
    out = jnp.swapaxes(out, -1, -2) if turned else out
    return jnp.conj(out) if conjugated else out


def check_matmul(transpose_x1, transpose_x2, adjoint_x1, adjoint_x2, *_: bool) -> None:
    """
    Raises:
        ValueError: a matrix is to be transposed and conjugated at once.
    """
    if (transpose_x1 and adjoint_x1) or (transpose_x2 and adjoint_x2):
        raise value_error("SparseMatrixMatMul", "transpose and adjoint", "not both True for one matrix", True)


def csr_matmul(
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense, transpose_x1=False,
    transpose_x2=False, adjoint_x1=False, adjoint_x2=False, transpose_output=False, conjugate_output=False,
):  # fmt: skip
    """The product with dense matrices. An adjoint is transposed and conjugated."""
    found = _elements("SparseMatrixMatMul", x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices)
    turns = ((transpose_x1, adjoint_x1), (transpose_x2, adjoint_x2), (transpose_output, conjugate_output))
    return _product(_dense(x1_values, Tensor(found.at), found.shape), x2_dense, turns)


def csr_csr_matmul(
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense_shape, x2_batch_pointers,
    x2_row_pointers, x2_col_indices, x2_values, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
):  # fmt: skip
    """The product of two such matrices, with an element wherever one may be other than zero."""
    api = "SparseMatrixSparseMatMul"
    dense = []
    for given in (
        (x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values),
        (x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices, x2_values),
    ):
        found = _elements(api, *given[:4])
        places = Tensor(found.at)
        dense.append(
            (_dense(given[4], places, found.shape), _dense(Tensor(np.ones(len(found.at))), places, found.shape))
        )
    turns = ((transpose_a, adjoint_a), (transpose_b, adjoint_b), (False, False))
    out, stored = (_product(left, right, turns) for left, right in zip(*dense, strict=True))
    at = np.argwhere(host(api, "x1_row_pointers", stored) > 0).astype(np.int64)
    return _compressed(Coordinates(at, tuple(out.shape)), _picked(out, Tensor(at)), x1_col_indices)


@op
def _scaled(values, factor):
    return (values * factor).astype(values.dtype)


def csr_add(
    x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices, x1_values, x2_dense_shape, x2_batch_pointers,
    x2_row_pointers, x2_col_indices, x2_values, alpha, beta,
):  # fmt: skip
    """`alpha * x1 + beta * x2`, with an element wherever one of them has one."""
    api = "SparseMatrixAdd"
    one = _elements(api, x1_dense_shape, x1_batch_pointers, x1_row_pointers, x1_col_indices)
    two = _elements(api, x2_dense_shape, x2_batch_pointers, x2_row_pointers, x2_col_indices)
    check_same_shape(api, **{"first matrix": one, "second matrix": two})
    united, places = np.unique(np.concatenate([one.flat, two.flat]), return_inverse=True)
    count = len(one.at)
    values = _united(
        _scaled(x1_values, alpha), _scaled(x2_values, beta), Tensor(places[:count]), Tensor(places[count:]), jnp.add,
        len(united),
    )  # fmt: skip
    return _compressed(one._replace(at=one.unravelled(united)), values, x1_col_indices)
