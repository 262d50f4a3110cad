"""Training steps of `mindspore.boost`; values recorded with MindSpore 2.10."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, boost, nn, ops
from tests.boost.networks import Net, X, Y, sums, with_loss

LAST = [2.7164, 0.77143, 3.03625, 0.03668, 2.5535, 0.88363, 1.85283, 0.16962]


def test_a_step_of_frozen_layers_has_its_cotangent(mode):
    net = Net()
    freeze = boost.GradientFreeze(2, 0, 0.5, 10)
    optimizer = nn.Momentum(net.trainable_params(), 0.02, 0.9)
    step = boost.BoostTrainOneStepCell(*freeze.freeze_generate(with_loss(net), optimizer), 2.0)
    losses = [float(step(X, Y)) for _ in range(5)]
    np.testing.assert_allclose(losses, [1.8779421, 1.703921, 1.5500301, 1.2783954, 1.0618055], rtol=1e-5)
    np.testing.assert_allclose(sums(net.trainable_params()), LAST, atol=2e-5)
    assert int(step.step) == 5


def test_groups_take_turns_without_a_strategy(mode):
    net = Net()
    loss = nn.WithLossCell(net, nn.MSELoss())  # not in training mode, as in the recording
    groups = [net.trainable_params(), net.trainable_params()[2:]]
    step = boost.BoostTrainOneStepCell(loss, boost.FreezeOpt(nn.Momentum(groups[0], 0.02, 0.9), groups))
    losses = [float(step(X, Y)) for _ in range(3)]
    np.testing.assert_allclose(losses, [2.0166738, 1.9461457, 1.8786764], rtol=1e-5)
    found = sums(net.trainable_params())
    np.testing.assert_allclose(
        found, [2.71185, 0.77326, 2.99975, 0.00245, 2.39903, 0.79691, 1.30209, 0.4805], atol=2e-5
    )


def plain_steps(scale, count=4):
    net = Net()
    step = nn.TrainOneStepCell(with_loss(net), nn.Momentum(net.trainable_params(), 0.02, 0.9), scale)
    return [float(step(X, Y)) for _ in range(count)], sums(net.trainable_params())


def test_a_step_without_ways_is_a_plain_step(mode):
    net = Net()
    step = boost.BoostTrainOneStepCell(with_loss(net), nn.Momentum(net.trainable_params(), 0.02, 0.9), 2.0)
    assert isinstance(step, nn.TrainOneStepCell)
    losses, weights = plain_steps(2.0)
    np.testing.assert_allclose([float(step(X, Y)) for _ in range(4)], losses, rtol=1e-6)
    np.testing.assert_allclose(sums(net.trainable_params()), weights, rtol=1e-6)


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_scaled_step_skips_overflows(dynamic, mode):
    net = Net()
    sense = nn.DynamicLossScaleUpdateCell(1024, 2, 1000) if dynamic else Tensor([1024.0])
    optimizer = nn.Momentum(net.trainable_params(), 0.02, 0.9)
    step = boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), optimizer, sense)
    losses, weights = plain_steps(None, 2)
    for expected in losses:
        loss, overflow, scale = step(X, Y)
        np.testing.assert_allclose(float(loss), expected, rtol=1e-5)
        assert not bool(overflow)
    np.testing.assert_allclose(sums(net.trainable_params()), weights, atol=2e-5)
    before = sums(net.trainable_params())
    _, overflow, _ = step(X * float("inf"), Y)
    assert bool(overflow)
    assert sums(net.trainable_params()) == before
    scale = float(step(X, Y)[2].reshape(()))
    assert scale == (512.0 if dynamic else 1024.0)


@pytest.mark.parametrize(("sense", "error"), [(3, TypeError), (Tensor([1.0, 2.0]), ValueError)])
def test_other_scales_are_refused(sense, error):
    net = Net()
    with pytest.raises(error):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), nn.SGD(net.trainable_params()), sense)


class Grouped(nn.Cell):
    def __init__(self, manager):
        super().__init__()
        self.first, self.second = nn.Dense(4, 3, weight_init="ones"), nn.Dense(3, 2, weight_init="ones")
        self.manager = manager

    def construct(self, x):
        x = self.manager(self.first(self.manager(x, 0, 1)), 1, 2)
        return self.manager(self.second(x), 2, 3)


def test_groups_of_layers_have_scales(mode):
    manager = boost.GroupLossScaleManager(64, [])
    net = Grouped(manager)
    manager.loss_scale_groups = [list(net.first.get_parameters()), list(net.second.get_parameters())]
    model = ms.Model(
        *(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01)),
        metrics={"mae"},
        loss_scale_manager=manager,
        boost_level="O1",
        boost_config_dict={
            "boost": {"mode": "manual", "less_bn": False, "grad_freeze": False, "loss_scale_group": True}
        },
    )
    plain = nn.SequentialCell(nn.Dense(4, 3, weight_init="ones"), nn.Dense(3, 2, weight_init="ones"))
    for parameter, other in zip(plain.get_parameters(), net.trainable_params(), strict=True):
        parameter.set_data(other.value())
    expected = nn.TrainOneStepCell(nn.WithLossCell(plain, nn.MSELoss()), nn.SGD(plain.trainable_params(), 0.01))
    loss, overflows, scale = model.train_network(X, Y)
    np.testing.assert_allclose(float(loss), float(expected(X, Y)), rtol=1e-5)
    assert int(overflows) == 0
    np.testing.assert_allclose(float(scale), 64 * 2**0.001, rtol=1e-6)
    np.testing.assert_allclose(sums(net.trainable_params()), sums(plain.trainable_params()), rtol=1e-4)
    before = sums(net.trainable_params())
    _, overflows, scale = model.train_network(X * float("inf"), Y)
    assert int(overflows) == 2
    assert sums(net.trainable_params()) == before
    np.testing.assert_allclose(float(scale), 64 * 2**0.001 / 2**0.5, rtol=1e-6)


def test_the_scale_of_groups_needs_their_manager():
    boost.AutoBoost("O1", {"boost": {"mode": "manual", "loss_scale_group": True}})
    net = Net()
    optimizer = nn.SGD(net.trainable_params())
    with pytest.raises(TypeError, match="GroupLossScaleManager"):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), optimizer, nn.FixedLossScaleUpdateCell(8))
    with pytest.raises(ValueError, match="no group"):
        boost.BoostTrainOneStepWithLossScaleCell(with_loss(net), optimizer, boost.GroupLossScaleManager(8, []))


def test_gradients_between_groups_are_scaled(mode):
    manager = boost.GroupLossScaleManager(4096, [])
    with pytest.raises(TypeError):
        manager(X, 0, 1)
    manager.set_loss_scale_status(2, [8.0, 4.0])
    assert float(manager.update_loss_scale_status(0, 0.5)) == 4.0
    assert [float(p) for p in manager.dynamic_loss_scale] == [1.0, 4.0, 4.0, 1.0]
    assert manager.get_loss_scale() == 4096
    assert manager.get_update_cell() is manager
    gradient = ms.grad(lambda x: ops.sum(manager(x, 2, 3) * x))(Tensor([1.0, 2.0]))
    assert gradient.asnumpy().tolist() == [5.0, 10.0]  # MindSpore's operation gives the same in GRAPH_MODE
