"""Programs that a thread compiles while the program goes on with a slower way to its results.

JAX traces in the thread that has the function, because operations and the user's Python read settings of their thread.
Operations and backward passes share an allowance for that, so that their traces, of which a network has hundreds, are
spread over several training steps (`Allowance`).
The thread of this module lowers the jaxpr and lets XLA compile it, which holds no lock of Python's most of the time.
What it has compiled, JAX keeps: the next call in any thread finds it.

One program is compiled at a time, and first the one for which most time has been lost so far. The thread ends when
nothing is left to do. At the end of the process it is waited for, because XLA cannot be stopped in the middle of a
program; what has not been begun is dropped. On Linux the thread has a lower priority than the program's own. A process
that was forked has no such thread and forgets its work.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import jax

from ms_compat._core.trace.garbage import uncollected

logger = logging.getLogger("ms_compat")


class Settings:
    """`asked` is what the environment says."""

    asked = os.environ.get("MS_COMPAT_BACKGROUND", "1") != "0"


settings = Settings()


def is_on() -> bool:
    """Whether programs are compiled in the background.

    Several processes that train one network must change from one way to the other at the same step, so that their
    weights stay equal bit for bit. They count calls instead.
    """
    return settings.asked and not _work.ended and jax.process_count() == 1


_WAITING = 3  # how many times longer than its work a thread takes while XLA compiles, at most


# How much lower the priority of the compiling thread is. Interpreted steps took up to twice as long beside it on two
# processors, which XLA keeps busy. On processors that are all busy it still gets a third of a usual thread's time.
_NICE = 5


class Allowance:
    """The time that the user's thread may give to programs for later calls: a share of the time that passes.

    The traces that calls themselves need take of it, too: in a step that traces anyway, nothing is traced for later.

    Attributes:
        share: of the time that passes.
        most: nanoseconds that may be given at once.
        debt: nanoseconds that are made up for, at most, before more are given.
        left: nanoseconds that may be given now.
    """

    share = 0.15
    most = 50_000_000
    debt = 200_000_000

    def __init__(self) -> None:
        self.left: float = self.most
        self._seen = time.perf_counter_ns()

    def _pass(self) -> None:
        """Add the share of the time that has passed."""
        now = time.perf_counter_ns()
        self.left = min(self.most, self.left + self.share * (now - self._seen))
        self._seen = now

    def allows(self) -> bool:
        """Whether there is time for a program now."""
        self._pass()
        return self.left > 0

    @contextlib.contextmanager
    def spent(self) -> Iterator[None]:
        """A region of the user's thread that traces."""
        start, of_processor = time.perf_counter_ns(), time.thread_time_ns()
        try:
            with uncollected():
                yield
        finally:
            taken, of_processor = time.perf_counter_ns() - start, time.thread_time_ns() - of_processor
            self.spend(min(taken, _WAITING * of_processor))  # a process may stand still for long

    def spend(self, nanoseconds: float) -> None:
        """Note what a trace has taken. What has passed before it, such as imports, pays for `most` at most."""
        self._pass()
        self.left = max(self.left - nanoseconds, -self.debt)


allowance = Allowance()


class Job:
    """A program that is compiled, or is waiting for that.

    Args:
        traced: what `jax.jit(...).trace` returned.
        name: of the program, for the log.

    Attributes:
        lost: nanoseconds of the processor that the slower way has taken since.
        begun: whether the thread has taken it.
        failed: whether it cannot be compiled.
    """

    __slots__ = ("_over", "_program", "_traced", "begun", "failed", "lost", "name")

    def __init__(self, traced: Any, name: str):
        self._traced = traced
        self._program: Any = None  # keeps JAX's caches from dropping it before its first call
        self._over = threading.Event()
        self.begun = self.failed = False
        self.lost = 0
        self.name = name

    def is_ready(self) -> bool:
        """Whether the program is there."""
        return self._program is not None

    def serves(self, next_loss: float, whole: float) -> bool:
        """Whether a call runs the program.

        The slower way gives a call's results meanwhile. A call waits only if that way takes longer than compiling.

        Args:
            next_loss: nanoseconds that the slower way takes.
            whole: nanoseconds that compiling takes.
        """
        if not self.failed and not self.is_ready() and (next_loss > whole or _work.ended):
            self.wait()
            return not self.failed
        return self.is_ready()

    def wait(self) -> None:
        """Return when it has been compiled, or at once if the caller has to compile it."""
        if not _work.withdraw(self):
            self._over.wait()

    def compile(self) -> None:
        """Compile it; what goes wrong is logged, once for each name."""
        try:
            self._program = self._traced.lower().compile()
        except Exception as error:  # the slower way serves its calls from now on
            self.failed = True
            report(self.name, "stays uncompiled", error)
        finally:
            self._traced = None
            self._over.set()


_reported: set[tuple[str, str]] = set()


def report(name: str, what: str, error: Exception) -> None:
    """Log what an error did to a program, once for each name."""
    if (name, what) not in _reported:
        _reported.add((name, what))
        logger.warning("'%s' %s: %s: %.300s", name, what, type(error).__name__, error)


def _lower_priority() -> None:
    """Let this thread, and those that XLA starts from it, leave the processors to the program's own threads."""
    if sys.platform == "linux":  # where each thread has a priority of its own
        with contextlib.suppress(OSError):  # a sandbox forbids it
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + _NICE)


class _Work:
    """The jobs that wait, and the thread that compiles them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # a signal's handler may come here while its thread holds it
        self.waiting: list[Job] = []
        self.thread: threading.Thread | None = None
        self.ended = False

    def add(self, job: Job) -> None:
        with self.lock:
            self.waiting.append(job)
            if self.thread is None:
                thread = threading.Thread(target=self._run, name="ms_compat compiler", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # no more threads, or the end of the process: the callers compile
                    self.waiting.clear()
                    self.ended = True
                    return
                self.thread = thread

    def withdraw(self, job: Job) -> bool:
        """Take back what has not been begun."""
        with self.lock:
            if job in self.waiting:
                self.waiting.remove(job)
            return not job.begun

    def _next(self) -> Job | None:
        with self.lock:
            if not self.waiting or self.ended:
                self.thread = None
                return None
            job = max(self.waiting, key=lambda waiting: waiting.lost)
            self.waiting.remove(job)
            job.begun = True
            return job

    def _run(self) -> None:
        _lower_priority()
        while (job := self._next()) is not None:
            job.compile()

    def end(self) -> None:
        """Drop what waits, and wait for the program that is being compiled."""
        with self.lock:
            self.ended = True
            self.waiting.clear()
            thread = self.thread
        if thread is not None:
            try:
                thread.join()
            except KeyboardInterrupt:  # the interpreter must not end around XLA's work
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(130)


_work = _Work()
atexit.register(lambda: _work.end())


def submit(traced: Any, name: str) -> Job:
    """Have a program compiled."""
    job = Job(traced, name)
    _work.add(job)
    return job


def begin(trace: Callable[[], Any], name: str) -> Job:
    """Trace a program, at the cost of the allowance, and have it compiled.

    Args:
        trace: gives what `jax.jit(...).trace` returns.
        name: of the program.
    """
    with allowance.spent():
        traced = trace()
    return submit(traced, name)


def forget() -> None:
    """Start without jobs and without a thread, as a forked process has to."""
    global _work
    _work = _Work()
