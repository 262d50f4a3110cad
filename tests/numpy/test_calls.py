"""Functions of `mindspore.numpy` that call a user's function, compare, or draw."""

import pytest

from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)
