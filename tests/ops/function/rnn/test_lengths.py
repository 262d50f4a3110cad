"""Recurrent layers that meet many lengths in PYNATIVE_MODE: few programs, and the numbers of each length's own."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._core.compiled.interpreter import tier
from ms_compat.ops.function.rnn import lengths as module
from tests.compilations import Compiled

LENGTHS = (5, 3, 17)  # the first has a program of its own, the others run on 16 and 32 steps


@pytest.fixture(autouse=True)
def _nothing_met(monkeypatch):
    monkeypatch.setattr(module, "_own", {})
    monkeypatch.setattr(module, "FEW", 1)


def _batch(n, batch_first, seed=0):
    draws = np.random.default_rng(seed + n)
    x = draws.normal(size=(3, n, 5) if batch_first else (n, 3, 5)).astype(np.float32)
    return Tensor(x), Tensor(draws.integers(1, n + 3, 3).astype(np.int32))  # beyond the end counts as the end


@pytest.mark.parametrize(
    ("kind", "options", "with_lengths"),
    [
        (nn.LSTM, {"bidirectional": True, "batch_first": True}, True),
        (nn.GRU, {"has_bias": False}, False),
        (nn.RNN, {"num_layers": 2, "dropout": 0.5}, True),  # the random numbers of the true steps are the same
    ],
)
def test_values_and_gradients_are_those_of_the_length(kind, options, with_lengths, monkeypatch):
    net = kind(5, 6, **options).set_train()
    weights = net.trainable_params()

    def loss(x, lengths):
        return (net(x, None, lengths)[0] ** 2).sum()

    found = []
    for few in (1, 100):
        monkeypatch.setattr(module, "FEW", few)
        ms.set_seed(3)
        gradient = ms.grad(loss, 0, weights)
        values = []
        for n in LENGTHS:
            x, lengths = _batch(n, net.batch_first)
            d_x, d_weights = gradient(x, lengths if with_lengths else None)
            out, last = net(x, None, lengths if with_lengths else None)
            values += [out, *(last if isinstance(last, tuple) else (last,)), d_x, *d_weights]
        found.append(values)
    for got, want in zip(*found, strict=True):
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=2e-5, atol=2e-6)


def test_new_lengths_compile_no_network():
    net = nn.LSTM(5, 6, batch_first=True)
    gradient = ms.grad(lambda x: net(x)[0].sum(), None, net.trainable_params())
    with tier.compiled_only():
        for n in (5, 10, 20):
            gradient(_batch(n, True)[0])
        with Compiled() as names:
            for n in (21, 23, 27):
                gradient(_batch(n, True)[0])
    assert not [name for name in names if "recurrent" in name or "scan" in name], names


def test_what_is_refused_is_refused_for_every_length():
    net = nn.GRU(5, 6)
    for n in LENGTHS:
        x, _ = _batch(n, False)
        with pytest.raises(ValueError, match="For 'GRU', the 'seq_length' must have shape"):
            net(x, None, Tensor(np.ones(2, np.int32)))
        with pytest.raises(TypeError, match="For 'GRU', the 'seq_length' should be one of"):
            net(x, None, Tensor(np.ones(3, np.float32)))
        with pytest.raises(ValueError, match="For 'GRU', .* x must have the shape"):
            net(x[:, :, :4])
