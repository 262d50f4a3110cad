"""Derivatives of higher order and linearize, against nested gradients and jvp."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def curve(x):
    return ops.exp(ops.sin(x))


X = Tensor([[1.0, 2.0], [3.0, 4.0]])


def test_derivatives_equal_nested_gradients():
    nested = curve
    for order in (1, 2, 3):
        nested = ms.grad(nested)
        out, got = ops.derivative(curve, X, order)
        np.testing.assert_allclose(got.asnumpy(), nested(X).asnumpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(out.asnumpy(), curve(X).asnumpy(), rtol=1e-6)


def test_jet_gives_all_orders_and_compiles():
    series = Tensor(np.stack([np.ones((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))]).astype(np.float32))
    _, eager = ops.jet(curve, X, series)
    compiled = ms.jit(lambda x, s: ops.jet(curve, x, s)[1])
    for order in (1, 2, 3):
        expected = ops.derivative(curve, X, order)[1].asnumpy()
        np.testing.assert_allclose(eager.asnumpy()[order - 1], expected, rtol=1e-5)
    np.testing.assert_allclose(compiled(X, series).asnumpy(), eager.asnumpy(), rtol=1e-4, atol=1e-5)


def test_jet_of_several_inputs_follows_the_product_rule():
    x, y = Tensor([2.0]), Tensor([3.0])
    one, zero = [[1.0], [0.0]], [[0.0], [0.0]]
    _, series = ops.jet(lambda x, y: x * x * y, (x, y), (Tensor(one), Tensor(one)))
    assert series.asnumpy().ravel().tolist() == [2 * 2 * 3 + 4, 2 * 3 + 4 * 2]
    _, series = ops.jet(lambda x, y: x * x * y, (x, y), (Tensor(one), Tensor(zero)))
    assert series.asnumpy().ravel().tolist() == [12.0, 6.0]


def test_linearize_equals_jvp_for_many_tangents():
    out, jvp_fn = ops.linearize(curve, X)
    for k in (1.0, -2.0):
        v = Tensor(np.full((2, 2), k, np.float32))
        expected_out, expected = ms.jvp(curve, X, v)
        np.testing.assert_allclose(jvp_fn(v).asnumpy(), expected.asnumpy(), rtol=1e-6)
        np.testing.assert_allclose(out.asnumpy(), expected_out.asnumpy())


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="order"):
        ops.derivative(curve, X, 0)
    with pytest.raises(TypeError, match="order"):
        ops.derivative(curve, X, 1.5)
    with pytest.raises(ValueError, match="series"):
        ops.jet(curve, X, X)
    with pytest.raises(TypeError, match="linearize"):
        ops.linearize(curve, 3)
