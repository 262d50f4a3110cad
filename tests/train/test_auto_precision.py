"""Level "auto" of mixed precision: the type of every operation by MindSpore's recording, in both modes."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.train import precision_samples

RECORDED = json.loads((Path(__file__).parents[1] / "conformance/data/auto_precision.json").read_text())["dtypes"]


def test_each_operation_computes_in_the_recorded_type():
    assert precision_samples.dtypes(ms) == RECORDED
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        compiled = precision_samples.network(ms, list(RECORDED))()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert dict(zip(RECORDED, [str(result.dtype) for result in compiled], strict=True)) == RECORDED


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(3, 4, weight_init="ones", bias_init="zeros", has_bias=False)
        self.second = nn.Dense(4, 2, weight_init="ones", has_bias=False)

    def construct(self, x):
        return ops.softmax(self.second(ops.relu(self.first(x))))


X = Tensor(np.linspace(0.1, 0.9, 6).reshape(2, 3).astype(np.float32))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_parameters_and_their_gradients_stay_in_float32(mode, dtype):
    net = ms.amp.auto_mixed_precision(Net(), "auto", dtype)
    ms.set_context(mode=mode)
    try:
        before = net(X).asnumpy()
        value, gradients = ms.value_and_grad(lambda x: (net(x) * X[:, :2]).sum(), None, net.trainable_params())(X)
        ms.amp.auto_mixed_precision(net, "auto", ms.bfloat16 if dtype is ms.float16 else ms.float16)  # compiles again
        after = net(X).asnumpy()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert value.dtype == ms.float32 and {g.dtype for g in gradients} == {ms.float32}
    assert {p.dtype for p in net.get_parameters()} == {ms.float32}
    np.testing.assert_allclose(before, after, atol=1e-2)
    exact = X.asnumpy() @ np.ones((3, 4), np.float32)
    inner = nn.SequentialCell(net.first)
    ms.amp.auto_mixed_precision(inner, "auto", dtype)
    assert inner(X).dtype == dtype
    np.testing.assert_allclose(inner(X).astype(ms.float32).asnumpy(), exact, rtol=1e-2)


def test_a_cell_alone_pays_nothing_and_an_inner_level_decides():
    inner, plain = nn.Dense(3, 2, has_bias=False), nn.Dense(2, 2, has_bias=False)
    net = nn.SequentialCell(ms.amp.auto_mixed_precision(inner, "auto", ms.bfloat16), nn.ReLU())
    ms.amp.auto_mixed_precision(net, "auto")
    assert net(X).dtype == ms.bfloat16
    assert plain(X[:, :2]).dtype == ms.float32
    assert ms._core.state.tracing == 0 and ms._core.state.precision() is None


def test_a_training_step_of_level_auto_learns():
    net = Net()
    step = ms.amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.5), nn.MSELoss(), level="auto")
    y = Tensor(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32))
    losses = [float(step(X, y)) for _ in range(5)]
    assert losses[-1] <= losses[0]
    assert net.first.weight.dtype == ms.float32
