"""Frozen layers are MindSpore's; values recorded with MindSpore 2.10."""

import numpy as np
import pytest

from ms_compat import Tensor, boost, nn, ops
from tests.boost.networks import Net, X, Y, sums, with_loss


class Convolutions(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)
        self.conv2, self.bn2 = nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2)
        self.fc, self.fc2 = nn.Dense(32, 3), nn.Dense(3, 3)


def test_groups_begin_later_and_later():
    groups = boost.GradientFreeze(3, 1, 0.5, 20).split_parameters_groups(Convolutions(), 3)
    assert [group[0].name for group in groups] == ["conv.weight", "conv2.weight", "fc.weight"]
    assert [len(group) for group in groups] == [10, 7, 4]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((3, 0, 0.5, 20), [0, 0, 1, 2] * 5),
        ((5, 0, 0.7, 30), [*[0] * 9, 1, 2, 3, 4] * 3),
        ((3, 1, 0.5, 20), [0, 1] * 10),
        ((5, 1, 0.7, 30), [0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 1, 0, 0, 0, 4, 0, 0, 4, 0, 0, 4, 0, 0, 0, 1, 0, 0, 1, 0, 0]),
        ((1, 2, 0.5, 200), [0] * 202),
    ],
)
def test_sequences_are_drawn(arguments, expected):
    np.random.seed(0)
    if arguments[0] == 5 and arguments[1] == 1:
        np.random.choice([2, 1], size=10, p=[1 / 3, 2 / 3])  # what the recording drew before
    assert boost.GradientFreeze(3, 1, 0.5, 20).generate_freeze_index_sequence(*arguments) == expected


def test_there_are_two_strategies():
    with pytest.raises(ValueError, match="must be 0 or 1"):
        boost.GradientFreeze(3, 2, 0.5, 20).generate_freeze_index_sequence(3, 2, 0.5, 20)


def test_each_group_has_an_optimizer_with_its_rates():
    net = Net()
    groups = [net.trainable_params(), net.trainable_params()[2:]]
    freeze = boost.FreezeOpt(nn.Momentum(groups[0], [0.1, 0.2, 0.3], 0.9), groups, (0, 1, 0))
    assert freeze.dynamic_learning_rate == [[0.1, 0.3], [0.2]]
    assert freeze.train_strategy.asnumpy().tolist() == [0, 1, 0]
    assert [len(optimizer.parameters) for optimizer in freeze.opts] == [8, 6]
    assert [type(optimizer) for optimizer in freeze.opts] == [nn.Momentum] * 2
    assert freeze.opts[1].get_parameters().__next__().name.startswith("boost_1")


def test_a_wrapper_is_made_again():
    net = Net()
    freeze = boost.FreezeOpt(nn.LARS(nn.SGD(net.trainable_params(), 0.1), epsilon=1e-4))
    assert [(type(optimizer), optimizer.epsilon) for optimizer in freeze.opts] == [(nn.LARS, 1e-4)]
    assert freeze.train_strategy is None


def test_a_schedule_is_used_again():
    net = Net()
    schedule = nn.ExponentialDecayLR(0.1, 0.9, 3)
    assert boost.FreezeOpt(nn.Adam(net.trainable_params(), schedule)).opts[0].learning_rate is schedule


@pytest.mark.parametrize(
    ("groups", "strategy", "error"),
    [
        (None, (1,), ValueError),
        ("groups", "a", TypeError),
        ("groups", ("a",), ValueError),
        ("groups", Tensor([1.0]), ValueError),
        (3, (0,), TypeError),
        ([3], None, TypeError),
    ],
)
def test_wrong_arguments_are_refused(groups, strategy, error):
    parameters = Net().trainable_params()
    groups = [parameters] if groups == "groups" else groups
    with pytest.raises(error, match="FreezeOpt"):
        boost.FreezeOpt(nn.SGD(parameters), groups, strategy)
    with pytest.raises(TypeError, match="FreezeOpt"):
        boost.FreezeOpt(3)


def test_steps_of_groups(mode):
    net = Net()
    parameters = net.trainable_params()
    optimizer = boost.FreezeOpt(nn.SGD(parameters, 0.02), [parameters, parameters[2:]])
    grad = ops.GradOperation(get_by_list=True, sens_param=True)
    steps = boost.freeze_cell(False, with_loss(net), optimizer, 1.0, grad, False, None, None, 1)
    before = sums(parameters)
    steps[1](X, Y)
    after = sums(parameters)
    assert [a == b for a, b in zip(before, after, strict=True)] == [True] * 2 + [False] * 6


def test_accumulated_steps_of_groups(mode):
    net = Net()
    optimizer = boost.FreezeOpt(nn.SGD(net.trainable_params(), 0.02))
    (step,) = boost.freeze_cell(False, with_loss(net), optimizer, 1.0, None, True, None, None, 2)
    before = sums(net.trainable_params())
    step(X, Y)
    assert sums(net.trainable_params()) == before
    step(X, Y)
    assert sums(net.trainable_params()) != before
