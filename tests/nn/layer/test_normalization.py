"""Batch normalisation of a single element."""

import numpy as np

from ms_compat import Tensor, nn


def test_the_moving_variance_of_a_single_element_is_nan():
    net = nn.BatchNorm1d(3)
    net.set_train()
    assert net(Tensor([[1.0, 2.0, 3.0]])).asnumpy().tolist() == [[0, 0, 0]]
    assert np.isnan(net.moving_variance.asnumpy()).all()
