"""Norms, recorded from MindSpore: of matrices its `norm` tells 2.0 from 2."""

import numpy as np
import pytest

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
