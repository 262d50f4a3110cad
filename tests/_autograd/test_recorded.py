"""A Cell that runs and is then differentiated at the same inputs runs once; the counts are MindSpore 2.10's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, nn, ops
from ms_compat._autograd import recorded
from ms_compat._core import tape

X = np.random.RandomState(0).randn(4, 2, 3, 3).astype(np.float32) * 3 + 5


class Net(nn.Cell):
    """Counts its runs; the count scales the output, so that a gradient tells which run it belongs to."""

    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm2d(2, momentum=0.9)
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)

    def construct(self, x):
        self.count += 1
        return self.bn(x).sum() * self.count


class Step(nn.Cell):
    """The classic training step, as hundreds of programs write it."""

    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, x):
        loss = self.network(x)
        sens = ops.fill(loss.dtype, loss.shape, 1.0)
        return loss, self.grad(self.network, self.weights)(x, sens)


def test_the_classic_step_runs_the_network_once(mode):
    net = Net()
    step = Step(net)
    step.set_train()
    for expected_count, mean in ((1, 0.52040744), (2, 0.9887741)):
        loss, (_, of_beta) = step(Tensor(X))
        assert net.count.asnumpy() == expected_count
        assert net.bn.moving_mean.asnumpy()[0] == pytest.approx(mean, rel=1e-5)
        np.testing.assert_allclose(of_beta.asnumpy(), 36.0 * expected_count)


def test_a_step_of_dropout_draws_one_mask(mode):
    class Masked(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.ones(200, np.float32)), name="w")
            self.drop = nn.Dropout(p=0.5)

        def construct(self, x):
            return self.drop(self.w * x).sum()

    step = Step(Masked())
    step.set_train()
    loss, (gradient,) = step(Tensor(np.ones(200, np.float32)))
    assert 0 < (gradient.asnumpy() > 0).sum() < 200
    assert float(loss.asnumpy()) == pytest.approx(float(gradient.sum().asnumpy()))


def gradient_of_weights(net, x):
    grad = ops.GradOperation(get_by_list=True, sens_param=True)
    return grad(net, ParameterTuple(net.trainable_params()))(x, Tensor(1.0))


def runs(before_gradient, other_input=False, times=1, marked=True):
    """How often a network ran in: forward, something, gradient(s)."""
    net = Net()
    net.set_train()
    if marked:
        net.set_grad()
    x = Tensor(X)
    net(x)
    before_gradient(net, x)
    for _ in range(times):
        gradient_of_weights(net, Tensor(X) if other_input else x)
    return int(net.count.asnumpy())


def nothing(net, x):
    pass


def test_when_the_record_serves():
    assert runs(nothing) == 1
    assert runs(nothing, marked=False) == 2
    assert runs(nothing, other_input=True) == 2
    assert runs(nothing, times=2) == 2  # it is used once
    assert runs(lambda net, x: net.bn.gamma.set_data(net.bn.gamma * 2)) == 1  # whatever was written since
    assert runs(lambda net, x: x.__setitem__(0, 1.0)) == 1
    assert runs(lambda net, x: net(x * 2)) == 2  # the record of the first call is still there
    assert runs(lambda net, x: [net(x * k) for k in range(2, 5)]) == 4
    assert runs(lambda net, x: net(x), times=3) == 3  # each call has a record
    assert runs(lambda net, x: [net(x * k) for k in range(recorded.KEPT)]) == recorded.KEPT + 2


def test_value_and_grad_and_gradients_of_inputs_take_the_record():
    net = Net().set_grad()
    net.set_train()
    x = Tensor(X)
    loss = net(x)
    value, (of_input, (_, of_beta)) = ms.value_and_grad(net, 0, net.trainable_params())(x)
    assert net.count.asnumpy() == 1
    np.testing.assert_array_equal(value.asnumpy(), loss.asnumpy())
    np.testing.assert_allclose(of_beta.asnumpy(), 36.0)
    assert of_input.shape == x.shape


def test_gradients_equal_those_without_a_record():
    class Mixed(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 2, weight_init="ones", bias_init="ones")
            self.unused = Parameter(Tensor(np.ones(2, np.float32)), name="unused")

        def construct(self, x, pair, scale=1.0):
            a, b = pair
            hidden = self.dense(x * a)
            return (hidden * hidden).sum() * scale + b.sum(), hidden

    def gradients(marked):
        net = Mixed().set_grad(marked)
        x, pair = Tensor(np.arange(6.0).reshape(2, 3), ms.float32), (Tensor([2.0]), Tensor([3.0]))
        net(x, pair, scale=2.0)
        other = Parameter(Tensor([1.0]), name="other")
        found = ms.grad(net, (0,), [*net.trainable_params(), other], has_aux=True)(x, pair, scale=2.0)
        return [g.asnumpy() for g in (*[found[0][0]], *found[0][1], *found[1])]

    for mine, expected in zip(gradients(True), gradients(False), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-6)


def test_hooks_run_once():
    calls = []
    net = nn.Dense(2, 1, weight_init="ones").set_grad()
    net.register_backward_hook(lambda cell, grad_input, grad_output: calls.append("backward"))
    net.weight.register_hook(lambda grad: calls.append("weight"))
    x = Tensor(np.ones((1, 2), np.float32))
    net(x)
    net.bias.register_hook(lambda grad: calls.append("bias"))
    ms.grad(net, None, net.trainable_params())(x)
    assert sorted(calls) == ["backward", "bias", "weight"]


def test_a_record_is_let_go_with_its_cell_and_never_copied():
    import copy
    import gc
    import weakref

    net = nn.Dense(2, 1).set_grad()
    net(Tensor(np.ones((1, 2), np.float32)))
    assert "_recorded" not in vars(copy.deepcopy(net))
    gone = weakref.ref(net)
    del net
    gc.collect()
    assert gone() is None


def test_a_forward_without_gradient_is_traced_once_and_with_one_twice():
    net = Net()
    net.set_train()

    def forward(x):
        return net(x)

    weights = ParameterTuple(net.trainable_params())
    grad = ops.GradOperation(get_by_list=True)

    def step(x):
        return net(x), grad(net, weights)(x)

    one, two = ms.jit(forward), ms.jit(step)
    one(Tensor(X))
    two(Tensor(X))
    traces = one.traces, two.traces
    assert two.traces == traces[1] == one.traces + 1
    two(Tensor(X))
    assert (one.traces, two.traces) == traces
    assert net.count.asnumpy() == 3


def test_the_gradient_of_a_call_before_a_branch(mode):
    class Guarded(nn.Cell):
        def __init__(self, network):
            super().__init__()
            self.network = network.set_grad()
            self.grad = ops.GradOperation(get_all=True)

        def construct(self, x):
            loss = self.network(x)
            gradient = loss
            if loss > -1e6:
                gradient = self.grad(self.network)(x)[0].sum()
            return loss, gradient

    net = Net()
    Guarded(net)(Tensor(X))
    assert net.count.asnumpy() == (1 if mode == ms.PYNATIVE_MODE else 2)  # the compiler merges within a branch alone


def test_gradients_that_nobody_asks_for_are_not_computed(monkeypatch):
    net = nn.SequentialCell(nn.Dense(2, 2, has_bias=False), nn.Dense(2, 1, has_bias=False))
    net.set_grad()
    x = Tensor([[1.0, 2.0]])
    asked = []
    pullback = tape.CompiledOp.pullback
    counted = lambda entry, mask, *rest: asked.append(mask) or pullback(entry, mask, *rest)  # noqa: E731
    monkeypatch.setattr(tape.CompiledOp, "pullback", counted)
    net(x)
    ops.GradOperation(get_by_list=True)(net, net.trainable_params())(x)
    of_weights = sum(map(len, asked))
    asked.clear()
    net(x)
    ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(x)
    assert sum(map(len, asked)) > of_weights


class Counting(nn.Cell):
    """A normalised net, whose output goes through integers or meets NumPy as `how` says."""

    def __init__(self, how):
        super().__init__()
        self.dense, self.norm, self.how = nn.Dense(3, 4), nn.BatchNorm1d(4), how
        rng = np.random.RandomState(0)
        for p in self.trainable_params():
            p.set_data(Tensor(rng.randn(*p.shape).astype(np.float32)))

    def construct(self, x):
        y = self.norm(self.dense(x))
        if self.how == "integers":
            counts = (y.sum(axis=1) * 10).astype(ms.int32)
            y = y + ops.minimum(counts, counts * 3).astype(ms.float32).sum()
        return (y * y * y).mean()


class CallsAndDifferentiates(nn.Cell):
    """Calls a net and then differentiates it, with or without a scale of the gradient."""

    def __init__(self, net, scaled=False):
        super().__init__()
        self.net, self.weights, self.scaled = net, ms.ParameterTuple(net.trainable_params()), scaled
        self.grad = ops.GradOperation(get_by_list=True, sens_param=scaled)

    def construct(self, x):
        loss = self.net(x)
        if self.net.how == "numpy":
            np.asarray(loss.asnumpy())
        scales = (Tensor(2.0),) if self.scaled else ()
        return loss, self.grad(self.net, self.weights)(x, *scales)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize(("how", "marked"), [("integers", True), ("integers", False), ("numpy", True)])
def test_a_step_that_runs_in_python_runs_its_net_once(mode, how, scaled, marked):
    x = Tensor(np.random.RandomState(1).randn(5, 3).astype(np.float32))
    step = CallsAndDifferentiates(Counting(how), scaled).set_train()
    if marked:
        step.net.set_grad()
    loss, gradients = step(x)
    free = Counting(how).set_train()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    once, expected = ms.value_and_grad(free, None, free.trainable_params())(x)
    for _ in range(3 if mode == ms.PYNATIVE_MODE and not marked else 1):  # there the mark alone says so
        free(x)
    ms.set_context(mode=mode)
    np.testing.assert_allclose(loss.asnumpy(), once.asnumpy(), rtol=1e-5)
    for found, value in zip(gradients, expected, strict=True):
        np.testing.assert_allclose(found.asnumpy(), value.asnumpy() * (2 if scaled else 1), rtol=1e-4, atol=1e-4)
    step(x)
    for found, value in zip(step.net.get_parameters(), free.get_parameters(), strict=True):
        np.testing.assert_allclose(found.asnumpy(), value.asnumpy(), rtol=1e-5, err_msg=found.name)
