"""The tape: forward and backward of three matmuls in PYNATIVE_MODE, beside PyTorch eager and a whole-step jit.

An LSTM's step in PYNATIVE_MODE may cost as much as in GRAPH_MODE: its forward loop runs once.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, ops
from ms_compat._core.compiled import background
from ms_compat._core.tape import programs
from tests._core.compiled.test_background import trace_at_once
from tests.benchmarks import networks
from tests.benchmarks.measure import TABLE, check_ratio, fastest, note

pytestmark = pytest.mark.benchmark

RNG = np.random.RandomState(0)
X = RNG.randn(32, 64).astype(np.float32)
WEIGHTS = [RNG.randn(64, 64).astype(np.float32) / 8 for _ in range(3)]
OPERATIONS = 7  # matmul relu matmul relu matmul square mean


@pytest.fixture(autouse=True)
def compile_in_background(monkeypatch):
    """As a program does; tests count calls otherwise."""
    monkeypatch.setattr(background.settings, "asked", True)
    trace_at_once(monkeypatch)


def finish(function):
    """Call a function until its backward pass is compiled."""
    for _ in range(programs._BEFORE_COMPILING + 1):
        function()
        while (thread := background._work.thread) is not None:
            thread.join()


def ours():
    x = Tensor(X)
    weights = [Parameter(Tensor(w), name=f"w{i}") for i, w in enumerate(WEIGHTS)]

    def loss():
        h = ops.relu(ops.matmul(x, weights[0]))
        h = ops.relu(ops.matmul(h, weights[1]))
        return ops.mean(ops.square(ops.matmul(h, weights[2])))

    grad = ms.grad(loss, None, weights)
    return grad


def by_hand(weights, x):
    h = jax.nn.relu(x @ weights[0])
    h = jax.nn.relu(h @ weights[1])
    return jnp.mean(jnp.square(h @ weights[2]))


def test_tape_against_pytorch_eager():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    x = torch.tensor(X)
    weights = [torch.tensor(w, requires_grad=True) for w in WEIGHTS]

    def step():
        for w in weights:
            w.grad = None
        h = torch.relu(x @ weights[0])
        h = torch.relu(h @ weights[1])
        torch.square(h @ weights[2]).mean().backward()

    grad = ours()
    finish(grad)
    step()
    for w, got in zip(weights, grad(), strict=True):
        np.testing.assert_allclose(got.asnumpy(), w.grad.numpy(), rtol=1e-4, atol=1e-6)
    check_ratio("PYNATIVE forward+backward / PyTorch eager", grad, step, 1.3, rounds=80)


def test_a_backward_pass_as_a_program_against_the_walk(monkeypatch):
    grad = ours()
    finish(grad)

    def walked():
        with monkeypatch.context() as patch:
            patch.setattr(programs, "is_on", lambda: False)
            grad()

    check_ratio("PYNATIVE backward pass as a program / walked", grad, walked, 0.95, rounds=80)


def test_recorded_operations_against_raw_programs():
    """The least that a step takes: seven calls forward, and one program for the backward pass."""
    grad = ours()
    finish(grad)
    (segment,) = [s for s in programs._segments.values() if len(s.lines) == OPERATIONS]
    arguments, run = [], segment.jit
    segment.jit = lambda *args: (arguments.append(args), run(*args))[1]
    grad()
    segment.jit = run
    array, weights = jnp.asarray(X), [jnp.asarray(w) for w in WEIGHTS]
    matmul, relu, square, mean = map(jax.jit, (jnp.matmul, jax.nn.relu, jnp.square, jnp.mean))

    def raw():
        kept = [matmul(array, weights[0])]
        for call in (relu, lambda h: matmul(h, weights[1]), relu, lambda h: matmul(h, weights[2]), square, mean):
            kept.append(call(kept[-1]))
        run(*arguments[0])

    check_ratio("PYNATIVE forward+backward / raw calls and one program", grad, raw, 2.8, rounds=80)


def test_tape_against_the_other_ways_of_jax():
    grad = ours()
    finish(grad)
    array = jnp.asarray(X)
    weights = [jnp.asarray(w) for w in WEIGHTS]
    whole = jax.jit(jax.grad(by_hand))
    eager, tape, jitted = fastest(
        [lambda: jax.grad(by_hand)(weights, array), grad, lambda: whole(weights, array)], 20, 40
    )
    note("PYNATIVE forward+backward / eager jax.grad", tape, eager, "<= 0.5")
    note("PYNATIVE forward+backward / whole-step jit", tape, jitted, "-")
    TABLE.append(
        ("PYNATIVE per recorded operation", f"{tape / OPERATIONS * 1e6:.1f} us", "-", "-", "18 us, quiet machine")
    )
    assert tape <= 0.5 * eager


def test_a_recorded_lstm_step_against_the_compiled_one(request):
    request.addfinalizer(lambda: ms.set_context(mode=ms.PYNATIVE_MODE))
    program = networks.programs(networks.SMALL)["lstm"]
    recorded, compiled = (kind(program, program.net(networks.SMALL)) for kind in (networks.Recorded, networks.Compiled))
    finish(recorded)
    finish(recorded)  # forward passes keep residuals now, and the program that reads them is compiled

    def in_pynative_mode():
        recorded()  # returns when the loss is there
        jax.block_until_ready([p._v for p in recorded.optimizer.parameters])

    def in_graph_mode():
        ms.set_context(mode=ms.GRAPH_MODE)
        compiled()
        ms.set_context(mode=ms.PYNATIVE_MODE)

    finish(in_graph_mode)
    check_ratio("LSTM training step PYNATIVE / GRAPH", in_pynative_mode, in_graph_mode, 1.1, calls=1, rounds=60)


def test_recorded_operation_against_two_raw_calls():
    """One recorded operation is one forward and one pullback call; the tape may cost as much again."""
    x = Tensor(X)
    array = x._v
    forward = jax.jit(lambda a: jnp.tanh(a))
    pullback = jax.jit(lambda ct, a: jax.vjp(jnp.tanh, a)[1](ct))
    count = 20

    def chain():
        y = x
        for _ in range(count):
            y = ops.tanh(y)
        return y

    def raw():
        values, a = [], array
        for _ in range(count):
            values.append(a)
            a = forward(a)
        ct = a
        for value in reversed(values):
            (ct,) = pullback(ct, value)

    grad = ms.grad(lambda x: chain())
    grad(x)
    check_ratio(
        f"PYNATIVE chain of {count} tanh / raw jitted calls", lambda: ms.grad(lambda x: chain())(x), raw, 2.0, calls=5
    )
