"""Gradients through integers that are cast from floats: MindSpore's casts hand them on, those of reductions, too.

The expected gradients were taken from MindSpore 2.10.0; a factor of 1.5 is cast to the integers' dtype on the way back.
"""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from ms_compat import numpy as mnp

X = [[1.2, 2.7, 3.9], [4.1, 5.5, 6.2]]
ONES = [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
PRODUCTS = [[720.0, 360.0, 240.0], [180.0, 144.0, 120.0]]
GRADIENTS = {
    "sum": (lambda x: ops.sum(x, 0, dtype=ms.int64) * 1.5, ONES),
    "Tensor.sum": (lambda x: x.sum(dtype=ms.int32) * 1.5, ONES),
    "mint.sum": (lambda x: mint.sum(x, 1, dtype=ms.int64) * 1.5, ONES),
    "mnp.sum": (lambda x: mnp.sum(x, dtype=mnp.int32) * 1.5, ONES),
    "nansum": (lambda x: ops.nansum(x, dtype=ms.int32) * 1.5, ONES),
    "prod": (lambda x: ops.prod(x, dtype=ms.int64) * 1.5, PRODUCTS),
    "mint.prod": (lambda x: mint.prod(x, dtype=ms.int64) * 1.5, PRODUCTS),
    "cumsum": (lambda x: ops.cumsum(x, 0, dtype=ms.int32) * 1.5, [[2.0, 2.0, 2.0], [1.0, 1.0, 1.0]]),
    "cumprod": (lambda x: ops.cumprod(x, 0, dtype=ms.int32) * 1.5, [[5.0, 6.0, 7.0], [1.0, 2.0, 3.0]]),
    "mint.mean": (lambda x: mint.mean(x, dtype=ms.int32) * 1.5, [[0.1667] * 3] * 2),
    "sqrt": (lambda x: ops.sqrt(x.int()), [[0.5, 0.3536, 0.2887], [0.25, 0.2236, 0.2041]]),
    "norm": (lambda x: ops.norm(x.int()), [[0.1048, 0.2097, 0.3145], [0.4193, 0.5241, 0.6290]]),
    "fft": (lambda x: ops.real(ops.fft(x.int())), [[3.0, 0.0, 0.0]] * 2),
    "quotient": (lambda x: x.int() / 2.0, [[0.5] * 3] * 2),
    "hardswish": (lambda x: ops.hardswish(x.int()), [[0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
    "trunc": (lambda x: ops.trunc(x.int()) * 1.5, [[0.0] * 3] * 2),
    "round": (lambda x: x.int().round() * 1.5, [[0.0] * 3] * 2),
    "cast": (lambda x: x.to(ms.int32) * 1.5, ONES),
    "of a product": (lambda x: x.long() * x, [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]),
}
DERIVATIVES = {
    "sum": (lambda x: ops.sum(x, 0, dtype=ms.int64) * 1.5, [3.0, 3.0, 3.0]),
    "cast": (lambda x: x.to(ms.int32) * 1.5, [[1.5] * 3] * 2),
    "beside floats": (lambda x: x.long() + x * x, [[3.4, 6.4, 8.8], [9.2, 12.0, 13.4]]),
    "mean": (lambda x: mint.mean(x, dtype=ms.int32) * 1.5, 1.5),
    "mean over one axis": (lambda x: x.int().mean(1) * 2.0, [2.0, 2.0]),
    "sqrt": (lambda x: ops.sqrt(x.int()), [[0.5, 0.3536, 0.2887], [0.25, 0.2236, 0.2041]]),
    "where": (lambda x: ops.where(x > 2, x.int(), 1) * 1.5, [[0.0, 1.5, 1.5], [1.5, 1.5, 1.5]]),
}


def x():
    return Tensor(np.array(X), ms.float32)


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradient(mode, name):
    function, wanted = GRADIENTS[name]
    assert np.allclose(ms.grad(function)(x()).asnumpy(), wanted, atol=1e-4)


@pytest.mark.parametrize("name", DERIVATIVES)
def test_directional_derivative(mode, name):
    function, wanted = DERIVATIVES[name]
    assert np.allclose(ms.jvp(function, x(), ops.ones_like(x()))[1].asnumpy(), wanted, atol=1e-4)


@pytest.mark.parametrize("name", ["gcd", "lcm", "bitwise_left_shift", "bitwise_right_shift"])
def test_integers_without_a_gradient(mode, name):
    operation, other = getattr(ops, name), Tensor(np.array([6, 4, 3]), ms.int32)
    with pytest.raises(RuntimeError, match="there is no gradient"):
        ms.grad(lambda x: operation(x, other))(Tensor(np.array([4, 6, 9]), ms.int32))


@pytest.mark.parametrize("divide", [lambda x: x / 2.0, lambda x: ops.div(x, 2.0), lambda x: ops.RealDiv()(x, 2.0)])
def test_a_quotient_by_a_number_is_not_truncated(mode, divide):
    found = ms.grad(divide)(Tensor([1, 2, 3], ms.int32))
    assert found.dtype == ms.float32
    assert found.asnumpy().tolist() == [0.5, 0.5, 0.5]


def test_selu_of_integers_has_no_gradient(mode):
    with pytest.raises(TypeError, match="there is no gradient"):
        ms.grad(ops.selu)(Tensor([1, 2, 3], ms.int32))


def test_gradient_through_vmap(mode):
    rows = ms.vmap(lambda row: ops.sum(ops.sqrt(row.int())))
    found = ms.grad(lambda x: ops.sum(rows(x)))(x())
    assert np.allclose(found.asnumpy(), [[0.5, 0.3536, 0.2887], [0.25, 0.2236, 0.2041]], atol=1e-4)


def test_second_derivative_through_vmap_is_refused(mode):
    rows = ms.vmap(lambda row: ops.sum(row.int() * row))
    with pytest.raises(ms.UnsupportedError, match="a first derivative only"):
        ms.grad(lambda x: ops.sum(ms.grad(lambda y: ops.sum(rows(y)))(x)))(x())
