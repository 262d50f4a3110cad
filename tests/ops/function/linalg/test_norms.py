"""Norms, recorded from MindSpore: of matrices its `norm` tells 2.0 from 2."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops

pytestmark = pytest.mark.usefixtures("mode")
A = (np.arange(6) + np.eye(2, 3).ravel() * 2 - 1.5).reshape(2, 3).astype(np.float32)
FROBENIUS = 5.9582
WHOLE = {1: 5.0, -1: 2.0, 2: 5.8951, -2: 0.8650}


@pytest.mark.parametrize("order", WHOLE)
@pytest.mark.parametrize("way", ["function", "method", "dimensions", "of many"])
def test_the_norm_of_a_matrix_asks_for_an_int(way, order):
    ways = {
        "function": lambda x, p: ops.norm(x, p),
        "method": lambda x, p: x.norm(p),
        "dimensions": lambda x, p: ops.norm(x, p, dim=(-2, -1)),
        "of many": lambda x, p: ops.norm(x.reshape(1, 2, 3), p, (1, 2))[0],
    }
    for p, expected in ((order, WHOLE[order]), (float(order), FROBENIUS)):
        found = ways[way](Tensor(A), p)
        assert found.shape == () and found.asnumpy() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("order", WHOLE)
def test_mint_takes_numbers_of_either_kind(order):
    assert mint.linalg.norm(Tensor(A), float(order)).asnumpy() == pytest.approx(WHOLE[order], abs=1e-4)


def test_vectors_take_numbers_of_either_kind():
    for p, expected in ((2, [1.5811388, 4.527693, 3.5355339]), (3, [1.5182945, 4.5020586, 3.5034010])):
        for order in (p, float(p)):
            np.testing.assert_allclose(ops.norm(Tensor(A), order, dim=0).asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("order", ["fro", "nuc", True])
@pytest.mark.parametrize("dim", [None, 0])
def test_vectors_have_no_norms_of_these_names(order, dim):
    with pytest.raises(TypeError):
        ops.norm(Tensor(A[0]), order, dim=dim)


@pytest.mark.parametrize("order", [3.0, 0, "a"])
def test_matrices_have_no_norms_of_these_orders(order):
    with pytest.raises(ValueError):
        ops.norm(Tensor(A), order)


_WHOLE = {"int16": [[1, -2], [0, 3]], "int32": [[1, -2], [0, 3]], "int64": [[1, -2], [0, 3]], "uint8": [[1, 2], [0, 3]]}


@pytest.mark.parametrize("name", _WHOLE)
def test_norms_of_integers_that_count_compare_or_add_are_integers(name):
    x, inf = Tensor(_WHOLE[name], getattr(ms, name)), float("inf")
    own = str(x.dtype)
    for out, dtype, value in (
        (ops.norm(x[0], 0), "Int64", 2),
        (ops.vector_norm(x, 0, 1), "Int64", [2, 1]),
        (ops.norm(x[0], inf), own, 2),
        (x[0].norm(-inf), own, 1),
        (ops.vector_norm(x, inf), own, 3),
        (ops.norm(x, 1), "Int64", 5),
        (ops.norm(x, -1), "Int64", 1),
        (ops.matrix_norm(x, inf), own, 3),
        (ops.norm(x, -inf, (1, 0), True), own, [[1]]),
        (ops.norm(x, inf, dtype=ms.float32), "Float32", 3),
        (ms.numpy.norm(x, 1), own, 5),
        (ms.numpy.norm(x[0], inf), own, 2),
        (ms.numpy.norm(x[0], 0), "Float32", 2),
    ):
        assert (str(out.dtype), out.asnumpy().tolist()) == (dtype, value)


def test_large_integers_keep_their_digits():
    x = Tensor([2**53 + 1, -3])
    assert ops.norm(x, float("inf")).item() == 2**53 + 1
    assert ops.norm(Tensor([[2**53 + 1, 0], [0, 1]]), 1).item() == 2**53 + 1


def test_the_gradient_of_a_norm_of_integers_is_an_integer():
    for order, slope in ((float("inf"), [0, -1, 0]), (-float("inf"), [0, 0, 0]), (0, [0, 0, 0])):
        found = ms.grad(lambda x, order=order: ops.norm(x, order))(Tensor([1, -2, 0]))
        assert (str(found.dtype), found.asnumpy().tolist()) == ("Int64", slope)
