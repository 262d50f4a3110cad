"""Python programs in processes that begin with ms_compat imported: the import took most of the time of short programs.

A server process imports ms_compat and JAX and runs no operation. For each program it forks a process, which takes the
program's arguments, folder, environment and files, runs it as Python would, and ends as Python does. The programs are
those of `python -m` and `python -c`.

What a process does while it starts has to be tested with a real one, such as the order of imports or the handlers of
signals. `run` starts one by itself where a forked one would differ: without `os.fork`, for other arguments, and where
the environment differs in a variable that was read while the server started.
"""

import contextlib
import functools
import gc
import json
import os
import re
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# Variables that Python, the C library and libraries in C read when they start; others are noted while they are read.
EARLY = re.compile(r"PYTHON(?!PATH$)|LD_|GLIBC_|MALLOC_|OMP_|OPENBLAS_|MKL_|GOMP_|KMP_|TF_|GRPC_|LC_|LANG$")
# Before a test changes it, and with what the imports of tests have set, as OpenCV sets LD_LIBRARY_PATH (`conftest.py`).
environment_of_tests = dict(os.environ)
_IGNORE = ["-W", "ignore"]


def note_environment() -> None:
    """Take the present environment for the one that tests begin with."""
    environment_of_tests.clear()
    environment_of_tests.update(os.environ)


def run(
    arguments: Sequence[str],
    *,
    cwd: str | Path,
    env: Mapping[str, str],
    timeout: float,
    input: str | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, as `subprocess.run` does with `capture_output` and `text`.

    Args:
        arguments: what follows `python`: `-m` or `-c` and what belongs to it, maybe after `-W ignore`.
        cwd: the folder.
        env: the whole environment.
        timeout: seconds; then the process is killed, and `subprocess.TimeoutExpired` raised.
        input: what it reads; nothing by default.
    """
    arguments = [*map(str, arguments)]
    server = _server() if hasattr(os, "fork") and sys.platform == "linux" else None
    if server is None or not server.can_run(arguments, env):
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=cwd, env=env, timeout=timeout, input=input or "", capture_output=True, text=True
        )
    return server.run(arguments, str(cwd), env, timeout, input or "")


class _Server:
    """The process that forks, as its client sees it."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        self.environment = {**environment_of_tests, "PYTHONPATH": str(ROOT)}
        with theirs:
            command = [sys.executable, "-m", "tests.prepared", str(theirs.fileno())]
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**self.environment, "OPENBLAS_NUM_THREADS": "1"},  # no thread may exist at a fork
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        with self.control.makefile() as answers:
            self.read: list[str] | None = json.loads(answers.readline())

    def can_run(self, arguments: Sequence[str], env: Mapping[str, str]) -> bool:
        """Whether a forked process is like a real one."""
        if self.read is None:
            return False
        rest = arguments[2:] if arguments[:2] == _IGNORE else arguments
        names = set(self.read) | {name for name in self.environment | env if EARLY.match(name)}
        return rest[:1] in (["-m"], ["-c"]) and all(self.environment.get(name) == env.get(name) for name in names)

    def run(
        self, arguments: Sequence[str], cwd: str, env: Mapping[str, str], timeout: float, text: str
    ) -> subprocess.CompletedProcess[str]:
        answers, theirs = socket.socketpair()
        with contextlib.ExitStack() as stack:
            request, given, shown, errors = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(4))
            json.dump({"arguments": arguments, "cwd": cwd, "environment": dict(env)}, request)
            given.write(text)
            for file in (request, given):
                file.flush()
                file.seek(0)
            stack.enter_context(answers)
            with theirs:
                files = [file.fileno() for file in (theirs, request, given, shown, errors)]
                socket.send_fds(self.control, [b"."], files)
            lines = stack.enter_context(answers.makefile())
            number = int(lines.readline())
            answers.settimeout(timeout)
            try:
                status = int(lines.readline())
            except TimeoutError:
                os.kill(number, signal.SIGKILL)
                raise subprocess.TimeoutExpired([sys.executable, *arguments], timeout) from None
            shown.seek(0)
            errors.seek(0)
            return subprocess.CompletedProcess([sys.executable, *arguments], status, shown.read(), errors.read())

    def close(self) -> None:
        self.control.close()
        self.process.wait()


@functools.cache
def _server() -> _Server:
    import atexit

    server = _Server()
    atexit.register(server.close)
    return server


# -- in the server


class _Noted(dict):
    """The variables of the environment, which notes the names that are asked for."""

    def __init__(self, data: Mapping[Any, Any]) -> None:
        super().__init__(data)
        self.names: set[str] = set()

    def __getitem__(self, name: Any) -> Any:
        self.names.add(os.fsdecode(name))
        return super().__getitem__(name)

    def __contains__(self, name: Any) -> bool:
        self.names.add(os.fsdecode(name))
        return super().__contains__(name)


def _imported() -> list[str]:
    """Import what programs need; the names of the variables that were read."""
    environment: Any = os.environ
    data = environment._data
    environment._data = noted = _Noted(data)
    import jax

    import ms_compat.nn
    import ms_compat.ops

    assert ms_compat.__name__ and jax.__name__
    data.clear()
    data.update(noted)
    environment._data = data
    return sorted(noted.names)


def _serve(control: socket.socket) -> dict[str, Any] | None:
    """Answer requests; returns in a process that is to run a program, with what was requested."""
    while True:
        _, files, _, _ = socket.recv_fds(control, 1, 5)
        if not files:
            return None
        with contextlib.suppress(ChildProcessError):  # there is none
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not _forked():
            control.close()
            return _supervised(*files)
        for file in files:
            os.close(file)


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX warns of its threads, which do not exist yet
        return os.fork()


def _supervised(answers: int, request: int, *streams: int) -> dict[str, Any]:
    """Wait for the program's process and tell how it ended; returns in that process."""
    number = _forked()
    if number:
        os.write(answers, b"%d\n" % number)
        _, status = os.waitpid(number, 0)
        with contextlib.suppress(BrokenPipeError):  # it took too long, and nobody waits
            os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(answers)
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    with open(request) as text:
        return json.load(text)


def _become(arguments: list[str], cwd: str, environment: dict[str, str]) -> None:
    """Give this process what Python would have read when it started."""
    added = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    rest = [path for path in sys.path[1:] if path not in added]
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.orig_argv = [sys.executable, *arguments]
    if arguments[:2] == _IGNORE:
        warnings.simplefilter("ignore")
        sys.warnoptions.append("ignore")
        del arguments[:2]
    added = [os.path.abspath(path) for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = [os.getcwd() if arguments[0] == "-m" else "", *added, *rest]
    sys.argv[:] = ["-c", *arguments[2:]]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.modules["__main__"].__dict__.update(__builtins__=__builtins__, __annotations__={})
    # Each process draws numbers of its own; Python sees to that itself for its module `random`.
    sys.modules["numpy"].random.seed()
    streams = sys.modules["ms_compat._core.dispatch.random"]
    streams.default_generator.seed = streams.RandomStream().seed


def _execute(kind: str, what: str) -> None:
    """The program itself; an error is shown without the frames of this file, as Python shows it."""
    try:
        if kind == "-m":
            runpy._run_module_as_main(what)  # type: ignore[attr-defined]
        else:
            exec(compile(what, "<string>", "exec"), sys.modules["__main__"].__dict__)
    except Exception as error:
        shown = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)
        sys.excepthook(type(shown), shown, shown.__traceback__)
        sys.exit(1)


def _main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    names = _imported()
    # A forked process would lack threads that the imports have started.
    alone = len(os.listdir("/proc/self/task")) == 1
    control.sendall(json.dumps(names if alone else None).encode() + b"\n")
    gc.collect()
    gc.freeze()
    request = _serve(control)
    if request is not None:
        _become(**request)
        _execute(*request["arguments"][:2])


if __name__ == "__main__":
    _main()
