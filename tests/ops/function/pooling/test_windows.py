"""Pooling over windows."""

import numpy as np
import pytest

from ms_compat import Tensor, nn
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("kind", [nn.MaxPool2d, nn.AvgPool2d])
def test_a_window_that_does_not_fit_is_refused_after_many_shapes(kind, mode):
    net = nn.SequentialCell(nn.ReLU(), kind(3, 2), nn.ReLU())
    for size in range(4, 12):
        assert net(Tensor(np.ones((1, 1, size, size), np.float32))).shape == (1, 1, (size - 1) // 2, (size - 1) // 2)
    with pytest.raises((ValueError, RuntimeError), match="does not fit"):
        net(Tensor(np.ones((1, 1, 2, 5), np.float32)))
