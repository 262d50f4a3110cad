"""Long trainings: a late step takes no more time and memory than an early one.

Short runs count the lines of Python that a step executes, which do not depend on what else the machine does.
"""

import gc
import mmap
import os
import pathlib
import sys
import time

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.compiled import background

STATM = pathlib.Path("/proc/self/statm")
pytestmark = pytest.mark.skipif(not STATM.exists(), reason="memory is read from Linux's /proc")
PARTS = 5  # the first two warm up
RNG = np.random.RandomState(0)
ROWS = 1000  # batches have that many sizes
MEGABYTES = 6  # that the last part may add: the allocator's own variation
TIMES = 1.6  # as much work as a step of the third part

X, Y = (Tensor(RNG.randn(4, n).astype(np.float32)) for n in (8, 1))


def trained():
    net = nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 1))
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()


def steps():
    """One step again and again."""
    step = trained()
    return lambda number: step(X, Y)


def shapes():
    """A batch of another size at each step."""
    step = trained()

    def run(number):
        rows = number % ROWS + 1
        return step(*[Tensor(np.ones((rows, n), np.float32)) for n in (8, 1)])

    return run


def closures():
    """A new function at each step, differentiated on the tape."""
    w = Parameter(Tensor(RNG.randn(8, 8).astype(np.float32)), name="w")

    def run(number):
        def loss(x):
            return (ops.tanh(ops.matmul(x, w)) * float(number)).sum()

        return ms.grad(loss, None, [w])(X)[0]

    return run


def compiled_closures():
    """A new compiled function at each step."""
    return lambda number: ms.jit(lambda x: ops.tanh(x * 2) * float(number))(X)


def megabytes():
    gc.collect()
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def seconds_of_a_step(run, numbers):
    """CPU time of the fastest fifth: other work on the machine disturbs the others."""
    fifths = np.array_split(numbers, 5)
    found = []
    for fifth in fifths:
        start = time.process_time()
        for number in fifth:
            run(int(number)).asnumpy()
        found.append((time.process_time() - start) / len(fifth))
    return min(found)


def lines_of_a_step(run, numbers):
    """Lines of Python that are executed; the least of the last three steps."""
    for number in numbers[:-3]:
        run(int(number)).asnumpy()
    found = []

    def count(frame, event, arg):
        found[-1] += event == "line"
        return count

    former = sys.gettrace()
    for number in numbers[-3:]:
        found.append(0)
        sys.settrace(count)
        try:
            run(int(number)).asnumpy()
        finally:
            sys.settrace(former)
    return min(found)


def check_flat(make, calls, work, attempts=3):
    """Assert it; other work in this process may disturb an attempt, while what grows fails each."""
    run = make()
    for _ in range(attempts):
        used, done = [], []
        for numbers in np.array_split(np.arange(calls), PARTS):
            done.append(work(run, numbers))
            while (thread := background._work.thread) is not None:
                thread.join()
            used.append(megabytes())
        if used[-1] - used[-2] < MEGABYTES and done[-1] < TIMES * done[2]:
            return
    pytest.fail(f"megabytes: {used}, work of a step: {done}")


@pytest.fixture(scope="module", autouse=True)
def freeze_other_tests():
    """Looking for garbage in what the tests before this file left took 3 s, and each reading of the memory does it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def compile_in_background(monkeypatch):
    """As a program does; tests count calls otherwise."""
    monkeypatch.setattr(background.settings, "asked", True)


@pytest.mark.parametrize("make", [steps, shapes, closures, compiled_closures])
def test_short_runs_are_flat(make, mode):
    check_flat(make, {steps: 1500, shapes: 600, closures: 400, compiled_closures: 200}[make], lines_of_a_step)


@pytest.mark.benchmark
@pytest.mark.parametrize("make", [steps, shapes, closures, compiled_closures])
def test_long_runs_are_flat(make, mode):
    calls = {steps: 100_000, shapes: 5 * ROWS, closures: 20_000, compiled_closures: 2000}[make]
    check_flat(make, calls, seconds_of_a_step)


def keep_memory():
    """New pages at each step. An array may get memory that earlier tests have freed: then the process does not grow."""
    kept = []

    def run(number):
        kept.append(mmap.mmap(-1, 1 << 19))
        kept[-1].write(bytes(1 << 19))
        return X

    return run


def do_more():
    """More lines of Python at each step."""

    def run(number):
        for _ in range(number * number):
            pass
        return X

    return run


def test_kept_memory_is_noticed():
    with pytest.raises(pytest.fail.Exception):
        check_flat(keep_memory, 200, lines_of_a_step)


def test_more_lines_are_noticed():
    with pytest.raises(pytest.fail.Exception):
        check_flat(do_more, 200, lines_of_a_step)


def test_more_time_is_noticed(monkeypatch):
    """By a clock of the test's own: a busy machine slows down early steps, too."""
    now = [0.0]
    monkeypatch.setattr(time, "process_time", lambda: now[0])

    def run(number):
        now[0] += 1e-5 * number * number
        return X

    with pytest.raises(pytest.fail.Exception):
        check_flat(lambda: run, 200, seconds_of_a_step)
