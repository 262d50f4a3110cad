"""Ranks that end while others still wait for them in a collective.

A collective needs every rank. If a rank leaves the job early (its script ends, or calls `release`), the others would
wait for ever. So each rank publishes, when it leaves, how many multi-process programs it has started. A thread in the
others compares: a program that this rank has started, and that one of its ranks will never start, cannot finish. If it
has not finished some seconds later, both ranks report it and the job ends. The rank that left ends first, so that
launchers blame it.

All messages go through the key-value store of JAX's coordinator. msrun cannot read the store; it reads from a file in
the coordinator's folder which ranks have joined and left.
"""

from __future__ import annotations

import atexit
import json
import logging
import os
import pathlib
import shutil
import sys
import threading
import time
from typing import Any

import jax

from ms_compat._core.diagnostics.source_lines import is_users_file
from ms_compat._core.jax_compat import coordination_client
from ms_compat._core.parallel.processes import Launch, launches

logger = logging.getLogger("ms_compat")

GRACE = 10.0  # seconds for a program that may do without the rank that left, such as a broadcast's pullback
PERIOD = 1.0  # seconds between two checks
_NOTICE = 60.0  # seconds after which a rank logs that it waits for the others to leave
_LAST_WORDS = 5.0  # seconds in which the rank that left may end before the ranks that wait for it
_LEFT, _STUCK = "ms_compat/left/", "ms_compat/stuck/"


class Deserted(RuntimeError):
    """This rank waits for a message from a rank that has left the job.

    Args:
        api: the function that waits.
        peer: the rank that left.
    """

    def __init__(self, api: str, peer: int) -> None:
        super().__init__(
            f"For '{api}', rank {peer} has left the job without sending the message that this rank waits for. Every "
            "message needs a sender and a receiver."
        )
        self.peer, self.where = peer, f"{api}{_users_place()}"


class _Membership:
    """This process's part in a job, from `join` to `leave`."""

    def __init__(self, rank: int, size: int) -> None:
        self.rank, self.size, self.process = rank, size, os.getpid()
        self.left = threading.Event()
        self.ends = False  # the watching thread is about to end this process
        self.since: dict[tuple[Any, ...], float] = {}
        self.thread = threading.Thread(target=self._watch, name="departures", daemon=True)

    def _watch(self) -> None:
        while not self.left.wait(PERIOD):
            try:
                stuck = self._stuck(_published(_LEFT))
            except jax.errors.JaxRuntimeError:  # the coordinator has ended; JAX reports this itself
                return
            if stuck is not None:
                self._end(*stuck)

    def _stuck(self, left: dict[int, Any]) -> tuple[Launch, list[int]] | None:
        """A program that has waited too long for ranks that left, and these ranks."""
        for ranks, launch in list(launches.items()) if left else ():
            counts = {rank: left[rank].get(_key(ranks), 0) for rank in ranks if rank in left}
            missing = [rank for rank, count in counts.items() if count < launch.count]
            if missing and not launch.is_finished():
                begin = self.since.setdefault((ranks, launch.count), time.monotonic())
                if time.monotonic() - begin >= GRACE:
                    return launch, missing
        return None

    def _end(self, launch: Launch, missing: list[int]) -> None:
        self.ends = True
        text = f"{launch.name}{_users_place()}"
        ended = " and ".join(map(str, missing))
        _say(
            f"rank {self.rank} waits in {text} for rank {ended}, whose script has already ended. "
            "Every rank must call the same collectives."
        )
        try:
            accuse(missing, text)
        finally:
            os._exit(1)

    def leave(self) -> None:
        """Publish that this rank calls no more collectives, and wait until all others have left, too."""
        self.left.set()
        if self.thread is not threading.current_thread():
            self.thread.join()
        client = coordination_client()
        counts = {_key(ranks): launch.count for ranks, launch in launches.items()}
        tell_msrun(self.rank, "left")
        client.key_value_set(f"{_LEFT}{self.rank}", json.dumps(counts))
        begin = time.monotonic()
        for peer in range(self.size):
            noted = False
            while not _is_set(f"{_LEFT}{peer}", PERIOD):
                self._answer_accusations()
                if time.monotonic() - begin > _NOTICE and not noted:
                    noted = True
                    logger.warning("rank %s has ended its script and waits for rank %s to end, too", self.rank, peer)
        folder = folder_of_job()
        if folder is not None and self.rank == 0:
            shutil.rmtree(folder, ignore_errors=True)  # msrun may have ended before

    def _answer_accusations(self) -> None:
        for rank, (missing, text) in _published(_STUCK).items():
            if self.rank in missing:
                _say(
                    f"rank {self.rank} has ended its script, but rank {rank} still waits for it in {text}. "
                    "Every rank must call the same collectives. The job ends."
                )
                os._exit(1)


_membership: _Membership | None = None


def join(rank: int, size: int) -> None:
    """Begin to watch for ranks that leave; JAX has connected this process to its coordinator."""
    global _membership
    tell_msrun(rank, "joined")
    _membership = _Membership(rank, size)
    _membership.thread.start()
    atexit.register(leave)  # runs before JAX's own end, which waits for the others without asking what they wait for


def leave() -> None:
    """Wait until all ranks leave; ends the process if another rank needs this one."""
    global _membership
    atexit.unregister(leave)
    membership, _membership = _membership, None
    if membership is not None and membership.process == os.getpid():  # and not in a process that was forked
        try:
            membership.leave()
        except jax.errors.JaxRuntimeError as error:  # the coordinator has ended; JAX's own end says why
            logger.debug("rank %s cannot wait for the others: %s", membership.rank, error)


def has_left(peer: int) -> bool:
    """Whether a rank has left the job."""
    return peer in _published(_LEFT)


def accuse(missing: list[int], text: str) -> None:
    """Notify ranks that have left that this one waits for them, and let them end first.

    Args:
        missing: these ranks.
        text: where this rank waits.
    """
    if _membership is not None:
        coordination_client().key_value_set(f"{_STUCK}{_membership.rank}", json.dumps([missing, text]))
        time.sleep(_LAST_WORDS)


def end_at_once(status: int, error: BaseException | None = None) -> None:
    """End a process that has joined a job without waiting for the others; do nothing in any other process.

    Args:
        status: the exit status.
        error: the uncaught error. If another rank caused it, that rank ends first.
    """
    if _membership is None:
        return
    sys.stdout.flush()
    sys.stderr.flush()
    if _membership.process != os.getpid():  # it was forked, and nobody waits for it
        pass
    elif isinstance(error, Deserted):
        accuse([error.peer], error.where)
    elif _membership.ends:
        time.sleep(_LAST_WORDS)
    elif isinstance(error, jax.errors.JaxRuntimeError):  # maybe a connection that broke when another rank ended
        time.sleep(PERIOD)
    os._exit(status)


def folder_of_job() -> pathlib.Path | None:
    """The folder that msrun made for a job on one machine; it holds the coordinator's socket and the ranks' states."""
    folder = os.environ.get("MS_COMPAT_JOB", "")
    return pathlib.Path(folder) if folder and os.path.isdir(folder) else None


def tell_msrun(rank: int, state: str) -> None:
    """Write a rank's state, "joining", "joined" or "left", for msrun."""
    folder = folder_of_job()
    if folder is not None:
        (folder / f"rank_{rank}").write_text(state)


def _key(ranks: tuple[int, ...]) -> str:
    return ",".join(map(str, ranks))


def _published(prefix: str) -> dict[int, Any]:
    found = coordination_client().key_value_dir_get(prefix)
    return {int(key.rpartition("/")[2]): json.loads(value) for key, value in found}


def _is_set(key: str, seconds: float) -> bool:
    try:
        coordination_client().blocking_key_value_get(key, int(seconds * 1000))
    except jax.errors.JaxRuntimeError as error:
        if "DEADLINE_EXCEEDED" in str(error):
            return False
        raise
    return True


def _users_place() -> str:
    """The main thread's location in the user's files."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and not is_users_file(frame.f_code.co_filename):
        frame = frame.f_back
    return "" if frame is None else f" ({frame.f_code.co_filename}, line {frame.f_lineno})"


def _say(text: str) -> None:
    print(f"ms_compat: {text}", file=sys.stderr, flush=True)
