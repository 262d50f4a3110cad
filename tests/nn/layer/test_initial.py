"""The initial weights of layers."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn


@pytest.mark.parametrize(
    ("make", "bound"),
    [
        (lambda: nn.Dense(400, 300), 0.05),
        (lambda: nn.Conv2d(40, 300, 3, has_bias=True), 0.0527),
        (lambda: nn.Conv1d(40, 300, 3, has_bias=True), 0.0913),
        (lambda: nn.Conv3d(20, 100, 3, has_bias=True), 0.0430),
        (lambda: nn.Conv2dTranspose(40, 300, 3, has_bias=True), 0.01925),
        (lambda: nn.Conv2d(40, 300, 3, has_bias=True, group=4), 0.1054),
        (lambda: nn.BiDense(40, 50, 60), 0.1581),
    ],
)
def test_default_weights_are_uniform_within_the_recorded_bound(make, bound):
    ms.set_seed(3)  # the mean of 60 numbers, which is BiDense's bias, is outside for one seed in twelve
    for parameter in make().get_parameters():
        value = np.abs(parameter.asnumpy())
        assert value.max() <= bound * 1.002 and value.max() > bound * 0.93
        assert abs(value.mean() - bound / 2) < bound * 0.08
