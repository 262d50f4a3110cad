"""Losses between predictions and targets."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_binary_cross_entropy_of_float16_rounds_at_every_step(mode):
    p, y, w = (
        Tensor(values, ms.float16) for values in ([0.3745, 0.951, 0.732], [0.6118, 0.139, 0.292], [0.1, 0.5, 0.7])
    )
    found = ops.operations.BinaryCrossEntropy("none")(p, y, w)
    assert found.dtype == ms.float16 and found.asnumpy().tolist() == [0.0782470703125, 1.3037109375, 0.716796875]
