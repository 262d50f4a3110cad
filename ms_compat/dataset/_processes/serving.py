"""The workers' side: the process that forks the workers, and the loop in each of them."""

import os
import random
import select
import signal
import socket
import struct
import sys
import threading
import time
from collections import deque
from typing import Any, NoReturn

import cloudpickle as cloudpickle  # loaded before the fork
import numpy as np

from ms_compat.dataset._processes import sending
from ms_compat.dataset._processes.channel import Channel, above
from ms_compat.dataset._processes.failure import described
from ms_compat.dataset._support import randomness

# A worker's number and its status, as `waitpid` returns it.
ENDED = struct.Struct("<Ii")
_POLL_S = 0.2
_WATCH_S = 1.0


def _ignore(*_: Any) -> None:
    """The handler of SIGINT: Ctrl-C goes to all processes of the terminal, and the pool ends the workers.

    It is a function and not SIG_IGN, which programs that a worker starts would inherit.
    """


def start(control: int, program: int, workers: list[int]) -> NoReturn:
    """Forks a worker for each socket; then waits for the workers, and reports each one's end to the pool.

    Args:
        control: the descriptor of the socket that gets the reports. When it is closed, all end.
        program: the descriptor of the memory with the pickled function.
        workers: the descriptors of the workers' sockets.
    """
    signal.signal(signal.SIGINT, _ignore)
    numbers: dict[int, int] = {}
    for number, descriptor in enumerate(workers):
        pid = os.fork()
        if pid == 0:
            for other in (control, *workers[number + 1 :]):
                os.close(other)
            _Worker(descriptor, program).run()
        numbers[pid] = number
        os.close(descriptor)
    os.close(program)
    _watch(socket.socket(fileno=control), numbers)


def _watch(control: socket.socket, numbers: dict[int, int]) -> NoReturn:
    parent = os.getppid()
    while numbers:
        readable, _, _ = select.select([control], [], [], _POLL_S)
        if readable or os.getppid() != parent:  # the pool sends nothing: it has closed the socket
            break
        for pid in list(numbers):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                try:
                    control.sendall(ENDED.pack(numbers.pop(pid), status))
                except OSError:
                    numbers.pop(pid, None)
    for pid in numbers:
        os.kill(pid, signal.SIGKILL)
    os._exit(0)


class _Worker:
    """One worker process.

    Args:
        descriptor: its socket.
        program: the memory with the pickled function.
    """

    def __init__(self, descriptor: int, program: int) -> None:
        self._channel = Channel(socket.socket(fileno=descriptor), self._receive)
        self._program = program
        self._tasks: deque[Any] = deque()
        self._parent = os.getppid()

    def run(self) -> NoReturn:
        status = 1
        try:
            threading.Thread(target=self._end_with_parent, daemon=True).start()
            self._serve()
            status = 0
        except (EOFError, OSError):  # the pool has gone
            status = 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _end_with_parent(self) -> None:
        """Ends the process, even in a long call, if the process that forked it was killed.

        When the user's program is killed, the process that forked the workers kills them. A thread that reads tasks
        would also detect this, but it would take the interpreter lock from the function at each task.
        """
        while os.getppid() == self._parent:
            time.sleep(_WATCH_S)
        os._exit(0)

    def _receive(self) -> None:
        self._tasks.append(self._channel.receive())

    def _next(self) -> Any:
        if not self._tasks:
            self._receive()
        return self._tasks.popleft()

    def _serve(self) -> None:
        settings = self._next()
        try:
            sys.argv[:] = settings["argv"]
            program = sending.read(self._program)
            os.close(self._program)
            call = program.prepare()
        except BaseException as error:  # of any kind: modules and objects of the user are loaded here
            self._channel.send(("unusable", described(error)))
            return
        self._channel.send(("ready", os.getpid()))
        limit = settings["limit"]
        while True:
            key, base, first, items, goes_on = self._next()
            begin = time.perf_counter()
            results, failures = self._results(call, base, first, items, goes_on)
            seconds = time.perf_counter() - begin
            excluded = above(results, limit)
            self._channel.send(("done", key, results, failures, seconds, bool(excluded)), excluded)
            # Blocks that the function's results share go back with the next message.
            del items, results

    @staticmethod
    def _results(
        call: Any, base: int, first: int, items: list[Any], goes_on: bool
    ) -> tuple[list[Any], dict[int, list[tuple[bytes, str]]]]:
        stream = randomness.RowStream(base)
        results, failures = [], {}
        for k, item in enumerate(items):
            # Python's and NumPy's generators start anew at each row: draws do not depend on which worker has it.
            random.seed(base + first + k)
            np.random.seed(random.getrandbits(32))
            stream.enter(first + k)
            try:
                results.append(call(item))
            except BaseException as error:  # SystemExit, too: it is reported as any other error of the function
                results.append(())
                failures[k] = described(error)
                if not goes_on:
                    break
            finally:
                stream.leave()
        return results, failures
