"""Hooks on what is kept for a gradient: of a compiled function, of a block of PYNATIVE code, of a Cell."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X, Y = Tensor([1.0, -2.0]), Tensor([3.0, 0.5])


def test_hooks_see_what_is_kept_and_decide_what_comes_back():
    @ms.register_saved_tensors_hooks(lambda kept: kept + 1, lambda kept: kept)
    def product(x, y):
        return x * y

    value, gradients = ms.jit(ms.value_and_grad(product, grad_position=(0, 1)))(X, Y)
    np.testing.assert_array_equal(value.asnumpy(), [3.0, -1.0])
    np.testing.assert_array_equal(gradients[0].asnumpy(), Y.asnumpy() + 1)
    np.testing.assert_array_equal(gradients[1].asnumpy(), X.asnumpy() + 1)
    plain = ms.grad(product)(X, Y)  # MindSpore's decorator acts in compiled functions alone
    np.testing.assert_array_equal(plain.asnumpy(), Y.asnumpy())


def test_hooks_that_give_back_what_they_got_change_no_gradient():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor([0.5, 2.0]), name="weight")

        def construct(self, x):
            return ops.tanh(x * self.weight).sum()

    net, hooked = Net(), Net()
    half = ms.register_saved_tensors_hooks(lambda t: t.astype(ms.float64), lambda t: t)
    hooked.construct = half(Net.construct).__get__(hooked)
    expected, found = (ms.jit(ms.value_and_grad(n, 0, n.trainable_params()))(X) for n in (net, hooked))
    np.testing.assert_array_equal(found[0].asnumpy(), expected[0].asnumpy())
    for mine, other in zip((found[1][0], *found[1][1]), (expected[1][0], *expected[1][1]), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("pack", "unpack", "error"),
    [
        (3, abs, TypeError),
        (abs, 3, TypeError),
        (lambda t: 3, lambda t: t, TypeError),
        (ops.sum, lambda t: t, ValueError),
    ],
)
def test_refuses_hooks(pack, unpack, error):
    with pytest.raises(error, match="register_saved_tensors_hooks"):
        ms.jit(ms.grad(ms.register_saved_tensors_hooks(pack, unpack)(lambda x, y: (x * y).sum())))(X, Y)
