"""Dropout layers."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (nn.Dropout, (64, 8)),
        (nn.Dropout1d, (64, 8, 3)),
        (nn.Dropout2d, (64, 8, 3, 2)),
        (nn.Dropout3d, (64, 8, 2, 2, 2)),
    ],
)
def test_dropout_scales_what_it_keeps(layer, shape):
    net = layer(p=0.25).set_train()
    ones = Tensor(np.ones(shape, np.float32))
    out = net(ones).asnumpy()
    assert set(np.unique(out)) == {np.float32(0), np.float32(1 / 0.75)}
    assert abs(float(out.mean()) - 1.0) < 0.15
    if layer is not nn.Dropout:
        flat = out.reshape(*shape[:2], -1)
        assert (flat == flat[..., :1]).all()
    assert net.set_train(False)(ones) is ones


def test_dropout_draws_anew_and_repeats_with_the_seed():
    net, ones = nn.Dropout(p=0.5).set_train(), Tensor(np.ones(64, np.float32))
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            ms.set_seed(3)
            first, second = net(ones).asnumpy(), net(ones).asnumpy()
            ms.set_seed(3)
            again = net(ones).asnumpy()
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
        assert (first != second).any() and (first == again).all()
