"""The gradient of a value that `vjp` or `value_and_grad` has computed is by the same rules as that of a plain call."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops

X = Tensor(np.array([[1, 2]], np.float32))


class Bprop(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (5 * dout,)


class Hooked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = nn.SequentialCell(nn.ReLU())
        self.inner.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 3,))

    def construct(self, x):
        return self.inner(x) * x


class Inserted(nn.Cell):
    def construct(self, x):
        return ops.relu(x) + ops.InsertGradientOf(lambda dout: dout * 7)(x)


class Updated(nn.Cell):
    """Updates have no gradient through the Parameter."""

    def __init__(self):
        super().__init__()
        self.p = Parameter(Tensor(np.ones((3, 2), np.float32)), name="p")

    def construct(self, x):
        ops.scatter_update(self.p, Tensor([0]), x)
        return self.p * self.p


class Alignment(nn.Cell):
    """The gradient that `ops.ctc_loss` defines is not the derivative of its value."""

    def construct(self, x):
        scores = ops.broadcast_to(x, (4, 1, 2)) * Tensor(np.arange(8, dtype=np.float32).reshape(4, 1, 2))
        return ops.ctc_loss(scores, Tensor([[1]]), Tensor([4]), Tensor([1]))[0]


def by_vjp(net, x):
    out, _ = ms.vjp(net, x)
    return out.sum()


def by_value_and_grad(net, x):
    return ms.value_and_grad(lambda y: net(y).sum())(x)[0]


@pytest.mark.parametrize("way", [by_vjp, by_value_and_grad])
@pytest.mark.parametrize("net", [Bprop, Hooked, Inserted, Updated, Alignment])
def test_the_value_keeps_the_rule(net, way, mode):
    cell = net()
    plain = ms.grad(lambda x: cell(x).sum())(X).asnumpy()
    np.testing.assert_allclose(ms.grad(lambda x: way(cell, x))(X).asnumpy(), plain, 1e-5)


def test_the_rules_are_not_the_derivatives(mode):
    """Else the test above could not fail."""
    for net, derivative in ((Bprop(), [[2, 4]]), (Hooked(), [[2, 4]]), (Inserted(), [[2, 2]])):
        assert ms.grad(lambda x, net=net: net(x).sum())(X).asnumpy().tolist() != derivative
    assert ms.grad(by_value_and_grad, 1)(Bprop(), X).asnumpy().tolist() == [[5, 5]]
