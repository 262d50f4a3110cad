"""Bridges: a Cell as a pure function, optax transformations as optimizers, flax nnx both ways."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from flax import nnx

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.interop.flax import CellModule, NnxCell
from ms_compat.interop.jax import load, pure
from ms_compat.interop.optax import OptaxOptimizer

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


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_optax_transformation_as_optimizer(mode):
    net = nn.Dense(4, 2)
    fn, params, state = pure(net)
    tx = optax.adamw(0.1, weight_decay=0.01)
    opt_state = tx.init(params)
    for _ in range(3):
        grads = jax.grad(lambda p: jnp.mean(fn(p, state, X)[0] ** 2))(params)
        steps, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, steps)
    ms.set_context(mode=mode)
    try:
        optimizer = OptaxOptimizer(net.trainable_params(), tx)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, lambda out, label: ops.mean(ops.square(out))), optimizer)
        for _ in range(3):
            step(Tensor(X), Tensor(X))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    for p in net.trainable_params():
        np.testing.assert_allclose(p.asnumpy(), params[p.name], rtol=1e-4, atol=1e-6)


def test_nnx_module_inside_a_mindspore_network():
    linear = nnx.Linear(4, 3, rngs=nnx.Rngs(0))
    net = nn.SequentialCell(NnxCell(linear), nn.ReLU())
    expected = nnx.relu(linear(jnp.asarray(X)))
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), expected, rtol=1e-5)
    compiled = ms.jit(net)
    np.testing.assert_allclose(compiled(Tensor(X)).asnumpy(), expected, rtol=1e-5)


def test_nnx_batch_norm_state_is_updated():
    bn = NnxCell(nnx.BatchNorm(4, use_running_average=False, rngs=nnx.Rngs(0)))
    means = next(p for p in bn.get_parameters() if p.name.endswith("mean"))
    assert not means.requires_grad and means.asnumpy().tolist() == [0.0] * 4
    compiled = ms.jit(bn)
    compiled(Tensor(X))
    np.testing.assert_allclose(means.asnumpy(), 0.01 * X.mean(0), rtol=1e-4)


def test_cell_as_nnx_module():
    net = make()
    module = CellModule(net)
    out = nnx.jit(lambda m, x: m(x))(module, X)
    np.testing.assert_allclose(out, net(Tensor(X)).asnumpy(), rtol=1e-5, atol=1e-6)
