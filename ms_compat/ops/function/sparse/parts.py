"""Putting sparse tensors together and taking them apart: `make_*` and `*_tensor_get_*`, and the sum of row tensors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor, to_device, wrap
from ms_compat._core.tensor.sparse import COOTensor, CSRTensor, RowTensor, RowTensorInner, Sparse
from ms_compat.ops.function.shape import join
from ms_compat.ops.function.sparse.operations import holding

logger = logging.getLogger("ms_compat")


def _getter(name: str, cls: type[Sparse], attribute: str) -> Callable:
    def get(x):
        if not isinstance(x, cls):
            raise TypeError(f"For '{name}', the 'x' must be a {cls._kind}, but got {type(x).__name__}.")
        return getattr(x, attribute)

    get.__name__ = get.__qualname__ = name
    get.__doc__ = f"The `{attribute}` of a {cls._kind}."
    return get


coo_tensor_get_dense_shape = faces("ops")(_getter("coo_tensor_get_dense_shape", COOTensor, "shape"))
coo_tensor_get_indices = faces("ops")(_getter("coo_tensor_get_indices", COOTensor, "indices"))
coo_tensor_get_values = faces("ops")(_getter("coo_tensor_get_values", COOTensor, "values"))
csr_tensor_get_dense_shape = faces("ops")(_getter("csr_tensor_get_dense_shape", CSRTensor, "shape"))
csr_tensor_get_indices = faces("ops")(_getter("csr_tensor_get_indices", CSRTensor, "indices"))
csr_tensor_get_indptr = faces("ops")(_getter("csr_tensor_get_indptr", CSRTensor, "indptr"))
csr_tensor_get_values = faces("ops")(_getter("csr_tensor_get_values", CSRTensor, "values"))
row_tensor_get_dense_shape = faces("ops")(_getter("row_tensor_get_dense_shape", RowTensorInner, "dense_shape"))
row_tensor_get_indices = faces("ops")(_getter("row_tensor_get_indices", RowTensorInner, "indices"))
row_tensor_get_values = faces("ops")(_getter("row_tensor_get_values", RowTensorInner, "values"))


@faces("ops")
def make_coo_tensor(indices, values, dense_shape):
    """`COOTensor(indices, values, dense_shape)`."""
    return COOTensor(indices, values, dense_shape)


@faces("ops")
def make_csr_tensor(indptr, indices, values, dense_shape):
    """`CSRTensor(indptr, indices, values, dense_shape)`."""
    return CSRTensor(indptr, indices, values, dense_shape)


@faces("ops")
def make_row_tensor_inner(indices, values, dense_shape):
    """`RowTensor(indices, values, dense_shape)`."""
    return RowTensor(indices, values, dense_shape)


@faces("ops")
def make_row_tensor(indices, values, dense_shape):
    """The name of `RowTensor(indices, values, dense_shape)` as a function, deprecated in MindSpore."""
    logger.debug("ops.make_row_tensor is deprecated in MindSpore 2.0")
    return make_row_tensor_inner(indices, values, dense_shape)


@faces("ops")
def make_sparse_tensor(indices, values, dense_shape):
    """The name of `make_coo_tensor` before MindSpore 1.7."""
    logger.debug("ops.make_sparse_tensor is deprecated in MindSpore 1.7; use COOTensor")
    return make_coo_tensor(indices, values, dense_shape)


@faces("ops")
def row_tensor_add(x: RowTensor, y: Any) -> RowTensor:
    """The sum of a RowTensor and another one, or a Tensor of its dense shape.

    Args:
        x (RowTensor): the first.
        y (RowTensor, Tensor): the second.

    Returns:
        RowTensor with the rows of both; a row that occurs twice counts as the sum.

    Raises:
        TypeError: another kind of argument.
        ValueError: the dense shapes differ.
    """
    api = "row_tensor_add"
    if not isinstance(x, RowTensorInner):
        raise TypeError(f"For '{api}', the 'x' must be a RowTensor, but got {type(x).__name__}.")
    shape = y.dense_shape if isinstance(y, RowTensorInner) else getattr(y, "shape", None)
    if shape is None:
        raise TypeError(f"For '{api}', the 'y' must be a RowTensor or Tensor, but got {type(y).__name__}.")
    if tuple(shape) != x.dense_shape:
        raise ValueError(f"For '{api}', the dense shapes must be equal, but got {x.dense_shape} and {shape}.")
    if isinstance(y, Tensor):
        index_type = holding(x.indices.dtype.np_dtype, shape[0])
        rows, values = wrap(to_device(np.arange(shape[0], dtype=index_type))), y
    else:
        rows, values = y.indices, y.values
    return RowTensor._of((join.concat([x.indices, rows]), join.concat([x.values, values])), x.dense_shape)
