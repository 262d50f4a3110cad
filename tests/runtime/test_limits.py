"""Limits of cores are kept and given back; the exceptions are MindSpore's."""

import pytest

from ms_compat import runtime


def test_a_device_keeps_its_limit():
    try:
        assert runtime.get_device_limit(3) == {"cube_core_num": -1, "vector_core_num": -1}
        assert runtime.set_device_limit(3, 4, 8) is None
        assert runtime.get_device_limit(3) == {"cube_core_num": 4, "vector_core_num": 8}
    finally:
        runtime.set_device_limit(3)


def test_a_stream_keeps_its_limit_until_the_region_ends():
    stream = runtime.Stream()
    runtime.set_stream_limit(stream, 2, 3)
    with pytest.raises(KeyError), runtime.StreamLimitCtx(stream, 4, 8) as entered:
        assert entered is None
        assert runtime.get_stream_limit(stream) == {"cube_core_num": 4, "vector_core_num": 8}
        raise KeyError
    assert runtime.get_stream_limit(stream) == {"cube_core_num": 2, "vector_core_num": 3}
    runtime.reset_stream_limit(stream)
    assert runtime.get_stream_limit(stream) == {"cube_core_num": -1, "vector_core_num": -1}


@pytest.mark.parametrize(
    "call",
    [
        lambda: runtime.get_device_limit("Ascend"),
        lambda: runtime.set_device_limit("CPU", 8, 8),
        lambda: runtime.set_device_limit(0, "a", 8),
        lambda: runtime.get_stream_limit(None),
        lambda: runtime.set_stream_limit(3, 4, 4),
        lambda: runtime.set_stream_limit(runtime.Stream(), "a"),
        lambda: runtime.reset_stream_limit("a"),
        lambda: runtime.StreamLimitCtx(None, 4, 4),
    ],
)
def test_other_types_are_refused(call):
    with pytest.raises(TypeError):
        call()
