"""Distances between surfaces."""

import numpy as np
import pytest

import ms_compat as ms
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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
