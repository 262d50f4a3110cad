"""`FlopsUtilizationCollector`: the counts that MindSpore 2.10 printed for the same nets, and what it refuses."""

import re

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from ms_compat.train import FlopsUtilizationCollector, Model


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.query, self.out = nn.Dense(8, 8), nn.Dense(8, 5)
        self.score, self.mix = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul()

    def construct(self, x):
        return self.out(self.mix(ops.softmax(self.score(self.query(x), x)), x)).mean(1)


NETS = {  # the net, the shape of a row, operations of a step with 8 rows
    "dense": (lambda: nn.Dense(10, 5), (10,), 1600),
    "two layers": (lambda: nn.SequentialCell(nn.Dense(10, 20), nn.ReLU(), nn.Dense(20, 5)), (10,), 11200),
    "convolutions": (
        lambda: nn.SequentialCell(
            nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Conv2d(6, 4, 3, stride=2), nn.Flatten(), nn.Dense(64, 5)
        ),
        (3, 8, 8),
        513024,
    ),
    "attention": (Attention, (6, 8), 42240),
}


def rows(shape):
    columns = {"x": np.ones((16, *shape), np.float32), "y": np.arange(16, dtype=np.int32) % 5}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(8)


def model(net):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9), metrics={"acc"})


@pytest.mark.parametrize("name", NETS)
def test_counts_are_those_of_mindspore(name, graph, capsys):
    make, shape, expected = NETS[name]
    model(make()).train(1, rows(shape), callbacks=FlopsUtilizationCollector(2, computility=10e6))
    counts, shares = capsys.readouterr().out.splitlines()
    assert [float(number) for number in re.findall(r"flops is ([0-9.]+)(?=[,.])", counts)] == [expected] * 4
    assert re.fullmatch(r"Train per step time: [0-9.]+ ms mfu:[0-9.]+% hfu:[0-9.]+%", shares)


def test_an_evaluation_is_counted_without_gradients(graph, capsys):
    model(nn.Dense(10, 5)).eval(rows((10,)), callbacks=FlopsUtilizationCollector(2, full_flops=False))
    assert "Shard model flops is 800.0, Shard hardware flops is 800.0." in capsys.readouterr().out


def test_what_is_computed_again_counts_for_the_hardware_only(graph, capsys):
    net = nn.SequentialCell(nn.Dense(10, 20), nn.Sigmoid(), nn.Dense(20, 20), nn.Sigmoid(), nn.Dense(20, 5))
    inner = nn.SequentialCell(net, nn.Identity())
    net.recompute()
    model(inner).train(1, rows((10,)), callbacks=FlopsUtilizationCollector(2))
    model_flops, hardware_flops = map(float, re.findall(r"Shard \w+ flops is (\d+)", capsys.readouterr().out))
    assert model_flops == 30400 and hardware_flops > model_flops


def test_the_collector_writes_files(graph, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MA_LOG_DIR", str(tmp_path))
    collector = FlopsUtilizationCollector(2, enable_ma_collector=True)
    model(nn.Dense(10, 5)).train(1, rows((10,)), callbacks=collector)
    assert capsys.readouterr().out == ""
    lines = (tmp_path / "flops_rank_0.txt").read_text().splitlines()
    assert [line.rsplit(" ", 1)[0] for line in lines] == [
        'flops{type="model_flops", rank_id="0"} 1600.0',
        'flops{type="hardware_flops", rank_id="0"} 1600.0',
    ]
    assert (tmp_path / "time_step_rank_0.txt").read_text().startswith('time_monitor{type="per_step_time", rank_id="0"}')


def test_a_step_that_is_not_compiled_is_refused():
    with pytest.raises(ValueError, match="GRAPH_MODE"):
        model(nn.Dense(10, 5)).train(1, rows((10,)), callbacks=FlopsUtilizationCollector(2))


@pytest.mark.parametrize(
    ("args", "error"),
    [((0,), ValueError), ((1.5,), TypeError), ((1, 1, 3), TypeError), ((1, 1, True, 2), TypeError)],
)
def test_the_collector_refuses_what_mindspore_refuses(args, error):
    with pytest.raises(error, match="FlopsUtilizationCollector"):
        FlopsUtilizationCollector(*args)
