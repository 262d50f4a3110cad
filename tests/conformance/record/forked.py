"""Ask MindSpore in children that are forked before it has started its threads.

After some errors MindSpore refuses what it does in a new process. Forking makes a new one in a quarter of a second.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable

TOGETHER = 10  # jobs a child
SECONDS = 60.0  # for a job


def run(jobs: list, answer: Callable, ms, again: Callable[[dict], bool]) -> list[dict]:
    """One outcome a job, in order.

    Args:
        jobs: what `answer` takes.
        answer: (job, ms) -> an outcome that JSON can hold.
        ms: MindSpore, imported and not used yet.
        again: whether a job with this outcome is asked once more, in a child of its own.
    """
    found: dict[int, dict] = {}
    for start in range(0, len(jobs), TOGETHER):
        found |= _ask(jobs, list(range(start, min(start + TOGETHER, len(jobs)))), answer, ms)
    for at in range(len(jobs)):
        if at not in found or again(found[at]):
            found[at] = _ask(jobs, [at], answer, ms).get(at, {"error": "ABORT"})
    return [found[at] for at in range(len(jobs))]


def _ask(jobs: list, places: list[int], answer: Callable, ms) -> dict[int, dict]:
    """The outcomes of jobs in one child; those that a crash or the clock prevents are missing."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.close(reading)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        ms.set_context(pynative_synchronize=True)
        with os.fdopen(writing, "w") as out:
            for at in places:
                out.write(json.dumps([at, answer(jobs[at], ms)]) + "\n")
                out.flush()
        os._exit(0)
    os.close(writing)
    text, until = b"", time.monotonic() + SECONDS
    while until > time.monotonic():
        if select.select([reading], [], [], 1.0)[0]:
            found = os.read(reading, 1 << 16)
            if not found:
                break
            text, until = text + found, time.monotonic() + SECONDS
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return dict(json.loads(line) for line in text.decode().splitlines(keepends=True) if line.endswith("\n"))
