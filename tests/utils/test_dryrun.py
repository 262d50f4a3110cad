"""Values of simulated runs; recorded with MindSpore 2.10."""

import logging

import pytest

from ms_compat.utils import dryrun


def test_a_real_run_has_real_values():
    assert dryrun.mock(1, 2) == 2
    assert dryrun.mock(1, lambda: 3) == 3
    assert dryrun.mock(1, max, 3, 4) == 4
    with pytest.raises(IndexError):
        dryrun.mock(1)


def test_a_simulated_run_has_the_given_ones(monkeypatch, caplog):
    monkeypatch.setenv("MS_SIMULATION_LEVEL", "")
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        dryrun.set_simulation()
    assert "computed as usual" in caplog.text
    assert dryrun.mock(1, 2) == 1
    assert dryrun.mock(1) == 1
