"""Activation functions."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


def test_a_scalar_stays_one_under_prelu(mode):
    x, weight = of(-0.8), of([0.6])
    out = ops.prelu(x, weight)
    dx, dw = ms.grad(ops.prelu, (0, 1))(x, weight)
    assert out.shape == dx.shape == () and dw.shape == (1,)
    np.testing.assert_allclose([out.asnumpy(), dx.asnumpy(), dw.asnumpy()[0]], [-0.48, 0.6, -0.8], rtol=1e-6)
