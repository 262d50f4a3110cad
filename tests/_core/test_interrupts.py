"""Interrupts at any time leave Parameters and optimizers after a whole number of steps, and reach the program."""

import ast
import functools
import gc
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat import dataset as ds
from ms_compat._core import interrupts, jax_compat, tape
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.dispatch.op import op
from ms_compat._core.trace import scopes
from ms_compat.train import Callback, CheckpointConfig, Model, ModelCheckpoint
from tests import prepared

TIMES = 150
MOST = 2000  # steps, whose sums are numbers that Float32 has
# Python drops what a handler raises while a weak reference's callback runs, of which JAX has some.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Weight(nn.Cell):
    """A loss whose gradient is 1 for each weight, so that Momentum's numbers say how many steps were done."""

    def __init__(self):
        super().__init__()
        self.first = Parameter(Tensor(np.zeros(7, np.float32)), name="first")
        self.second = Parameter(Tensor(np.zeros(3, np.float32)), name="second")
        self.calls = Parameter(Tensor(np.zeros(1, np.int32)), name="calls", requires_grad=False)

    def construct(self, x):
        return ((self.first.sum() + self.second.sum()) * x).sum()


def optimizer(net):
    return nn.Momentum(net.trainable_params(), learning_rate=1.0, momentum=1.0)


def steps_done(net, update):
    """How many steps all state agrees on."""
    done = int(update.global_step.asnumpy()[0])
    for weight, moment in zip(net.trainable_params(), update.moments, strict=True):
        assert set(moment.asnumpy().tolist()) == {done}
        assert set(weight.asnumpy().tolist()) == {-done * (done + 1) / 2}
    return done


@pytest.fixture(autouse=True)
def interrupts_are_heard():
    """A process that a shell has put in the background ignores SIGINT."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


@pytest.fixture
def alarm():
    """Lets a KeyboardInterrupt come in some seconds, as Ctrl-C does."""
    former = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()  # JAX has a callback at collections, and Python drops what is raised there
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)
    gc.enable()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # files that an interrupted library had open
        gc.collect()


def looks_whole():
    assert (scopes.tracing, scopes.current_scope(), interrupts._depth, interrupts._handlers) == (0, None, 0, {})
    assert not interrupts.in_whole_step() and not tape.recording()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def repeated(step, seconds):
    """Call it for some time. An interrupt ends that, but for those that Python drops: what is raised where an object is
    freed, as in the callback of a weak reference, is printed alone."""
    until = time.perf_counter() + seconds
    steps = 0
    while time.perf_counter() < until:
        if steps < MOST:
            step()
            steps += 1


def shortest(step):
    """The seconds of a call, while the process does not stand still."""
    seconds = []
    for _ in range(5):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def test_training_step(mode, alarm):
    net = Weight()
    update = optimizer(net)
    step = nn.TrainOneStepCell(net, update)
    x = Tensor(np.ones(1, np.float32))
    with tier.compiled_only():  # what an interrupt of JAX's imports and compilations leaves is not looked at here
        for _ in range(3):
            step(x)
    duration = shortest(lambda: step(x))
    lost = 0
    for _ in range(TIMES):
        try:
            alarm(duration * random.uniform(0.05, 2) + 1e-6)
            repeated(lambda: step(x), 5 * duration + 1)
            lost += 1
        except KeyboardInterrupt:
            pass
        steps_done(net, update)
        for p in (*net.trainable_params(), *update.moments, update.global_step):
            p.set_data(ops.zeros_like(p))  # sums stay numbers that Float32 has
    assert lost <= TIMES // 10
    looks_whole()


class Normalized(nn.Cell):
    """Statistics that say how often the network was called: of inputs of 1, with nothing kept of the mean before."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3, momentum=0.0)
        self.calls = Parameter(Tensor(np.zeros(1, np.float32)), name="calls", requires_grad=False)
        self.weight = Parameter(Tensor(np.zeros(3, np.float32)), name="weight")

    def construct(self, x):
        ops.assign(self.calls, self.calls + 1)
        return self.norm(x + self.calls).sum() + self.weight.sum()


@pytest.mark.parametrize("how", ["cell", "model"])
def test_statistics_and_weights_are_of_the_same_step(mode, how, alarm):
    net = Normalized()
    update = optimizer(net)
    x = Tensor(np.ones((2, 3), np.float32))
    if how == "cell":
        step = functools.partial(nn.TrainOneStepCell(net, update).set_train(), x)
    else:
        data = ds.NumpySlicesDataset({"x": np.ones((200, 3), np.float32)}, shuffle=False).batch(2)
        step = functools.partial(Model(net, optimizer=update).train, 1, data)
    with tier.compiled_only():
        for _ in range(3):
            step()
        duration = shortest(step)
        heard = 0
        for _ in range(15):
            try:
                alarm(duration * random.uniform(0.05, 0.95) + 1e-6)
                repeated(step, 3 * duration + 0.2)
            except KeyboardInterrupt:
                heard += 1
            done = int(update.global_step.asnumpy()[0])
            assert net.calls.asnumpy().tolist() == [done]
            assert set(net.norm.moving_mean.asnumpy().tolist()) == {done + 1}
            if done > MOST:
                break
    assert heard >= 5
    looks_whole()


DROPPED = """
import gc, signal, sys, time, weakref
import ms_compat

class Thing:
    pass

class Deleted:
    def __del__(self):
        interrupted()

def interrupted(*_):
    signal.raise_signal(signal.SIGINT if which == "INT" else signal.SIGALRM)
    for _ in range(10):
        pass

class Late(Exception):
    pass

def late(number, frame):
    raise Late

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGALRM, late)
which, place = sys.argv[1:]
try:
    if place == "weakref":
        thing = Thing()
        reference = weakref.ref(thing, interrupted)
        del thing
    elif place == "del":
        Deleted()
    elif place == "collection":
        gc.callbacks.append(lambda phase, info: interrupted() if phase == "stop" else None)
        gc.collect()
        gc.callbacks.clear()
    print("after the callback", flush=True)
    for _ in range(6000):
        time.sleep(0.01)
    print("lost")
except (KeyboardInterrupt, Late) as error:
    print("heard", type(error).__name__)
class Failing:
    def __del__(self):
        raise ValueError("its own")
Failing()
"""


@pytest.mark.parametrize(
    ("which", "place"), [("INT", "weakref"), ("ALRM", "weakref"), ("INT", "collection"), ("ALRM", "del")]
)
def test_an_interrupt_in_a_callback_comes_after_it(which, place):
    command = [sys.executable, "-c", DROPPED, which, place]
    with prepared.forking():
        done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    kind = "KeyboardInterrupt" if which == "INT" else "Late"
    assert f"heard {kind}" in done.stdout and "lost" not in done.stdout
    assert kind not in done.stderr and "ValueError: its own" in done.stderr


def test_an_interrupt_comes_again_after_the_hook_that_reported_it(monkeypatch):
    """However long the hook takes: what is raised within it is lost."""
    start = threading.Thread.start

    def slowly(thread):
        start(thread)
        time.sleep(0.05)

    class Deleted:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)
            [None for _ in range(100)]

    interrupts.redeliver_dropped()
    monkeypatch.setattr(threading.Thread, "start", slowly)
    with pytest.raises(KeyboardInterrupt):
        Deleted()
        for _ in range(6000):  # a signal that another thread raises does not end a sleep
            time.sleep(0.01)


def test_first_steps(mode, alarm):
    """Tracing, compiling and JAX's first call, at which Python code runs after the arrays were given away."""
    x = Tensor(np.ones(1, np.float32))
    duration = 0.0
    for attempt in range(8):
        net = Weight()
        update = optimizer(net)
        begin = time.perf_counter()
        if not attempt:
            nn.TrainOneStepCell(net, update)(x)
            duration = time.perf_counter() - begin
            continue
        try:
            alarm(duration * random.uniform(0.01, 1.1))
            nn.TrainOneStepCell(net, update)(x)
            time.sleep(1.2 * duration)
        except KeyboardInterrupt:
            pass
        except RecursionError as error:  # JAX's caches take a call that an interrupt has ended for one that runs still
            if "Recursively calling <weakref" not in str(error):
                raise
            jax.clear_caches()
        steps_done(net, update)
        looks_whole()


def recorded_forward(x):
    net = nn.Dense(1, 1).set_grad()
    net(x)


@pytest.mark.parametrize("run", [ms.grad(lambda x: x * x), recorded_forward], ids=["gradient", "recorded forward"])
@pytest.mark.parametrize("cut", [1, 2])
def test_the_end_of_a_recording_is_cut(run, cut):
    """Python handles signals where a function begins: that may be the one that ends the recording."""
    x = Tensor(np.ones((1, 1), np.float32))
    run(x)
    exits = []

    def profile(frame, event, arg):
        if event == "call" and frame.f_code is tape.Session.__exit__.__code__:
            exits.append(frame)
            if len(exits) == cut:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sys.setprofile(profile)
        try:
            run(x)
        finally:
            sys.setprofile(None)
    assert not tape.recording() and x._node is None


def test_jit_with_views(alarm):
    weight = Parameter(Tensor(np.zeros((2, 2), np.float32)), name="weight")
    view = weight.view(4)

    @ms.jit
    def step():
        ops.assign_add(weight, ops.ones((2, 2)))
        return weight.sum()

    with tier.compiled_only():
        step()
    lost = 0
    for _ in range(TIMES):
        try:
            alarm(random.uniform(1e-4, 2e-3))
            repeated(step, 1)
            lost += 1
        except KeyboardInterrupt:
            pass
        assert view.asnumpy().tolist() == weight.asnumpy().ravel().tolist()
    assert lost <= TIMES // 10


def test_no_python_runs_before_the_parameters_are_bound(mode):
    """The fast path: with arguments that a program knows, there is nowhere for a signal to be handled."""
    net = Weight()
    step = nn.TrainOneStepCell(net, optimizer(net))
    x = Tensor(np.ones(1, np.float32))
    with tier.compiled_only():
        for _ in range(3):
            step(x)
    inside, seen = [], []

    def profile(frame, event, arg):
        if event == "call" and frame.f_code is interrupts.call_and_bind.__code__:
            inside.append(True)
            seen.append([])
        elif event == "return" and frame.f_code is interrupts.call_and_bind.__code__:
            inside.clear()
        elif inside and event == "call":
            seen[-1].append(frame.f_code.co_qualname)

    sys.setprofile(profile)
    try:
        step(x)
    finally:
        sys.setprofile(None)
    assert seen == [[]]


@pytest.mark.parametrize("scaled", [False, True], ids=["plain", "scaled"])
def test_checkpoint_of_an_interrupted_training(mode, alarm, tmp_path, scaled):
    """What `exception_save` writes agrees with itself: weights, optimizer, and the number of steps to go on from."""
    config = CheckpointConfig(save_checkpoint_steps=10**6, exception_save=True, resumable=True)
    options = {"loss_scale_manager": ms.train.DynamicLossScaleManager(2, 10**6)} if scaled else {}
    for attempt in range(4):
        net = Weight()
        update = optimizer(net)
        model = Model(net, optimizer=update, **options)
        data = ds.NumpySlicesDataset({"x": np.ones((200, 1), np.float32)}, shuffle=False).batch(1)
        saver = ModelCheckpoint(str(attempt), str(tmp_path), config)
        with pytest.raises(KeyboardInterrupt):
            model.train(100, data, callbacks=[saver, AfterTwoSteps(alarm)], dataset_sink_mode=False)
        (path,) = tmp_path.glob(f"{attempt}-*_breakpoint.ckpt")
        found = ms.load_checkpoint(str(path))
        progress = train_progress(found)
        assert progress["total"] == steps_done(net, update) == found["global_step"].asnumpy()[0]
        assert progress["overflow"] is (False if scaled else None)
        looks_whole()


class AfterTwoSteps(Callback):
    """Has the training interrupted soon after its second step."""

    def __init__(self, alarm):
        super().__init__()
        self.alarm = alarm

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == 2:
            self.alarm(random.uniform(1e-4, 2e-2))


def train_progress(values):
    return json.loads(values["training_state"].asnumpy().tobytes())


class Own(Exception):
    """What a program's own handler raises."""


def test_held_signals_reach_the_handlers_of_the_program():
    handled = []

    def handler(number, frame):
        handled.append(number)
        raise Own

    kinds = (signal.SIGUSR1, signal.SIGALRM)
    former = [signal.signal(kind, handler) for kind in kinds]
    try:
        with pytest.raises(Own), interrupts.hold_signals():
            with interrupts.hold_signals():
                signal.raise_signal(signal.SIGUSR1)
                signal.raise_signal(signal.SIGALRM)
            signal.raise_signal(signal.SIGUSR1)
            assert not handled
        assert sorted(handled) == sorted(kinds)
        assert [signal.getsignal(kind) for kind in kinds] == [handler, handler]
        with interrupts.hold_signals():  # a handler that is set meanwhile stays
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            signal.raise_signal(signal.SIGUSR1)
        assert signal.getsignal(signal.SIGUSR1) is signal.SIG_IGN
    finally:
        for kind, before in zip(kinds, former, strict=True):
            signal.signal(kind, before)
    looks_whole()


def test_other_threads_hold_nothing():
    found = []

    def run():
        with interrupts.hold_signals(), interrupts.whole_step():
            interrupts.begin_change()
            found.append((interrupts._depth, interrupts.in_whole_step()))
            interrupts.end_step()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [(0, False)]


def test_a_signal_that_ends_a_trace_leaves_no_tracers():
    net = Weight()

    @ms.jit
    def function(x):
        ops.assign_add(net.calls, ops.ones(1, ms.int32))
        signal.raise_signal(signal.SIGINT)
        return net(x)

    with pytest.raises(KeyboardInterrupt):
        function(Tensor(np.ones(1, np.float32)))
    assert net.calls.asnumpy().tolist() == [0]
    looks_whole()


@pytest.mark.parametrize("where", ["trace", "lowering", "operation"])
def test_an_interrupt_where_jax_opens_a_trace_leaves_none(where, monkeypatch):
    """Between two lines of JAX's own, as a signal can."""
    left = jax_compat.is_eager
    x = Tensor(np.ones(3, np.float32))
    opens = type(jax._src.core.set_current_trace(None))
    enter = opens.__enter__

    def interrupted(self):
        enter(self)
        if not left():
            raise KeyboardInterrupt

    compiled = ms.jit(lambda x: x * 3)
    if where == "lowering":
        for _ in range(tier.INTERPRETED_CALLS):
            compiled(x)
    monkeypatch.setattr(opens, "__enter__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        op(lambda x: x + 1, name="new")(x) if where == "operation" else compiled(x)
    monkeypatch.undo()
    assert left()
    np.testing.assert_array_equal(compiled(x).asnumpy(), np.full(3, 3, np.float32))
    looks_whole()


# Blocks that close files, which the interpreter does as well, and of threads that handle no signals.
_HARMLESS = (
    "open(",
    "reading(",
    "scandir(",
    "suppress(",
    "TemporaryDirectory(",
    "open_checkpoint(",
    "opened",
    "reader",
)
_FILES_AND_THREADS = {"communication/store.py", "dataset/sources/mindrecord.py", "_formats/sliced/load.py"}


def _own_nodes(node):
    """What is within a node, without the bodies of functions."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)):
        for child in ast.iter_child_nodes(node):
            yield from _own_nodes(child)


def _left_by_force(tree):
    """The bodies of `with`, `try` with `finally`, and `try` that catches every exception."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With):
            if not all(any(name in ast.unparse(item) for name in _HARMLESS) for item in node.items):
                yield node.body
        elif isinstance(node, ast.Try):
            every = [h for h in node.handlers if h.type is None or "BaseException" in ast.unparse(h.type)]
            if node.finalbody or every:
                yield node.body


def _uncovered(node):
    """Whether Python 3.12 jumps back in this loop from where no block covers it."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
        return any(generator.ifs for generator in node.generators)
    if isinstance(node, ast.While) and not isinstance(node.test, ast.Constant):
        return True
    if isinstance(node, (ast.For, ast.While)):
        return isinstance(node.body[-1], ast.If) or any(isinstance(n, ast.Continue) for n in _own_nodes(node))
    return False


def test_no_block_holds_a_loop_whose_interrupt_would_skip_its_end():
    """Such a loop stands in a function of its own; see `ms_compat/_core/interrupts.py`."""
    package, found = pathlib.Path(ms.__file__).parent, []
    for path in package.rglob("*.py"):
        if path.relative_to(package).as_posix() in _FILES_AND_THREADS:
            continue
        for body in _left_by_force(ast.parse(path.read_text("utf-8"))):
            for node in itertools.chain.from_iterable(map(_own_nodes, body)):
                if _uncovered(node):
                    found.append(f"{path.relative_to(package)}:{node.lineno}")
    assert not found
