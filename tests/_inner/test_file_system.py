"""MindIO's functions answer as MindSpore's do where no server of it is installed."""

import pytest

from tests._inner.test_names import inner


def test_nothing_is_loaded_ahead():
    assert inner("common.file_system.set_mindio_server_info")() is None
    assert inner("common.file_system.set_mindio_server_info")(128) is None
    assert inner("common.file_system.mindio_preload")("net.ckpt") is False


def test_arguments_are_checked():
    with pytest.raises(ValueError):
        inner("common.file_system.set_mindio_server_info")(0)
    with pytest.raises(TypeError):
        inner("common.file_system.set_mindio_server_info")("x")
    with pytest.raises(TypeError):
        inner("common.file_system.mindio_preload")(3)
