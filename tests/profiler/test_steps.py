"""Schedules as MindSpore 2.10.0 counts them, and recordings of the steps they choose."""

import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat.profiler import (
    ProfilerAction,
    _ExperimentalConfig,
    mstx,
    profile,
    schedule,
    tensorboard_trace_handler,
)


def test_schedule_counts_as_mindspore_does():
    plan = schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    names = "NONE NONE WARM_UP RECORD RECORD_AND_SAVE NONE WARM_UP RECORD RECORD_AND_SAVE NONE NONE NONE".split()
    assert [plan(step).name for step in range(12)] == names
    assert plan.to_dict() == {"wait": 1, "active": 2, "warmup": 1, "repeat": 2, "skip_first": 1}
    assert schedule(wait=0, active=1)(7) is ProfilerAction.RECORD_AND_SAVE


@pytest.mark.parametrize("wrong", [{"wait": -1, "active": 1}, {"wait": 0, "active": 0}, {"wait": "a", "active": 1}])
def test_wrong_numbers_become_defaults(wrong):
    assert schedule(**wrong).to_dict() == {"wait": 0, "active": 1, "warmup": 0, "repeat": 0, "skip_first": 0}


def test_a_negative_step_is_refused():
    with pytest.raises(ValueError, match="step"):
        schedule(wait=0, active=1)(-1)


def test_the_steps_of_a_schedule_are_recorded(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr("jax.profiler.start_trace", lambda folder: calls.append(("start", folder)))
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: calls.append(("stop",)))
    ready = tensorboard_trace_handler(str(tmp_path))
    with profile(schedule=schedule(wait=1, active=2, repeat=1), on_trace_ready=ready) as recording:
        for step in range(5):
            calls.append(step)
            recording.step()
    assert calls == [0, ("start", str(tmp_path)), 1, 2, ("stop",), 3, 4]


def test_a_recording_is_written(tmp_path):
    written = []
    handler = tensorboard_trace_handler(str(tmp_path))
    recording = profile(start_profile=False, on_trace_ready=handler, experimental_config=_ExperimentalConfig())
    recording.start()
    (Tensor([1.0]) + 1).asnumpy()
    mstx.mark("here", domain="test")
    mstx.range_end(mstx.range_start("range"))
    recording.add_metadata("key", "value")
    recording.stop()
    written += [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written


def test_profiler_records_from_start_to_analyse(monkeypatch):
    calls = []
    monkeypatch.setattr("jax.profiler.start_trace", lambda folder: calls.append(("start", folder)))
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: calls.append(("stop",)))
    with ms.profiler.Profiler(output_path="folder", profiler_level=ms.profiler.ProfilerLevel.Level1) as recording:
        recording.step()
        recording.add_metadata("key", "value")
    assert calls == [("start", "folder"), ("stop",)]
    assert ms.profiler.ProfilerActivity.GPU.value == "GPU" and ms.profiler.ExportType.Text.value == "text"
    assert ms.profiler.AicoreMetrics.PipeUtilization.name == "PipeUtilization"
    with pytest.raises(RuntimeError, match="not started"):
        ms.profiler.Profiler(start_profile=False).stop()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: profile(start_profile=3), TypeError),
        (lambda: profile(start_profile=False, schedule=3), TypeError),
        (lambda: profile(start_profile=False).stop(), RuntimeError),
        (lambda: profile(start_profile=False).step(), RuntimeError),
        (lambda: tensorboard_trace_handler(3), TypeError),
        (lambda: mstx.mark(3), TypeError),
        (lambda: mstx.range_end(-1), ValueError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()
