"""Python programs in processes of their own, for what stays for the life of a process."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import prepared

ROOT = Path(__file__).parents[1]


def run(
    *arguments: str, timeout: float = 600, real: bool = False, **variables: str | None
) -> subprocess.CompletedProcess:
    """Run Python without warnings in the repository's folder, and keep what it writes.

    Args:
        arguments: what follows `python`, such as "-m" and a module.
        timeout: seconds.
        real: never a forked process (`prepared.py`), in which NumPy's products use one thread.
        variables: of the environment, beside those of this process; None takes one out.
    """
    given = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    with contextlib.nullcontext() if real else prepared.forking():
        return subprocess.run(
            [sys.executable, "-W", "ignore", *arguments],
            cwd=ROOT,
            env={name: value for name, value in given.items() if value is not None},
            capture_output=True,
            text=True,
            timeout=timeout,
        )


def told(*arguments: str, timeout: float = 600, real: bool = False, **variables: str | None) -> Any:
    """What a program prints as JSON; fails with its errors if it does not end well."""
    done = run(*arguments, timeout=timeout, real=real, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
