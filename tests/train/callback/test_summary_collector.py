"""Summaries of a training."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn
from tests.train.summary.reading import events, number


def train(collector, steps=25, images=False):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.flatten, self.dense = nn.Flatten(), nn.Dense(12 if images else 2, 1)

        def construct(self, x):
            return self.dense(self.flatten(x))

    shape = (steps * 2, 3, 2, 2) if images else (steps * 2, 2)
    rows = (np.ones(shape, np.float32), np.ones((steps * 2, 1), np.float32))
    data = ms.dataset.NumpySlicesDataset(rows, ["x", "y"], shuffle=False).batch(2)
    net = Net()
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(1, data, callbacks=[collector], dataset_sink_mode=False)


def test_the_collector_records_loss_and_parameters(tmp_path):
    train(ms.SummaryCollector(str(tmp_path)))
    found = events(tmp_path)
    assert [step for step, _ in found] == [1, 10, 20]
    assert set(found[0][1]) == {"loss/auto", "dense.weight/auto", "dense.bias/auto"}
    losses = [number(values["loss/auto"]) for _, values in found]
    assert losses == sorted(losses, reverse=True) and losses[0] > losses[-1]


def test_the_collector_takes_what_was_chosen(tmp_path):
    chosen = {"collect_metric": False, "histogram_regular": ".*bias"}
    train(ms.SummaryCollector(str(tmp_path), collect_freq=25, collect_specified_data=chosen), images=True)
    found = events(tmp_path)
    assert [(step, set(values)) for step, values in found] == [
        (1, {"dense.bias/auto", "input_data/auto"}),
        (25, {"dense.bias/auto", "input_data/auto"}),
    ]


def test_the_collector_can_take_nothing_but_what_is_named(tmp_path):
    only = ms.train.SummaryCollector(
        str(tmp_path), collect_specified_data={"collect_metric": True}, keep_default_action=False
    )
    train(only, steps=2)
    assert [set(values) for _, values in events(tmp_path)] == [{"loss/auto"}]


@pytest.mark.parametrize(
    "error, settings",
    [
        (TypeError, {"collect_freq": "a"}),
        (ValueError, {"collect_freq": 0}),
        (ValueError, {"collect_tensor_freq": -1}),
        (ValueError, {"max_file_size": 0}),
        (TypeError, {"collect_specified_data": 3}),
        (ValueError, {"collect_specified_data": {"foo": True}}),
        (TypeError, {"collect_specified_data": {"collect_metric": 3}}),
        (ValueError, {"collect_specified_data": {"histogram_regular": "("}}),
        (TypeError, {"keep_default_action": 3}),
    ],
)
def test_the_collector_checks_its_arguments(tmp_path, error, settings):
    with pytest.raises(error):
        ms.SummaryCollector(str(tmp_path), **settings)


def test_two_collectors_are_refused(tmp_path):
    net = nn.Dense(2, 1)
    rows = (np.ones((2, 2), np.float32), np.ones((2, 1), np.float32))
    data = ms.dataset.NumpySlicesDataset(rows, ["x", "y"]).batch(2)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    twice = [ms.SummaryCollector(str(tmp_path)), ms.SummaryCollector(str(tmp_path))]
    with pytest.raises(RuntimeError, match="one record may be open"):
        model.train(1, data, callbacks=twice, dataset_sink_mode=False)
    assert ms.SummaryRecord.count == 0
