"""Gradients of functions of complex Tensors are MindSpore's: the conjugates of what JAX calls a cotangent."""

import json

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from tests._autograd import complex_samples
from tests.conformance import departures, replay

CASES = json.loads((replay.DATA / "complex_gradients.json").read_text())["cases"]
ARRAYS = complex_samples.inputs(np)
Z = np.array([1 + 2j, -0.5 + 0.25j], np.complex64)
A, B, C, D = [Tensor(np.array(number, np.complex64)) for number in (1 + 0.5j, 2 + 1j, 3 + 2j, 1 + 1j)]
VALUE = (2 + 1j) * (3 + 2j)


def test_the_recording_holds_the_samples():
    assert [expression for expression, _ in CASES] == [expression for _, expression in complex_samples.cases()]


@pytest.mark.parametrize(("names", "case"), [(n, c) for (n, _), c in zip(complex_samples.cases(), CASES, strict=True)])
def test_agrees_with_mindspore(mode, names, case):
    expression, wanted = case
    fn = eval(f"lambda {', '.join(names)}: {expression}", {"ops": ops})
    found = ms.grad(fn, (0, 1))(*[Tensor(ARRAYS[n]) for n in names])
    assert all(g.dtype is ms.complex64 for g in found)
    values = [np.stack([g.asnumpy().real, g.asnumpy().imag], -1) for g in found]
    agrees = all(np.allclose(a, b, rtol=1e-4, atol=2e-5) for a, b in zip(values, wanted, strict=True))
    departures.judge(expression, [] if agrees else ["the gradients differ"], departures.COMPLEX_GRADIENTS)


def test_steepest_descent(mode):
    """Against its gradient a complex weight comes to the minimum of |w - z|."""

    class Distance(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.zeros(2, np.complex64)), name="w")

        def construct(self, z):
            return ops.real(ops.abs(self.w * A - z)).sum()

    net = Distance()
    step = ms.value_and_grad(net, None, [net.w])
    losses = []
    for _ in range(60):
        loss, grad = step(Tensor(Z))
        grad = grad[0] if isinstance(grad, tuple) else grad
        losses.append(float(loss))
        net.w.set_data(net.w - 0.05 * grad)
    assert losses[-1] < 0.1 * losses[0]


def test_users_rules_see_the_same_convention(mode):
    """A rule, a hook of a Tensor and one of a Cell are shown what the gradient of the rest is."""

    class Twice(nn.Cell):
        def construct(self, x):
            return x * B

        def bprop(self, x, out, dout):
            return (dout * ops.conj(B),)

    class Net(nn.Cell):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def construct(self, x):
            return (self.inner(x) * C).sum()

    class Plain(nn.Cell):
        def construct(self, x):
            return x * B

    plain = Plain()
    plain.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 10,))
    wanted = np.conj(VALUE) * np.ones(2, np.complex64)
    assert np.allclose(ms.grad(Net(Twice()))(Tensor(Z)).asnumpy(), wanted)
    assert np.allclose(ms.grad(Net(plain))(Tensor(Z)).asnumpy(), 10 * wanted)

    def hooked(x):
        y = x * B
        y.register_hook(lambda g: g * ops.conj(D))
        return (y * C).sum()

    assert np.allclose(ms.grad(hooked)(Tensor(Z)).asnumpy(), (1 - 1j) * wanted)


def test_a_compiled_function_on_the_tape():
    """Its program's pullback has the convention of the operations around it."""
    inner = ms.jit(lambda x: x * B)
    wanted = np.conj(VALUE) * np.ones(2, np.complex64)
    assert np.allclose(ms.grad(lambda x: (inner(x) * C).sum())(Tensor(Z)).asnumpy(), wanted)


def test_sensitivities_and_second_order(mode):
    _, pull = ms.vjp(lambda x: x * B, Tensor(Z))
    (found,) = pull(Tensor(Z))
    assert np.allclose(found.asnumpy(), Z * (2 - 1j))
    cube = ms.grad(ms.grad(lambda x: (x * x * x).sum()))(Tensor(Z)).asnumpy()
    assert np.allclose(cube, 6 * np.conj(Z))
