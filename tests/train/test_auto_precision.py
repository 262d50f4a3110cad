"""Level "auto" of mixed precision: the type of every operation by MindSpore's recording, in both modes."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._core.trace import scopes
from ms_compat._core.trace.precision import current_precision
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


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_parameters_and_their_gradients_stay_in_float32(mode, dtype):
    net = ms.amp.auto_mixed_precision(Net(), "auto", dtype)
    before = net(X).asnumpy()
    value, gradients = ms.value_and_grad(lambda x: (net(x) * X[:, :2]).sum(), None, net.trainable_params())(X)
    ms.amp.auto_mixed_precision(net, "auto", ms.bfloat16 if dtype is ms.float16 else ms.float16)  # compiles again
    after = net(X).asnumpy()
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
    assert scopes.tracing == 0 and current_precision() is None


def test_a_training_step_of_level_auto_learns():
    net = Net()
    step = ms.amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.5), nn.MSELoss(), level="auto")
    y = Tensor(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32))
    losses = [float(step(X, y)) for _ in range(5)]
    assert losses[-1] <= losses[0]
    assert net.first.weight.dtype == ms.float32


# -- functions, and Cells with more than a level ---------------------------------------------------------------------
F32 = ms.Tensor(np.array([[1, 2], [3, 4]], np.float32))
F16 = F32.astype(ms.float16)
FUNCTIONS = [
    (lambda x, y: ms.ops.matmul(x, y), (F32, F32), ms.float16),
    (lambda x, y: ms.ops.softmax(x + y), (F16, F16), ms.float32),
    (lambda x, y: x.matmul(y) + 1, (F32, F32), ms.float16),
    (lambda x, y: ms.ops.addn([x, y]), (F16, F32), ms.float32),
    (lambda x, y: ms.ops.addn([x, y]), (F16, F16), ms.float16),
    (lambda x, y: ms.ops.stack([x, y]), (F16, F32), ms.float32),
    (lambda x, y: ms.ops.AddN()((x, y)), (F16, F32), ms.float32),
]


@pytest.mark.parametrize(("fn", "inputs", "dtype"), FUNCTIONS)
def test_functions(mode, fn, inputs, dtype):
    run = ms.amp.auto_mixed_precision(fn, "auto")
    assert run(*inputs).dtype == ms.jit(run)(*inputs).dtype == dtype
    assert run is not fn and fn(F32, F32).dtype == ms.float32


def test_a_compiled_function_computes_in_the_precision_around_it(mode):
    product = ms.jit(lambda x, y: ms.ops.matmul(x, y))
    outer = ms.amp.auto_mixed_precision(lambda x, y: product(x, y), "auto")
    for _ in range(2):
        assert product(F32, F32).dtype == ms.float32 and outer(F32, F32).dtype == ms.float16


def test_gradients_of_a_function(mode):
    run = ms.amp.auto_mixed_precision(lambda x, y: ms.ops.matmul(x, y), "auto")
    grad = ms.grad(run)(F32, F32 + 1)
    assert grad.dtype == ms.float32
    np.testing.assert_array_equal(grad.asnumpy(), [[5, 9], [5, 9]])


def test_other_levels_take_cells_alone():
    for level in ("O0", "O1", "O2", "O3"):
        with pytest.raises(TypeError):
            ms.amp.auto_mixed_precision(lambda x: x, level)


class Convolves(ms.nn.Cell):
    def __init__(self, own=None, again=False):
        super().__init__()
        self.conv = ms.nn.Conv2d(1, 1, 2, weight_init="ones")
        if own is not None:
            self.conv.to_float(own)
        if again:
            self.conv.recompute()

    def construct(self, x):
        return self.conv(x)


def test_a_cell_with_a_type_of_its_own_keeps_it(mode):
    x = ms.ops.ones((1, 1, 3, 3), ms.float16)
    assert ms.amp.auto_mixed_precision(Convolves(ms.float32), "auto")(x).dtype == ms.float32
    assert ms.amp.auto_mixed_precision(Convolves(), "auto")(x).dtype == ms.float16


def test_what_is_recomputed_has_the_precision_of_the_first_time(mode):
    x = ms.ops.ones((1, 1, 2, 2))
    grad = ms.grad(ms.amp.auto_mixed_precision(Convolves(again=True), "auto"))(x)
    assert grad.dtype == ms.float32
    np.testing.assert_array_equal(grad.asnumpy(), [[[[1, 2], [2, 4]]]])
