"""Derivatives as layers."""

import numpy as np

from ms_compat import Tensor, nn

X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))


S = Tensor(np.array([[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]], np.float32))


def test_derivatives_as_layers_are_products_with_the_jacobian():
    out, tangent = nn.Jvp(lambda v: v * v)(X, S[:2])
    np.testing.assert_allclose(tangent.asnumpy(), 2 * X.asnumpy() * S.asnumpy()[:2], rtol=1e-6)
    out, cotangent = nn.Vjp(lambda v: v * v)(X, S[:2])
    np.testing.assert_allclose(cotangent.asnumpy(), 2 * X.asnumpy() * S.asnumpy()[:2], rtol=1e-6)
    np.testing.assert_array_equal(out.asnumpy(), (X * X).asnumpy())
