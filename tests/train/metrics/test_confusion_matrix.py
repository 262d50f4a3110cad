"""Confusion matrices and their ratios."""

import pytest

from ms_compat import train
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_metric_without_a_name_or_samples():
    with pytest.raises(NotImplementedError, match="metric_name"):
        train.ConfusionMatrixMetric(metric_name="other").eval()
    with pytest.raises(RuntimeError):
        train.ConfusionMatrixMetric(metric_name="tnr", calculation_method=True).eval()
