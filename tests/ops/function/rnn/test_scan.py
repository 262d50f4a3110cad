"""The scan of recurrent networks and its rule of differentiation, against a loop that JAX differentiates by itself."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.ops.function.rnn.scan import KINDS, sequence, split_gates

T, N, H = 3, 3, 4
RNG = np.random.RandomState(0)


def by_hand(kind, inputs, w_hh, bias, states, keep, reverse):
    """A Python loop with the textbook's formulas."""
    out = [None] * T
    for t in reversed(range(T)) if reverse else range(T):
        product = states[0] @ w_hh.T
        if kind == "LSTM":
            i, f, g, o = jnp.split(inputs[t] + product, 4, -1)
            c = jax.nn.sigmoid(f) * states[1] + jax.nn.sigmoid(i) * jnp.tanh(g)
            new = (jax.nn.sigmoid(o) * jnp.tanh(c), c)
        elif kind == "GRU":
            (a, b, c), (x, y, z) = jnp.split(inputs[t], 3, -1), jnp.split(product, 3, -1)
            update = jax.nn.sigmoid(b + y)
            n = jnp.tanh(c + jax.nn.sigmoid(a + x) * (z + bias))
            new = ((1 - update) * n + update * states[0],)
        else:
            new = ({"RNN_TANH": jnp.tanh, "RNN_RELU": jax.nn.relu}[kind](inputs[t] + product),)
        if keep is not None:
            new = tuple(jnp.where(keep[t], a, b) for a, b in zip(new, states, strict=True))
        states = new
        out[t] = new[0] if keep is None else jnp.where(keep[t], new[0], 0)
    return jnp.stack(out), states


def case(kind):
    rows = KINDS[kind].gates * H
    states = tuple(jnp.asarray(RNG.randn(N, H)) for _ in range(KINDS[kind].states))
    inputs, w = jnp.asarray(RNG.randn(T, N, rows)), jnp.asarray(RNG.randn(rows, H) / 2)
    shift = jnp.asarray(RNG.randn(rows))
    return inputs, shift, w, jnp.asarray(RNG.randn(H)) if kind == "GRU" else None, states


def total(out, last):
    weights = jnp.cos(jnp.arange(out.size)).reshape(out.shape)
    return (out * weights).sum() + sum((s * s).sum() for s in last)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("lengths", [None, [3, 1, 0]])
def test_values_and_derivatives_are_those_of_a_loop(kind, reverse, lengths):
    keep = None if lengths is None else (np.arange(T)[:, None] < np.array(lengths))[:, :, None]
    arguments = case(kind)

    def ours(inputs, shift, w, bias, states):
        gates = tuple(jnp.moveaxis(split_gates(kind, jnp.moveaxis(inputs, -1, 0)), 1, -1))
        shift = tuple(split_gates(kind, shift))
        return total(*sequence(kind, reverse, gates, shift, split_gates(kind, w), bias, states, keep))

    def theirs(inputs, shift, w, bias, states):
        return total(*by_hand(kind, inputs + shift, w, bias, states, keep, reverse))

    ours, theirs = jax.jit(ours), jax.jit(theirs)
    close = {"rtol": 1e-9, "atol": 1e-9}
    np.testing.assert_allclose(ours(*arguments), theirs(*arguments), **close)
    where = tuple(i for i, value in enumerate(arguments) if value is not None)
    compare = lambda a, b: jax.tree.map(lambda x, y: np.testing.assert_allclose(x, y, **close), a, b)  # noqa: E731
    compare(jax.jit(jax.grad(ours, where))(*arguments), jax.jit(jax.grad(theirs, where))(*arguments))
    tangents = jax.tree.map(jnp.cos, arguments)
    compare(jax.jvp(ours, arguments, tangents), jax.jvp(theirs, arguments, tangents))
    if reverse and lengths:

        def curved(f):
            return jax.jit(jax.grad(lambda w: (jax.grad(f, 2)(*arguments[:2], w, *arguments[3:]) ** 2).sum()))

        compare(curved(ours)(arguments[2]), curved(theirs)(arguments[2]))


@pytest.mark.parametrize("kind", KINDS)
def test_each_backward_step_multiplies_weights_whose_first_axis_is_contracted(kind):
    """XLA's product takes a third longer with weights whose last axis is contracted."""
    inputs, _, w, bias, states = case(kind)

    def loss(w, states):
        gates = tuple(jnp.moveaxis(split_gates(kind, jnp.moveaxis(inputs, -1, 0)), 1, -1))
        return total(*sequence(kind, False, gates, None, split_gates(kind, w), bias, states, None))

    text = jax.jit(jax.grad(loss, (0, 1))).lower(w, states).compile().as_text()
    lines = [line for line in text.splitlines() if " dot(" in line and "while/body" in line and "batch" not in line]
    axes = [re.findall(r"hs_contracting_dims=\{([\d,]+)\}", line) for line in lines]
    steps = [right for left, right in axes if left != "0"]  # the others are sums over all steps
    assert steps
    assert set(steps) == {"0"}


@pytest.mark.parametrize("name", ["LSTM", "GRU", "RNN"])
def test_a_layer_has_forward_derivatives_in_both_modes(name):
    net = getattr(nn, name)(3, 4, num_layers=2, bidirectional=True)
    x, v = Tensor(RNG.randn(4, 2, 3).astype(np.float32)), Tensor(RNG.randn(4, 2, 3).astype(np.float32))

    def run(x):
        return ops.tanh(net(x)[0])

    _, tangent = ms.jvp(run, x, v)
    step = 1e-2
    slope = (run(x + step * v) - run(x - step * v)) / (2 * step)
    np.testing.assert_allclose(tangent.asnumpy(), slope.asnumpy(), atol=2e-3)
    gradient = ms.grad(lambda x: run(x).sum())
    np.testing.assert_allclose(
        gradient(x).asnumpy(), ms.jit(lambda x: ms.grad(lambda y: run(y).sum())(x))(x).asnumpy(), rtol=1e-5, atol=1e-6
    )
