"""Recordings that begin while a program runs; the file's settings are those of MindSpore 2.10."""

import json

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import dataset, nn, ops, profiler
from ms_compat.profiler.environment import analyse


@pytest.fixture
def calls(monkeypatch):
    found = []
    monkeypatch.setattr("jax.profiler.start_trace", lambda folder: found.append(("start", folder)))
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: found.append(("stop",)))
    monkeypatch.setattr(profiler.EnvProfiler, "profiler", None)
    return found


def write(folder, **settings):
    path = folder / "profiler_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **settings}))


def monitor_of(folder, **options):
    found = profiler.DynamicProfilerMonitor(str(folder), str(folder / "out"), **options)
    found._interval = 0  # look at each step
    return found


def test_a_training_is_recorded_as_the_file_says(tmp_path, calls, capsys):
    monitor = monitor_of(tmp_path / "settings")
    settings = json.loads((tmp_path / "settings/profiler_config.json").read_text())
    assert len(settings) == 21 and settings["start_step"] == settings["stop_step"] == -1
    assert settings["activities"] == ["CPU", "NPU"] and settings["prof_path"] == "./"
    write(tmp_path / "settings", start_step=2, stop_step=3)
    steps = []

    class Noting(ms.train.Callback):
        def step_end(self, run_context):
            steps.append(len(calls))

    rows = [(np.ones((2, 3), np.float32), np.ones((2, 4), np.float32))] * 5
    network = nn.Dense(3, 4)
    model = ms.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params()))
    model.train(1, dataset.GeneratorDataset(rows, ["a", "b"]), callbacks=[Noting(), monitor], dataset_sink_mode=False)
    assert calls == [("start", str(tmp_path / "settings/out/rank0_start2_stop3")), ("stop",)]
    assert steps == [0, 1, 1, 2, 2]
    assert "records steps 2 to 3" in capsys.readouterr().out


def test_a_loop_of_the_program_counts_its_own_steps(tmp_path, calls, caplog):
    monitor = monitor_of(tmp_path)
    monitor.step()
    write(tmp_path, start_step=2, stop_step=2, prof_path=str(tmp_path / "other"))
    monitor.step()
    assert calls == [("start", str(tmp_path / "other/rank0_start2_stop2"))]
    (tmp_path / "profiler_config.json").write_text("{")  # the recording goes on as it was
    monitor.step()
    assert len(calls) == 2 and "is not valid" in caplog.text
    (tmp_path / "profiler_config.json").write_text('{"start_step": 4, "stop_step": 9}')
    monitor.step()
    monitor.on_train_end(None)  # its last step does not come
    assert calls[2:] == [("start", str(tmp_path / "out/rank0_start4_stop9")), ("stop",)]
    for settings, error in (
        ({"start_step": 2, "stop_step": 9}, "before the step that begins"),
        ({"start_step": 6, "stop_step": 5}, "before 'start_step' 6"),
        ({"start_step": "7", "stop_step": 9}, "must be an int"),
        ([], "must be an object"),
    ):
        (tmp_path / "profiler_config.json").write_text(json.dumps(settings))
        monitor.step()
        assert error in caplog.text
    assert len(calls) == 4


def test_the_file_is_not_read_at_each_step(tmp_path, calls):
    monitor = profiler.DynamicProfilerMonitor(str(tmp_path), poll_interval=1000)
    monitor.step()
    write(tmp_path, start_step=2, stop_step=2)
    monitor.step()
    assert calls == []


def test_wrong_arguments(tmp_path, caplog):
    for wrong in (None, 3):
        with pytest.raises(TypeError, match="cfg_path"):
            profiler.DynamicProfilerMonitor(wrong)
    for wrong in ("x", 0):
        profiler.DynamicProfilerMonitor(str(tmp_path), poll_interval=wrong)
        assert repr(wrong) in caplog.text


def test_the_environment_starts_a_recording(tmp_path, calls, monkeypatch, caplog):
    options = {"start": True, "output_path": str(tmp_path), "activities": ["CPU"], "profiler_level": "Level1",
               "with_stack": True, "schedule": 3}  # fmt: skip
    monkeypatch.setenv("MS_PROFILER_OPTIONS", json.dumps(options))
    profiler.EnvProfiler.init_profiler()
    assert calls == [("start", str(tmp_path))] and "schedule" in caplog.text
    profiler.EnvProfiler().analyse()
    profiler.EnvProfiler().analyse()
    assert calls == [("start", str(tmp_path)), ("stop",)]
    for quiet in ("", "{", '{"start": false}', "[]"):
        monkeypatch.setenv("MS_PROFILER_OPTIONS", quiet)
        profiler.EnvProfiler.init_profiler()
    assert len(calls) == 2 and "not valid JSON" in caplog.text
    monkeypatch.setenv("MS_PROFILER_OPTIONS", '{"start": true, "activities": ["TPU"]}')
    with pytest.raises(ValueError, match="TPU"):
        profiler.EnvProfiler.init_profiler()


def test_recordings_are_found(tmp_path, caplog):
    caplog.set_level("INFO", "ms_compat")
    assert analyse(str(tmp_path)) is None and "holds no recordings" in caplog.text
    with profiler.profile(on_trace_ready=profiler.tensorboard_trace_handler(str(tmp_path))):
        ops.ones((2,))
    analyse(str(tmp_path), pretty=True)
    assert "TensorBoard shows them" in caplog.text
    with pytest.raises(TypeError, match="profiler_path"):
        analyse(3)
