"""A tensor whose gradient is stopped shares storage with the tensor that it was made of, but not its gradient."""

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)
FACTORS = Tensor(X + 1)


def gradient(change):
    """Of sum(x * FACTORS) + 10 * sum(y), with y = stop_gradient(x) and a change of one of them."""

    def fn(x):
        x = x.copy()
        y = ops.stop_gradient(x)
        change(x, y)
        return (x * FACTORS).sum() + 10 * y.sum()

    value, found = ms.value_and_grad(fn)(Tensor(X))
    return float(value.asnumpy()), found.asnumpy().tolist()


def test_what_is_written_into_the_tensor_does_not_give_it_a_gradient():
    def change(x, y):
        x[0, 0] = 9

    assert gradient(change) == (319, [[0, 2, 3], [4, 5, 6]])


def test_what_is_written_into_it_leaves_the_rest_of_the_tensor_its_gradient():
    def change(x, y):
        y[0] = 9

    assert gradient(change) == (506, [[0, 0, 0], [4, 5, 6]])
