"""Pure functions of Cells."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.interop.jax import load, pure

X = np.random.RandomState(0).randn(8, 4).astype(np.float32)


def make():
    net = nn.SequentialCell(nn.Dense(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dense(6, 2))
    net.set_train()
    return net


def test_pure_function_equals_the_cell_and_returns_state():
    net = make()
    fn, params, state = pure(net)
    out, after = jax.jit(fn)(params, state, X)
    before = {name: np.asarray(v) for name, v in state.items()}
    np.testing.assert_allclose(out, net(Tensor(X)).asnumpy(), rtol=1e-5, atol=1e-6)
    changed = {p.name: p.asnumpy() for p in net.get_parameters() if not p.requires_grad}
    assert set(after) == set(changed)
    for name, value in after.items():
        np.testing.assert_allclose(value, changed[name], rtol=1e-5)
        assert not np.array_equal(before[name], changed[name])


def test_gradient_of_the_pure_function_equals_ms_grad():
    net = make()
    fn, params, state = pure(net)
    theirs = jax.grad(lambda p: jnp.sum(fn(p, state, X)[0] ** 2))(params)
    weights = net.trainable_params()
    ours = ms.grad(lambda x: (net(x) ** 2).sum(), None, weights)(Tensor(X))
    for p, g in zip(weights, ours, strict=True):
        np.testing.assert_allclose(g.asnumpy(), theirs[p.name], rtol=1e-4, atol=1e-5)


def test_random_layers_follow_the_key():
    net = nn.Dropout(p=0.5)
    net.set_train()
    fn, params, state = pure(net)
    run = jax.jit(lambda key: fn(params, state, X, key=key)[0])
    first, again, other = run(jax.random.key(0)), run(jax.random.key(0)), run(jax.random.key(1))
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_load_is_all_or_nothing():
    net = make()
    _, params, state = pure(net)
    load(net, {name: v + 1 for name, v in params.items()}, state)
    np.testing.assert_allclose(net.trainable_params()[0].asnumpy(), params[net.trainable_params()[0].name] + 1)
    with pytest.raises(KeyError, match="nothing"):
        load(net, {**params, "nothing": jnp.zeros(1)})
    bad = dict(params)
    bad[list(bad)[-1]] = jnp.zeros((1, 1, 1))
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    with pytest.raises(ValueError, match="shape"):
        load(net, bad)
    for p, value in zip(net.get_parameters(), before, strict=True):
        assert np.array_equal(p.asnumpy(), value)
    with pytest.raises(TypeError, match="Cell"):
        pure(3)


def test_buffers_are_state():
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, 2)
            self.register_buffer("seen", Tensor(np.zeros(2, np.float32)))

        def construct(self, x):
            self.seen.add_(1)
            return self.dense(x) + self.seen

    net = nn.SequentialCell(Counting())
    fn, params, state = pure(net)
    assert sorted(params) == ["0.dense.bias", "0.dense.weight"] and list(state) == ["0.seen"]
    x = np.ones((2, 3), np.float32)
    first, state = jax.jit(fn)(params, state, x)
    second, state = jax.jit(fn)(params, state, x)
    np.testing.assert_allclose(second - first, 1, 1e-6)
    assert net[0].seen.asnumpy().tolist() == [0, 0]
    load(net, params, state)
    assert net[0].seen.asnumpy().tolist() == [2, 2]


def test_writes_by_two_indices_are_kept():
    """A trace of the function as it is does not see them; the second one rewrites it."""

    class Net(nn.Cell):
        def construct(self, x):
            x = x * 1
            x[0][1] = 5.0
            return x

    fn, params, state = pure(Net())
    wanted = np.zeros((2, 3), np.float32)
    wanted[0, 1] = 5
    x = jnp.zeros((2, 3), jnp.float32)
    for call in (fn, jax.jit(fn)):
        np.testing.assert_array_equal(call(params, state, x)[0], wanted)
    found = jax.vmap(lambda x: fn(params, state, x)[0])(jnp.stack([x, x]))
    np.testing.assert_array_equal(found, np.stack([wanted, wanted]))
    slopes = jax.grad(lambda x: fn(params, state, x)[0].sum())(x)
    np.testing.assert_array_equal(slopes, wanted == 0)
