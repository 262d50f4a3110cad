"""Run recording jobs in child processes: a case that aborts the interpreter costs one case, not the recording.

A recorder script calls `run(__file__, jobs)` in its parent process and `serve(evaluate)` when it was started with
`--worker`. The child reads the jobs from a file, prints one marked JSON line a case and is started again
after the case that killed it; that case is recorded as `{"error": "ABORT"}`. A case that hangs is killed by the clock.
"""

import datetime
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path


def header() -> dict[str, str]:
    """What every recording begins with: the version of the MindSpore that is asked, and the date."""
    return {"mindspore": importlib.metadata.version("mindspore"), "recorded": datetime.date.today().isoformat()}


ROOT = Path(__file__).resolve().parents[3]
MARK = "@@case "
QUIET = {"GLOG_v": "4", "PYTHONWARNINGS": "ignore"}


def run(script: str, jobs: list, seconds: float = 60.0) -> list:
    """Evaluate `jobs` (anything JSON can hold) in children of `script`; returns one outcome a job, in order."""
    done: list = [None] * len(jobs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.json"
        path.write_text(json.dumps(jobs))
        start = 0
        while start < len(jobs):
            command = [sys.executable, "-m", __package__, Path(script).stem, "--worker", str(path), str(start)]
            child = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                text=True,
                env={**os.environ, **QUIET, "PYTHONPATH": str(ROOT)},
            )
            reached = start
            clock = threading.Timer(seconds, child.kill)
            clock.start()
            for line in child.stdout:
                if not line.startswith(MARK):
                    continue
                clock.cancel()
                clock = threading.Timer(seconds, child.kill)
                clock.start()
                index, outcome = json.loads(line[len(MARK) :])
                done[index] = outcome
                reached = index + 1
            clock.cancel()
            child.wait()
            if reached < len(jobs):
                sys.stderr.write(f"case {reached} ended the process: {jobs[reached]}\n")
                done[reached] = {"error": "ABORT", "message": ""}
                reached += 1
            start = reached
    return done


def settle(ms) -> None:
    """Wait for MindSpore's queue and drop what it still has to complain about: an error may surface one case late."""
    for _ in range(8):
        try:
            ms.runtime.synchronize()
            (ms.Tensor([1.0, 2.0]) + ms.Tensor([1.0, 2.0])).asnumpy()
            return
        except Exception:  # the late error of the case before; its own record is made already
            continue


def stable(evaluate, ms):
    """`evaluate`, repeated until two outcomes in a row agree, with the queue emptied in between."""

    def wrapped(job):
        settle(ms)
        before = None
        for _ in range(5):
            outcome = evaluate(job)
            settle(ms)
            if before is not None and {**outcome, "message": ""} == {**before, "message": ""}:
                return outcome
            before = outcome
        sys.stderr.write(f"unstable: {job}\n")
        return {**before, "unstable": True}

    return wrapped


def serve(evaluate) -> bool:
    """In a child: evaluate the jobs from the given index on and return True; elsewhere return False."""
    if len(sys.argv) != 4 or sys.argv[1] != "--worker":
        return False
    jobs = json.loads(Path(sys.argv[2]).read_text())
    out = os.fdopen(os.dup(1), "w")  # user-level prints of a case must not end inside a marked line
    for index in range(int(sys.argv[3]), len(jobs)):
        outcome = evaluate(jobs[index])
        out.write("\n" + MARK + json.dumps([index, outcome]) + "\n")
        out.flush()
    out.close()
    sys.stdout.flush()
    os._exit(0)


def write(path: Path, body: dict) -> None:
    """Write a recording, one case a line, with the version and the date in front."""
    parts = [f'"{key}": {json.dumps(value)}' for key, value in header().items()]
    for key, value in body.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n  ".join(json.dumps(row) for row in value)
            parts.append(f'"{key}": [\n  {rows}\n ]')
        elif isinstance(value, dict) and value and all(isinstance(v, (dict, list)) for v in value.values()):
            rows = ",\n  ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            parts.append(f'"{key}": {{\n  {rows}\n }}')
        else:
            parts.append(f'"{key}": {json.dumps(value)}')
    path.write_text("{\n " + ",\n ".join(parts) + "\n}\n")


def one_line(error: BaseException, limit: int = 300) -> str:
    """The user-facing part of a MindSpore message: what stands before its C++ call stack."""
    return str(error).split("\n\n----")[0].strip()[:limit]
