"""Cells as modules of Flax, and modules of Flax in networks."""

import jax.numpy as jnp
import numpy as np
from flax import nnx

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.interop.flax import CellModule, NnxCell

X = np.random.RandomState(0).randn(8, 4).astype(np.float32)


def make():
    net = nn.SequentialCell(nn.Dense(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dense(6, 2))
    net.set_train()
    return net


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
