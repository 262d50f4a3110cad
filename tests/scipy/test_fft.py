"""Cosine transforms."""

import pytest

from tests.scipy import recorded


@pytest.mark.parametrize("case", recorded.cases("fft"))
def test_answers_as_recorded(case):
    recorded.check(case)
