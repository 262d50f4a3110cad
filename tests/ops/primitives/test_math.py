"""Primitives of arithmetic, comparison, reduction and linear algebra."""

import numpy as np
import pytest

from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_tangents_and_counts_of_arrays():
    x = Tensor([[0.0, 1.0], [2.0, 0.0]])
    np.testing.assert_allclose(ops.Tan()(x).asnumpy(), np.tan(x.asnumpy()), rtol=1e-6)
    assert int(ops.CountNonZero()(x)) == 2 and ops.CountNonZero([0])(x).asnumpy().tolist() == [1, 1]
