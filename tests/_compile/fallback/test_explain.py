"""A function that is traced again names what changed: every cause, in both kinds of compiled code."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._compile.fallback import explain, shape_policy


@pytest.fixture(autouse=True)
def asked(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_EXPLAIN_RECOMPILES", "1")
    explain.explanations.clear()
    yield
    explain.explanations.clear()


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)
        self.bn = nn.BatchNorm1d(2)

    def construct(self, x):
        return self.bn(self.fc(x))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.block1 = Block()

    def construct(self, x):
        return self.block1(x)


def train_flag(net):
    net.block1.bn.set_train(not net.block1.bn.training)


def requires_grad(net):
    net.block1.fc.weight.requires_grad = False


def hook(net):
    net.block1.fc.register_forward_hook(lambda cell, inputs, output: None)


def mixed_precision(net):
    net.block1.fc.to_float(ms.float16)


def new_child(net):
    net.block1.more = nn.ReLU()


def other_child(net):
    net.block1.fc = nn.Dense(2, 2)


CHANGES = {
    train_flag: "`net.block1.bn` (BatchNorm1d): training was False, is True",
    requires_grad: "`net.block1.fc` (Dense): Parameter 'weight' was requires_grad=True",
    hook: "`net.block1.fc` (Dense): forward hooks was not there, is 1",
    mixed_precision: "`net.block1.fc` (Dense): flag 'fp16' was not there, is True",
    new_child: "`net.block1.more` (ReLU) was not there, is there",
    other_child: "`net.block1.fc` (Dense) was one Cell, is another",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_of_a_cell_is_named(change):
    net = Net()
    x = Tensor(np.ones((3, 2), np.float32))
    step = ms.jit(lambda x: net(x))
    step(x)
    assert explain.explanations == []
    change(net)
    step(x)
    (text,) = explain.explanations
    assert CHANGES[change] in text and "traced again because" in text


def test_a_cell_of_its_own_function_has_no_prefix():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net, x = Net(), Tensor(np.ones((3, 2), np.float32))
        net(x)
        net.block1.bn.set_train()
        net(x)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert "`block1.bn` (BatchNorm1d): training was False, is True" in explain.explanations[0]


def test_another_object_in_a_closure_is_named():
    held = [nn.Dense(2, 2), nn.Dense(2, 2)]
    x = Tensor(np.ones((3, 2), np.float32))

    def make():
        net = held[0]

        def f(x):
            return net(x)

        def swap():
            nonlocal net
            net = held[1]

        return ms.jit(f), swap

    f, swap = make()
    f(x)
    swap()
    ops.relu(x)
    held[0].set_train(not held[0].training)  # so that compiled functions look again
    f(x)
    assert "`net` (Dense) was one Cell, is another" in explain.explanations[0]


SECOND_CALLS = {
    "shape": ((Tensor(np.ones(3, np.float32)), 1, {"a": 1}), "argument 0 was Tensor[2] float32, is Tensor[3] float32"),
    "dtype": ((Tensor(np.ones(2, np.float16)), 1, {"a": 1}), "argument 0 was Tensor[2] float32, is Tensor[2] float16"),
    "number": ((Tensor(np.ones(2, np.float32)), 2, {"a": 1}), "argument 1 was int 1, is int 2"),
    "dict key": ((Tensor(np.ones(2, np.float32)), 1, {"b": 1}), "argument 2['a'] was int 1, is not there"),
}


@pytest.mark.parametrize("kind", SECOND_CALLS)
def test_a_change_of_an_argument_is_named(kind):
    f = ms.jit(lambda x, k, d: x * k)
    f(Tensor(np.ones(2, np.float32)), 1, {"a": 1})
    arguments, wanted = SECOND_CALLS[kind]
    f(*arguments)
    assert wanted in explain.explanations[0]


def test_another_dtype_of_a_parameter_is_named():
    weight = Parameter(Tensor(np.ones(2, np.float32)), name="weight")
    f = ms.jit(lambda x: x * weight)
    x = Tensor(np.ones(2, np.float32))
    f(x)
    weight.set_dtype(ms.float16)
    f(x)
    assert "Parameter `weight` was Tensor[2] Float32" in explain.explanations[0]
    assert "is Tensor[2] Float16" in explain.explanations[0]


def test_padding_is_named():
    f = ms.jit(lambda x: ops.relu(x) + 1)
    for size in range(2, 4 + shape_policy.FEW):
        f(Tensor(np.ones(size, np.float32)))
    assert any("padded to powers of two" in text for text in explain.explanations)


def test_what_is_kept_is_bounded():
    f = ms.jit(lambda x, k: x)
    for k in range(3 * explain._TRACES):
        f(Tensor(1.0), k)
    assert len(f._compiled.history) == explain._TRACES
    for _ in range(2 * explain._KEPT):
        explain.keep("text")
    assert len(explain.explanations) == explain._KEPT
