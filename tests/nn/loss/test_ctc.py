"""`nn.CTCLoss`: one loss and one gradient with `ops.ctc_loss`, also of values that are no log-probabilities."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


TARGETS, COUNTS = Tensor([[1, 2], [3, 3]], ms.int32), Tensor([2, 2], ms.int32)
LENGTHS = Tensor([5, 4], ms.int32)
SCORES = Tensor(np.sin(np.arange(40) * 1.3).astype(np.float32).reshape(5, 2, 4))


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("normalised", [True, False])
def test_the_gradient_is_that_of_the_function(reduction, normalised, mode):
    x = ops.log_softmax(SCORES, -1) if normalised else SCORES
    loss = nn.CTCLoss(reduction=reduction)
    found = ms.value_and_grad(lambda x: loss(x, TARGETS, LENGTHS, COUNTS).sum())(x)
    wanted = ms.value_and_grad(lambda x: ops.ctc_loss(x, TARGETS, LENGTHS, COUNTS, reduction=reduction)[0].sum())(x)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


def test_values_of_mindspore(mode):
    x = Tensor(np.random.RandomState(0).randn(5, 2, 4).astype(np.float32))
    gradient = ms.grad(lambda x: nn.CTCLoss()(x, TARGETS, LENGTHS, COUNTS))(x)
    np.testing.assert_allclose(gradient.asnumpy()[0, 0], [1.2861648, 0.29586, 0.665274, 2.3504312], 1e-5)


def test_one_sequence_without_a_batch(mode):
    x = ops.log_softmax(SCORES[:, 0], -1)
    single = nn.CTCLoss(reduction="sum")(x, Tensor([1, 2], ms.int32), Tensor(5, ms.int32), Tensor(2, ms.int32))
    wide = nn.CTCLoss(reduction="sum")(x[:, None], TARGETS[:1], LENGTHS[:1], COUNTS[:1])
    assert single.shape == () and float(single) == float(wide)


@pytest.mark.parametrize(
    ("targets", "wanted"),
    [
        ([[1, 2, 3], [5, 6, 7]], [6.9348598, 5.3521490]),
        ([[1, 2, 4], [1, 2, 1]], [6.8914213, 5.4695358]),
        ([[1, 2, -1], [1, 2, 1]], [8.0567694, 5.4695358]),
        ([[1, 0, 3], [2, 3, 1]], None),
    ],
)
def test_labels_that_are_no_class_mean_the_number_at_their_distance(mode, targets, wanted):
    """As in MindSpore, whose losses these are."""
    scores = Tensor((np.arange(80) % 7 * 0.3).astype(np.float32).reshape(10, 2, 4))
    full, three = Tensor([10, 10], ms.int32), Tensor([3, 3], ms.int32)
    targets = Tensor(targets, ms.int32)
    found = nn.CTCLoss(reduction="none")(ops.log_softmax(scores, 2), targets, full, three)
    assert np.isfinite(found.asnumpy()).all()
    if wanted is not None:
        np.testing.assert_allclose(found.asnumpy(), wanted, 1e-5)
    with pytest.raises(RuntimeError, match="target_lengths"):
        nn.CTCLoss()(scores, targets, full, Tensor([3, 4], ms.int32))


@pytest.mark.parametrize("lengths", [[6, 4], [-1, 4]])
def test_lengths_out_of_range_are_refused(lengths):
    lengths = Tensor(lengths, ms.int32)
    with pytest.raises(RuntimeError, match="input_lengths"):
        nn.CTCLoss()(SCORES, TARGETS, lengths, COUNTS)
    with pytest.raises(RuntimeError, match="sequence_length"):
        places, labels = Tensor([[0, 0], [1, 0]], ms.int64), Tensor([1, 2], ms.int32)
        ops.CTCLoss()(SCORES, places, labels, lengths)
