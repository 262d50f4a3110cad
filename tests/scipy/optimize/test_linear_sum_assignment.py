"""`linear_sum_assignment`."""

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.scipy import optimize
from tests.scipy import recorded


@pytest.mark.parametrize("case", recorded.cases("optimize", "linear_sum_assignment("))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_assignments_in_a_compiled_function():
    cost = np.random.RandomState(1).randn(4, 6)
    rows, columns = ms.jit(lambda c: optimize.linear_sum_assignment(c, False))(Tensor(cost))
    wanted = scipy.optimize.linear_sum_assignment(cost)
    assert (rows.asnumpy() == wanted[0]).all() and (columns.asnumpy() == wanted[1]).all()
