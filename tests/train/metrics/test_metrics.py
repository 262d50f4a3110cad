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


def test_ratios_of_counts_are_exact():
    y_pred, y = np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1])
    assert ms.train.Precision()(y_pred, y).tolist() == [0.5, 1.0]
    assert ms.train.Recall()(y_pred, y).tolist() == [1.0, 0.5]
    assert ms.train.F1()(y_pred, y).tolist() == [2 / 3, 2 / 3]


@pytest.mark.parametrize("name", ["MeanSurfaceDistance", "RootMeanSquareDistance"])
def test_a_distance_is_infinite_at_first_and_refused_after_clear(name):
    metric = getattr(ms.train, name)()
    assert metric.eval() == np.inf
    metric.clear()
    with pytest.raises(RuntimeError, match=name):
        metric.eval()


@pytest.mark.parametrize("name", ["MeanSurfaceDistance", "RootMeanSquareDistance", "HausdorffDistance"])
def test_a_distance_needs_a_label_that_occurs(name):
    metric = getattr(ms.train, name)()
    with pytest.raises(ValueError, match="label"):
        metric.update(np.ones((3, 3)), np.ones((3, 3)), 0)
