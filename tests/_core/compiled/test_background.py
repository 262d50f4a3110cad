"""Programs are compiled in the background: the user's thread compiles nothing, and no way to end the process hangs."""

import logging
import math
import os
import signal
import subprocess
import sys
import threading
import time
import types

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._compile import first_calls
from ms_compat._core.compiled import background
from ms_compat._core.compiled.interpreter import numpy_program, tier
from ms_compat._core.dispatch.op import op as operation
from ms_compat._core.tape import programs
from tests.compilations import Compiled

pytestmark = pytest.mark.skipif(not tier.settings.asked, reason="nothing is interpreted")
X = np.random.RandomState(0).randn(5, 11).astype(np.float32)
FUNCTION = "jit(_changed_first)"  # a compiled function


@pytest.fixture(autouse=True)
def compile_in_background(monkeypatch):
    """Each test leaves nothing to compile, which the next one would find at work."""
    monkeypatch.setattr(background.settings, "asked", True)
    trace_at_once(monkeypatch)
    yield
    finish()


def trace_at_once(monkeypatch):
    """Let every program be traced when its call has come, whatever earlier ones have taken."""
    monkeypatch.setattr(background.allowance, "left", math.inf)
    monkeypatch.setattr(background.allowance, "most", math.inf)


def finish():
    """Return when nothing is left to compile."""
    while (thread := background._work.thread) is not None:
        thread.join()


class Slow:
    """In place of a trace: compiling it takes until an event, or fails."""

    def __init__(self, error=None, log=None, until=None):
        self.error, self.log, self.until = error, log, until

    def lower(self):
        return self

    def compile(self):
        if self.until is not None:
            self.until.wait()
        if self.error is not None:
            raise self.error
        if self.log is not None:
            self.log.append(self)
        return self


def test_the_users_thread_compiles_nothing():
    @operation(name="of_background")
    def of_background(x, y):
        return jax.nn.relu(x) * y + x.sum()

    x = Tensor(X)
    with Compiled() as names:  # of this thread
        interpreted = [of_background(x, x) for _ in range(tier._BEFORE_COMPILING)]
        finish()
        compiled = [of_background(x, x) for _ in range(4)]
    assert names == []
    (signature,) = _interpreter_of(of_background).signatures.values()
    assert signature.job.is_ready()
    assert signature.calls <= tier._BEFORE_COMPILING + 2  # the later ones found the program in the jit's cache
    for out in interpreted:
        np.testing.assert_allclose(out.asnumpy(), compiled[0].asnumpy(), rtol=1e-6)
    assert (compiled[0].asnumpy() == compiled[-1].asnumpy()).all()


def _interpreter_of(operation):
    return next(
        cell.cell_contents
        for cell in operation._plain.jit._cache_miss.__closure__
        if isinstance(cell.cell_contents, tier._Interpreter)
    )


def test_a_training_step_compiles_nothing_in_the_users_thread(mode):
    net = nn.SequentialCell(nn.Dense(11, 7), nn.ReLU(), nn.Dense(7, 1))
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    x, y = Tensor(X), Tensor(X[:, :1])
    losses = [step(x, y).asnumpy()]  # also what is compiled at once
    with Compiled() as names:
        for _ in range(3):
            losses += [step(x, y).asnumpy() for _ in range(4)]
            finish()
    assert names == []
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize(("cheap", "call"), [(0, 2), (first_calls._CHEAP, 5)])
def test_steps_from_which_programs_are_compiled(mode, monkeypatch, cheap, call):
    """A compiled function is begun at its second call, an operation at its fourth, a function of little cost later."""
    monkeypatch.setattr(first_calls, "_CHEAP", cheap)
    submitted, submit = [], background.submit
    monkeypatch.setattr(background, "submit", lambda traced, name: submitted.append(name) or submit(traced, name))
    net = nn.SequentialCell(nn.Dense(11, 8), nn.ReLU(), nn.Dense(8, 1))
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    rows = np.concatenate([X] * (4 + call))  # as many as in no other case
    x, y = Tensor(rows), Tensor(rows[:, :1])
    by_step = []
    for _ in range(6):
        step(x, y)
        by_step.append(submitted.copy())
        submitted.clear()
    of_functions = ["Adam"] if mode == ms.PYNATIVE_MODE else ["TrainOneStepCell"]
    assert bool(by_step[3]) == (mode == ms.PYNATIVE_MODE)
    by_step[3] = []
    assert by_step == [of_functions if step == call else [] for step in range(1, 7)]


def test_no_call_waits_for_a_program_that_is_being_compiled(mode, monkeypatch):
    @operation(name=f"never_waiting_{mode}")
    def never_waiting(x):
        return x * 6 + 3

    called = ms.jit(lambda x: never_waiting(x)) if mode == ms.GRAPH_MODE else never_waiting
    release, jobs, submit = threading.Event(), [], background.submit
    monkeypatch.setattr(
        background, "submit", lambda traced, name: jobs.append(submit(Slow(until=release), name)) or jobs[-1]
    )
    monkeypatch.setattr(background.Job, "wait", None)
    x = Tensor(X)
    with Compiled() as names:
        for _ in range(tier.INTERPRETED_CALLS):
            called(x)
        (job,) = jobs
        while not job.begun:
            time.sleep(0.001)
        if mode == ms.PYNATIVE_MODE:
            job.lost = 10**15
        for _ in range(3):
            called(x)
        assert not job.is_ready()
        release.set()
        finish()
    assert names == []
    assert job.is_ready()


FOUND_AGAIN = """
import jax, logging
import ms_compat as ms
from ms_compat import Tensor, ops

compiled = []
logging.getLogger("jax").addHandler(handler := logging.Handler())
handler.emit = lambda record: compiled.append(record.getMessage())
doubled = jax.jit(lambda x: 2 * x)
x = Tensor([1.0, 2.0])
doubled(x._v)
conditional = ms.jit(lambda x: ops.relu(x) if x.sum() > 0 else x)
for _ in range(4):
    conditional(x), ms.grad(conditional)(x), ops.vmap(ops.tanh)(x)
with jax.log_compiles(True):
    doubled(x._v)
assert not compiled, compiled
"""


def test_compiled_functions_leave_the_keys_of_earlier_programs():
    environment = {**os.environ, "MS_COMPAT_BACKGROUND": "1"}
    subprocess.run([sys.executable, "-c", FOUND_AGAIN], env=environment, check=True)


def test_compiled_and_interpreted_steps_agree(mode):
    def trained():
        w = Parameter(Tensor(np.linspace(-1, 1, 11, dtype=np.float32)), name="w")
        grad = ms.value_and_grad(lambda x: ops.tanh(x * w).sum(), None, [w])
        run = ms.jit(grad) if mode == ms.GRAPH_MODE else grad
        for _ in range(12):
            _, (g,) = run(Tensor(X))
            ops.assign(w, w - 0.1 * g)
            finish()
        return w.asnumpy()

    with tier.compiled_only():
        expected = trained()
    np.testing.assert_allclose(trained(), expected, rtol=1e-5, atol=1e-6)


def test_what_cannot_be_compiled_stays_interpreted_and_is_logged_once(caplog, monkeypatch):
    @operation(name="never_compiled")
    def never_compiled(x):
        return x * 3 + 1

    submit = background.submit
    error = RuntimeError("no registers left")
    monkeypatch.setattr(background, "submit", lambda traced, name: submit(Slow(error=error), name))
    with caplog.at_level(logging.WARNING, "ms_compat"), Compiled() as names:
        for shape in (4, 6):
            for _ in range(tier.INTERPRETED_CALLS + 4):
                assert never_compiled(Tensor(X[:, :shape])).shape == (5, shape)
                finish()
    assert names == []
    (record,) = caplog.records
    assert record.getMessage() == "'never_compiled' stays uncompiled: RuntimeError: no registers left"


def test_the_program_that_most_time_is_lost_for_comes_first():
    order, release = [], threading.Event()
    first = background.submit(Slow(log=order, until=release), "first")
    while not first.begun:
        time.sleep(0.001)
    jobs = [background.submit(Slow(log=order), str(i)) for i in range(3)]
    jobs[1].lost = 5
    background.submit(Slow(log=order), "last").wait()  # not begun: its caller compiles it
    traces = [jobs[1]._traced, jobs[0]._traced, jobs[2]._traced]
    release.set()
    first.wait()  # begun
    assert first.is_ready()
    finish()
    assert order[1:] == traces
    assert all(job.is_ready() for job in jobs)


def test_a_function_is_not_interpreted_for_longer_than_compiling_takes(monkeypatch):
    """When its interpreted calls have taken so long since its program was begun, a call waits for that."""
    waited, wait = [], background.Job.wait
    monkeypatch.setattr(background.Job, "wait", lambda job: waited.append(job) or wait(job))
    called = ms.jit(lambda x: ops.tanh(x) * 7)
    x, jobs, submit = Tensor(X), [], background.submit
    release = threading.Event()

    class Held(Slow):
        """A trace whose compilation waits."""

        def lower(self):
            release.wait()
            return self.log.lower()

    monkeypatch.setattr(
        background, "submit", lambda traced, name: jobs.append(submit(Held(log=traced), name)) or jobs[-1]
    )
    expected = [called(x).asnumpy() for _ in range(tier.INTERPRETED_CALLS)]
    (job,) = jobs
    assert not waited
    job.lost = 10**15
    release.set()
    assert (called(x).asnumpy() == called(x).asnumpy()).all()
    assert waited == [job]
    np.testing.assert_allclose(called(x).asnumpy(), expected[0], rtol=1e-6)


def signature_of(called):
    """What is known of the one signature of a compiled function."""
    (specialised,) = called._compiled._specialised.values()
    (signature,) = specialised.first_calls.signatures.values()
    return signature


@pytest.mark.parametrize(
    ("times", "in_background", "compiled"),
    [(0.32, True, None), (1.5, True, []), (0.6, False, [FUNCTION]), (1.5, False, [FUNCTION]), (2.5, True, [FUNCTION])],
)
def test_a_long_call_is_interpreted_once(monkeypatch, times, in_background, compiled):
    """The second call waits for the program, which is begun beside a first call that takes more than the budget.

    A call that takes more than twice the budget is compiled by its caller.
    """
    waited, wait = [], background.Job.wait
    monkeypatch.setattr(background.Job, "wait", lambda job: waited.append(job) or wait(job))
    monkeypatch.setattr(background.settings, "asked", in_background)
    monkeypatch.setattr(first_calls, "_CHEAP", 0)
    monkeypatch.setattr(first_calls, "time", types.SimpleNamespace(thread_time_ns=lambda: 0))  # no call is slow
    x = Tensor(X)
    probe = ms.jit(lambda x: ops.tanh(x) * 9)
    probe(x)
    budget = signature_of(probe).program.cost / times
    monkeypatch.setattr(numpy_program, "budget_of", lambda count: budget)
    called = ms.jit(lambda x: ops.tanh(x) * 9)
    with Compiled() as names:
        first = called(x).asnumpy()
        assert not waited
        assert (signature_of(called).job is not None) == (1 < times < 2 and in_background)
        finish()  # a caller takes back what has not been begun
        rest = [called(x).asnumpy() for _ in range(3)]
    if compiled is not None:  # where the second call begins the compilation, either thread may do it
        assert names == compiled
    assert waited == ([] if compiled else [signature_of(called).job])
    assert len({values.tobytes() for values in rest}) == 1  # of one program
    np.testing.assert_allclose(first, rest[0], rtol=1e-6)


def test_what_numpy_leaves_to_xla_is_compiled_once(monkeypatch):
    """A caller that needs the program waits for the thread if that compiles it, or takes it back."""
    monkeypatch.setattr(first_calls, "_CHEAP", 0)
    called = ms.jit(lambda x: ops.tanh(x) * 8)
    x = Tensor(X)
    expected = called(x).asnumpy()
    monkeypatch.setattr(numpy_program, "run", lambda program, inputs: None)
    with Compiled() as names:
        np.testing.assert_allclose(called(x).asnumpy(), expected, rtol=1e-6)
    signature = signature_of(called)
    assert signature.program is None
    assert len(names) + signature.job.is_ready() == 1


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priorities of their own")
def test_compiling_has_a_lower_priority_than_the_program():
    priorities = []

    class Asking(Slow):
        def compile(self):
            priorities.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, 0)
    background.submit(Asking(), "asking")
    finish()
    assert priorities == [min(19, before + background._NICE)]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_what_costs_more_than_compiling_is_compiled_by_its_caller(mode, monkeypatch):
    @operation(name=f"costly_{mode}")
    def costly(x):
        return x * 5 + 2

    called = ms.jit(lambda x: costly(x)) if mode == ms.GRAPH_MODE else costly
    monkeypatch.setattr(numpy_program, "SHARE", -1)
    monkeypatch.setattr(background._work, "thread", object())  # nothing is ever begun
    with Compiled() as names:
        for _ in range(tier._BEFORE_COMPILING + 2):
            called(Tensor(X))
    monkeypatch.setattr(background._work, "thread", None)
    assert names == [FUNCTION if mode == ms.GRAPH_MODE else "jit(costly)"]
    assert background._work.waiting == []


def no_time_is_left(monkeypatch):
    """Time that passes gives nothing, so that the allowance is what `left` says."""
    monkeypatch.setattr(background.allowance, "share", 0)
    monkeypatch.setattr(background.allowance, "left", 0)


def test_traces_wait_until_there_is_time_for_them(monkeypatch):
    """Of operations and of backward passes; each trace takes its time from the next one."""

    @operation(name="one_of_many")
    def one_of_many(x):
        return x * 8 + 3

    submitted, submit = [], background.submit
    monkeypatch.setattr(background, "submit", lambda traced, name: submitted.append(name) or submit(traced, name))
    grad = ms.grad(lambda x: (one_of_many(x) * one_of_many(x[:3]).sum()).sum())
    no_time_is_left(monkeypatch)
    for _ in range(programs._BEFORE_COMPILING + 2):
        grad(Tensor(X))
    assert submitted == []
    for _ in range(3):
        background.allowance.left = 1
        grad(Tensor(X))
        assert background.allowance.left < 0
    assert len(submitted) == 3
    trace_at_once(monkeypatch)
    grad(Tensor(X))
    assert submitted.count("backward pass") == 1
    assert submitted.count("one_of_many") == 2


def test_time_that_passes_is_shared():
    allowance = background.Allowance()
    assert allowance.left == allowance.most
    allowance.spend(allowance.most + 1)
    assert allowance.left < 0
    allowance.spend(10**15)
    assert allowance.left == -allowance.debt  # a trace of seconds does not stop others for minutes
    allowance._seen = time.perf_counter_ns() - 10**15
    assert allowance.allows()
    assert allowance.left == allowance.most  # what is not used is not kept
    allowance._seen = before = time.perf_counter_ns() - 10**15
    allowance.spend(10**15)
    assert allowance.left == -allowance.debt
    assert allowance._seen > before + 10**14  # the time before a trace does not pay for it afterwards


def test_a_caller_that_has_lost_enough_compiles_if_there_is_time(monkeypatch):
    @operation(name="impatient")
    def impatient(x):
        return x * 5 + 4

    monkeypatch.setattr(tier, "_PATIENCE", -1)
    monkeypatch.setattr(background._work, "thread", object())  # nothing is ever begun
    with Compiled() as names:
        for _ in range(tier._BEFORE_COMPILING):
            impatient(Tensor(X))
        no_time_is_left(monkeypatch)
        impatient(Tensor(X))
        assert names == []
        background.allowance.left = 1
        impatient(Tensor(X))
    monkeypatch.setattr(background._work, "thread", None)
    assert names == ["jit(impatient)"]
    assert background._work.waiting == []
    assert background.allowance.left < 0


@pytest.mark.parametrize("reason", ["several processes", "environment", "deterministic"])
def test_what_counts_calls_or_compiles_at_once(reason, monkeypatch, request):
    if reason == "several processes":
        monkeypatch.setattr(jax, "process_count", lambda: 2)
    elif reason == "environment":
        monkeypatch.setattr(background.settings, "asked", False)
    else:
        request.addfinalizer(lambda: ms.set_deterministic(False))
        ms.set_deterministic(True)

    @operation(name=f"counted_{reason.replace(' ', '_')}")
    def counted(x):
        return x * 7 + 2

    with Compiled() as names:
        for _ in range(tier.INTERPRETED_CALLS):
            counted(Tensor(X))
        finish()
        assert names == ["jit(counted)"] * (reason == "deterministic")
        counted(Tensor(X))
    assert names == ["jit(counted)"]


PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._compile import first_calls
from ms_compat._core.compiled import background

begun = threading.Event()

class Slow:
    def lower(self):
        return self
    def compile(self):
        print("compiling", flush=True)
        begun.set()
        time.sleep({seconds})
        print("compiled", flush=True)
        return self

x = Tensor(np.ones((3, 4), np.float32))
for _ in range(4):  # the real compiler is at work, too
    ops.softmax(ops.gelu(x) + ms.grad(lambda x: ops.erf(x).sum())(x))
background.submit(Slow(), "slow").lost = 10**12
begun.wait()
{then}
"""
WAITS_AT_THE_END = """
compiler = background._work.thread
join = compiler.join
compiler.join = lambda: (print("ready", flush=True), join())
"""
FORK = """
pid = os.fork()
if not pid:
    assert x.asnumpy().sum() == 12 and background._work.thread is None and not background._work.waiting
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
"""


@pytest.mark.parametrize(
    ("then", "number", "code"),
    [
        ("threading.Thread(target=lambda: ops.softmax(x)).start(); sys.exit(3)", None, 3),
        (FORK, None, 0),
        ("print('ready', flush=True); time.sleep(60)", signal.SIGINT, -signal.SIGINT),
        ("print('ready', flush=True); time.sleep(60)", signal.SIGTERM, -signal.SIGTERM),
        (WAITS_AT_THE_END, signal.SIGINT, 130),
    ],
    ids=["exit", "fork", "interrupt", "kill", "interrupt at the end"],
)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no signals and forks of Unix")
def test_the_process_ends_while_programs_are_compiled(then, number, code):
    seconds = 100 if code == 130 else 2
    environment = {**os.environ, "MS_COMPAT_BACKGROUND": "1", "PYTHONWARNINGS": "ignore"}
    # a shell may have started this process with SIGINT ignored, which is inherited
    text = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [sys.executable, "-c", text + PROGRAM.format(seconds=seconds, then=then)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            lines = iter(process.stdout.readline, "")
            assert next(lines) == "compiling\n"
            if number is not None:
                assert "ready\n" in lines
                process.send_signal(number)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == code, err
    if number is None:
        assert "compiled\n" in out  # it is waited for
        assert err == ""
