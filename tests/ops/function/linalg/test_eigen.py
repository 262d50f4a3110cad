"""Derivatives of eigenvalues, eigenvectors and singular vectors against differences."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

X = Tensor(np.array([[4, 1, 0.5], [-2, 3, -1], [0.3, 2, 1]], np.float64))  # one real and two conjugate eigenvalues
K = Tensor(np.array([[1.0, -0.5, 2], [0.3, 1.5, -1], [2, 1, 0.7]]))


def of_values(x):
    values = ops.eigvals(x)
    return (ops.real(values) ** 3).sum() + (ops.imag(values) ** 2).sum()


def of_vectors(x):
    vectors = ops.eig(x)[1]
    return (ops.real(vectors) * K).sum() + (ops.imag(vectors) ** 3 * K).sum()


def of_primitive(x):
    values, vectors = ops.Eig(True)(x)
    return (ops.real(values) ** 2).sum() + (ops.imag(vectors) ** 2 * K).sum()


def difference(fn, step=1e-5):
    """The slope at X along K."""
    pair = [float(fn(Tensor(X.asnumpy() + way * K.asnumpy())).asnumpy()) for way in (step, -step)]
    return (pair[0] - pair[1]) / (2 * step)


def along(gradient):
    return float((gradient * K).sum().asnumpy())


@pytest.mark.parametrize("fn", [of_values, of_vectors, of_primitive])
def test_gradients_are_differences(fn, mode):
    found = ms.grad(fn)(X)
    assert found.dtype == ms.float64
    np.testing.assert_allclose(along(found), difference(fn), rtol=1e-6)


@pytest.mark.parametrize("fn", [of_values, of_vectors])
def test_second_derivatives_and_pullbacks_inside_a_gradient(fn, mode):
    def sloped(x):
        return (ms.grad(fn)(x) * K).sum()

    def pulled(x):
        return (ms.vjp(fn, x)[1](Tensor(1.0, ms.float64))[0] * K).sum()

    wanted = difference(sloped)
    np.testing.assert_allclose(along(ms.grad(sloped)(X)), wanted, rtol=1e-5)
    np.testing.assert_allclose(along(ms.grad(pulled)(X)), wanted, rtol=1e-5)


def test_values_that_are_equal_have_a_gradient_without_the_vectors():
    found = ms.grad(lambda x: ops.real(ops.eigvals(x)).sum())(Tensor(np.eye(3, dtype=np.float32)))
    np.testing.assert_allclose(found.asnumpy(), np.eye(3))


TALL, WIDE = Tensor(X.asnumpy()[:, :2]), Tensor(X.asnumpy()[:2])


@pytest.mark.parametrize("x", [X, TALL, WIDE], ids=["square", "tall", "wide"])
def test_singular_vectors_have_derivatives_of_two_orders(x, mode):
    k = Tensor(K.asnumpy()[: x.shape[0], : x.shape[1]])

    def of_both(x):
        s, u, v = ops.svd(x)
        return (s * s).sum() + (u[0] ** 3).sum() + (v[1] ** 3).sum()

    def sloped(x):
        return (ms.grad(of_both)(x) * k).sum()

    for fn in (of_both, sloped):
        pair = [float(fn(x + way * k).asnumpy()) for way in (1e-5, -1e-5)]
        found = (ms.grad(fn)(x) * k).sum().asnumpy()
        np.testing.assert_allclose(found, (pair[0] - pair[1]) / 2e-5, rtol=1e-5)


def test_equal_singular_values_give_a_finite_gradient(mode):
    def of_product(x):
        _, u, v = ops.svd(x)
        return (ops.matmul(u, v.T) * K).sum()

    k = K.asnumpy()
    found = ms.grad(of_product)(Tensor(np.eye(3) * 2))
    np.testing.assert_allclose(found.asnumpy(), (k - k.T) / 4)
    # the singular values' own, as MindSpore has it
    whole = ms.grad(lambda x: ops.svd(x)[0].sum() + 0 * ops.svd(x)[1].sum())(Tensor(np.eye(3)))
    np.testing.assert_allclose(whole.asnumpy(), np.eye(3))


def test_least_squares_at_equal_singular_values(mode):
    b = Tensor(np.array([0.0, 1.0, 2.0]))
    found = ms.grad(lambda a: ms.scipy.linalg.lstsq(a, b)[0].sum())(Tensor(np.eye(3) * 2))
    np.testing.assert_allclose(found.asnumpy(), [[0, -0.25, -0.5]] * 3, atol=1e-12)
