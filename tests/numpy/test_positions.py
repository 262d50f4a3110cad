"""Positions and choices by index of `mindspore.numpy`."""

import pytest

import ms_compat.numpy as mnp
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_coordinates_for_one_size():
    (found,) = mnp.unravel_index(Tensor([[1, 2], [3, 4]]), 7)
    assert found.asnumpy().tolist() == [[1, 2], [3, 4]]
    alone = mnp.unravel_index(Tensor(1), 7)
    assert isinstance(alone, Tensor) and alone.asnumpy().tolist() == [1]
