"""`ForiLoop`, `WhileLoop` and `Scan`, and their gradients."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def spiral(i, total):
    return total * 1.1 + i


def fori(x):
    return ops.ForiLoop()(0, 4, spiral, x).sum()


def fori_staged(x):
    return ops.ForiLoop()(0, 4, spiral, x, False).sum()


def whiled(x):
    return ops.WhileLoop()(lambda v: v.sum() < 1000, lambda v: v * 2 + 3, x).sum()


def scanned(x):
    return ops.Scan()(lambda carry, v: (carry + v, carry * v), x, [x, x * 2], 2, False)[0].sum()


def hooked(x):
    return (ops.HookBackward(lambda grads: grads[0] * 3)(x) * x).sum()


def inserted(x):
    return (ops.InsertGradientOf(lambda grad: grad * 3)(x) * x).sum()


def custom(x):
    own = ops.Custom(np.sin, lambda shape: shape, lambda dtype: dtype, bprop=lambda v, out, dout: (dout * v.cos(),))
    return own(x).sum()


@pytest.mark.parametrize("fn", [fori, fori_staged, whiled, scanned, hooked, inserted, custom])
def test_helpers_and_their_gradients_are_the_same_compiled(fn):
    x = Tensor(X)
    np.testing.assert_allclose(ms.jit(fn)(x).asnumpy(), fn(x).asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(ms.jit(ms.grad(fn))(x).asnumpy(), ms.grad(fn)(x).asnumpy(), rtol=1e-6)


def test_hooks_change_the_gradient():
    np.testing.assert_allclose(ms.grad(hooked)(Tensor(X)).asnumpy(), 4 * X, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(inserted)(Tensor(X)).asnumpy(), 4 * X, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(custom)(Tensor(X)).asnumpy(), np.cos(X), rtol=1e-5)


def test_a_loop_with_a_traced_bound_is_one_operation():
    run = ms.jit(lambda x, n: ops.ForiLoop()(0, n, spiral, x))
    for n in (0, 3, 5):
        expected = ops.ForiLoop()(0, n, spiral, Tensor(X)).asnumpy()
        np.testing.assert_allclose(run(Tensor(X), Tensor(n)).asnumpy(), expected, rtol=1e-6)
