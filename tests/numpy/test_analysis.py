"""Histograms, differences and sets of `mindspore.numpy`."""

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_histograms_have_gradients():
    x = Tensor([1.0, 2, 4, 7], ms.float32)
    assert ms.grad(lambda x: mnp.histogram(x, 3)[1])(x).asnumpy().tolist() == [2, 0, 0, 2]
    assert ms.grad(lambda x: mnp.histogram_bin_edges(x, 3))(x).asnumpy().tolist() == [2, 0, 0, 2]
    assert ms.grad(lambda x: mnp.histogram(x, 3, (0.0, 8.0))[1])(x).asnumpy().tolist() == [0] * 4
    assert ms.grad(lambda x: mnp.histogram(x, 3)[0])(x).asnumpy().tolist() == [0] * 4
    density = ms.grad(lambda x: mnp.histogram(x, 3, density=True)[0])(x).asnumpy()
    np.testing.assert_allclose(density, [1 / 12, 0, 0, -1 / 12], 1e-5, 1e-8)
    assert ms.grad(lambda w: mnp.histogram(x, 3, weights=w)[0])(x).asnumpy().tolist() == [1] * 4
    count, edges = mnp.histogram(x, 3, weights=x, density=True)
    np.testing.assert_allclose(count.asnumpy(), [3 / 28, 1 / 7, 1 / 4], 1e-6)
    assert edges.asnumpy().tolist() == [1, 3, 5, 7]
