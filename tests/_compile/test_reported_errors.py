"""An error that a compiled function reports at run time ends the call, as it does in Python."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


class Guarded(nn.Cell):
    """A training step that refuses a loss that is NaN, at the place that `how` names."""

    def __init__(self, how):
        super().__init__()
        self.weight = ms.Parameter(Tensor(np.ones(2, np.float32)), name="weight")
        self.seen = ms.Parameter(Tensor(np.zeros(1, np.float32)), name="seen")
        self.optimizer = nn.Momentum([self.weight], 0.5, 0.5)
        self.gradient = ms.value_and_grad(self.loss, None, [self.weight])
        self.how = how

    def loss(self, x):
        loss = (self.weight * x).sum()
        if self.how == "inner" and ops.isnan(loss):
            raise ValueError("the loss is NaN")
        return loss

    def construct(self, x):
        loss, gradients = self.gradient(x)
        ops.assign_add(self.seen, ops.ones(1))
        if self.how == "raise":
            if ops.isnan(loss):
                ops.assign_add(self.seen, ops.ones(1))
                raise ValueError("the loss is NaN")
        elif self.how == "assert":
            assert not ops.isnan(loss), "the loss is NaN"
        elif self.how == "both":
            if ops.isnan(loss):
                if loss > 0:
                    raise ValueError("never")
                else:
                    raise ValueError("the loss is NaN")
        elif self.how == "loop":
            i = ops.zeros((), ms.int32)
            while i < 3:
                ops.assign_add(self.seen, ops.ones(1))
                if ops.isnan(loss):
                    raise ValueError("the loss is NaN")
                i = i + 1
        self.optimizer(gradients)
        ops.assign_add(self.seen, ops.ones(1) * 10)
        return loss


@pytest.mark.parametrize("how", ["raise", "assert", "both", "loop", "inner"])
def test_nothing_that_follows_an_error_reaches_a_parameter(how, mode):
    """What came before it stays, as where Python runs."""
    net = Guarded(how)
    net(Tensor(np.ones(2, np.float32)))
    before = [p.asnumpy() for p in net.get_parameters()]
    steps = {"raise": 2, "assert": 1, "both": 1, "loop": 2, "inner": 0}[how]
    for _ in range(2):
        with pytest.raises(AssertionError if how == "assert" else ValueError, match="the loss is NaN"):
            net(Tensor(np.array([1.0, np.nan], np.float32)))
        before[1] += steps
        for parameter, value in zip(net.get_parameters(), before, strict=True):
            assert parameter.asnumpy().tolist() == value.tolist(), parameter.name
    net(Tensor(np.ones(2, np.float32)))
    assert net.optimizer.global_step.asnumpy() == 2


def test_an_error_under_a_gradient_is_raised():
    """In PYNATIVE_MODE a compiled function is one node of the tape."""
    seen = ms.Parameter(Tensor(np.zeros(1, np.float32)), name="seen")

    @ms.jit
    def function(x):
        if x.sum() < 0:
            raise ValueError("negative")
        ops.assign_add(seen, ops.ones(1))
        return x * x

    assert ms.grad(function)(Tensor([2.0])).asnumpy() == 4
    with pytest.raises(ValueError, match="negative"):
        ms.grad(function)(Tensor([-2.0]))
    assert seen.asnumpy() == 1
    assert function(Tensor([3.0])).asnumpy() == 9  # the error is told once
