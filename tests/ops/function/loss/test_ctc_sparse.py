"""The CTC loss with sparse labels."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded
from tests.ops.arrays import close


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_blank_among_the_labels_of_the_sparse_ctc_loss_ends_them():
    x = Tensor(np.array([[[0.3, 0.6, 0.6], [0.4, 0.3, 0.9]], [[0.9, 0.4, 0.2], [0.9, 0.9, 0.1]]], np.float32))
    lengths = Tensor(np.array([2, 2], np.int32))
    loss, _ = ops.CTCLoss()(x, Tensor([[0, 0], [1, 0]]), Tensor(np.array([2, 2], np.int32)), lengths)
    close(loss, [0.79628, 0.5995158])  # printed by the documentation
    padded = ops.CTCLoss()(x, Tensor([[0, 0], [0, 1], [1, 0]]), Tensor(np.array([1, 2, 0], np.int32)), lengths)
    plain = ops.CTCLoss()(x, Tensor([[0, 0], [1, 0]]), Tensor(np.array([1, 0], np.int32)), lengths)
    close(padded[0], plain[0]), close(padded[1], plain[1])
    with pytest.raises(RuntimeError, match="blank"):
        ops.CTCLoss()(x, Tensor([[0, 0], [0, 1], [1, 0]]), Tensor(np.array([2, 1, 0], np.int32)), lengths)


def difference(function, point, along, step):
    """The derivative of a function of an array along a direction."""
    return (function(point + step * along) - function(point - step * along)) / (2 * step)


def test_second_order_of_the_ctc_loss_at_equal_scores(mode):
    """All alignments are equally likely there."""
    random = np.random.RandomState(0)
    factors, along = random.randn(5, 2, 4), random.randn(5, 2, 4)
    labels = Tensor([[0, 0], [0, 1], [1, 0]]), Tensor([0, 2, 1], ms.int32)
    loss = ops.CTCLoss()

    def slope(x):
        first = ms.grad(lambda y: loss(y, *labels, Tensor([5, 4], ms.int32))[0].sum())
        return (first(x) * Tensor(factors)).sum()

    zeros = np.zeros((5, 2, 4))
    wanted = difference(lambda x: float(slope(Tensor(x))), zeros, along, 1e-5)
    found = (ms.grad(slope)(Tensor(zeros)).asnumpy() * along).sum()
    np.testing.assert_allclose(found, wanted, 1e-6)
