"""Layers of sparse matrices."""

import numpy as np

import ms_compat as ms
from ms_compat import COOTensor, CSRTensor, Tensor, nn, ops

AT, KEPT = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([1.0, 2.0])


def test_sparse_to_dense(mode):
    dense = nn.SparseToDense()(COOTensor(AT, KEPT, (3, 4)))
    assert dense.asnumpy().tolist() == [[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]


def test_sparse_tensor_dense_matmul(mode):
    dense = Tensor(np.arange(8, dtype=np.float32).reshape(2, 4))
    product = nn.SparseTensorDenseMatmul(adjoint_dt=True)(AT, KEPT, (3, 4), dense)
    assert product.asnumpy().tolist() == [[1, 5], [4, 12], [0, 0]]
    gradient = ms.grad(nn.SparseTensorDenseMatmul(), (1, 3))(AT, KEPT, (3, 4), Tensor(np.ones((4, 2), np.float32)))
    assert gradient[0].asnumpy().tolist() == [2, 2]
    assert gradient[1].asnumpy().tolist() == [[0, 0], [1, 1], [2, 2], [0, 0]]


class Convolution(nn.Cell):
    """A graph convolution: the neighbours' features, through weights."""

    def __init__(self, adjacency):
        super().__init__()
        self.adjacency = adjacency
        self.dense = nn.Dense(3, 2)

    def construct(self, x):
        return ops.relu(self.adjacency.mm(self.dense(x)))


def test_a_matrix_kept_in_a_cell(mode):
    rng = np.random.default_rng(0)
    full = (rng.random((7, 7)) < 0.4).astype(np.float32)
    x, weight = rng.normal(size=(7, 3)).astype(np.float32), rng.normal(size=(2, 3)).astype(np.float32)
    net = Convolution(Tensor(full).to_csr())
    net.dense.weight.set_data(Tensor(weight))
    expected = np.maximum(full @ (x @ weight.T + net.dense.bias.asnumpy()), 0)
    assert isinstance(net.adjacency, CSRTensor) and np.allclose(net(Tensor(x)).asnumpy(), expected, atol=1e-5)
    found = ms.grad(net, None, net.trainable_params())(Tensor(x))
    passed = full.T @ (expected > 0).astype(np.float32)
    assert np.allclose(found[0].asnumpy(), passed.T @ x, atol=1e-4)
    assert np.allclose(found[1].asnumpy(), passed.sum(0), atol=1e-4)
