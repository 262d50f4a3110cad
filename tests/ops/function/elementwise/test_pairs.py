"""Elementwise functions of two tensors."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("name", ["add", "mul", "atan2", "maximum", "less", "logical_and", "bitwise_and", "lerp"])
def test_none_and_sequences_are_refused_by_type(name):
    x = Tensor(np.ones(3, np.int32))
    rest = (x,) if name == "lerp" else ()
    for other in (None, [1, 2, 3], (1, 2, 3)):
        with pytest.raises(TypeError):
            getattr(ops, name)(x, other, *rest)


def test_zeros_keep_their_sign_as_numbers_of_an_operation():
    quotients = [float(ops.div(Tensor([1.0]), zero)) for zero in (0.0, -0.0, 0.0)]
    assert quotients == [np.inf, -np.inf, np.inf]


@pytest.mark.parametrize("fn", [ops.igamma, ops.igammac, ops.zeta, ops.xlogy, ops.hypot, ops.atan2])
@pytest.mark.parametrize("swapped", [False, True])
def test_gradients_of_operands_that_broadcast(fn, swapped):
    whole, row = Tensor([[1.2, 2.5, 3.75], [4.1, 1.9, 6.3]]), Tensor([1.5, 2.0, 3.0])
    pair = (row, whole) if swapped else (whole, row)
    found = ms.grad(lambda a, b: fn(a, b).sum(), (0, 1))(*pair)
    same = ms.grad(lambda a, b: fn(a, b).sum(), (0, 1))(*[ops.broadcast_to(x, (2, 3)) for x in pair])
    for one, other in zip(found, same, strict=True):
        summed = other if one.shape == other.shape else other.sum(0)
        np.testing.assert_allclose(one.asnumpy(), summed.asnumpy(), rtol=1e-5)


def test_gradient_of_igamma_as_mindspore():
    p = Tensor([[1.2, 2.5, 3.75], [4.1, 1.9, 6.3]])
    by_order, by_x = ms.grad(ops.igamma, (0, 1))(p, Tensor([0.5, 1.0, 2.0]))
    wanted = [[-0.40823734, -0.18009952, -0.15444463], [-0.00314106, -0.29675516, -0.01445793]]
    np.testing.assert_allclose(by_order.asnumpy(), wanted, rtol=1e-5)
    np.testing.assert_allclose(by_x.asnumpy(), [0.58545816, 0.65924209, 0.23225814], rtol=1e-5)
