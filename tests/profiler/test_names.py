"""Cells stand with their names in compiled programs and in recordings."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._targets.hlo import Module
from ms_compat.cli import run
from ms_compat.nn.cell import Cell
from ms_compat.profiler import Profiler, recording

X = Tensor(np.ones((2, 8), np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Dense(8, 16)
        self.rest = nn.SequentialCell(nn.ReLU(), nn.Dense(16, 2))

    def construct(self, x):
        return self.rest(ops.tanh(self.first(x)))


def op_names(function, x):
    """The paths of the operations of a compiled function's program."""
    [program] = function._specialised.values()
    module = Module(program.lower([x._v]).compile().as_text())
    return {one.op_name for one in module.all()}


def test_operations_of_a_program_tell_their_cells():
    net = Net()
    gradient = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    step = ms.jit(lambda x: gradient(x))
    step(X)
    names = op_names(step._compiled, X)
    assert any("/jvp(Net)/first-Dense/" in name for name in names)
    assert any("/transpose(jvp(Net))/rest-SequentialCell/1-Dense/" in name for name in names)


def test_a_cell_has_the_name_of_its_last_place():
    net = Net()
    assert net._scope_name() == "Net"
    assert net.first._scope_name() == "first-Dense"
    assert net.rest[1]._scope_name() == "1-Dense"
    net.again = net.first
    assert net.first._scope_name() == "again-Dense"


def test_a_recording_has_the_cells(tmp_path, mode):
    before = ms.get_context("mode")
    try:
        net = Net()
        with Profiler(output_path=str(tmp_path)):
            net(X).asnumpy()
        [written] = tmp_path.rglob("*.xplane.pb")
        planes = jax.profiler.ProfileData.from_file(str(written)).planes
        events = {event.name for plane in planes for line in plane.lines for event in line.events}
        assert "Net" in events
        if mode == ms.PYNATIVE_MODE:
            assert {"first-Dense", "rest-SequentialCell", "1-Dense"} <= events
        else:
            # What XLA knows of the program goes along. The net is new: without a recording NumPy interprets this call.
            assert b"/first-Dense/" in written.read_bytes()
    finally:
        ms.set_context(mode=before)


def test_calls_are_as_before_when_no_recording_is_open(monkeypatch):
    call = Cell.__call__
    monkeypatch.setattr("jax.profiler.start_trace", lambda folder: None)
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: None)
    with recording.recorded("outer"):
        with recording.recorded("inner"):
            assert Cell.__call__ is not call
        assert Cell.__call__ is not call
    assert Cell.__call__ is call


def test_a_profiler_within_a_recording_leaves_it_open(monkeypatch, caplog):
    """As in a script that records, run by `ms-compat run --profile DIR`."""
    seen = []
    monkeypatch.setattr("jax.profiler.start_trace", seen.append)
    monkeypatch.setattr("jax.profiler.stop_trace", lambda: seen.append("stopped"))
    with recording.recorded("around"):
        with Profiler(output_path="own"):
            pass
        assert seen == ["around"]
    assert seen == ["around", "stopped"]
    assert [r.getMessage() for r in caplog.records] == ["Nothing is recorded into 'own': all is, into 'around'"]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("--profile out train.py 3", "--profile --trace out train.py 3"),
        ("--profile=out train.py", "--profile --trace out train.py"),
        ("--strict --profile out -m package.train", "--strict --profile --trace out -m package.train"),
        ("--cache kept --profile out train.py", "--cache kept --profile --trace out train.py"),
        ("--profile train.py --profile out", "--profile train.py --profile out"),
        ("train.py --profile out", "train.py --profile out"),
        ("-m package --profile out", "-m package --profile out"),
        ("--profile -m package", "--profile -m package"),
        ("--profile", "--profile"),
    ],
)
def test_the_folder_of_a_profile(given, read):
    assert run.spelled(given.split()) == read.split()


def test_parts_of_the_host():
    found = {part.name: part.value for part in ms.profiler.HostSystem}
    assert found == {"CPU": "cpu", "MEM": "mem", "DISK": "disk", "NETWORK": "network", "OSRT": "osrt"}


def test_a_folder_is_searched_for_recordings(tmp_path, caplog):
    with ms.Profiler(output_path=str(tmp_path / "full")):
        ms.ops.add(1, 2)
    (tmp_path / "empty").mkdir()
    ms.Profiler.offline_analyse(str(tmp_path / "full"))
    assert caplog.messages == []
    ms.Profiler.offline_analyse(str(tmp_path / "empty"))
    assert "there is no recording" in caplog.messages[0]
    with pytest.raises(TypeError):
        ms.Profiler.offline_analyse(tmp_path)
