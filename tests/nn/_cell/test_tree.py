"""Cells as pytrees of JAX."""

import jax
import numpy as np
import optax

from ms_compat import Tensor, nn
from tests.nn._cell.nets import Net, Scale, X, mul, numbers


def test_jax_takes_a_cell():
    net, x, traces = Net(), Tensor(X), []

    @jax.jit
    def run(cell, x):
        traces.append(1)
        return cell(x)

    assert numbers(run(net, x)) == numbers(net(x))
    grads = jax.grad(lambda cell, x: cell(x)._v.sum())(net, x)
    assert numbers(grads.w) == [1.0, 4.0] and numbers(grads.inner.w) == [3.0, 8.0]
    optimizer = optax.sgd(0.5)
    updates, _ = optimizer.update(grads, optimizer.init(net))
    new = optax.apply_updates(net, updates)
    assert numbers(new.w) == [2.5, 2.0] and numbers(net.w) == [3.0, 4.0]
    run(new, x)
    assert len(traces) == 1
    run(Net(), x)
    assert len(traces) == 2
    run(net.set_train(), x)
    assert len(traces) == 3


def test_a_pytree_keeps_sharing():
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Scale()
            self.b = self.a
            self.w = self.a.w

        def construct(self, x):
            return self.b(mul(x, self.w))

    net = Tied()
    leaves, tree = jax.tree_util.tree_flatten(net)
    assert len(leaves) == 1
    copied = jax.tree_util.tree_unflatten(tree, [leaves[0] * 2])
    assert copied.a is copied.b and copied.w is copied.a.w and copied.w is not net.w
    np.testing.assert_array_equal(copied(Tensor(X)).asnumpy(), [36.0, 128.0])
