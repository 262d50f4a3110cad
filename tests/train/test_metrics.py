"""Metrics against MindSpore's recorded values and errors, for numpy arrays and for Tensors."""

import numpy as np
import pytest

import ms_compat as ms
from tests.conformance import programs

CASES = programs.load("metrics.json")


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_metric_agrees_with_mindspore(case):
    programs.check(case, ms)


def test_update_does_not_change_its_inputs():
    y_pred, y = np.array([[0.2, 0.8], [0.6, 0.4]]), np.array([1, 1])
    before = y_pred.copy(), y.copy()
    ms.train.Accuracy().update(y_pred, y)
    assert (y_pred == before[0]).all() and (y == before[1]).all()


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(KeyError, match="accuracy"):
        ms.train.get_metric_fn("acuracy")
