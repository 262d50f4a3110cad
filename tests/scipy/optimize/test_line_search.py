"""`line_search`."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.scipy import optimize
from tests.scipy import recorded


@pytest.mark.parametrize("case", recorded.cases("optimize", "line_search("))
def test_answers_as_recorded(case):
    recorded.check(case)


def rosen(x):
    return ((1 - x[:-1]) ** 2 + 100 * (x[1:] - x[:-1] ** 2) ** 2).sum()


def test_line_search_in_a_compiled_function():
    step = ms.jit(lambda x, p: optimize.line_search(rosen, x, p).a_k)(Tensor([-1.2, 1.0]), Tensor([215.6, 88.0]))
    assert np.isclose(step.asnumpy(), 0.00093831, rtol=1e-4)
