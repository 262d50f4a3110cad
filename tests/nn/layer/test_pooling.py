"""The sizes of adaptive pools."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


CUBE = np.arange(1, 9).reshape(1, 2, 2, 2)


def test_sizes_of_adaptive_maxima_as_lists(mode):
    cube = of(CUBE)
    assert nn.AdaptiveMaxPool3d([1, 1, 2])(cube).asnumpy().tolist() == [[[[7, 8]]]]
    assert nn.AdaptiveMaxPool2d([1, 2])(cube).shape == (1, 2, 1, 2)
    with pytest.raises(TypeError):
        nn.AdaptiveAvgPool3d([1, 1, 2])
