"""Functions of whole matrices."""

import numpy as np
import pytest
import scipy.linalg

from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)


C = (M + 1j * M.T[::-1] / 4).astype(np.complex128)


def test_the_logarithm_undoes_the_exponential():
    for matrix in (C, np.array([[4, 1], [0, 4]], complex), np.eye(2, dtype=complex)):
        found = ops.MatrixLogarithm()(Tensor(matrix)).asnumpy()
        np.testing.assert_allclose(scipy.linalg.expm(found), matrix, atol=1e-11)
    small = ops.MatrixLogarithm()(Tensor(scipy.linalg.expm(C / 8)))
    np.testing.assert_allclose(small.asnumpy(), C / 8, atol=1e-11)
