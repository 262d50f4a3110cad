"""Histories of trainings."""

import pytest

from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)
