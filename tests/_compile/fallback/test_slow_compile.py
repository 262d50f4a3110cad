"""What takes long to trace or to compile is told, with the line that is written out."""

import logging
import threading
import time
import types

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._compile.fallback import slow_compile


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(slow_compile, "PATIENCE", 0.05)
    monkeypatch.setattr(slow_compile, "_told", set())


def long_loop(x):
    for _ in range(1500):
        x = ops.sin(x) + 1  # written out
    return x


inside, told = threading.Event(), threading.Event()


def slow_loop(x):
    inside.set()
    for _ in range(12_000):  # a minute
        if told.is_set():
            break
        time.sleep(0.005)  # the trace is in this call when it is looked at
        x = ops.sin(x) + 1
    return x


class OnceInside:
    """In place of `threading.Timer`: its time has come when the loop has begun, on a busy machine, too."""

    def __init__(self, seconds, tell):
        self.thread = threading.Thread(target=lambda: (inside.wait(60), tell(), told.set()))
        self.start, self.cancel = self.thread.start, self.thread.join


def test_a_loop_that_is_written_out_is_named_while_traced(impatient, caplog, monkeypatch):
    inside.clear()
    told.clear()
    fake = types.SimpleNamespace(Timer=OnceInside, get_ident=threading.get_ident)
    monkeypatch.setattr(slow_compile, "threading", fake)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        ms.jit(slow_loop)(Tensor(np.ones(3, np.float32)))
    (text,) = [r.getMessage() for r in caplog.records if "slow_loop" in r.getMessage()]
    assert "'slow_loop' has been traced for 0.05 s, and is at" in text and "test_slow_compile.py" in text
    assert "ops.while_loop" in text


def test_a_loop_that_is_written_out_is_named_while_compiled(impatient, caplog):
    function = ms.jit(long_loop)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        function(Tensor(np.ones(3, np.float32)))
        program = next(iter(function._compiled._specialised.values())).program
        place, count = slow_compile._most_written(program())
    assert count >= 1500 and "x = ops.sin(x) + 1  # written out" in slow_compile.message("f", place, count)
    assert f"'f' has been compiled for 0.05 s; {count} operations come from" in slow_compile.message("f", place, count)


def test_large_nets_without_a_loop_are_not_warned_of(impatient, caplog):
    def part(x):
        return ops.sin(x) + 1

    def net(x):
        for _ in range(2000):
            x = part(x)
        return x

    with caplog.at_level(logging.DEBUG, "ms_compat"):
        ms.jit(net)(Tensor(np.ones(3, np.float32)))
    told = [r for r in caplog.records if "net' has been traced" in r.getMessage()]
    assert [r.levelno for r in told] == [logging.DEBUG]


def test_short_waits_are_not_told(caplog):
    with caplog.at_level(logging.WARNING, "ms_compat"):
        ms.jit(lambda x: x + 1)(Tensor([1.0]))
    assert not caplog.records


def test_a_long_program_without_a_loop_gets_no_advice():
    assert "ops.while_loop" not in slow_compile.message("f", (__file__, 1), 20)
    assert slow_compile.message("f", None, 0) == f"'f' has been traced for {slow_compile.PATIENCE:g} s."
