"""The precision in which a Cell computes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.nn._cell.nets import Net, X, gradients


def test_to_float(mode):
    net = Net().to_float(ms.float16)
    assert net.inner.get_flags() == {"fp16": True, "fp32": False, "bf16": False}
    assert net(Tensor(X)).dtype is ms.float16 and net.w.dtype is ms.float32
    assert gradients(net) == [[3.0, 8.0], [[1.0, 4.0], [3.0, 8.0]]]
    assert net.to_float(ms.float32)(Tensor(X)).dtype is ms.float32


def test_to_float_of_other_types():
    for wrong in (ms.float64, "float16"):
        with pytest.raises(ValueError, match="to_float"):
            nn.ReLU().to_float(wrong)


class Passing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x, others=()):
        y = self.dropout(x)
        return y, y * 2, x, others


def test_to_float_gives_what_passes_back_as_it_came():
    x, others = Tensor([1.0, 2.0]), [Tensor([1.0]), (Tensor([2.0]),)]
    passed, doubled, same, kept = Passing().to_float(ms.float16)(x, others)
    assert passed is x and same is x and kept[0] is others[0] and kept[1][0] is others[1][0]
    assert doubled.dtype == ms.float16

    class Writing(nn.Cell):
        def construct(self, x):
            x[0] = 9
            return x

    assert Writing().to_float(ms.float16)(Tensor([1.0, 2.0])).asnumpy().tolist() == [9, 2]


@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU, nn.RNN])
def test_to_float_of_recurrent_layers(mode, layer):
    x, state = Tensor(np.ones((2, 4, 3), np.float32)), Tensor(np.ones((1, 2, 5), np.float32))
    hx = (state, state) if layer is nn.LSTM else state
    plain = layer(3, 5, batch_first=True)
    wanted = plain(x, hx)[0].asnumpy()
    out, last = plain.to_float(ms.float16)(x, hx)
    given = ms.float32 if ms.get_context("mode") == ms.PYNATIVE_MODE else ms.float16
    assert out.dtype == given and (last[0] if layer is nn.LSTM else last).dtype == given
    assert 0 < np.abs(out.asnumpy() - wanted).max() < 5e-3  # computed in halves, whatever it comes back in

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer, self.head = layer(3, 5, batch_first=True), nn.Dense(5, 2)

        def construct(self, x, hx):
            out = self.layer(x, hx)[0]
            return out, out + out, self.head(out)

    found = Net().to_float(ms.float16)(x, hx)
    assert [t.dtype for t in found] == [given, ms.float16, ms.float16]
