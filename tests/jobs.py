"""Jobs of several processes, started as MindSpore's msrun does. Each process writes its results to `<out>.<rank>`."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from tests import prepared

ROOT = Path(__file__).parents[1]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def addresses(workers):
    """The variables of a job of so many workers that all of its processes have."""
    return {"MS_WORKER_NUM": str(workers), "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": free_port()}


def started(module, *arguments, **variables):
    """A process that runs a module."""
    with prepared.forking():
        return subprocess.Popen(
            [sys.executable, "-m", module, *map(str, arguments)],
            cwd=ROOT,
            env={**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(ROOT), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )


def workers(count, module, *arguments, **variables):
    """The workers of a job."""
    variables = {"MS_ROLE": "MS_WORKER", **addresses(count), **variables}
    return [started(module, *arguments, RANK_ID=str(rank), **variables) for rank in range(count)]


def finished(jobs, out, timeout=900):
    """The results of processes, once all have ended without an error."""
    try:
        for job in jobs:
            text, _ = job.communicate(timeout=timeout)
            assert job.returncode == 0, text.decode()[-3000:]
    finally:
        for job in jobs:
            job.kill()  # JAX answers SIGTERM by a notice to the others
    return [json.loads(Path(f"{out}.{rank}").read_text()) for rank in range(len(jobs))]
