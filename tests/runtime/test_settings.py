"""Settings of the runtime that have no effect say so."""

import logging

import pytest

import ms_compat as ms


def test_settings_of_the_runtime_without_effect_say_so(caplog):
    with caplog.at_level(logging.DEBUG, logger="ms_compat"):
        ms.runtime.set_cpu_affinity(False)
        ms.runtime.set_cpu_affinity(True, None, None)  # MindSpore on a CPU then binds to all cores
        assert len(caplog.records) == 2
    with pytest.raises(ms.UnsupportedError):
        ms.runtime.set_cpu_affinity(True, ["0-0"])
    with pytest.raises(TypeError):
        ms.runtime.set_cpu_affinity(1)


def test_launch_blocking_asks_for_each_operation_to_be_waited_for():
    before = ms.get_context("pynative_synchronize")
    try:
        ms.runtime.launch_blocking()
        assert ms.get_context("pynative_synchronize") is True
    finally:
        ms.set_context(pynative_synchronize=before)
