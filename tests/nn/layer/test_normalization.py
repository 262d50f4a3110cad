"""Batch normalisation of a single element."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_moving_variance_of_a_single_element_is_nan():
    net = nn.BatchNorm1d(3)
    net.set_train()
    assert net(Tensor([[1.0, 2.0, 3.0]])).asnumpy().tolist() == [[0, 0, 0]]
    assert np.isnan(net.moving_variance.asnumpy()).all()


def test_moving_statistics_under_a_gradient_are_those_of_a_call():
    x = Tensor(np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = nn.BatchNorm2d(2).set_train()
            ms.grad(net, 0, net.trainable_params())(x)
            net(x)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        np.testing.assert_allclose(net.moving_mean.asnumpy(), [1.045, 1.805], rtol=1e-6)


def test_batch_norm_in_half_precision_keeps_float32_statistics():
    net = nn.BatchNorm2d(3).to_float(ms.float16).set_train()
    out = net(Tensor(np.ones((1, 3, 5, 5), np.float32)))
    assert out.dtype is ms.float16 and net.moving_mean.dtype is ms.float32
    np.testing.assert_allclose(net.moving_mean.asnumpy(), [0.1, 0.1, 0.1], rtol=1e-6)
