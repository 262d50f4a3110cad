"""The remainders of `mindspore.numpy`."""

import numpy as np
import pytest

import ms_compat
from ms_compat import Tensor
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(("name", "signed"), [("fmod", 1), ("mod", -2), ("remainder", -2)])
def test_numpys_remainder_of_a_division_by_zero_is_zero(name, signed):  # recorded from MindSpore 2.10.0
    function = getattr(ms_compat.numpy, name)
    found = function(Tensor([7, -7, 5, 0]), Tensor([0, 0, 3, 2]))
    assert found.dtype == ms_compat.int64 and found.asnumpy().tolist() == [0, 0, 2, 0]
    assert function(Tensor([7]), -3).asnumpy().tolist() == [signed]
    assert np.isnan(function(Tensor([7.5]), 0.0).asnumpy()).all()
