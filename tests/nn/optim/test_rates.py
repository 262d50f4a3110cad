"""Learning rates of groups: what `get_lr_parameter` gives, and what a step size starts from."""

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, nn

pytestmark = pytest.mark.usefixtures("mode")


def weights(*names):
    return [Parameter(Tensor(np.ones(2, np.float32)), name=name) for name in names]


def test_rates_of_a_list_and_of_constant_groups_are_told_as_parameters():
    w, b = weights("w", "b")
    opt = nn.SGD([{"params": [w], "lr": (0.5, 0.25)}, {"params": [b]}], learning_rate=0.125)
    found = opt.get_lr_parameter([w, b])
    assert [type(rate) for rate in found] == [Parameter, Parameter]
    assert [rate.name for rate in found] == ["learning_rate_group_0", "learning_rate"]
    assert [rate.asnumpy().tolist() for rate in found] == [[0.5, 0.25], 0.125]
    assert opt.get_lr_parameter(w).data.asnumpy().tolist() == [0.5, 0.25]


def test_a_schedule_is_told_as_it_is():
    schedule = nn.CosineDecayLR(0.1, 0.2, 4)
    w, b = weights("w", "b")
    opt = nn.SGD([{"params": [w], "lr": 0.5}, {"params": [b]}], learning_rate=schedule)
    assert type(opt.get_lr_parameter(w)) is Parameter
    assert opt.get_lr_parameter(b) is schedule


def step(*numbers):
    return Tensor(np.asarray(numbers if len(numbers) > 1 else numbers[0], np.int32))


def test_the_rates_of_a_list_have_the_shape_of_the_step():
    opt = nn.Momentum(weights("w"), [0.5, 0.25, 0.125], 0.9)
    assert opt.learning_rate(opt.global_step).asnumpy().tolist() == [0.5]
    assert opt.learning_rate(step([1]))[0].asnumpy().tolist() == 0.25
    assert opt.learning_rate(step(2)).asnumpy().tolist() == 0.125
    assert opt.learning_rate(step(2, 0)).asnumpy().tolist() == [0.125, 0.5]
    assert opt.get_lr().asnumpy().tolist() == 0.5


@pytest.mark.parametrize("wrong", [1, Tensor(1.0)], ids=["number", "float"])
def test_a_step_that_is_no_tensor_of_integers_is_refused(wrong):
    opt = nn.Momentum(weights("w"), [0.5, 0.25, 0.125], 0.9)
    with pytest.raises(TypeError):
        opt.learning_rate(wrong)


def test_schedules_of_groups_are_a_list_of_cells():
    w, b = weights("w", "b")
    opt = nn.SGD(
        [{"params": [w], "lr": [0.5, 0.25]}, {"params": [b]}], learning_rate=nn.ExponentialDecayLR(1.0, 0.5, 1)
    )
    assert type(opt.learning_rate) is nn.CellList
    assert [rate(step([1])).asnumpy().tolist() for rate in opt.learning_rate] == [[0.25], [0.5]]
    assert [p.name for p in opt.get_parameters()][-1] == "learning_rate_group_0"


# Recorded from MindSpore: the weights of three steps.
STEPS = {
    "group": (0.01, [[0.99, 1.01], [0.978, 1.022], [0.9636, 1.0364]]),
    "rates of a list": ((0.1, 0.2, 0.3), [[0.9, 1.1], [0.78, 1.22], [0.636, 1.364]]),
    "schedule": (nn.CosineDecayLR(0.1, 0.2, 4), [[0.8, 1.2], [0.56, 1.44], [0.272, 1.728]]),
}


@pytest.mark.parametrize("kind", STEPS)
def test_steps_of_rprop_start_from_the_rate_of_the_group(kind):
    rate, expected = STEPS[kind]
    w, b = weights("w", "b")
    opt = nn.Rprop([{"params": [w], "lr": rate}, {"params": [b]}], learning_rate=0.25)
    gradient = Tensor(np.array([1, -1], np.float32))
    for row in expected:
        opt((gradient, gradient))
        np.testing.assert_allclose(w.asnumpy(), row, rtol=1e-5)
    np.testing.assert_allclose(b.asnumpy(), [1 - 0.91, 1 + 0.91], rtol=1e-5)


def test_the_first_step_of_rprop_is_kept_within_its_limits():
    (w,) = weights("w")
    opt = nn.Rprop([w], learning_rate=0.01, step_sizes=(0.1, 1.0))
    opt((Tensor(np.array([1, -1], np.float32)),))
    np.testing.assert_allclose(w.asnumpy(), [0.9, 1.1], rtol=1e-6)


@pytest.mark.parametrize("optimizer", [nn.SGD, nn.Adam, nn.RMSProp])
def test_the_learning_rate_is_checked_where_each_group_has_its_own(optimizer):
    """As MindSpore does."""
    for wrong in (-1.0, "a"):
        with pytest.raises(ValueError):
            optimizer([{"params": [Parameter(Tensor([1.0]), name="a")], "lr": 0.1}], learning_rate=wrong)


def test_sgd_refuses_a_decay_that_changes_in_a_group():
    decay = nn.ExponentialDecayLR(0.1, 0.5, 2)
    with pytest.raises(TypeError, match="weight_decay"):
        nn.SGD([{"params": [Parameter(Tensor([1.0]), name="a")], "weight_decay": decay}])
