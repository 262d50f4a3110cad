"""Losses with margins."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


def test_targets_of_a_hinge_count_by_their_sign(mode):
    loss = ops.hinge_embedding_loss(of([1, 2, 3]), of([0, 2, -3]), 5.0, "none")
    assert loss.asnumpy().tolist() == [0, 2, 2]
