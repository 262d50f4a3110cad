import pytest

from ms_compat.boost import AutoBoost


@pytest.fixture(autouse=True)
def no_configuration(monkeypatch):
    """The first `AutoBoost` of a process decides; so each test starts without one."""
    monkeypatch.setattr(AutoBoost, "_instance", None)
