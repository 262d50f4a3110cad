"""Steps in few dimensions are MindSpore's; values recorded with MindSpore 2.10 in both modes."""

import numpy as np

from ms_compat import ParameterTuple, boost, nn, ops
from tests.boost.networks import Net, X, Y, sums, with_loss

WEIGHTS = [
    [2.663, 0.71692, 2.94991, 0.23761, 2.62141, 0.82187, 1.28072, 0.52785],
    [3.11127, 0.91828, 2.94378, 0.52429, 2.93674, 0.89907, 1.37122, 0.35335],
    [3.24398, 0.94355, 2.94813, 0.57842, 3.04713, 0.95374, 1.486, 0.29092],
    [3.52037, 0.95701, 2.97774, 0.68506, 3.28121, 1.11158, 1.83293, 0.39599],
    [3.5197, 0.9568, 2.97831, 0.68493, 3.28073, 1.11263, 1.83759, 0.39449],  # no length of a step was found
]
INVERSE = [2.0419, 0.207, 2.8171, 0.207, 0.9768, 0.351, 2.8171, 0.351, 7.4009]


class Step(nn.Cell):
    def __init__(self, loss, weights, reduced):
        super().__init__()
        self.reduced, self.loss = reduced, loss
        self.weights = ParameterTuple(weights)
        self.clones = self.weights.clone(prefix="clone", init="same")
        self.gradients = ops.GradOperation(get_by_list=True)

    def construct(self, x, y):
        loss = self.loss(x, y)
        gradients = self.gradients(self.loss, self.weights)(x, y)
        return self.reduced(loss, gradients, ops.ones_like(loss), self.weights, self.clones, x, y)


def test_five_steps(mode):
    net = Net()
    weights = tuple(net.trainable_params())
    size = sum(parameter.size for parameter in weights)
    columns = (np.arange(size * 3).reshape(size, 3) % 5 - np.arange(3)).astype(np.float64)
    components = np.linalg.qr(columns)[0].T.astype(np.float32)
    loss = with_loss(net)
    optimizer = nn.SGD(list(weights), 1.0)
    reduced = boost.DimReduce(loss, optimizer, weights, components, 3, 0.55, 0.9, 0.001, 0.4, 0, 1)
    step = Step(loss, weights, reduced)
    for expected in WEIGHTS:
        step(X, Y)
        np.testing.assert_allclose(sums(weights), expected, atol=1e-3)
    np.testing.assert_allclose(reduced.bk.asnumpy().ravel(), INVERSE, atol=5e-3)
    np.testing.assert_allclose(reduced.gk_last.asnumpy().ravel(), [0.0901, -0.03793, 0.04579], atol=1e-4)
