"""The network, the data and the summary of its weights with which MindSpore 2.10 was recorded."""

import numpy as np

from ms_compat import Tensor, nn, ops


def _values(*shape):
    return Tensor((np.arange(np.prod(shape)).reshape(shape) % 7 / 7 - 0.4).astype(np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(4, 3, weight_init=_values(3, 4), bias_init=_values(3))
        self.bn = nn.BatchNorm1d(3)
        self.fc2 = nn.Dense(3, 3, weight_init=_values(3, 3), bias_init=_values(3))
        self.fc3 = nn.Dense(3, 2, weight_init=_values(2, 3), bias_init=_values(2))

    def construct(self, x):
        return self.fc3(self.fc2(ops.relu(self.bn(self.fc1(x)))))


X = Tensor((np.arange(20).reshape(5, 4) % 6 / 3 - 0.7).astype(np.float32))
Y = Tensor((np.arange(10).reshape(5, 2) % 3).astype(np.float32))


def with_loss(net):
    return nn.WithLossCell(net.set_train(), nn.MSELoss())


def sums(parameters):
    """The sum of the absolute values of each Parameter."""
    return [float(np.abs(parameter.asnumpy()).sum()) for parameter in parameters]
