"""`arange`, `linspace`, `logspace` and `geomspace` of `mindspore.numpy`."""

import numpy as np
import pytest

import ms_compat.numpy as mnp
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_geomspace_computes_powers_of_a_rounded_factor():
    assert np.isnan(mnp.geomspace(-1.0, 8.0, 3).asnumpy()).tolist() == [False, True, True]
    assert mnp.geomspace(1, 8, 3, dtype=mnp.int32).asnumpy().tolist() == [1, 2, 7]  # 8 comes out as 7.9999995
    assert np.isnan(mnp.geomspace(0.0, 8.0, 3).asnumpy()).tolist() == [False, True, True]
    with pytest.raises(ZeroDivisionError):
        mnp.geomspace(1.0, 8.0, 1)
