"""A list of learning rates that is shorter than the training, by the optimizer alone and within a compiled step."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn

RATES = [0.1, 0.2, 0.3]
MAKERS = {
    "list": lambda p: nn.SGD(p, RATES),
    "tensor": lambda p: nn.Adam(p, Tensor(RATES)),
    "groups": lambda p: nn.Momentum([{"params": p, "lr": RATES}], 0.1, 0.9),
    "ASGD": lambda p: nn.ASGD(p, RATES),
    "within LARS": lambda p: nn.LARS(nn.Momentum(p, RATES, 0.9)),
}


def check(step, weight, optimizer):
    for _ in RATES:
        step()
    kept = weight.asnumpy().copy()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="has 3 values, but this is step 4"):
            step()
    np.testing.assert_array_equal(weight.asnumpy(), kept)
    assert int(optimizer.global_step.asnumpy()[0]) == 3
    optimizer.global_step.set_data(Tensor([0], ms.int32))
    step()
    assert not np.array_equal(weight.asnumpy(), kept)


@pytest.mark.parametrize("name", MAKERS)
def test_the_step_after_the_last_rate_raises_and_changes_nothing(name, mode):
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    optimizer = MAKERS[name]([weight])
    counting = optimizer.opt if isinstance(optimizer, nn.LARS) else optimizer
    check(lambda: optimizer((Tensor([1.0, 3.0]),)), weight, counting)


def test_so_does_a_training_step(mode):
    net = nn.Dense(2, 1)
    optimizer = nn.SGD(net.trainable_params(), RATES)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    check(lambda: step(Tensor([[1.0, 2.0]]), Tensor([[3.0]])), net.weight, optimizer)


def test_schedules_have_no_end(mode):
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    optimizer = nn.SGD([weight], nn.CosineDecayLR(0.01, 0.1, 2))
    for _ in range(4):
        optimizer((Tensor([1.0, 3.0]),))
    assert optimizer.get_lr().asnumpy() == np.float32(0.01)
