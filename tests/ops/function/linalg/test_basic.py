"""Products of vectors and matrices."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


def test_gradients_of_an_integer_in_a_product_with_floats(mode):
    x, y = Tensor(np.array([[0, 1]])), of([[0.5], [2.0]])
    by_einsum = ms.grad(lambda x, y: mint.einsum("ij,jk->ik", x, y), (0, 1))(x, y)
    for found, expected in zip(by_einsum, ([[0, 2]], [[0], [1]]), strict=True):
        assert found.asnumpy().tolist() == expected
    assert by_einsum[0].dtype == ms.int64 and by_einsum[1].dtype == ms.float32
