"""Metrics by name."""

import pytest

import ms_compat as ms
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(KeyError, match="accuracy"):
        ms.train.get_metric_fn("acuracy")
