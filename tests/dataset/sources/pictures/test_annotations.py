"""Recorded cases of the collections in this module."""

import pytest

from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)
