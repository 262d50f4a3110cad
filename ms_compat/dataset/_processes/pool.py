"""A pool of worker processes that maps a function over rows, in order."""

import itertools
import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from ms_compat.dataset._processes import sending
from ms_compat.dataset._processes.channel import Channel, above
from ms_compat.dataset._processes.failure import restored
from ms_compat.dataset._processes.serving import ENDED
from ms_compat.dataset._support.tuning import Tuning

# A task should take about as long, because sending one and reading its result take some 60 us of the pool's thread.
_TASK_S = 0.002
_END_S = 5.0
_STATUS_S = 3.0  # in which the process that forked a worker reports how it ended, late on busy machines
_logger = logging.getLogger("ms_compat")


class Program(Protocol):
    """What a pool sends to its workers."""

    def prepare(self) -> Any:
        """Returns the function that is called with each item; runs once in each worker."""


class _Worker:
    def __init__(self, number: int, channel: Channel) -> None:
        self.number, self.channel = number, channel
        self.pid = 0
        self.tasks: deque[tuple[Any, int, int]] = deque()  # those without a result: key, first row, number of rows

    def rows(self) -> int:
        return sum(count for _, _, count in self.tasks)


class _Epoch:
    """What `mapped` was called with, and the results so far."""

    def __init__(self, items: Iterable[Any], run: int, base: int, goes_on: bool) -> None:
        self._source = iter(items)
        self.run, self.base, self.goes_on = run, base, goes_on
        self.done: dict[int, tuple[list[Any], dict[int, Any]]] = {}  # by task: results, and failures by place
        self.sent = self.due = 0  # tasks
        self.first = self.taken = 0  # rows
        self.exhausted = False
        self.problem: Exception | None = None

    def read(self, size: int) -> list[Any]:
        """The next items; an error of the source is kept until the rows before it were taken."""
        chunk: list[Any] = []
        try:
            for item in itertools.islice(self._source, size):
                chunk.append(item)
        except Exception as error:
            self.problem = error
        self.exhausted = len(chunk) < size
        return chunk

    def waits(self) -> bool:
        """Whether the consumer's next rows are still with a worker."""
        return self.due not in self.done and self.due < self.sent

    def take(self) -> Iterator[Any]:
        """The rows of the task that is due."""
        results, failures = self.done.pop(self.due)
        self.due += 1
        for k in range(len(results)):
            self.taken += 1
            result, results[k] = results[k], None  # the consumer alone holds the row, and so its memory
            yield restored(failures[k]) if k in failures else result


class Pool:
    """Starts workers, which end with the pool's `close`, its collection or this process.

    Args:
        api: the method or class to name in messages.
        program: makes the function; pickled.
        count: how many workers.
        ahead: how many rows each worker may have done or be doing that the consumer has not taken.
        limit: rows with more bytes go through a pipe instead of shared memory; None for no limit.
        patience: after so many seconds without any result, a warning names the rows; None for no warning.
        tunes: whether to begin with one worker, and use more or fewer depending on how long the consumer waits.

    Raises:
        CannotSend: the program cannot be pickled, or a worker cannot load it.
        RuntimeError: a worker ended.
    """

    def __init__(
        self,
        api: str,
        program: Program,
        count: int,
        ahead: int = 16,
        limit: int | None = None,
        patience: float | None = None,
        tunes: bool = False,
    ) -> None:
        self._api, self._ahead, self._limit, self._patience = api, max(ahead, 1), limit, patience
        self._tuning = Tuning(count) if tunes else None
        self._run = 0
        self._rows_a_task = 1
        self._row_s = float("inf")
        self._warned = False
        if not sys.executable or not hasattr(socket, "send_fds") or not hasattr(os, "fork"):
            raise sending.CannotSend("this system has no descriptors that processes can send to each other")
        descriptor = sending.written(program)
        control, far_control = socket.socketpair()
        pairs = [socket.socketpair() for _ in range(count)]
        far = [far_control, *(theirs for _, theirs in pairs)]
        passed = [far_control.fileno(), descriptor, *(theirs.fileno() for theirs in far[1:])]
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
        try:
            process = subprocess.Popen(
                [sys.executable, script, json.dumps(sys.path), *map(str, passed)],
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            for ours in (control, *(near for near, _ in pairs)):
                ours.close()
            raise sending.CannotSend(str(error)) from error
        finally:
            os.close(descriptor)
            for theirs in far:
                theirs.close()
        self._control, self.process = control, process
        self._workers = [_Worker(number, Channel(near)) for number, (near, _) in enumerate(pairs)]
        self._poll = select.poll()
        self._by_descriptor = {worker.channel.socket.fileno(): worker for worker in self._workers}
        for number in self._by_descriptor:
            self._poll.register(number, select.POLLIN)
        self.close = weakref.finalize(self, _end, process, control, [worker.channel for worker in self._workers])
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        settings = {"argv": sys.argv, "limit": self._limit}
        try:
            for worker in self._workers:
                self._send(worker, settings)
            for worker in self._workers:
                kind, value = self._receive(worker)
                if kind == "unusable":
                    error = restored(value)
                    raise sending.CannotSend(f"{type(error).__name__}: {error}") from error
                worker.pid = value
        except BaseException:
            self.close()
            raise

    def mapped(self, items: Iterable[Any], base: int = 0, goes_on: bool = False) -> Iterator[Any]:
        """The function's results, in the items' order.

        Args:
            items: what the function is called with; arrays in tuples, lists and dicts go through shared memory.
            base: the number of the random stream. Item k draws from the generator that `base + k` seeds.
            goes_on: whether items after a failed one are computed.

        Yields:
            A result, or the exception that an item's call raised.

        Raises:
            RuntimeError: a worker ended.
        """
        self._run += 1
        epoch = _Epoch(items, self._run, base, goes_on)
        while True:
            self._feed(epoch)
            self._collect(epoch, wait=epoch.waits())
            if self._tuning is not None:
                self._tuning.adapt()
            if epoch.due in epoch.done:
                yield from epoch.take()
            elif epoch.exhausted and epoch.due == epoch.sent:
                break
        if self._tuning is not None:
            _logger.info("%s: autotuning used %d of %d processes.", self._api, len(self._active()), len(self._workers))
        if epoch.problem is not None:
            raise epoch.problem

    def _feed(self, epoch: "_Epoch") -> None:
        """Sends items to the workers, as many as they may have."""
        while not epoch.exhausted and epoch.first - epoch.taken < self._ahead * len(self._active()):
            worker = min(self._active(), key=_Worker.rows)
            size = min(self._rows_a_task, max(self._ahead // 2, 1))
            if worker.tasks and worker.rows() + size > self._ahead:
                break
            chunk = epoch.read(size)
            if chunk:
                self._submit(worker, epoch, chunk)

    def _active(self) -> list[_Worker]:
        return self._workers if self._tuning is None else self._workers[: self._tuning.workers]

    def _submit(self, worker: _Worker, epoch: "_Epoch", chunk: list[Any]) -> None:
        excluded = above(chunk, self._limit)
        key = epoch.run, epoch.sent
        worker.tasks.append((key, epoch.first, len(chunk)))
        self._send(worker, (key, epoch.base, epoch.first, chunk, epoch.goes_on), excluded)
        epoch.first += len(chunk)
        epoch.sent += 1
        if excluded:
            self._warn_of_size()

    def _collect(self, epoch: "_Epoch", wait: bool) -> None:
        """Takes the results that there are; waits for one if there is none."""
        patience = None if self._patience is None else self._patience * 1000
        begin = time.perf_counter()
        while True:
            ready = self._poll.poll(patience if wait else 0)
            if ready or not wait:
                break
            busy = [f"{w.number} (pid {w.pid}) rows from {w.tasks[0][1]}" for w in self._workers if w.tasks]
            _logger.warning(
                "%s: no worker process has finished a row for %s s; worker %s. "
                "dataset.config.set_multiprocessing_timeout_interval sets this time.",
                self._api,
                self._patience,
                ", worker ".join(busy),
            )
        if self._tuning is not None and wait:
            self._tuning.waited(time.perf_counter() - begin)
        for descriptor, _ in ready:
            worker = self._by_descriptor[descriptor]
            _, (run, number), results, failures, seconds, oversized = self._receive(worker)
            worker.tasks.popleft()
            if oversized:
                self._warn_of_size()
            if run != self._run:  # of an epoch that was broken off
                continue
            epoch.done[number] = results, failures
            if results:
                self._row_s = min(self._row_s * 1.1, seconds / len(results))
                self._rows_a_task = max(int(_TASK_S / max(self._row_s, 1e-6)), 1)

    def _warn_of_size(self) -> None:
        if not self._warned and self._limit is not None:
            self._warned = True
            _logger.warning(
                "%s: rows larger than the 'max_rowsize' of %g MB go through a pipe instead of shared memory, which is "
                "slower. Raise it, or leave it out.",
                self._api,
                self._limit / (1 << 20),
            )

    def _send(self, worker: _Worker, message: Any, excluded: Iterable[int] = ()) -> None:
        try:
            worker.channel.send(message, excluded)
        except (BrokenPipeError, ConnectionError) as error:
            raise self._ended(worker) from error

    def _receive(self, worker: _Worker) -> Any:
        try:
            return worker.channel.receive()
        except (EOFError, ConnectionError):
            raise self._ended(worker) from None

    def _ended(self, worker: _Worker) -> RuntimeError:
        """The error for a worker that ended by itself or was killed; ends the others."""
        status = self._statuses().get(worker.number)
        if status is None:
            how = "has ended"
        elif os.WIFSIGNALED(status):
            how = f"was ended by signal {signal.Signals(os.WTERMSIG(status)).name}"
        else:
            how = f"ended with exit status {os.waitstatus_to_exitcode(status)}"
        rows = ""
        if worker.tasks:
            _, first, count = worker.tasks[0]
            rows = f" while it had row {first}" if count == 1 else f" while it had rows {first} to {first + count - 1}"
        hint = ""
        if status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            hint = " If the system ended it, memory is short: use fewer workers, or a smaller 'prefetch_size'."
        self.close()
        return RuntimeError(f"For '{self._api}', worker process {worker.number} (pid {worker.pid}) {how}{rows}.{hint}")

    def _statuses(self) -> dict[int, int]:
        """How workers ended, by number, as the process that forked them reports it."""
        data, until = b"", time.monotonic() + _STATUS_S
        while not data and time.monotonic() < until:
            if select.select([self._control], [], [], 0.1)[0]:
                more = self._control.recv(ENDED.size * len(self._workers))
                if not more:
                    break
                data += more
        whole = len(data) - len(data) % ENDED.size
        return dict(ENDED.iter_unpack(data[:whole]))


def _environment() -> dict[str, str]:
    """The environment, with one thread for each worker's linear algebra unless the user has chosen a number."""
    return {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")} | dict(os.environ)


def _end(process: subprocess.Popen, control: socket.socket, channels: list[Channel]) -> None:
    """Ends a pool's processes. The process that forked the workers ends them when the control socket is closed."""
    control.close()
    for channel in channels:
        channel.close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
