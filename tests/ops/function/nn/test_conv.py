"""Convolutions and dense products."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(*values, dtype=ms.float32):
    return Tensor(list(values), dtype)


def test_complex_dense():
    x, weight = of(1 + 1j, 2, dtype=ms.complex64), Tensor([[1j, 2]], ms.complex64)
    out = ops.dense(x, weight, of(1, dtype=ms.complex64))
    assert out.dtype == ms.complex64
    np.testing.assert_allclose(out.asnumpy(), [4 + 1j])
