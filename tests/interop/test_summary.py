"""The table of a network: shapes from a trace that computes nothing and changes nothing."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn, ops
from ms_compat.interop import summary

X = ms.Tensor(np.ones((2, 3, 8, 8), np.float32))


def made():
    return nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dense(256, 10))


def test_rows_are_what_the_cells_give(mode):
    before = ms.get_context("mode")
    try:
        net = made()
        found = summary(net, X)
        assert [row.kind for row in found.rows] == [
            "SequentialCell", "Conv2d", "BatchNorm2d", "ReLU", "Flatten", "Dense",
        ]  # fmt: skip
        assert found.rows[0].outputs == ((net(X).shape, "Float32"),)
        assert found.rows[1].outputs == (((2, 4, 8, 8), "Float32"),)
    finally:
        ms.set_context(mode=before)
    weights = sum(p.size for p in net.get_parameters())
    trained = sum(p.size for p in net.trainable_params())
    assert (found.rows[0].parameters, found.rows[0].trained, found.rows[0].nbytes) == (weights, trained, 4 * weights)
    assert found.total == f"{weights:,} parameters, {trained:,} trained, {4 * weights / 1024:.1f} KiB"


def test_nothing_is_changed():
    net = made().set_train()
    plain = [cell._plain for _, cell in net.cells_and_names()]
    means = net[1].moving_mean.asnumpy().copy()
    summary(net, X)
    assert np.array_equal(net[1].moving_mean.asnumpy(), means)
    assert [cell._plain for _, cell in net.cells_and_names()] == plain
    assert not any(any(cell._hooks.values()) for _, cell in net.cells_and_names())


def test_calls_are_counted_and_cells_that_are_not_called_say_so():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.twice, self.never = nn.ReLU(), nn.Tanh()

        def construct(self, x, y=None):
            return self.twice(self.twice(x)), x

    found = {row.name: row for row in summary(Net(), ops.ones((2, 3))).rows}
    assert found["twice"].calls == 2
    assert found["never"].outputs is None
    assert len(found[""].outputs) == 2
    assert "not called" in str(summary(Net(), ops.ones((2, 3))))


def test_depth_and_no_inputs():
    net = nn.SequentialCell(made(), nn.ReLU())
    assert [row.name for row in summary(net, depth=1).rows] == ["", "0", "1"]
    assert "output" not in str(summary(net))
    assert "<table" in summary(net)._repr_html_()


def test_an_error_of_the_network_leaves_no_hooks():
    net = made()
    with pytest.raises(RuntimeError, match="Conv2d"):
        summary(net, X[:, :2])
    assert not any(any(cell._hooks.values()) for _, cell in net.cells_and_names())


def test_what_is_no_cell():
    with pytest.raises(TypeError, match="must be a Cell, but got function"):
        summary(lambda x: x)
