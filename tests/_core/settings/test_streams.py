"""Streams and events; refusals as of MindSpore 2.10.0 on CPU, where all streams are equal, too."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, hal, ops, runtime

# MindSpore's CPU measures nothing and says 0.0 between any two events; here it is the time that passed.
WIDER = {"elapsed_time": "measures on every device, and asks for enable_timing=True"}


@pytest.mark.parametrize("home", [hal, runtime, ms])
def test_all_streams_are_the_one_queue(home):
    stream = home.Stream(priority=-1)
    assert stream == home.current_stream() == home.default_stream() == home.communication_stream()
    assert hash(stream) == hash(home.current_stream())
    assert (stream.device_id, stream.id, stream.stream_id(), stream.stream_ptr) == (0, 0, 0, 0)
    assert stream.device_name == stream.device_name.strip() and stream.device_stream is None
    home.set_cur_stream(stream)
    home.set_cur_stream(None)
    with home.StreamCtx(stream):
        out = ops.ones((2, 2), ms.float32) + 1
    stream.wait_stream(home.Stream())
    stream.synchronize()
    assert stream.query() and float(out.sum()) == 8


def test_the_queue_has_many_names():
    for name in "communication_stream current_stream default_stream".split():
        assert getattr(hal, name)() == getattr(runtime, name)() == getattr(ms, name)()
    for name in "Event Stream StreamCtx set_cur_stream".split():
        assert getattr(hal, name) is getattr(runtime, name) is getattr(ms, name)


def test_memory_of_the_device_has_figures():
    hal.empty_cache()
    assert hal.max_memory_reserved() >= 0 and hal.memory_reserved() >= 0
    assert hal.is_initialized("CPU") and hal.get_arch_list() is None


def test_events_know_whether_the_work_before_them_is_done():
    event = hal.Event(blocking=True)
    assert event.query()
    heavy = ops.ones((500, 500), ms.float32)
    for _ in range(5):
        heavy = heavy @ heavy * 1e-3
    event.record()
    event.wait()
    event.synchronize()
    assert event.query() and heavy._v.is_ready()
    stream = runtime.Stream()
    assert isinstance(stream.record_event(), runtime.Event)
    stream.wait_event(stream.record_event(event))


def test_events_measure_time():
    start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
    start.record()
    end.record(hal.current_stream())
    assert start.elapsed_time(end) >= 0 and end.elapsed_time(start) <= 0
    with pytest.raises(RuntimeError, match="enable_timing"):
        start.elapsed_time(hal.Event())


@pytest.mark.parametrize(
    "call",
    [
        lambda: hal.StreamCtx(3),
        lambda: hal.set_cur_stream(3),
        lambda: hal.Stream(priority="a"),
        lambda: hal.Event(3),
        lambda: hal.Event().record(3),
        lambda: hal.Event().elapsed_time(3),
        lambda: hal.Stream().wait_event(3),
        lambda: hal.Stream().wait_stream(3),
        lambda: hal.Stream().record_event(3),
    ],
)
def test_refusals(call):
    with pytest.raises(TypeError):
        call()


def test_properties_of_a_cpu_are_none():
    assert hal.get_device_properties(0, "CPU") is None
    assert hal.get_device_capability(0, "CPU") is None
    for call in (hal.get_device_properties, hal.get_device_capability):
        with pytest.raises(ValueError, match="device_id"):
            call(9, "CPU")


@pytest.mark.skipif(hal.is_available("GPU"), reason="there is an accelerator")
def test_properties_of_a_device_that_is_not_there():
    for call in (hal.get_device_properties, hal.get_device_capability):
        with pytest.raises(ValueError, match="no device"):
            call(0, "Ascend")


@pytest.mark.skipif(not hal.is_available("GPU"), reason="needs an accelerator")
def test_properties_of_an_accelerator():
    facts = hal.get_device_properties(0, "GPU")
    assert facts.name == hal.get_device_name(0, "GPU")
    assert facts.total_memory >= facts.free_memory > 0
    assert hal.get_device_capability(0, "GPU") == (facts.major, facts.minor) > (6, 0)
    out = Tensor([1.0]) + 1
    assert hal.current_stream().device_name == "GPU" and out.asnumpy().tolist() == [2]
