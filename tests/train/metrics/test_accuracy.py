"""Accuracy."""

import numpy as np
import pytest

import ms_compat as ms
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_update_does_not_change_its_inputs():
    y_pred, y = np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([1, 1])
    before = y_pred.copy(), y.copy()
    ms.train.Accuracy().update(y_pred, y)
    assert (y_pred == before[0]).all() and (y == before[1]).all()
