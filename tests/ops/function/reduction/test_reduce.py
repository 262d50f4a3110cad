"""Sums, means, extremes and other reductions."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_extremes_of_a_tensor_without_dimensions(mode):
    for arguments in ({}, {"axis": 0}, {"keepdims": True}):
        low, high = ops.aminmax(Tensor(2.0), **arguments)
        assert low.shape == high.shape == ()
        assert low == high == 2.0


def test_the_variance_of_unsigned_integers_does_not_wrap_around(mode):
    """MindSpore squares in the integers' own type."""
    for dtype in (ms.uint8, ms.int64):
        x = Tensor([[1, 2, 200], [3, 4, 5]], dtype)
        np.testing.assert_allclose(x.var().asnumpy(), 5392.5, rtol=1e-6)
        np.testing.assert_allclose(x.std(1).asnumpy(), [93.577, 0.8165], rtol=1e-4)
