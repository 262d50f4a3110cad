"""SGD and Momentum, against recorded steps and learning rates."""

import pytest

from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)
