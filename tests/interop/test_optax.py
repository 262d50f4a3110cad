"""Transformations of Optax as optimizers."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ms_compat import Tensor, nn, ops
from ms_compat.interop.jax import pure
from ms_compat.interop.optax import OptaxOptimizer

X = np.random.RandomState(0).randn(8, 4).astype(np.float32)


def test_optax_transformation_as_optimizer(mode):
    net = nn.Dense(4, 2)
    fn, params, state = pure(net)
    tx = optax.adamw(0.1, weight_decay=0.01)
    opt_state = tx.init(params)
    for _ in range(3):
        grads = jax.grad(lambda p: jnp.mean(fn(p, state, X)[0] ** 2))(params)
        steps, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, steps)
    optimizer = OptaxOptimizer(net.trainable_params(), tx)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, lambda out, label: ops.mean(ops.square(out))), optimizer)
    for _ in range(3):
        step(Tensor(X), Tensor(X))
    for p in net.trainable_params():
        np.testing.assert_allclose(p.asnumpy(), params[p.name], rtol=1e-4, atol=1e-6)
