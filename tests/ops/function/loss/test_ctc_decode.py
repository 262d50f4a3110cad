"""Greedy decoding of CTC outputs."""

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


def test_lengths_beyond_the_times_of_a_greedy_decoder():
    scores = of(np.random.RandomState(0).rand(2, 2, 3))
    with pytest.raises(RuntimeError):
        ops.ctc_greedy_decoder(scores, Tensor([5, 2], ms.int32))
    places, values, shape, sums = ops.ctc_greedy_decoder(scores, Tensor([-1, 1], ms.int32))
    assert places.shape == (0, 2) and values.shape == (0,) and shape.asnumpy().tolist() == [2, 0]
    np.testing.assert_allclose(sums.asnumpy(), [[0], [-0.64589411]], rtol=1e-6)
