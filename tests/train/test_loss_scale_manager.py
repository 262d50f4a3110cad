"""Managers of loss scales."""

import pytest

from ms_compat.train import LossScaleManager
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_base_of_loss_scales_says_nothing_and_changes_nothing():
    manager = LossScaleManager()
    assert manager.get_loss_scale() is None and manager.update_loss_scale(True) is None
