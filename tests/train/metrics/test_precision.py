"""Precision."""

import numpy as np
import pytest

import ms_compat as ms
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_ratios_of_counts_are_exact():
    y_pred, y = np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1])
    assert ms.train.Precision()(y_pred, y).tolist() == [0.5, 1.0]
    assert ms.train.Recall()(y_pred, y).tolist() == [1.0, 0.5]
    assert ms.train.F1()(y_pred, y).tolist() == [2 / 3, 2 / 3]
