"""A sparse tensor given as separate Tensors (indices, values, shape) with a dense one: primitives of MindSpore.

Indices outside of the shape raise eagerly on a CPU, where reading them is free; elsewhere they do not count.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.checks import check_length, check_rank
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.indexing.bounds import check_coordinates
from ms_compat.ops.function.indexing.scatter import _Shaped, tensor_scatter_add


def _sizes(api: str, argument: str, shape: Any) -> tuple[int, ...]:
    """A shape given as a tuple, a list or a Tensor."""
    if isinstance(shape, Tensor):
        shape = shape.asnumpy().tolist()
    if not isinstance(shape, (tuple, list)) or not all(isinstance(n, (int, np.integer)) for n in shape):
        raise TypeError(f"For '{api}', the '{argument}' must be a tuple of ints or a Tensor, but got {shape!r:.80}.")
    return tuple([int(n) for n in shape])


def _check(api: str, indices: Any, values: Any, shape: tuple[int, ...]) -> None:
    for name, x in (("indices", indices), ("values", values)):
        check_type(api, name, x, Tensor)
    if indices.dtype.np_dtype not in (np.int32, np.int64):
        raise TypeError(f"For '{api}', the 'indices' must be of Int32 or Int64, but got {indices.dtype}.")
    if len(indices.shape) != 2 or indices.shape[1] != len(shape):
        raise ValueError(f"For '{api}', the 'indices' must be [n, {len(shape)}], but got {indices.shape}.")
    if values.shape != indices.shape[:1]:
        raise ValueError(
            f"For '{api}', the 'values' must have the shape {indices.shape[:1]} for indices of shape {indices.shape}, "
            f"but got {values.shape}."
        )
    check_coordinates(api, _Shaped(shape), indices, ValueError, ValueError)


def _one_type(api: str, values: Tensor, dense: Any, argument: str) -> None:
    check_type(api, argument, dense, Tensor)
    if values.dtype is not dense.dtype:
        raise TypeError(
            f"For '{api}', the 'values' and the '{argument}' must have one dtype, but got {values.dtype} and "
            f"{dense.dtype}."
        )


@op(static=("rows", "adjoint_st", "adjoint_dt"))
def _matmul(indices, values, dense, rows, adjoint_st, adjoint_dt):
    row, column = (indices[:, 1], indices[:, 0]) if adjoint_st else (indices[:, 0], indices[:, 1])
    values = jnp.conj(values) if adjoint_st else values
    dense = jnp.conj(dense).T if adjoint_dt else dense
    products = values[:, None] * dense.at[column].get(mode="fill")
    return jnp.zeros((rows, dense.shape[1]), values.dtype).at[row].add(products, mode="drop")


@faces(
    primitive="SparseTensorDenseMatmul(adjoint_st: bool = False, adjoint_dt: bool = False)(indices, values, "
    "sparse_shape, dense)"
)
def sparse_tensor_dense_matmul(indices, values, sparse_shape, dense, adjoint_st=False, adjoint_dt=False):
    """The product of a sparse and a dense matrix.

    Args:
        indices: [n, 2] of Int32 or Int64.
        values: [n].
        sparse_shape: the sparse matrix's sizes, a tuple or a Tensor.
        dense: the dense matrix, with `values`' dtype.
        adjoint_st, adjoint_dt: whether to transpose (and conjugate) the sparse or the dense one first.

    Raises:
        TypeError: another dtype.
        ValueError: shapes that do not fit, or an index out of range.
    """
    api = "SparseTensorDenseMatmul"
    shape = _sizes(api, "sparse_shape", sparse_shape)
    check_length(api, "sparse_shape", shape, 2)
    _check(api, indices, values, shape)
    _one_type(api, values, dense, "dense")
    check_rank(api, "dense", dense, 2)
    rows, inner = shape[::-1] if adjoint_st else shape
    if dense.shape[1 if adjoint_dt else 0] != inner:
        raise ValueError(f"For '{api}', the matrices do not fit: {shape} and {dense.shape}.")
    return _matmul(indices, values, dense, rows, adjoint_st, adjoint_dt)


@op(static=("shape",))
def _placed(indices, values, shape):
    return jnp.zeros(shape, values.dtype).at[tuple(indices.T)].set(values, mode="drop")


@faces(primitive="SparseToDense()(indices, values, sparse_shape)")
def sparse_to_dense(indices, values, sparse_shape):
    """A dense tensor with values at coordinates and 0 elsewhere; of values at one place the last counts.

    Args:
        indices: [n, dimensions] of Int32 or Int64.
        values: [n].
        sparse_shape: the sizes, a tuple, a list or a Tensor.

    Raises:
        TypeError: another dtype.
        ValueError: shapes that do not fit, or an index out of range.
    """
    shape = _sizes("SparseToDense", "sparse_shape", sparse_shape)
    _check("SparseToDense", indices, values, shape)
    return _placed(indices, values, shape)


@faces(primitive="SparseTensorDenseAdd()(x1_indices, x1_values, x1_shape, x2)")
def sparse_tensor_dense_add(x1_indices, x1_values, x1_shape, x2):
    """A dense tensor plus a sparse one.

    Args:
        x1_indices: [n, dimensions] of Int32 or Int64.
        x1_values: [n].
        x1_shape: the sizes, a Tensor with `x1_indices`' dtype, or a tuple.
        x2: the dense tensor, with `x1_values`' dtype.

    Raises:
        TypeError: another dtype.
        ValueError: shapes that do not fit, or an index out of range.
        RuntimeError: the shapes of the two tensors differ.
    """
    api = "SparseTensorDenseAdd"
    if isinstance(x1_shape, Tensor) and isinstance(x1_indices, Tensor) and x1_shape.dtype is not x1_indices.dtype:
        raise TypeError(
            f"For '{api}', the 'x1_indices' and 'x1_shape' must have one dtype, but got {x1_indices.dtype} and "
            f"{x1_shape.dtype}."
        )
    shape = _sizes(api, "x1_shape", x1_shape)
    _check(api, x1_indices, x1_values, shape)
    _one_type(api, x1_values, x2, "x2")
    if x2.shape != shape:
        raise RuntimeError(f"For '{api}', both tensors must have one shape, but got {shape} and {x2.shape}.")
    return tensor_scatter_add(x2, x1_indices, x1_values)
