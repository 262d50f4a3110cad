"""Indices and class numbers out of range: recorded outcomes, and what a compiled function does with its arguments."""

import linecache

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from tests.conformance import replay
from tests.ops import index_samples


@pytest.fixture(autouse=True)
def pynative_afterwards():
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


CASES = replay.load("ops_indices.json")
# MindSpore reads one label past the end
UNREFUSED = ("ops.SparseSoftmaxCrossEntropyWithLogits()(x, I)", "fn(put(labels, 3))", "ms.jit(fn)(put(labels, 3))")


def _outcomes(call):
    """What ms_compat answers to the recorded cases of one call, whose setup runs once."""
    names = replay.namespace(ms)
    setup = index_samples.SETUP + f"def fn(I):\n    return {call}\n"
    place = f"<index {call}>"
    linecache.cache[place] = (len(setup), None, setup.splitlines(keepends=True), place)
    exec(compile(setup, place, "exec"), names)
    for case in CASES:
        if case["call"] == call:
            try:
                yield case, {"result": replay.describe(eval(case["expr"], names))}
            except Exception as error:
                yield case, {"error": type(error).__name__, "message": str(error)[:200]}


@pytest.mark.parametrize("call", dict.fromkeys(case["call"] for case in CASES))
def test_recorded(call):
    wrong = []
    for case, outcome in _outcomes(call):
        if call == UNREFUSED[0] and case["expr"] in UNREFUSED:
            found = [] if outcome.get("error") == "RuntimeError" else [str(outcome)]
        elif "error" in case:  # the classes are compared here, as also for those that MindSpore's launcher words
            found = [] if outcome.get("error") == case["error"] else [f"expected {case['error']}; got {outcome}"]
        else:
            found = replay.differences({**case, "rtol": 1e-5}, outcome)
        wrong += [f"{case['expr']}: {text}" for text in found]
    assert not wrong, "\n".join(wrong)


def test_a_compiled_step_refuses_labels_before_anything_changes():
    net = nn.Dense(3, 3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.SGD(net.trainable_params(), 0.1))
    step.set_train()
    ms.set_context(mode=ms.GRAPH_MODE)
    x = Tensor(np.eye(3, dtype=np.float32))
    step(x, Tensor([0, 1, 2], ms.int32))
    before = net.weight.asnumpy().copy()
    with pytest.raises(RuntimeError, match="'target' must be class numbers in range"):
        step(x, Tensor([0, 1, 3], ms.int32))
    with pytest.raises(RuntimeError, match="'target' must be class numbers in range"):
        step(x[:2], Tensor([0, -4], ms.int32))  # other shapes
    assert np.array_equal(net.weight.asnumpy(), before)
    step(x, Tensor([0, 1, -1], ms.int32))
    assert not np.array_equal(net.weight.asnumpy(), before)


def test_arguments_are_looked_at_for_each_shape_without_another_trace():
    @ms.jit
    def rows(x, i):
        return ops.gather(x, i.reshape(-1).astype(ms.int64), 0)

    wide, long = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((5, 3), np.float32))
    index = Tensor([[3], [1]], ms.int32)
    assert rows(long, index).shape == (2, 3)
    with pytest.raises(RuntimeError, match=r"range \[-2, 2\), but got 3"):
        rows(wide, index)
    assert rows(long, index).shape == rows(wide, Tensor([[1], [0]], ms.int32)).shape
    assert rows.traces == 2


def test_under_a_gradient_arguments_are_looked_at():
    def loss(x, labels):
        return ops.cross_entropy(x, labels)

    x = Tensor(np.ones((2, 3), np.float32))
    for way in (ms.grad(loss), ms.jit(ms.grad(loss)), ms.grad(ms.jit(loss))):
        assert way(x, Tensor([0, 2], ms.int32)).shape == (2, 3)
        with pytest.raises(RuntimeError, match="'target'"):
            way(x, Tensor([0, 7], ms.int32))


def test_a_branch_that_does_not_run_refuses_nothing():
    @ms.jit
    def chosen(x, i, flag):
        return ops.gather(x, i, 0) if flag > 0 else x[:1] * 2

    x = Tensor(np.ones((2, 3), np.float32))
    assert chosen(x, Tensor([7], ms.int32), Tensor(-1)).shape == (1, 3)
    assert np.isnan(chosen(x, Tensor([7], ms.int32), Tensor(1)).asnumpy()).all()


def test_a_constant_index_is_looked_at_while_tracing():
    at = Tensor([0, 9], ms.int32)
    with pytest.raises(RuntimeError, match="but got 9"):
        ms.jit(lambda x: ops.gather(x, at, 0))(Tensor(np.ones((2, 3), np.float32)))


def test_a_parameter_of_indices_may_change_between_calls():
    at = Parameter(Tensor([0, 1], ms.int32), name="at", requires_grad=False)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.at = at

        @ms.jit
        def construct(self, x):
            return ops.gather(x, self.at, 0)

    net, x = Net(), Tensor(np.arange(4, dtype=np.float32).reshape(2, 2))
    net(x)
    at.set_data(Tensor([1, 1], ms.int32))
    assert net(x).asnumpy().tolist() == [[2, 3], [2, 3]]
