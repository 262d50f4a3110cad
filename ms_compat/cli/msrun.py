"""`ms-compat msrun`: a MindSpore script in several processes, with the arguments and environment of MindSpore's msrun.

Each process drives one device; `mindspore.communication.init` joins them. There is no scheduler's process: JAX's
coordinator runs in worker 0. Where all workers run on this machine it listens on a Unix socket in a folder that only
this user can open; on several machines it listens at the scheduler's address, and whoever reaches that port can join or
end the job. The processes get a token by which their `TCPStore`s know each other, `MS_COMPAT_TOKEN`; for a job on
several machines set it on all of them yourself.
"""

import argparse
import os
import pathlib
import queue
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from ms_compat.cli import _started

NAME = "msrun"
HELP = "run a MindSpore script in several processes"
EXAMPLES = """\
  ms-compat msrun --worker_num 4 --local_worker_num 4 --join True train.py --epochs 3

Security: the workers of a job on one machine find each other through a Unix socket that other users cannot open. The
collectives of CPUs use the loopback interface, where other local users can disturb them. On several machines nothing
protects the scheduler's port and the collectives: use a network that you trust.
"""
_PORT = 8118  # MindSpore's own default, which several machines must agree on
_POLITE = 5.0  # seconds that workers have to end after a signal
_PERIOD = 1.0  # seconds between two reads of the workers' output
_CAUSE = 2.0  # seconds to wait for the end of the worker that broke a collective of another one
_BROKEN = re.compile("Gloo .*failed")  # what JAX's collectives on CPUs raise
_SIGNALS = [getattr(signal, f"SIG{name}") for name in ("INT", "TERM", "HUP") if hasattr(signal, f"SIG{name}")]


def _bool(text: str) -> bool:
    if text not in ("True", "False"):
        raise argparse.ArgumentTypeError("must be True or False")
    return text == "True"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--worker_num", type=int, default=8, help="how many processes there are, on all machines")
    parser.add_argument("--local_worker_num", type=int, default=8, help="how many of them run on this machine")
    parser.add_argument("--master_addr", default="127.0.0.1", help="the address of the machine with worker 0")
    parser.add_argument(
        "--master_port", type=int, help=f"a free port of that machine (default: one is chosen; {_PORT} for several)"
    )
    parser.add_argument("--node_rank", type=int, default=-1, help="the number of this machine")
    parser.add_argument("--log_dir", type=pathlib.Path, default=pathlib.Path(), help="folder for worker_N.log")
    parser.add_argument("--join", type=_bool, default=False, help="wait for the processes and report how they ended")
    parser.add_argument(
        "--cluster_time_out", type=int, default=600, help="seconds that the processes wait at the start"
    )
    parser.add_argument("task_script", help="the script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="the script's own arguments")


def run(args: argparse.Namespace) -> int:
    """Starts the processes; with `--join` returns 0 if all of them did, and ends the others after one that did not."""
    if not 0 < args.local_worker_num <= args.worker_num:
        return _refuse("--local_worker_num must be positive and at most --worker_num")
    if args.local_worker_num < args.worker_num and args.node_rank < 0:
        return _refuse("with several machines, each needs its --node_rank")
    alone = args.local_worker_num == args.worker_num
    wrong = _choose_port(args, alone)
    if wrong:
        return _refuse(wrong)
    try:
        args.log_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _refuse(f"can't write to '{args.log_dir}': {error.strerror}")
    job = _Job(args, alone)
    if args.join:
        with job:
            return job.join()
    job.start()
    print(f"ms-compat msrun: started {job.words()}; their logs are {job.logs()}")
    return 0


def _refuse(reason: str) -> int:
    print(f"ms-compat msrun: {reason}", file=sys.stderr)
    return 2


def _choose_port(args: argparse.Namespace, alone: bool) -> str:
    """Completes `--master_port`; returns the error in it or in the address, or ""."""
    from ms_compat.communication import ports

    try:
        if args.master_port is None:
            args.master_port = ports.free_port(args.master_addr) if alone else _PORT
        elif not 0 < args.master_port < 65536:
            return f"--master_port must be between 1 and 65535, got {args.master_port}"
        if alone or args.node_rank == 0:
            ports.check_free(args.master_addr, args.master_port)
    except ports.PortInUse as error:
        advice = "leave --master_port out, or choose another" if alone else "choose another --master_port"
        return f"{error.strerror}; {advice}"
    except OSError as error:
        if alone:
            return f"--master_addr {args.master_addr} is not an address of this machine: {error.strerror}"
        # on several machines it may be the address of a service before worker 0
    return ""


class _Job:
    """The workers on this machine. As a context manager it ends the remaining ones.

    With `--join` the workers are in one process group, whose leader kills the group when this process is killed.
    """

    def __init__(self, args: argparse.Namespace, alone: bool) -> None:
        self.args = args
        self.first = max(args.node_rank, 0) * args.local_worker_num
        self.token = os.environ.get("MS_COMPAT_TOKEN") or (secrets.token_hex(32) if alone else "")
        self.folder = tempfile.mkdtemp(prefix="ms_compat-") if alone else ""  # nobody else can open it
        self.guard: subprocess.Popen | None = None
        self.workers: list[subprocess.Popen] = []
        self.events: queue.SimpleQueue[Any] = queue.SimpleQueue()  # (worker, exit status), or a signal's number
        self.codes: dict[int, int] = {}
        self.handlers: dict[int, Any] = {}

    def words(self) -> str:
        count = self.args.local_worker_num
        return f"{count} worker{'s' * (count > 1)}"

    def logs(self) -> pathlib.Path:
        return self.args.log_dir / "worker_N.log"

    def __enter__(self) -> "_Job":
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup, for example
                    self.handlers[number] = signal.signal(number, lambda number, frame: self.events.put(number))
        try:
            if hasattr(os, "killpg"):
                folder = [self.folder] if self.folder else []
                self.guard = subprocess.Popen([*_started.guard(), *folder], stdin=subprocess.PIPE, process_group=0)
            self.start()
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(self, *exc: Any) -> None:
        self._kill()
        for number, handler in self.handlers.items():
            signal.signal(number, handler)

    def start(self) -> None:
        for local in range(self.args.local_worker_num):
            self.workers.append(self._start(local))

    def _start(self, local: int) -> subprocess.Popen:
        args, rank = self.args, self.first + local
        variables = {
            "MS_WORKER_NUM": args.worker_num,
            "MS_LOCAL_WORKER_NUM": args.local_worker_num,
            "MS_SCHED_HOST": args.master_addr,
            "MS_SCHED_PORT": args.master_port,
            "MS_TOPO_TIMEOUT": args.cluster_time_out,
            "MS_ROLE": "MS_WORKER",
            "MS_NODE_ID": rank,
            "RANK_ID": rank,
            "RANK_SIZE": args.worker_num,
            "DEVICE_ID": local,
            "MS_COMPAT_TOKEN": self.token,
            "MS_COMPAT_JOB": self.folder,
        }
        with open(self._log(local), "wb") as log:
            return subprocess.Popen(
                [*_started.entry(), "run", args.task_script, *args.arguments],
                env={**os.environ, **{name: str(value) for name, value in variables.items()}},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=self.guard.pid if self.guard is not None else None,
            )

    def join(self) -> int:
        """Waits for the workers; returns the exit status."""
        for local in range(len(self.workers)):
            threading.Thread(target=self._wait, args=(local,), daemon=True).start()
        while len(self.codes) < len(self.workers):
            try:
                event = self.events.get(timeout=_PERIOD)
            except queue.Empty:
                event = None
            if isinstance(event, int):
                return self._stop(event)
            if event is not None:
                local, code = event
                self.codes[local] = code
                if code:
                    cause = self._cause(local)
                    return self._failed(cause, f"ended with {self.codes[cause]}")
            lost = self._lost()
            if lost is not None:
                return self._failed(lost, "ended with 0 while other workers still need it")
        print(f"ms-compat msrun: {self.words()} finished; their logs are {self.logs()}")
        return 0

    def _wait(self, local: int) -> None:
        self.events.put((local, self.workers[local].wait()))

    def _lost(self) -> int | None:
        """A worker that has ended without leaving the job that others are in, or before it joined; see `departures`."""
        if not self.folder or not self.codes:
            return None
        files = {local: pathlib.Path(self.folder, f"rank_{self.first + local}") for local in range(len(self.workers))}
        states = {local: file.read_text() if file.is_file() else "" for local, file in files.items()}
        needed = any(states[local] in ("joining", "joined") for local in states if local not in self.codes)
        return next((local for local in self.codes if states[local] != "left"), None) if needed else None

    def _cause(self, failed: int) -> int:
        """The worker to name: a worker whose collective broke fails since another one has ended.

        That other one closes its connections before msrun can see its end, so this waits for it.
        """
        end = time.monotonic() + _CAUSE
        while _BROKEN.search(self._log_end(failed)) and (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, int):
                self.events.put(event)
                break
            local, self.codes[local] = event
            if self.codes[local]:
                failed = local
        return failed

    def _log(self, local: int) -> pathlib.Path:
        return self.args.log_dir / f"worker_{self.first + local}.log"

    def _log_end(self, local: int) -> str:
        return self._log(local).read_text("utf-8", "replace")[-2000:]

    def _failed(self, local: int, how: str) -> int:
        rank = self.first + local
        print(f"ms-compat msrun: worker {rank} {how}; its log, {self._log(local)}, ends:", file=sys.stderr)
        print(self._log_end(local), file=sys.stderr)
        return 1

    def _stop(self, number: int) -> int:
        """Forwards a signal, and lets the workers end by themselves for some seconds; a second signal ends them now."""
        for worker in self.workers:
            worker.send_signal(number)
        end = time.monotonic() + _POLITE
        while len(self.codes) < len(self.workers) and (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                break
            if isinstance(event, int):
                break
            self.codes[event[0]] = event[1]
        name = signal.Signals(number).name
        print(f"ms-compat msrun: ended {self.words()} because of {name}; their logs are {self.logs()}", file=sys.stderr)
        return 128 + number

    def _kill(self) -> None:
        """Ends what is left: after a failure or a signal with all the processes that the workers have started."""
        if self.guard is not None:
            if len(self.codes) < len(self.workers) or any(self.codes.values()):
                os.killpg(self.guard.pid, signal.SIGKILL)
            self.guard.kill()
            self.guard.communicate()
        for worker in self.workers:
            worker.kill()
            worker.wait()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
