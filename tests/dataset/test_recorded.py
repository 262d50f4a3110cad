"""Recorded cases of pipelines that belong to no module in particular."""

import pytest

from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.rest())
def test_answers_as_recorded(case):
    recorded.check(case)
