"""Loops over sequences of many lengths are padded: the results are those of programs for each length."""

import logging

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._compile.fallback import shape_policy
from ms_compat._core.dispatch.op import op
from tests._compile.fallback.test_shape_policy import assert_same, policy_of, rows
from tests.compilations import Compiled

pytestmark = pytest.mark.usefixtures("graph")
LENGTHS = (5, 3, 17)  # the first is compiled, the others are padded to 16 and 32


@pytest.fixture(autouse=True)
def _few(monkeypatch):
    monkeypatch.setattr(shape_policy, "FEW", 1)


@op()
def halving(x):
    """A carry of two, and outputs of each step; the steps behind the end would go on halving."""
    return lax.scan(lambda c, row: ((c[0] * 0.5 + row, c[1] + 1), (c[0], row * 2)), (jnp.zeros(4), 0.0), x)


@op()
def backwards(x):
    """From the last row to the first. What lies behind is divided by zero."""
    return lax.scan(lambda c, row: (c * row + 1, c), jnp.ones(4), 1 / x, reverse=True)


@op()
def over_columns(x):
    """The axis of n rows lies within each step, in a constant, in the carry and in what is put out."""
    return lax.scan(lambda c, column: (c + x[:, 0] * column, (column * c).sum()), jnp.zeros(x.shape[0]), x.T)


@op()
def merged(x):
    """Over an axis whose padding lies between its elements."""
    both = jnp.stack([x, x * 2]).reshape(-1, 4)
    return lax.scan(lambda c, row: (c * 0.5 + row, None), jnp.zeros(4), both)[0]


LOOPS = {"halving": halving, "backwards": backwards, "columns": over_columns, "merged": merged}


@pytest.mark.parametrize("name", LOOPS)
def test_loops_over_many_lengths(name):
    def function(x):
        return LOOPS[name](x)

    compiled, exact = ms.jit(function), ms.jit(fullgraph=True)(function)
    for n in LENGTHS:
        for got, want in zip(_flat(compiled(rows(n))), _flat(exact(rows(n))), strict=True):
            assert_same(got, want)
    assert policy_of(compiled).padded is not None


def _flat(value):
    return [leaf for item in value for leaf in _flat(item)] if isinstance(value, (tuple, list)) else [value]


class Net(nn.Cell):
    """Embeds, runs a recurrent network and takes its outputs, the last one and its states."""

    def __init__(self, kind, **options):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(20, 5), kind(5, 6, **options)

    def construct(self, ids, lengths=None):
        out, last = self.rnn(self.embed(ids), None, lengths)
        return (out, out[:, -1], *(last if isinstance(last, tuple) else (last,)))


def _ids(n):
    draws = np.random.default_rng(n)
    lengths = np.minimum(draws.integers(1, 20, 3), n).astype(np.int32)
    return Tensor(draws.integers(0, 20, (3, n)).astype(np.int32)), Tensor(lengths)


@pytest.mark.parametrize(
    ("kind", "options", "with_lengths"),
    [
        (nn.LSTM, {"bidirectional": True}, True),
        (nn.GRU, {"num_layers": 2}, True),
        (nn.RNN, {"bidirectional": True}, False),
    ],
)
def test_recurrent_networks_of_many_lengths(kind, options, with_lengths, caplog):
    net = Net(kind, batch_first=True, **options)
    exact = ms.jit(fullgraph=True)(net.construct)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        for n in LENGTHS:
            ids, lengths = _ids(n)
            given = (ids, lengths) if with_lengths else (ids,)
            assert_same(net(*given), exact(*given))
    assert "padded to powers of two" in caplog.text


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_trainings_of_many_lengths_are_compiled_a_few_times(kind):
    """Padded steps move the weights as steps with a program for each length do."""
    found = []
    for fullgraph in (False, True):
        ms.set_seed(1)
        net = Net(kind, batch_first=True)
        weights = net.trainable_params()
        optimizer = nn.SGD(weights, 0.1)
        gradient = ms.value_and_grad(lambda ids, lengths, net=net: (net(ids, lengths)[0] ** 2).mean(), None, weights)

        @ms.jit(fullgraph=fullgraph)
        def step(ids, lengths, gradient=gradient, optimizer=optimizer):
            loss, gradients = gradient(ids, lengths)
            optimizer(gradients)
            return loss

        losses = [step(*_ids(n)) for n in LENGTHS]
        if not fullgraph:
            with Compiled() as names:
                losses += [step(*_ids(n)) for n in range(10, 16)]
            assert names == []
        else:
            losses += [step(*_ids(n)) for n in range(10, 16)]
        found.append((losses, weights))
    for got, want in zip(*found, strict=True):
        assert_same(got, want)
