"""Layers of sparse tensors."""

from __future__ import annotations

from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.sparse.dense import sparse_tensor_dense_matmul, sparse_to_dense


@faces("nn")
class SparseToDense(Cell):
    """A sparse matrix as a dense one.

    Inputs:
        coo_tensor (COOTensor): its values at one place are not added: the last one counts.

    Raises:
        ValueError: an index is out of range (eagerly, on a CPU).

    >>> import ms_compat as ms
    >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0]), (2, 3))
    >>> print(ms.nn.SparseToDense()(x))
    [[0. 1. 0.]
     [0. 0. 2.]]
    """

    def construct(self, coo_tensor):
        return sparse_to_dense(coo_tensor.indices, coo_tensor.values, coo_tensor.shape)


@faces("nn")
class SparseTensorDenseMatmul(Cell):
    """The product of a sparse and a dense matrix.

    Args:
        adjoint_st (bool): whether to transpose (and conjugate) the sparse matrix first.
        adjoint_dt (bool): whether to transpose (and conjugate) the dense matrix first.

    Inputs:
        indices (Tensor): [n, 2] of Int32 or Int64.
        values (Tensor): [n].
        sparse_shape (tuple): the sparse matrix's two sizes.
        dense (Tensor): the dense matrix, in the dtype of `values`.

    Raises:
        TypeError: an argument that is not a bool, another dtype.
        ValueError: shapes that do not fit, or an index out of range (eagerly, on a CPU).

    >>> import ms_compat as ms
    >>> at, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0])
    >>> print(ms.nn.SparseTensorDenseMatmul()(at, values, (2, 3), ms.Tensor([[1.0], [2.0], [3.0]])))
    [[2.]
     [6.]]
    """

    def __init__(self, adjoint_st=False, adjoint_dt=False):
        super().__init__()
        self.adjoint_st = check_bool("SparseTensorDenseMatmul", "adjoint_st", adjoint_st)
        self.adjoint_dt = check_bool("SparseTensorDenseMatmul", "adjoint_dt", adjoint_dt)

    def construct(self, indices, values, sparse_shape, dense):
        return sparse_tensor_dense_matmul(indices, values, sparse_shape, dense, self.adjoint_st, self.adjoint_dt)
