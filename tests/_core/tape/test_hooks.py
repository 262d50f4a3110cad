"""Hooks that were put on a Tensor before it is an argument; the expected gradients are MindSpore's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops

TWO = Tensor(np.array([2, 2, 2], np.float32))


def double(grad):
    return grad * 2


def by_value(grad):
    if grad.sum() > 3:
        return grad * 2
    return grad * 5


def cube(x, y):
    return x * x * y


class Cube(nn.Cell):
    def construct(self, x, y=None):
        return cube(x, y)


def hooked(*hooks):
    x = Tensor(np.array([1, 2, 3], np.float32))
    return x, [x.register_hook(hook) for hook in hooks]


def step(x, y):
    return ms.grad(cube, (0, 1))(x, y)


WAYS = {
    "function": lambda: ms.grad(cube, (0, 1)),
    "Cell": lambda: ms.grad(Cube(), (0, 1)),
    "GradOperation": lambda: ops.GradOperation(get_all=True)(Cube()),
    "jit around the gradient": lambda: ms.jit(step),
    "jit inside": lambda: ms.grad(ms.jit(cube), (0, 1)),
    "value_and_grad": lambda: lambda x, y: ms.value_and_grad(cube, (0, 1))(x, y)[1],
}


@pytest.mark.parametrize("way", WAYS)
def test_hooks_of_an_argument(mode, way):
    gradient = WAYS[way]()
    x, (_, second) = hooked(double, lambda grad: grad * 3)
    for factor in (6, 2):  # the second time with one hook
        first, other = gradient(x, TWO)
        np.testing.assert_array_equal(first.asnumpy(), factor * np.array([4, 8, 12], np.float32))
        np.testing.assert_array_equal(other.asnumpy(), [1, 4, 9])
        second.remove()
    plain, _ = gradient(Tensor(x.asnumpy()), TWO)
    np.testing.assert_array_equal(plain.asnumpy(), [4, 8, 12])


def test_a_hook_of_a_keyword_argument(mode):
    x, _ = hooked(double)
    _, grad = ops.GradOperation(get_all=True)(Cube())(TWO, y=x)
    np.testing.assert_array_equal(grad.asnumpy(), [8, 8, 8])


def test_a_hook_that_asks_for_a_value(mode):
    x, _ = hooked(by_value)
    gradient = ms.grad(cube)
    np.testing.assert_array_equal(gradient(x, TWO).asnumpy(), [8, 16, 24])
    np.testing.assert_allclose(gradient(x, TWO * 0.005).asnumpy(), [0.1, 0.2, 0.3], rtol=1e-6)


def test_the_first_of_two_positions_has_the_hook(graph):
    x, _ = hooked(double)
    first, second = ms.grad(cube, (0, 1))(x, x)
    np.testing.assert_array_equal(first.asnumpy(), [4, 16, 36])
    np.testing.assert_array_equal(second.asnumpy(), [1, 4, 9])


@pytest.mark.parametrize("returned", [(), (0, 0)])
def test_a_hook_of_values_returns_as_many_gradients(returned):
    hook = ms.ops.HookBackward(lambda grads: tuple(grads[at] for at in returned))
    with pytest.raises(TypeError, match="must return 1 gradients, but got"):
        ms.grad(lambda x: hook(x * 2))(ms.Tensor([1.0, 2.0]))
