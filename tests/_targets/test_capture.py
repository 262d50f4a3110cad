"""The training step of a script is found, however it is written, and its Parameters need no memory."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, amp, mint, nn, ops
from ms_compat._core.tensor import abstract
from ms_compat._core.tensor.abstract import AbstractArray
from ms_compat._targets.capture import Capture, Found

X = np.ones((4, 8), np.float32)
Y = np.zeros((4, 2), np.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(8, 16)
        self.second = nn.Dense(16, 2)

    def construct(self, x):
        return self.second(ops.relu(self.first(x)))


def found(script):
    """The step that a script comes to."""
    capture = Capture()
    with capture.installed(), pytest.raises(Found) as raised:
        script()
    return raised.value.step


def by_cell():
    net = Net()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    step(Tensor(X), Tensor(Y))


def by_model():
    net = Net()
    data = ms.dataset.NumpySlicesDataset((X, Y), shuffle=False).batch(4)
    ms.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params())).train(1, data)


def by_hand(jitted=False, change=lambda grads: grads, optimizer=nn.Adam):
    net = Net()
    loss_fn = nn.MSELoss()
    update = optimizer(net.trainable_params(), 1e-3)
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, update_parameters(update, net))

    def step(x, y):
        loss, grads = grad_fn(x, y)
        update(change(grads))
        return loss

    (ms.jit(step) if jitted else step)(Tensor(X), Tensor(Y))


def update_parameters(update, net):
    return getattr(update, "parameters", None) or net.trainable_params()


@pytest.mark.parametrize(
    "script",
    [by_cell, by_model, by_hand, lambda: by_hand(jitted=True), lambda: by_hand(optimizer=mint.optim.AdamW)],
    ids=["cell", "model", "by hand", "jit", "mint"],
)
def test_a_step_is_found_with_its_state(mode, script):
    step = found(script)
    changed = {p.name for p in step.program.mutated}
    assert {"first.weight", "first.bias", "second.weight", "second.bias"} <= changed
    assert len(changed) > 8  # the optimizer's moments
    assert len(step.optimizers) == 1
    assert not step.between
    assert [leaf.shape for leaf in step.leaves] == [(4, 8), (4, 2)]


def test_gradients_that_the_script_changes_are_told(mode):
    step = found(lambda: by_hand(change=lambda grads: ops.clip_by_global_norm(grads, 1.0)))
    assert step.between
    assert not found(lambda: by_hand(jitted=True, change=lambda g: ops.clip_by_global_norm(g, 1.0))).between


@pytest.mark.parametrize("asks", [lambda loss, grads: loss.asnumpy(), lambda loss, grads: bool(amp.all_finite(grads))])
def test_a_script_that_asks_for_values_before_its_update(mode, asks):
    net, other = Net(), Net()
    nn.Momentum(other.trainable_params(), 0.1, 0.9)
    optimizer = nn.Adam(net.trainable_params())
    gradient = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, optimizer.parameters)

    def script():
        loss, grads = gradient(Tensor(X), Tensor(Y))
        if asks(loss, grads):
            optimizer(grads)

    step = found(script)
    assert step.between
    assert step.optimizers == [optimizer]
    assert len(step.program.mutated) > 8


def test_nothing_has_run_when_a_step_is_found(mode):
    net = Net()
    before = net.first.weight.asnumpy()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    found(lambda: step(Tensor(X), Tensor(Y)))
    np.testing.assert_array_equal(net.first.weight.asnumpy(), before)
    step(Tensor(X), Tensor(Y))  # calls are as before
    assert not np.array_equal(net.first.weight.asnumpy(), before)


def test_abstract_parameters_take_no_memory(mode):
    with abstract.parameters():
        net = nn.Dense(1 << 20, 1 << 20)  # 4 TiB
        optimizer = nn.Adam(net.trainable_params())
    assert isinstance(net.weight._v, AbstractArray)
    assert net.weight.shape == (1 << 20, 1 << 20)
    assert isinstance(optimizer.moment1[0]._v, AbstractArray)
    with pytest.raises(ms.UnsupportedError, match="planned program"):
        net.weight.asnumpy()
    x = np.zeros((2, 1 << 20), np.float32)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    program = found(lambda: step(Tensor(x), Tensor(x))).program
    assert sum(t._v.nbytes for t in program.mutated) > 12 << 40


def test_what_is_computed_of_abstract_tensors_is_abstract():
    with abstract.parameters():
        net = nn.Dense(8, 4)
    with Capture().installed():
        out = ops.concat([net.weight * 2, net.weight])
        assert isinstance(out._v, AbstractArray)
        assert (out.shape, out.dtype) == ((8, 8), ms.float32)
        assert isinstance(net.weight.value().astype(ms.float16)._v, AbstractArray)
        net.weight.set_data(ms.common.initializer.initializer("ones", (4, 8)))
        assert net.weight.asnumpy().sum() == 32  # outside of the region values are filled


def test_a_script_that_only_computes_gives_its_programs(mode):
    capture = Capture()
    net = Net()
    with capture.installed():
        ms.jit(lambda x: net(x) * 2)(Tensor(X))
    assert [step.optimizers for step in capture.programs if step.optimizers] == []
    assert any(len(step.program.read) == 4 for step in capture.programs)


def gan(compiled=False, asks=lambda loss: None):
    """Two nets, each with an optimizer; the second's step takes the first net, too."""
    judge, maker = nn.Dense(4, 1), nn.Dense(8, 4)
    judge.update_parameters_name("judge.")
    of_judge, of_maker = nn.Adam(judge.trainable_params()), nn.SGD(maker.trainable_params(), 0.1)
    losses = (lambda x, y: (judge(y) ** 2).mean() + judge(maker(x)).mean(), lambda x: judge(maker(x)).mean())
    gradients = [ms.value_and_grad(f, None, o.parameters) for f, o in zip(losses, (of_judge, of_maker), strict=True)]

    def first(x, y):
        loss, grads = gradients[0](x, y)
        of_judge(grads)
        return loss

    def second(x):
        loss, grads = gradients[1](x)
        of_maker(grads)
        return loss

    steps = [ms.jit(first), ms.jit(second)] if compiled else [first, second]
    y = Tensor(np.ones((4, 4), np.float32))
    for _ in range(2):
        asks(steps[0](Tensor(X), y))
        steps[1](Tensor(X))


@pytest.mark.parametrize("compiled", [False, True])
def test_each_step_of_a_script_with_two_optimizers(mode, compiled):
    capture = Capture()
    with capture.installed(), pytest.raises(Found) as raised:
        gan(compiled)
    steps = raised.value.steps
    assert [[type(o).__name__ for o in step.optimizers] for step in steps] == [["Adam"], ["SGD"]]
    assert [[leaf.shape for leaf in step.leaves] for step in steps] == [[(4, 8), (4, 4)], [(4, 8)]]
    assert capture.without_steps() == [] and steps is capture.steps
    changed = [{p.shape for p in step.program.mutated} for step in steps]
    assert (1, 4) in changed[0] and (4, 8) not in changed[0]
    assert (4, 8) in changed[1] and (1, 4) not in changed[1]


def test_a_script_that_asks_for_values_between_its_steps(mode):
    capture = Capture()
    with capture.installed(), pytest.raises(Found):
        gan(asks=lambda loss: loss.asnumpy())
    assert [type(step.optimizers[0]).__name__ for step in capture.steps] == ["Adam"]
    assert [type(o).__name__ for o in capture.without_steps()] == ["SGD"]


def test_an_optimizer_that_is_never_used(mode):
    """The script's loop comes to the same step again, or ends."""

    def script(turns):
        net, other = Net(), Net()
        optimizer, _ = nn.Adam(net.trainable_params()), nn.Adam(other.trainable_params())
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
        for _ in range(turns):
            step(Tensor(X), Tensor(Y))

    assert len(found(lambda: script(3)).optimizers) == 1
    capture = Capture()
    with capture.installed():
        script(1)
    assert len(capture.steps) == len(capture.without_steps()) == 1
