"""Functions of `mint.nn` in place."""

import numpy as np

from ms_compat import Tensor, mint

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_flatten_and_sigmoid_in_place():
    np.testing.assert_array_equal(mint.nn.functional.flatten(X).asnumpy(), np.arange(6))
    np.testing.assert_array_equal(mint.nn.functional.flatten(X[None], 1).asnumpy(), [np.arange(6)])
    y = X * 1
    assert mint.nn.functional.sigmoid_(y) is y
    np.testing.assert_allclose(y.asnumpy(), 1 / (1 + np.exp(-X.asnumpy())), rtol=1e-6)
