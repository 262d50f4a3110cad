"""Two losses that share Cells in one step, as GANs are trained: how often the nets run, and at which weights.

The values are those of MindSpore 2.10. Each case runs two steps; a moving mean m after n updates with the same batch,
of mean 1, is 1 - 0.9 ** n, so that it tells n.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import ParameterTuple, Tensor, nn, ops

X = np.array([[0, 1], [2, 1], [1, 4]], np.float32)


class DLoss(nn.Cell):
    def __init__(self, g, d):
        super().__init__()
        self.g, self.d = g, d

    def construct(self, x):
        return self.d(x).mean() - self.d(self.g(x)).mean()


class GLoss(DLoss):
    def construct(self, x):
        return (self.d(self.g(x)) ** 2).mean()


class Step(nn.Cell):
    """The losses `ld` and `lg` share a normalisation, whose weights `og` trains, and a Dense, whose `od` trains."""

    def __init__(self, marked=True):
        super().__init__()
        self.g = nn.BatchNorm1d(2)
        self.d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        self.ld, self.lg = DLoss(self.g, self.d), GLoss(self.g, self.d)
        if marked:
            self.ld.set_grad(), self.lg.set_grad()
        self.od, self.og = nn.SGD(self.d.trainable_params(), 0.5), nn.SGD(self.g.trainable_params(), 0.5)
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def of_d(self, x, loss):
        return self.grad(self.ld, self.od.parameters)(x, ops.ones_like(loss))

    def of_g(self, x, loss):
        return self.grad(self.lg, self.og.parameters)(x, ops.ones_like(loss))


class Both(Step):
    def construct(self, x):
        d, g = self.ld(x), self.lg(x)
        self.od(self.of_d(x, d))
        self.og(self.of_g(x, g))
        return d, g


class GFirst(Step):
    def construct(self, x):
        d, g = self.ld(x), self.lg(x)
        self.og(self.of_g(x, g))
        self.od(self.of_d(x, d))
        return d, g


class OneAfterTheOther(Step):
    def construct(self, x):
        d = self.ld(x)
        self.od(self.of_d(x, d))
        g = self.lg(x)
        self.og(self.of_g(x, g))
        return d, g


class Values(Step):
    def construct(self, x):
        d, of_d = ms.value_and_grad(self.ld, None, self.od.parameters)(x)
        self.od(of_d)
        g, of_g = ms.value_and_grad(self.lg, None, self.og.parameters)(x)
        self.og(of_g)
        return d, g


# by program: after two steps, the updates of the mean in PYNATIVE_MODE, without marks, and in GRAPH_MODE; the second
# losses and gamma in PYNATIVE_MODE and in GRAPH_MODE
CASES = {
    Both: (4, 8, 4, ([0.5, 0.0625], [0.5, 1.0]), ([0.5, 0.0], [0.0, 0.0])),
    GFirst: (4, 8, 4, ([0.5, 0.0], [0.0, 0.0]), ([0.5, 0.0], [0.0, 0.0])),
    OneAfterTheOther: (4, 8, 4, ([0.5, 1.0], [0.75, 0.0]), ([0.5, 1.0], [0.75, 0.0])),
    Values: (4, 4, 4, ([0.5, 1.0], [0.75, 0.0]), ([0.5, 1.0], [0.75, 0.0])),
}


def updates(net):
    return round(float(np.log(1 - net.moving_mean.asnumpy()[0]) / np.log(0.9)), 2)


@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_two_losses_in_a_step(mode, program):
    marked, unmarked, compiled, *expected = CASES[program]
    net, x = program().set_train(), Tensor(X)
    net(x)
    losses = net(x)
    assert updates(net.g) == (marked if mode == ms.PYNATIVE_MODE else compiled)
    second, gamma = expected[mode == ms.GRAPH_MODE]
    np.testing.assert_allclose([float(v) for v in losses], second, atol=1e-3)
    np.testing.assert_allclose(net.g.gamma.asnumpy(), gamma, atol=1e-3)
    net = program(marked=False).set_train()
    net(x), net(x)
    assert updates(net.g) == (unmarked if mode == ms.PYNATIVE_MODE else compiled)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2)
        self.d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")

    def construct(self, x):
        return (self.d(self.bn(x)) ** 2).mean()


class Through(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x):
        return self.net(x)


class Counted(nn.Cell):
    """One net, called and differentiated as a program says."""

    def __init__(self, program):
        super().__init__()
        self.program = program
        self.n = Net().set_grad()
        self.through = Through(self.n)
        self.weights = ParameterTuple(self.n.trainable_params())
        self.by_list, self.all = ops.GradOperation(get_by_list=True), ops.GradOperation(get_all=True)
        self.value = ms.value_and_grad(self.n, None, self.weights)
        self.one = nn.TrainOneStepCell(self.n, nn.SGD(self.n.trainable_params(), 0.0))
        self.other = nn.TrainOneStepCell(self.n, nn.SGD(self.n.trainable_params(), 0.0))

    def g(self, x):
        return self.by_list(self.n, self.weights)(x)[2].sum()

    def construct(self, x):
        return self.program(self, x)


def within_a_branch(s, x):
    out = x.sum()
    if out > -1e6:
        out = s.n(x) + s.g(x)
    return out


def before_a_branch(s, x):
    out = s.n(x)
    if out > -1e6:
        out = s.g(x)
    return out


# program: how often the net runs in PYNATIVE_MODE and in GRAPH_MODE
COUNTS = {
    "a call and a gradient": (lambda s, x: s.n(x) + s.g(x), 1, 1),
    "a gradient of other inputs": (lambda s, x: s.n(x) + s.g(x * 1.0), 2, 2),
    "two gradients": (lambda s, x: s.n(x) + s.g(x) + s.g(x), 2, 3),
    "gradients of two kinds": (lambda s, x: s.n(x) + s.g(x) + s.all(s.n)(x)[0].sum(), 2, 3),
    "two calls": (lambda s, x: s.n(x) + s.n(x) + s.g(x), 2, 3),
    "a call afterwards": (lambda s, x: s.n(x) + s.g(x) + s.n(x), 2, 3),
    "two of both": (lambda s, x: s.n(x) + s.g(x) + s.n(x) + s.g(x), 2, 4),
    "two calls, two gradients": (lambda s, x: s.n(x) + s.n(x) + s.g(x) + s.g(x), 2, 4),
    "gradients alone": (lambda s, x: s.g(x) + s.g(x), 2, 2),
    "values and gradients": (lambda s, x: s.value(x)[0] + s.value(x)[0], 2, 2),
    "a call and a value": (lambda s, x: s.n(x) + s.value(x)[0], 1, 1),
    "a call, a value and a gradient": (lambda s, x: s.n(x) + s.value(x)[0] + s.g(x), 2, 3),
    "a call through another Cell": (lambda s, x: s.through(x) + s.g(x), 1, 1),
    "a gradient through another Cell": (lambda s, x: s.n(x) + s.by_list(s.through, s.weights)(x)[2].sum(), 2, 2),
    "calls in two ways": (lambda s, x: s.through(x) + s.n(x) + s.g(x), 2, 3),
    "two training steps": (lambda s, x: s.one(x) + s.other(x), 2, 4),
    "a training step twice": (lambda s, x: s.one(x) + s.one(x * 1.0), 2, 4),
    "a training step and a call": (lambda s, x: s.one(x) + s.n(x), 2, 3),
    "within a branch": (within_a_branch, 1, 1),
    "before a branch": (before_a_branch, 1, 2),
}


@pytest.mark.parametrize("name", COUNTS)
def test_how_often_a_net_runs(mode, name):
    program, pynative, graph = COUNTS[name]
    step = Counted(program).set_train()
    step(Tensor(X))
    assert updates(step.n.bn) == (pynative if mode == ms.PYNATIVE_MODE else graph)


# -- the weights of a record -----------------------------------------------------------------------------------------
class Weighed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([1.0, 2.0]), name="w")
        self.v = ms.Parameter(Tensor([1.0, 3.0]), name="v")

    def construct(self, x):
        return ((x * self.w) ** 2 * self.v).sum()


WRITES = {
    "nothing": (lambda net, x: None, [2, 48], [1, 16]),
    "assign": (lambda net, x: ops.assign(net.v, net.v * 3), [6, 144], [1, 16]),
    "set_data": (lambda net, x: net.v.set_data(net.v * 3), [6, 144], [1, 16]),
    "attribute": (lambda net, x: setattr(net, "v", net.v * 3), [6, 144], [1, 16]),
    "by index": (lambda net, x: net.v.__setitem__(0, 5.0), [10, 48], [1, 16]),
    "optimizer": (lambda net, x: nn.SGD([net.v], 0.5)((Tensor([1.0, 2.0]),)), [1, 32], [1, 16]),
    "the other": (lambda net, x: ops.assign(net.w, net.w * 3), [2, 48], [1, 16]),
    "the input": (lambda net, x: ops.assign(x, x * 3), [6, 144], [1, 16]),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_record_has_its_activations_and_the_weights_of_now(name):
    write, of_w, of_v = WRITES[name]
    net, x = Weighed().set_grad().set_train(), Tensor([1.0, 2.0])
    loss = net(x)
    write(net, x)
    got = ops.GradOperation(get_by_list=True)(net, ParameterTuple([net.w, net.v]))(x)
    assert loss.asnumpy() == 49
    assert [g.asnumpy().tolist() for g in got] == [of_w, of_v]


def test_compiled_the_gradient_is_of_the_weights_of_the_call():
    net = Weighed()
    grad = ops.GradOperation(get_by_list=True)

    def step(x):
        loss = net(x)
        ops.assign(net.v, net.v * 3)
        return loss, grad(net, ParameterTuple([net.w, net.v]))(x)

    loss, got = ms.jit(step)(Tensor([1.0, 2.0]))
    assert loss.asnumpy() == 49 and [g.asnumpy().tolist() for g in got] == [[2, 48], [1, 16]]
    assert net.v.asnumpy().tolist() == [3, 9]


def test_the_latest_of_several_records_is_taken_first():
    net, x = Weighed().set_grad().set_train(), Tensor([1.0, 2.0])
    for _ in range(2):
        net(x)
        ops.assign(net.w, net.w * 3)
    got = [ops.GradOperation(get_by_list=True)(net, ParameterTuple([net.v]))(x)[0].asnumpy().tolist() for _ in range(3)]
    assert got == [[9, 144], [1, 16], [81, 1296]]


def test_inputs_are_the_same_by_their_tensors_and_by_the_values_of_constants(mode):
    class Scaled(Net):
        def construct(self, pair, factor):
            return super().construct(pair[0]) * factor

    net, x = Scaled().set_grad().set_train(), Tensor(X)
    for factor, runs in ((1000.5, 1), (2.5, 3)):
        net((x, 2), 1000.5)
        ms.grad(net, None, net.trainable_params())((x, 2), factor)
        if mode == ms.PYNATIVE_MODE:
            assert updates(net.bn) == runs
