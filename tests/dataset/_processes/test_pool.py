"""Pools: order, random draws, errors, and how processes end."""

import itertools
import logging
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from ms_compat.dataset._processes import pool as pools
from ms_compat.dataset._processes import sending
from ms_compat.dataset._processes.failure import WorkerTraceback
from ms_compat.dataset._support import tuning

REPOSITORY = pathlib.Path(__file__).parents[3]


class Calls:
    """The program whose function is given; local functions and lambdas are sent as well."""

    def __init__(self, function):
        self.function = function

    def prepare(self):
        return self.function


@pytest.fixture
def pool(monkeypatch):
    monkeypatch.setattr(pools, "_STATUS_S", 60.0)  # a process may stand still
    made = []

    def start(function, count=2, **settings):
        made.append(pools.Pool("map", Calls(function), count, **settings))
        return made[-1]

    yield start
    for each in made:
        each.close()


def gone(pid, within=60.0):
    """Whether a process ends in time; one that nobody has waited for counts as ended."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            if pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def test_results_and_draws_do_not_depend_on_the_number_of_processes(pool):
    def call(k):
        time.sleep(random.random() * 0.002)
        return k, np.random.rand(), random.random()

    several = [list(pool(call, count).mapped(range(40), base=7 << 40)) for count in (1, 3)]
    assert several[0] == several[1] and [row[0] for row in several[0]] == list(range(40))
    assert len({row[1] for row in several[0]}) == 40


def test_rows_are_shared_among_workers_that_have_neither_jax_nor_a_file_in_dev_shm(pool):
    made = pool(lambda k: (time.sleep(0.005), os.getpid(), "jax" in sys.modules, np.zeros(50_000))[1:])
    rows = list(made.mapped(range(30)))
    assert len({row[0] for row in rows}) == 2 and not any(row[1] for row in rows)
    for pid in {row[0] for row in rows} | {os.getpid(), made.process.pid}:
        assert "/dev/shm/ms_compat" not in pathlib.Path(f"/proc/{pid}/maps").read_text()
    assert not [name for name in os.listdir("/dev/shm") if "ms_compat" in name]


def test_an_error_has_the_class_and_the_traceback_of_the_worker(pool):
    class Unusual(Exception):
        pass

    def call(k):
        if k == 3:
            raise Unusual("the third")
        return k

    got = list(itertools.islice(pool(call).mapped(range(9)), 4))
    assert got[:3] == [0, 1, 2] and type(got[3]) is Unusual
    assert isinstance(got[3].__cause__, WorkerTraceback)
    assert __file__ in str(got[3].__cause__) and 'raise Unusual("the third")' in str(got[3].__cause__)


def test_errors_of_the_source_come_after_the_rows_before_them(pool):
    def source():
        yield 1
        raise OSError("no more")

    rows = pool(lambda k: k).mapped(source())
    assert next(rows) == 1
    with pytest.raises(OSError, match="no more"):
        next(rows)


def test_an_epoch_that_is_broken_off_leaves_nothing_to_the_next(pool):
    made = pool(lambda k: (time.sleep(0.01), k)[1])
    rows = made.mapped(range(100))
    assert next(rows) == 0
    rows.close()
    assert list(made.mapped(range(1000, 1010))) == list(range(1000, 1010))


def test_workers_are_at_most_so_many_rows_ahead(pool):
    taken = []

    def source():
        for k in range(100):
            taken.append(k)
            yield k

    rows = pool(lambda k: k, ahead=3).mapped(source())
    next(rows)
    assert len(taken) <= 2 * 3 + 1


def _kills_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def _exits():
    os._exit(3)


@pytest.mark.parametrize("end, text", [(_kills_itself, "signal SIGKILL"), (_exits, "exit status 3")])
def test_the_end_of_a_worker_is_an_error_that_names_it(pool, end, text):
    def call(k):
        if k == 5:
            end()
        return k

    made = pool(call)
    with pytest.raises(RuntimeError, match=rf"For 'map', worker process \d \(pid \d+\).*{text} while it had row") as e:
        list(made.mapped(range(100)))
    assert ("fewer workers" in str(e.value)) == ("KILL" in text)
    assert all(gone(worker.pid) for worker in made._workers)


def test_an_idle_worker_that_is_killed_is_an_error_of_the_next_rows(pool):
    made = pool(lambda k: k)
    os.kill(made._workers[1].pid, signal.SIGKILL)
    assert gone(made._workers[1].pid)
    with pytest.raises(RuntimeError, match="worker process 1 .* was ended by signal SIGKILL"):
        list(made.mapped(range(100)))


def test_sys_exit_in_a_function_is_an_error_of_its_row(pool):
    (got,) = pool(lambda k: sys.exit("enough")).mapped([1])
    assert type(got) is SystemExit and got.args == ("enough",)


def test_a_collected_pool_ends_its_processes():
    made = pools.Pool("map", Calls(abs), 2)
    pids = [made.process.pid, *(worker.pid for worker in made._workers)]
    del made
    assert all(gone(pid) for pid in pids)


def test_a_worker_that_hangs_is_named(pool, caplog, tmp_path, monkeypatch):
    warned, warning = tmp_path / "warned", pools._logger.warning
    monkeypatch.setattr(pools._logger, "warning", lambda *args: (warning(*args), warned.touch()))

    def call(k):
        for _ in range(6000):  # a minute
            if warned.exists():
                break
            time.sleep(0.01)
        return k

    with caplog.at_level(logging.WARNING, "ms_compat"):
        assert list(pool(call, 1, patience=0.1).mapped([4])) == [4]
    assert "no worker process has finished a row for 0.1 s; worker 0 (pid" in caplog.text


def test_rows_above_the_limit_go_through_the_pipe_after_one_warning(pool, caplog):
    made = pool(lambda row: (row[0] + 1,), limit=1 << 20)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        rows = [row[0] for row in made.mapped((np.full(3 << 20, k, np.uint8),) for k in range(6))]
    assert [row[-1] for row in rows] == list(range(1, 7)) and len(rows[0]) == 3 << 20
    assert [record.getMessage() for record in caplog.records if "max_rowsize" in record.getMessage()] == [
        "map: rows larger than the 'max_rowsize' of 1 MB go through a pipe instead of shared memory, which is slower. "
        "Raise it, or leave it out."
    ]
    assert not any(worker.channel.mapped or worker.channel.arena.segments for worker in made._workers)


def test_what_cannot_be_pickled_is_refused():
    import threading

    lock = threading.Lock()
    with pytest.raises(sending.CannotSend, match="cannot pickle '_thread.lock'"):
        pools.Pool("map", Calls(lambda k: lock), 1)


def test_workers_see_the_arrays_of_a_function_and_change_their_own_copy(pool):
    data = np.zeros(100_000)

    def call(k):
        data[k] += 1
        return float(data.sum())

    assert list(pool(call, 1).mapped(range(3))) == [1.0, 2.0, 3.0] and data.sum() == 0


PROGRAM = """
import importlib.util, os, sys, time
spec = importlib.util.spec_from_file_location("start", {start!r})
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
start.postpone("ms_compat", {repository!r})
from ms_compat.dataset._processes.pool import Pool
class Calls:
    def prepare(self):
        return self.call
    def call(self, k):
        time.sleep({pause})
        return k
pool = Pool("map", Calls(), 2)
print(pool.process.pid, *[worker.pid for worker in pool._workers], flush=True)
{rest}
"""


def started(rest, pause=0.01):
    """Starts a program with a pool in a process group of its own; returns it and its processes."""
    start = REPOSITORY / "ms_compat/dataset/_processes/start.py"
    text = PROGRAM.format(start=str(start), repository=str(REPOSITORY), rest=rest, pause=pause)
    program = subprocess.Popen(
        [sys.executable, "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=REPOSITORY,
    )
    return program, [int(pid) for pid in program.stdout.readline().split()]


ENDLESS = "import itertools\nfor k in pool.mapped(itertools.count()): pass"


@pytest.mark.parametrize("pause", [0.01, 60.0])
def test_no_process_survives_the_killed_program(pause):
    program, pids = started(ENDLESS, pause)
    time.sleep(0.1)
    program.kill()
    program.communicate()
    assert len(pids) == 3 and all(gone(pid) for pid in pids)


def test_no_process_survives_an_interrupt_and_workers_print_nothing():
    # a process that a shell has put in the background ignores SIGINT, and so do its children
    heard = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nprint('heard', flush=True)\n"
    program, pids = started(heard + ENDLESS)
    assert program.stdout.readline() == "heard\n"
    os.killpg(program.pid, signal.SIGINT)
    errors = program.communicate(timeout=600)[1]
    assert program.returncode == -signal.SIGINT and errors.count("Traceback") == 1 and "KeyboardInterrupt" in errors
    assert all(gone(pid) for pid in pids)


def test_no_process_survives_the_end_of_the_program():
    program, pids = started("print(sum(pool.mapped(range(10))))")
    assert program.communicate(timeout=600) == ("45\n", "")
    assert all(gone(pid) for pid in pids)


class Clock:
    """In place of `time` and of what a pool waits by: each wait takes `wait` seconds, however long it really is."""

    def __init__(self):
        self.now, self.wait = 0.0, 0.1

    def perf_counter(self):
        return self.now

    def poll(self, patience):
        if patience != 0:
            self.now += self.wait
        return self.sockets.poll(patience)


def test_autotuning_uses_more_workers_while_the_consumer_waits_and_fewer_when_it_does_not(pool, caplog, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(pools, "time", clock)
    monkeypatch.setattr(tuning, "time", clock)
    made = pool(lambda k: (time.sleep(0.01), k)[1], 4, tunes=True)
    assert made._tuning.workers == 1
    clock.sockets, made._poll = made._poll, clock
    with caplog.at_level(logging.INFO, "ms_compat"):
        assert list(made.mapped(range(100))) == list(range(100))
    assert made._tuning.workers == 4 and "of 4 processes" in caplog.text
    clock.wait = 0.0
    for _ in made.mapped(range(20)):
        clock.now += 0.1
    assert made._tuning.workers == 1


def test_no_worker_survives_the_process_that_forked_it(pool):
    made = pool(lambda k: (time.sleep(0.05), k)[1])
    made.process.kill()
    with pytest.raises(RuntimeError, match="worker process . .* has ended"):
        list(made.mapped(range(1000)))
    assert all(gone(worker.pid) for worker in made._workers)
