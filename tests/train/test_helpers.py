"""Helpers around a training: its parts, the installation's check, the generator, and what has no counterpart in JAX."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.train import LossScaleManager


def test_a_training_step_is_made_of_its_parts():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    step = ms.train.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss())
    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))
    assert float(step(x, y)) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), 1 - 0.1 * 3 * np.ones((2, 3)), rtol=1e-6)


def test_the_base_of_loss_scales_says_nothing_and_changes_nothing():
    manager = LossScaleManager()
    assert manager.get_loss_scale() is None and manager.update_loss_scale(True) is None


def test_what_has_no_counterpart_names_the_way_out():
    with pytest.raises(ms.UnsupportedError, match="cost_analysis"):
        ms.flops_collection("train")


def test_a_check_of_the_installation_prints_its_result(capsys):
    ms.run_check()
    assert "is correct" in capsys.readouterr().out


def test_the_default_generator_is_the_one_that_seeds():
    ms.manual_seed(7)
    assert ms.default_generator.initial_seed() == 7
    first = ms.ops.randn(3).asnumpy()
    ms.manual_seed(7)
    np.testing.assert_array_equal(ms.ops.randn(3).asnumpy(), first)


def test_the_base_of_metrics_does_nothing_itself():
    class Careless(ms.train.Metric):
        def clear(self):
            super().clear()

        def update(self, *inputs):
            super().update(*inputs)

        def eval(self):
            return super().eval()

    metric = Careless()
    for call in (metric.clear, lambda: metric.update(1), metric.eval):
        with pytest.raises(NotImplementedError, match="must define"):
            call()
    with pytest.raises(TypeError, match="abstract"):
        type("Lacking", (ms.train.Metric,), {})()


def test_a_model_predicts_and_has_its_networks():
    net = nn.Dense(2, 3, weight_init="ones")
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), metrics={"mse"})
    x = Tensor([[0.0, 1.0]])
    assert model.predict(x).asnumpy().tolist() == net(x).asnumpy().tolist()
    assert (type(model.train_network), type(model.eval_network)) == (nn.TrainOneStepCell, nn.WithEvalCell)
    with pytest.raises(RuntimeError):  # as MindSpore where there is no Ascend
        model.build()


def test_data_sink_calls_with_the_next_batch():
    rows = ms.dataset.NumpySlicesDataset(([1.0, 2.0, 3.0, 4.0],), ["x"], shuffle=False).batch(2)
    step = ms.data_sink(lambda x: x.sum(), rows)
    assert [float(step()) for _ in range(2)] == [3.0, 7.0]
