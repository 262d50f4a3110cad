"""The training step that most projects write by hand beside `nn.TrainOneStepCell`: the forward is recorded, not paid
twice."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from tests.benchmarks import steps
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark


class ClassicStep(nn.Cell):
    """The loss, then the gradients of the same network at the same inputs."""

    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.Fill()(ops.DType()(loss), ops.Shape()(loss), 1.0)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        return ops.depend(loss, self.optimizer(grads))


def test_classic_step(mode):
    case = steps.CASES["lenet"]
    inputs = [ms.Tensor(a) for a in case.data(np.random.RandomState(0))]

    def trained(step):
        ms.set_seed(1)
        network = nn.WithLossCell(case.net(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
        cell = step(network, case.optimizer(network.trainable_params())).set_train()
        return lambda: cell(*inputs).asnumpy()

    classic, provided = trained(ClassicStep), trained(nn.TrainOneStepCell)
    assert [float(classic()) for _ in range(3)] == pytest.approx([float(provided()) for _ in range(3)], rel=1e-4)
    name = "graph" if mode == ms.GRAPH_MODE else "pynative"
    check_ratio(f"classic step / TrainOneStepCell, {name}", classic, provided, 1.05, calls=3, rounds=20)
