"""Recorded programs of no module in particular."""

import pytest

from tests.train import recorded


@pytest.mark.parametrize("case", recorded.rest())
def test_answers_as_recorded(case):
    recorded.check(case)
