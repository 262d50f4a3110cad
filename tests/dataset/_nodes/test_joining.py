"""Pipelines that are zipped or concatenated, and columns that are chosen or renamed."""

import pytest

from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)
