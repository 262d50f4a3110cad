"""Sums, means, extremes and other reductions."""

import pytest

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
