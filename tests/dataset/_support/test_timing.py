"""What is measured of a pipeline, and what is advised."""

import math
import os
import threading
import time

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset._support import prefetch, timing


class Clock:
    """In place of the module `time`: it goes on only when `sleep` is called."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    """The clock of what is measured. All rows are made in the thread of the test, so only the test moves it."""
    made = Clock()
    monkeypatch.setattr(timing, "time", made)
    monkeypatch.setattr(prefetch, "PAYS_FROM_S", math.inf)
    return made


@pytest.fixture
def slow(clock):
    def function(x):
        clock.sleep(0.002)
        return x

    return function


@pytest.fixture
def recorder(monkeypatch):
    made = timing.Recorder()
    monkeypatch.setattr(timing, "active", made)
    return made


@pytest.mark.parametrize("threaded", [False, True])
def test_each_node_has_its_rows_and_its_own_time(recorder, slow, threaded, monkeypatch):
    if threaded:
        monkeypatch.setattr(prefetch, "PAYS_FROM_S", -math.inf)
    data = ds.NumpySlicesDataset(np.arange(40), ["x"], shuffle=False).map(slow, "x").batch(4)
    assert sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True)) == 10
    by_name = {type(times.node).__name__: times for times in recorder.nodes.values()}
    assert {name: times.rows for name, times in by_name.items()} == {
        "NumpySlicesDataset": 40, "MapDataset": 40, "BatchDataset": 10
    }  # fmt: skip
    assert {name: times.seconds for name, times in by_name.items()} == pytest.approx(
        {"NumpySlicesDataset": 0, "MapDataset": 0.08, "BatchDataset": 0}
    )
    assert recorder.slowest() is by_name["MapDataset"] and by_name["MapDataset"].rate() == pytest.approx(500)
    assert recorder.items == 10


def test_the_program_waits_for_the_rows_and_loops_for_longer(recorder, slow, clock):
    data = ds.NumpySlicesDataset(np.arange(40), ["x"], shuffle=False).map(slow, "x").batch(4)
    for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        clock.sleep(0.01)
    assert (recorder.waited, recorder.loop_seconds()) == pytest.approx((0.08, 0.18))


def test_the_advice_fits_the_slowest_node(recorder, slow, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    source = ds.NumpySlicesDataset(np.arange(20), ["x"], shuffle=False)
    for _ in source.map(slow, "x").create_tuple_iterator(num_epochs=1, output_numpy=True):
        pass
    assert recorder.advice() == (
        "MapDataset is the slowest node. Run its functions in processes: python_multiprocessing=True, "
        "num_parallel_workers=4."
    )


@pytest.mark.parametrize("step, keeps_up", [(0.019, True), (0.017, False)])
def test_a_pipeline_that_keeps_up_needs_no_change(recorder, slow, clock, step, keeps_up):
    """It keeps up if the program waits for less than a tenth of the time."""
    source = ds.NumpySlicesDataset(np.arange(20), ["x"])
    for _ in source.map(slow, "x").create_tuple_iterator(num_epochs=1, output_numpy=True):
        clock.sleep(step)
    assert (recorder.advice() == "The pipeline keeps up with the program.") == keeps_up


@pytest.mark.parametrize(
    "make, advice",
    [
        (lambda d: d.map(abs, python_multiprocessing=True, num_parallel_workers=2), "=4 instead of 2"),
        (lambda d: d.map(abs, python_multiprocessing=True, num_parallel_workers=4), "All processors work on it"),
        (lambda d: d.batch(2, per_batch_map=lambda x, i: x), "python_multiprocessing=True, num_parallel_workers=4"),
        (lambda d: ds.GeneratorDataset([1, 2], ["x"]), "Read in processes: num_parallel_workers=4"),
        (lambda d: d, "cache=DatasetCache"),
        (lambda d: d.batch(2), "in one thread"),
    ],
)  # fmt: skip
def test_what_would_make_a_node_faster(make, advice, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert advice in timing._change(make(ds.NumpySlicesDataset([1, 2], ["x"])))


def test_nothing_is_measured_without_a_recorder():
    rows = ds.NumpySlicesDataset([1, 2], ["x"]).map(abs)
    assert timing.active is None and not isinstance(rows._rows(rows._streams(), 0), timing._Timed)


def test_the_prefetch_size_is_how_many_rows_are_ready(monkeypatch):
    monkeypatch.setattr(prefetch, "PAYS_FROM_S", -math.inf)
    made = []

    def rows():
        for k in range(60):
            made.append(k)
            yield (k,)

    for size in (1, 9):
        del made[:]
        ds.config.set_prefetch_size(size)
        iterator = ds.GeneratorDataset(rows, ["x"]).create_tuple_iterator(num_epochs=1)
        taken = [int(next(iterator)[0]) for _ in range(8)]
        until = time.monotonic() + 60
        while len(made) < 8 + size and time.monotonic() < until:
            time.sleep(0.001)
        time.sleep(0.03)  # in which the thread would make more
        assert taken == list(range(8)) and 8 + size <= len(made) <= 8 + size + 5
        assert [int(row[0]) for row in iterator] == list(range(8, 60))
    assert not [thread for thread in threading.enumerate() if thread.name == "ms_compat-prefetch"]
