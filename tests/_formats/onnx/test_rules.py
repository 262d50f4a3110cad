"""Loops and branches of programs stay loops and branches of the graph."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests._formats.mindir.nets import floats
from tests._formats.onnx_files import check, operators
from tests.conformance.export_models import looped


class Branched(nn.Cell):
    """Conditions on a Tensor, with a loop in a branch."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 3)

    def construct(self, x):
        if x.sum() > 0:
            y = self.dense(x)
        elif x.max() > 1:
            y = x * 2
        else:
            y = x - 1
            while y.sum() < 10:
                y = y + 1
        return y


@pytest.mark.parametrize(("net", "operator"), [(looped(nn)(), "Loop"), (Branched(), "If")])
def test_control_flow_stays(net, operator, session):
    opened = session(net, Tensor(shape=[None, 3], dtype=ms.float32))
    assert operator in operators(session.read())
    for size, scale in ((1, 1), (2, 5), (4, -1), (2, -5)):
        x = np.abs(np.arange(3 * size, dtype=np.float32).reshape(size, 3)) * scale
        x[0, 0] += 2
        check(opened, net, Tensor(x))


def test_recurrent_networks_are_scans(session):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 6, 2, batch_first=True, bidirectional=True)
            self.gru = nn.GRU(12, 3, batch_first=True)

        def construct(self, x, lengths):
            return self.gru(self.lstm(x)[0], None, lengths)

    net = Net()
    opened = session(net, Tensor(shape=[None, 7, 4], dtype=ms.float32), Tensor(shape=[None], dtype=ms.int32))
    assert "Scan" in operators(session.read())
    for size in (1, 2, 5):
        check(opened, net, floats(size, 7, 4), Tensor(np.arange(size, dtype=np.int32) % 7 + 1))
