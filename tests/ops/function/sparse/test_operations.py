"""Operations on sparse tensors."""

import ms_compat as ms
from ms_compat import Tensor, ops


def test_counts_of_a_sparse_tensor_have_a_gradient_by_the_weights():
    at, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([3, 4])
    count = ops.operations.sparse_ops.SparseCountSparseOutput()

    def fn(weights):
        return (count(at, Tensor([1, 2, 2]), shape, weights)[1] * Tensor([2.0, 5.0])).sum()

    assert ms.grad(fn)(Tensor([1.5, 2.0, 3.0])).asnumpy().tolist() == [2, 5, 5]
