"""Python programs in processes that begin with ms_compat imported: the import took most of the time of short programs.

A server process imports ms_compat and JAX and runs no operation. For each program it forks a process, which takes the
program's arguments, folder, environment and files, runs it as Python would, and ends as Python does. The programs are
those of `python -m`, `python -c` and `python FILE`. Such a process becomes a child of the one that asked for it, so
`subprocess` waits for it, kills it, and reads from it as usual.

What a process does while it starts has to be tested with a real one, such as the order of imports or the handlers of
signals. A real one is started as well where a forked one would differ: on other systems than Linux, for other
arguments, and where the environment differs in a variable that was read while the server started.
"""

import contextlib
import ctypes
import functools
import gc
import json
import os
import re
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import MappingProxyType
from typing import Any

ROOT = Path(__file__).parents[1]
# Variables that Python, the C library and libraries in C read when they start; others are noted while they are read.
EARLY = re.compile(r"PYTHON(?!PATH$)|LD_|GLIBC_|MALLOC_|OMP_|OPENBLAS_|MKL_|GOMP_|KMP_|TF_|GRPC_|LC_|LANG$")
# Before a test changes it, and with what the imports of tests have set, as OpenCV sets LD_LIBRARY_PATH (`conftest.py`).
environment_of_tests = dict(os.environ)
_IGNORE = ["-W", "ignore"]
_PR_SET_CHILD_SUBREAPER = 36  # of Linux


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
    begin: Mapping[str, str] = MappingProxyType({}),
    nested: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments, as `subprocess.run` does with `capture_output` and `text`.

    Args:
        arguments: what follows `python`: `-m`, `-c` or a file, and what belongs to it, maybe after `-W ignore`.
        cwd: the folder.
        env: the whole environment.
        timeout: seconds; then the process is killed, and `subprocess.TimeoutExpired` raised.
        input: what it reads; nothing by default.
        begin, nested: as in `forking`.
    """
    with forking(begin=begin, nested=nested):
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=cwd,
            env=env,
            timeout=timeout,
            input=input or "",
            capture_output=True,
            text=True,
        )


@contextlib.contextmanager
def forking(*, begin: Mapping[str, str] = MappingProxyType({}), nested: bool = False) -> Iterator[None]:
    """Let `subprocess` fork the Python programs that it is asked to start, where a forked one is like a real one.

    Args:
        begin: variables that the imports of the programs have to find already.
        nested: whether programs that are started here fork those that they start, too.
    """
    if sys.platform != "linux":
        yield
        return
    there: Any = subprocess
    kept = there._fork_exec, there._USE_POSIX_SPAWN
    _let_start(_server(tuple(sorted(begin.items()))), nested)
    try:
        yield
    finally:
        there._fork_exec, there._USE_POSIX_SPAWN = kept


def _let_start(client: "_Client", nested: bool) -> None:
    """Let a client start what `subprocess` starts."""
    there: Any = subprocess
    there._fork_exec, there._USE_POSIX_SPAWN = client.starting(there._fork_exec, nested), False


class _Client:
    """A process that forks, as the one sees it that has programs to start.

    Args:
        control: the socket that takes requests.
        environment: what the process had while it imported.
        read: the names of the variables that its imports read; None if it can't fork.
    """

    def __init__(self, control: socket.socket, environment: Mapping[str, str], read: list[str] | None) -> None:
        self.control, self.environment, self.read = control, environment, read
        self.lock = threading.Lock()

    def can_run(self, arguments: Sequence[str], folder: str, env: Mapping[str, str]) -> bool:
        """Whether a forked process is like a real one."""
        if self.read is None:
            return False
        rest = list(arguments[2:] if list(arguments[:2]) == _IGNORE else arguments)
        names = set(self.read) | {name for name in {*self.environment, *env} if EARLY.match(name)}
        known = rest[:1] in (["-m"], ["-c"]) or os.path.isfile(os.path.join(folder, *rest[:1]))
        return known and all(self.environment.get(name) == env.get(name) for name in names)

    def starting(self, real: Callable, nested: bool) -> Callable:
        """What takes the place of `_fork_exec` in `subprocess`."""

        def start(*call: Any) -> int:
            args, executables, close_fds, keep, cwd, variables, given, _, _, shown, _, errors, _, failure, *more = call
            _, session, group, gid, gids, uid, umask, prepare, *_ = more
            arguments, folder = [os.fsdecode(item) for item in args[1:]], os.fsdecode(cwd or os.getcwd())
            env = dict(os.environ)
            if variables is not None:
                env = dict(os.fsdecode(item).split("=", 1) for item in variables)
            plain = executables == (os.fsencode(sys.executable),) and close_fds and set(keep) == {failure} and umask < 0
            if not (plain and gid is gids is uid is prepare is None and os.path.isdir(folder)):
                return real(*call)
            if not self.can_run(arguments, folder, env):
                return real(*call)
            streams = [number if number >= 0 else place for place, number in enumerate((given, shown, errors))]
            request = {"arguments": arguments, "cwd": folder, "environment": env, "nested": nested}
            return self.start({**request, "session": bool(session), "group": group}, streams)

        return start

    def start(self, request: dict[str, Any], streams: list[int]) -> int:
        """Have a program started with these files as its standard ones; the number of its process, a child."""
        with self.lock, contextlib.ExitStack() as stack:
            text = stack.enter_context(tempfile.TemporaryFile("w+"))
            json.dump(request, text)
            text.flush()
            text.seek(0)
            answers, theirs = map(stack.enter_context, socket.socketpair())
            _adopt_orphans(True)
            stack.callback(_adopt_orphans, False)
            socket.send_fds(self.control, [b"."], [theirs.fileno(), text.fileno(), *streams])
            theirs.close()
            with answers.makefile() as lines:
                return int(lines.read())


def _adopt_orphans(state: bool) -> None:
    """Whether a process whose parent has ended, and that comes from this one, becomes its child."""
    nothing = ctypes.c_ulong(0)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(state), nothing, nothing, nothing)


class _Server(_Client):
    """The process that this one has started to fork others."""

    def __init__(self, begin: Mapping[str, str]) -> None:
        control, theirs = socket.socketpair()
        environment = {**environment_of_tests, "PYTHONPATH": str(ROOT), **begin}
        with theirs:
            command = [sys.executable, "-m", "tests.prepared", str(theirs.fileno())]
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**environment, "OPENBLAS_NUM_THREADS": "1"},  # no thread may exist at a fork
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        with control.makefile() as answers:
            super().__init__(control, environment, json.loads(answers.readline()))

    def close(self) -> None:
        self.control.close()
        self.process.wait()


@functools.cache
def _server(begin: tuple[tuple[str, str], ...] = ()) -> _Server:
    import atexit

    server = _Server(dict(begin))
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
        between = _forked()
        if not between:
            if number := _forked():
                os.write(files[0], b"%d" % number)
                os._exit(0)  # whoever asked becomes the parent of the program's process
            control.close()
            return _taken(*files)
        os.waitpid(between, 0)
        for file in files:
            os.close(file)


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX warns of its threads, which do not exist yet
        return os.fork()


def _taken(answers: int, request: int, *streams: int) -> dict[str, Any]:
    """What is requested; the standard files become those that came with it."""
    os.close(answers)
    for number, file in enumerate(streams):
        os.dup2(file, number)
        os.close(file)
    with open(request) as text:
        return json.load(text)


def _divide(environment: dict[str, str], names: list[str]) -> dict[str, Any] | None:
    """Fork a process that forks those that this one starts. Returns None here, and a request in one that it forks."""
    control, theirs = socket.socketpair()
    if _forked():
        theirs.close()
        _let_start(_Client(control, environment, names), False)
        return None
    control.close()
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nothing, number)
    request = _serve(theirs)
    if request is None:
        os._exit(0)
    return request


def _become(arguments: list[str], cwd: str, environment: dict[str, str], session: bool, group: int, **_: Any) -> None:
    """Give this process what Python would have read when it started."""
    if session:
        os.setsid()
    elif group >= 0:
        os.setpgid(0, group)
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
    first = {"-m": os.getcwd(), "-c": ""}.get(arguments[0], os.path.dirname(os.path.realpath(arguments[0])))
    sys.path[:] = [first, *added, *rest]
    sys.argv[:] = ["-c", *arguments[2:]] if arguments[0] in ("-m", "-c") else arguments
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.modules["__main__"].__dict__.update(__builtins__=__builtins__, __annotations__={})
    # Each process draws numbers of its own; Python sees to that itself for its module `random`.
    sys.modules["numpy"].random.seed()
    streams = sys.modules["ms_compat._core.dispatch.random"]
    streams.default_generator.seed = streams.RandomStream().seed


def _execute(kind: str, *more: str) -> None:
    """The program itself; an error is shown without the frames of this file, as Python shows it."""
    names = sys.modules["__main__"].__dict__
    try:
        if kind == "-m":
            runpy._run_module_as_main(more[0])  # type: ignore[attr-defined]
        elif kind == "-c":
            exec(compile(more[0], "<string>", "exec"), names)
        else:
            file = os.path.join(os.getcwd(), kind)
            names.update(__file__=file, __cached__=None, __loader__=SourceFileLoader("__main__", file))
            exec(compile(Path(file).read_bytes(), file, "exec"), names)
    except Exception as error:
        shown = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)
        sys.excepthook(type(shown), shown, shown.__traceback__)
        sys.exit(1)


def _main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    names = _imported()
    # A forked process would lack threads that the imports have started.
    alone = len(os.listdir("/proc/self/task")) == 1
    control.sendall(json.dumps(names if alone else None).encode() + b"\n")
    gc.collect()
    gc.freeze()
    request = _serve(control)
    if request is not None and request["nested"]:
        request = _divide(environment, names) or request
    if request is not None:
        _become(**request)
        _execute(*request["arguments"])


if __name__ == "__main__":
    _main()
