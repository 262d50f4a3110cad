"""Recurrent layers beside a plain `lax.scan` written by hand: [50, 32, 64] through two LSTM or GRU layers of 128.

The plain scan multiplies the inputs beforehand, too; what the layers gain is tanh on whole arrays and one product for
the gradient of the state's weights (ms_compat/ops/function/rnn/scan.py). PyTorch's figures are noted for comparison.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from tests.benchmarks.measure import check_ratio, fastest, note

pytestmark = pytest.mark.benchmark

TIME, BATCH, INPUTS, HIDDEN, LAYERS = 50, 32, 64, 128, 2
X = np.random.RandomState(0).randn(TIME, BATCH, INPUTS).astype(np.float32)


def lstm_step(state, now, w):
    h, c = state
    i, f, g, o = jnp.split(now + h @ w.T, 4, -1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def gru_step(state, now, w):
    (h,) = state
    (a, b, c), (x, y, z) = jnp.split(now, 3, -1), jnp.split(h @ w.T, 3, -1)
    update = jax.nn.sigmoid(b + y)
    return ((1 - update) * jnp.tanh(c + jax.nn.sigmoid(a + x) * z) + update * h,)


def by_hand(step, states):
    def run(weights, x):
        for w_ih, w_hh, bias in weights:

            def body(state, now, w=w_hh):
                new = step(state, now, w)
                return new, new[0]

            zeros = (jnp.zeros((BATCH, HIDDEN), jnp.float32),) * states
            _, x = jax.lax.scan(body, zeros, x @ w_ih.T + bias)
        return (x * x).sum()

    return run


def net_and_reference(name):
    net = getattr(nn, name)(INPUTS, HIDDEN, LAYERS)
    reference = by_hand(*{"LSTM": (lstm_step, 2), "GRU": (gru_step, 1)}[name])
    weights = [
        [jnp.asarray(getattr(net, f"{part}_l{layer}").asnumpy()) for part in ("weight_ih", "weight_hh", "bias_ih")]
        for layer in range(LAYERS)
    ]
    for layer in range(LAYERS):  # the reference has one bias
        getattr(net, f"bias_hh_l{layer}").set_data(Tensor(np.zeros_like(weights[layer][2])))
    return net, reference, weights


@pytest.mark.parametrize("name", ["LSTM", "GRU"])
def test_a_layer_against_a_plain_scan(name):
    net, reference, weights = net_and_reference(name)
    x, array = Tensor(X), jnp.asarray(X)

    def loss(x):
        return (net(x)[0] ** 2).sum()

    forward, plain = ms.jit(loss), jax.jit(reference)
    np.testing.assert_allclose(forward(x).asnumpy(), plain(weights, array), rtol=1e-4)
    few = {"calls": 1, "rounds": 20}
    check_ratio(f"{name} forward / plain scan", lambda: forward(x).asnumpy(),
                lambda: plain(weights, array).block_until_ready(), 0.9, **few)  # fmt: skip
    both, plain_both = ms.value_and_grad(loss, None, net.trainable_params()), jax.jit(jax.value_and_grad(reference))
    compiled = ms.jit(both)
    for label, run, budget in (("GRAPH", compiled, 0.95), ("PYNATIVE", both, 1.3)):
        check_ratio(f"{name} forward+backward {label} / plain scan",
                    lambda run=run: [g.asnumpy() for g in run(x)[1]],
                    lambda: jax.block_until_ready(plain_both(weights, array)), budget, **few)  # fmt: skip


def test_an_lstm_beside_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    net, _, _ = net_and_reference("LSTM")
    other, x, tensor = torch.nn.LSTM(INPUTS, HIDDEN, LAYERS), Tensor(X), torch.tensor(X)
    step = ms.jit(ms.value_and_grad(lambda x: (net(x)[0] ** 2).sum(), None, net.trainable_params()))

    def theirs():
        other.zero_grad()
        (other(tensor)[0] ** 2).sum().backward()

    note(
        "LSTM forward+backward GRAPH / PyTorch",
        *fastest([lambda: [g.asnumpy() for g in step(x)[1]], theirs], 1, 20),
        "-",
    )
