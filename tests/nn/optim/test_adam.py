"""Adam and AdamWeightDecay, against recorded steps."""

import numpy as np
import pytest

from ms_compat import nn, train
from tests.nn import recorded
from tests.train.callback.trainings import rows


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_offloaded_adam_is_adam():
    weights = []
    for make in (nn.Adam, nn.AdamOffload):
        net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        optimizer = make(net.trainable_params(), learning_rate=0.1, weight_decay=0.01)
        train.Model(net, nn.MSELoss(), optimizer).train(2, rows(), dataset_sink_mode=False)
        weights.append(net.weight.asnumpy())
    np.testing.assert_allclose(*weights, rtol=1e-6)
    assert not (weights[0] == 1).any()
