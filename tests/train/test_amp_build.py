"""`amp.build_train_network`: its step is in training mode, and a loss scale is the sensitivity of each loss."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, amp, nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 10)
        self.norm = nn.BatchNorm1d(10)

    def construct(self, x):
        return self.norm(self.dense(x))


@pytest.mark.parametrize("level", ["O0", "O2", "O3"])
def test_the_step_is_in_training_mode(mode, level):
    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.001, 0.9)
    step = amp.build_train_network(net, optimizer, nn.SoftmaxCrossEntropyWithLogits(), level=level)
    assert step.training and net.training
    loss = step(Tensor(np.ones((3, 4)), ms.float32), Tensor(np.eye(3, 10), ms.float32))
    loss = loss[0] if isinstance(loss, tuple) else loss  # O2 scales the loss, and gives the scale
    assert np.allclose(loss.asnumpy(), np.log(10), atol=1e-2)  # equal rows are zeros behind the batch's own statistics


@pytest.mark.parametrize("scale", [0.5, 1.0, 16.0])
def test_a_scale_for_several_losses(mode, scale):
    net = nn.Dense(4, 3, weight_init="ones", bias_init="zeros")
    with_loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits())
    step = nn.TrainOneStepCell(with_loss, nn.SGD(net.trainable_params(), 0.1), sens=scale)
    step(Tensor(np.arange(12).reshape(3, 4) / 10, ms.float32), Tensor(np.eye(3)[[0, 0, 1]], ms.float32))
    assert np.allclose(net.bias.asnumpy(), [0.1 * scale, 0.0, -0.1 * scale], atol=1e-6)
