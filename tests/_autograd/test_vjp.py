"""Derivatives in `ops`."""

import numpy as np

from ms_compat import Tensor, ops

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def test_forward_and_reverse_derivatives_stand_in_ops_too():
    x = Tensor(X[0])
    assert np.allclose(ops.jvp(lambda v: v * v, x, x)[1].asnumpy(), 2 * X[0] ** 2)
    assert np.allclose(ops.vjp(lambda v: v * v, x)[1](x)[0].asnumpy(), 2 * X[0] ** 2)
    for jacobian in (ops.jacfwd, ops.jacrev):
        assert np.allclose(jacobian(lambda v: v * v)(x).asnumpy(), np.diag(2 * X[0]))
