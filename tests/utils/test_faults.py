"""Handles of services that exist on Ascend alone; answers recorded with MindSpore 2.10 on a CPU."""

import pytest

from ms_compat import Parameter, Tensor, utils


def test_settings():
    assert utils.TFTCommValue.ENABLE_MINDX == ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1"]
    assert utils.TFTCommValue.NEED_MINDIO == ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1"]
    assert utils.TFTCommValue.DISABLE_WATCHDOG == ["ARF:1", "TSP:1", "HCCE:1"]


def test_mindx(monkeypatch, caplog):
    monkeypatch.delenv("MS_ENABLE_TFT", raising=False)
    assert utils.RSCPluginHandle().check_enable() is False
    monkeypatch.setenv("MS_ENABLE_TFT", "{RSC:1}")
    handle = utils.RSCPluginHandle()
    assert handle.check_enable() is True
    assert handle.register_callback({"stop": print}) is False and "MindX" in caplog.text
    with pytest.raises(ValueError, match="must be a dict"):
        handle.register_callback([print])
    with pytest.raises(RuntimeError, match="MindX"):
        handle.start()


def test_mindio(monkeypatch, caplog):
    handle = utils._tft_handler
    monkeypatch.setenv("MS_ENABLE_TFT", "{RSC:1}")
    with pytest.raises(ValueError, match="TTP:1"):
        handle.init()
    monkeypatch.setenv("MS_ENABLE_TFT", "{TTP:1}")
    assert handle.init() is None and "MindIO" in caplog.text
    assert handle.get_tft() is None and handle.unregister_tft() is None


def test_hardware_tests(caplog):
    for kind in ((), ("aic",), ("hccs",)):
        with pytest.raises(RuntimeError, match="no Ascend"):
            utils.stress_detect(*kind)
    assert utils.stress_detect("x") == utils.stress_detect(3) == 1
    assert "'aic' or 'hccs'" in caplog.text


def test_one_process_does_not_ask_others():
    stop = Parameter(Tensor(False), name="stop")
    assert utils.ExitByRequest().exit_by_request(3, Parameter(Tensor([1]), name="request"), stop) == 3
    assert not stop.asnumpy()
