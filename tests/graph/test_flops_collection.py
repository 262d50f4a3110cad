"""`flops_collection`; figures recorded with MindSpore 2.10."""

import pytest

import ms_compat as ms
from ms_compat import context, nn, ops


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense, self.relu = nn.Dense(3, 4), nn.ReLU()

    def construct(self, x):
        return self.relu(self.dense(x))


def test_operations_of_compiled_networks():
    context.set_context(mode=context.GRAPH_MODE)
    try:
        network = Network().set_train()
        assert network.current_phase == ""
        network(ops.ones((2, 3)))
        assert network.current_phase.startswith("train.")
        assert ms.flops_collection(network.current_phase) == (48.0, 48.0, 48.0, 48.0, False)
        step = nn.TrainOneStepCell(
            nn.WithLossCell(network, nn.MSELoss()), nn.SGD(network.trainable_params())
        ).set_train()
        step(ops.ones((2, 3)), ops.ones((2, 4)))
        assert ms.flops_collection(step.current_phase) == (96.0, 96.0, 96.0, 96.0, False)
    finally:
        context.set_context(mode=context.PYNATIVE_MODE)


def test_without_a_compiled_network():
    with pytest.raises(RuntimeError, match="current_phase"):
        ms.flops_collection()
    with pytest.raises(TypeError, match="phase"):
        ms.flops_collection(3)
    network = Network()
    network(ops.ones((2, 3)))
    assert network.current_phase == ""
