"""A tensor whose gradient is stopped shares storage with the tensor that it was made of, but not its gradient."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X = np.arange(6, dtype=np.float32).reshape(2, 3)
FACTORS = Tensor(X + 1)


@pytest.fixture(params=[ops.stop_gradient, lambda x: x.data], ids=["stop_gradient", "data"])
def gradient(request):
    return lambda change: of_sums(request.param, change)


def of_sums(stop, change):
    """Value and gradient of sum(x * FACTORS) + 10 * sum(y), with y = stop(x) and a change of one of them."""

    def fn(x):
        x = x.copy()
        y = stop(x)
        change(x, y)
        return (x * FACTORS).sum() + 10 * y.sum()

    value, found = ms.value_and_grad(fn)(Tensor(X))
    return float(value.asnumpy()), found.asnumpy().tolist()


def test_what_is_written_into_the_tensor_does_not_give_it_a_gradient(gradient):
    def change(x, y):
        x[0, 0] = 9

    assert gradient(change) == (319, [[0, 2, 3], [4, 5, 6]])


def test_what_is_written_into_it_leaves_the_rest_of_the_tensor_its_gradient(gradient):
    def change(x, y):
        y[0] = 9

    assert gradient(change) == (506, [[0, 0, 0], [4, 5, 6]])


def test_in_place(mode):
    """MindSpore serves it on Ascend alone; the values are those of its documentation."""

    def net(x, y):
        first, second = ops.MatMul()(x, y), ops.MatMul()(x, y)
        assert ops.stop_gradient_(second) is second
        return first, second

    x = Tensor([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]])
    y = Tensor([[0.01, 0.3, 1.1], [0.1, 0.2, 1.3], [2.1, 1.2, 3.3]])
    np.testing.assert_allclose(ms.grad(net)(x, y).asnumpy(), [[1.41, 1.6, 6.6]] * 2, rtol=1e-5)


def test_in_place_refuses_views():
    def net(x):
        y = x * 3
        ops.stop_gradient_(y[0])
        return y

    with pytest.raises(RuntimeError, match="must not be a view of another Tensor"):
        ms.grad(net)(Tensor([[2.0, 3.0]]))
