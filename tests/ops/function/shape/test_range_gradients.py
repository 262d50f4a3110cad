"""Gradients of sequences of numbers by their first number and step, as MindSpore has them."""

import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor, ops

START, STEP = Tensor(1.5), Tensor(2.0)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(
    ("fn", "wanted"),
    [
        (lambda a, d: mnp.arange(a, 9.0, d) * Tensor([1.0, 2, 3, 4]), [10, 20]),
        (lambda a, d: mnp.arange(0.0, 9.0, d) * 2, [0, 20]),
        (lambda a, d: mnp.arange(a, 9.0), [8, 0]),
        (lambda a, d: mnp.arange(a), [0, 0]),
        (lambda a, d: ops.arange(a, 9.0, d), [0, 0]),
        (lambda a, d: ops.operations.array_ops.RangeV2()(a, Tensor(9.0), d), [4, 6]),
    ],
)
def test_gradients_by_start_and_step(fn, wanted, mode):
    ms.set_context(mode=mode)
    found = ms.grad(lambda a, d: fn(a, d).sum(), (0, 1))(START, STEP)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert [float(g.asnumpy()) for g in found] == wanted


def test_counts_of_a_sparse_tensor_have_a_gradient_by_the_weights():
    at, shape = Tensor([[0, 1], [1, 0], [1, 2]]), Tensor([3, 4])
    count = ops.operations.sparse_ops.SparseCountSparseOutput()

    def fn(weights):
        return (count(at, Tensor([1, 2, 2]), shape, weights)[1] * Tensor([2.0, 5.0])).sum()

    assert ms.grad(fn)(Tensor([1.5, 2.0, 3.0])).asnumpy().tolist() == [2, 5, 5]
