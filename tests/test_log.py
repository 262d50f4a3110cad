"""The settings of the log."""

import ms_compat as ms


def test_the_log_tells_its_settings(monkeypatch):
    monkeypatch.setenv("GLOG_v", "3")
    monkeypatch.setenv("GLOG_log_dir", "here")
    assert ms.log.get_level() == "3"
    assert ms.log.get_log_config() == {"GLOG_v": "3", "GLOG_logtostderr": "1", "GLOG_log_dir": "here"}
