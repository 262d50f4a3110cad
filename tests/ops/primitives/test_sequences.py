"""Recurrent primitives, against the layers."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.ops.arrays import close, generator

random = generator()


def gates(weight, order):
    """Rows of the gates i, f, g, o in another order."""
    parts = dict(zip("ifgo", np.split(weight, 4), strict=True))
    return np.concatenate([parts[gate] for gate in order])


def test_dynamic_rnn_and_basic_lstm_cell_are_the_lstm():
    net = nn.LSTM(3, 4)
    w_ih, w_hh, b_ih, b_hh = (
        getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    x, h, c = random(5, 2, 3), random(1, 2, 4), random(1, 2, 4)
    weight = np.concatenate([gates(w_ih, "igfo"), gates(w_hh, "igfo")], 1).T
    bias = gates(b_ih + b_hh, "igfo")
    out, (last_h, last_c) = net(Tensor(x), (Tensor(h), Tensor(c)))
    arguments = tuple(map(Tensor, (x, weight, bias)))
    got = ops.DynamicRNN()(*arguments, None, Tensor(h), Tensor(c))
    assert len(got) == 8
    close(got[0], out), close(got[1], out), close(got[1][-1:], last_h), close(got[2][-1:], last_c)
    compiled = ms.jit(lambda *a: ops.DynamicRNN()(*a, None, Tensor(h), Tensor(c)))(*arguments)
    for a, b in zip(got, compiled, strict=True):
        close(a, b)
    i, j, f, o, bounded = (v.asnumpy() for v in got[3:])
    cells = np.concatenate([c, got[2].asnumpy()[:-1]])
    close(got[2], f * cells + i * j), close(got[0], o * bounded)
    step = ops.BasicLSTMCell(forget_bias=0.0)(Tensor(x[0]), Tensor(h[0]), Tensor(c[0]), *arguments[1:])
    close(step[0], got[2][0]), close(step[1], got[1][0]), close(step[6], got[7][0])
    biased = ops.DynamicRNN(forget_bias=1.0, cell_clip=0.1)(*arguments, None, Tensor(h), Tensor(c))
    assert np.abs(biased[2].asnumpy()).max() <= 0.1
    halves = [Tensor(v).astype(ms.float16) for v in (x, weight, bias, h, c)]
    half = ops.DynamicRNN()(*halves[:3], None, *halves[3:])
    assert all(v.dtype is ms.float16 for v in half)
    np.testing.assert_allclose(half[0].asnumpy(), out.asnumpy(), atol=1e-2)


@pytest.mark.parametrize("order", ["rzh", "zrh"])
def test_dynamic_gru_is_the_gru(order):
    net = nn.GRU(3, 4)
    w_ih, w_hh, b_ih, b_hh = (
        getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    at = [0, 1, 2] if order == "rzh" else [1, 0, 2]
    w_ih, w_hh, b_ih, b_hh = (np.concatenate([np.split(v, 3)[i] for i in at]) for v in (w_ih, w_hh, b_ih, b_hh))
    original = [getattr(net, f"{n}_l0").asnumpy() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    x, h = random(5, 2, 3), random(2, 4)
    out, _ = net(Tensor(x), Tensor(h[None]))
    arguments = tuple(map(Tensor, (x, w_ih.T, w_hh.T, b_ih, b_hh)))
    got = ops.DynamicGRUV2(gate_order=order)(*arguments, None, Tensor(h))
    close(got[0], out), close(got[1], out)
    before = np.concatenate([h[None], out.asnumpy()[:-1]])
    update, reset, new, part = (v.asnumpy() for v in got[2:])
    close(got[0], new + update * (before - new))
    close(got[5], before @ np.split(original[1], 3)[2].T + np.split(original[3], 3)[2])
    plain = ops.DynamicGRUV2(gate_order=order)(*arguments[:3], None, None, None, Tensor(h))
    assert plain[0].shape == (5, 2, 4)
    early = ops.DynamicGRUV2(gate_order=order, reset_after=False)(*arguments, None, Tensor(h))
    reset = early[3].asnumpy()
    before = np.concatenate([h[None], early[1].asnumpy()[:-1]])
    close(early[5], (reset * before) @ np.split(original[1], 3)[2].T + np.split(original[3], 3)[2])


def test_the_lstm_of_one_vector_is_the_layer():
    net = nn.LSTM(3, 4, 2, bidirectional=True)
    ends = ["_l0", "_l0_reverse", "_l1", "_l1_reverse"]
    flat = [getattr(net, n + e).asnumpy().ravel() for e in ends for n in ("weight_ih", "weight_hh")]
    flat += [getattr(net, n + e).asnumpy().ravel() for e in ends for n in ("bias_ih", "bias_hh")]
    weights = Tensor(np.concatenate(flat).reshape(-1, 1, 1))
    x, h, c = (Tensor(random(*s)) for s in ((5, 2, 3), (4, 2, 4), (4, 2, 4)))
    primitive = ops.LSTM(3, 4, 2, True, True, 0.0)
    out, (last_h, last_c) = net(x, (h, c))
    got = primitive(x, h, c, weights)
    close(got[0], out), close(got[1], last_h), close(got[2], last_c)
    dropped = ops.LSTM(3, 4, 2, True, True, 0.5)(x, h, c, weights)
    assert np.abs(dropped[0].asnumpy() - out.asnumpy()).max() > 1e-3
    gradient = ms.grad(lambda w: (primitive(x, h, c, w)[0] ** 2).sum())(weights).asnumpy().ravel()
    wanted = ms.grad(lambda: (net(x, (h, c))[0] ** 2).sum(), None, net.trainable_params())()
    sums = {p.name: g.asnumpy().ravel() for p, g in zip(net.trainable_params(), wanted, strict=True)}
    np.testing.assert_allclose(gradient[:48], sums["weight_ih_l0"], rtol=1e-4, atol=1e-5)
