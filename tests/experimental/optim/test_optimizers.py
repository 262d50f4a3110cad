"""Optimizers with groups, in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from ms_compat.experimental import optim
from ms_compat.experimental.optim import lr_scheduler
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


OPTIMIZERS = {
    "SGD": {"lr": 0.05, "momentum": 0.9},
    "Adam": {},
    "AdamW": {"amsgrad": True},
    "Adadelta": {},
    "Adagrad": {"lr_decay": 0.1},
    "Adamax": {},
    "ASGD": {"t0": 1.0},
    "NAdam": {},
    "RAdam": {"betas": (0.9, 0.6)},
    "RMSprop": {"momentum": 0.5},
    "Rprop": {},
}


def train(name, options, compiled):
    params = [Parameter(Tensor([0.5, -0.25]), name="a"), Parameter(Tensor([[1.0], [2.0]]), name="b")]
    optimizer = getattr(optim, name)([{"params": params[:1]}, {"params": params[1:], "lr": 0.02}], **options)
    scheduler = lr_scheduler.ExponentialLR(optimizer, 0.5)

    def forward(x):
        return ((params[0] * x).sum() - 1) ** 2 + (params[1] ** 2).sum()

    gradients = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(x):
        loss, grads = gradients(x)
        optimizer(grads)
        scheduler.step()
        return loss

    step = ms.jit(step) if compiled else step
    losses = [float(step(Tensor([1.0, 2.0]))) for _ in range(6)]
    rates = [float(group["lr"].asnumpy()) for group in optimizer.param_groups]
    return losses, rates, [p.asnumpy() for p in optimizer.get_parameters()]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_compiled_step_is_the_same(name):
    eager, compiled = (train(name, OPTIMIZERS[name], way) for way in (False, True))
    assert np.allclose(eager[0], compiled[0], rtol=1e-5)
    assert eager[0][-1] < eager[0][0]
    assert np.allclose(eager[1], compiled[1]) and np.isclose(eager[1][1], 0.02 / 64)
    for one, other in zip(eager[2], compiled[2], strict=True):
        assert np.allclose(one, other, rtol=1e-5, atol=1e-7)


class MySGD(optim.Optimizer):
    """A user's optimizer."""

    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def construct(self, gradients):
        for number, group in enumerate(self.param_groups):
            start = self.group_start_id[number]
            for i, p in enumerate(group["params"]):
                ms.ops.assign(p, p - gradients[start + i] * group["lr"])


@pytest.mark.parametrize("compiled", [False, True])
def test_an_optimizer_of_the_users(compiled):
    net = nn.Dense(2, 1)
    extra = Parameter(Tensor([1.0]), name="extra")
    optimizer = MySGD(net.trainable_params(), 0.5)
    optimizer.add_param_group({"params": extra, "lr": 0.25})
    assert optimizer.group_start_id == [0, 2, 3]
    call = ms.jit(lambda *grads: optimizer(grads)) if compiled else lambda *grads: optimizer(grads)
    before = [p.asnumpy() for p in optimizer.parameters]
    call(*[Tensor(np.ones(p.shape, np.float32)) for p in optimizer.parameters])
    moved = [b - p.asnumpy() for b, p in zip(before, optimizer.parameters, strict=True)]
    assert [np.unique(m.round(5)).tolist() for m in moved] == [[0.5], [0.5], [0.25]]


def test_a_learning_rate_of_the_users():
    w = Parameter(Tensor([1.0]), name="w")
    optimizer = optim.SGD([w], 0.1)
    ms.ops.assign(optimizer.param_groups[0]["lr"], 0.5)
    optimizer((Tensor([1.0]),))
    assert w.asnumpy() == 0.5
    optimizer.param_groups[0]["lr"] = 0.25
    optimizer((Tensor([1.0]),))
    assert w.asnumpy() == 0.25
