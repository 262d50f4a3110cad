"""Adaptive sums of steps in one process; tests/communication has a training of two."""

import pytest

from ms_compat import boost, nn


def test_the_processes_have_to_be_connected():
    with pytest.raises(RuntimeError, match="init"):
        boost.AdaSum(0, 1, 1, tuple(nn.Dense(1, 1).trainable_params()))
