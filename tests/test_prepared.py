"""A program in a forked process shows what a real process shows, and a real one runs what a forked one could not."""

import os
import signal
import subprocess
import sys

import pytest

from tests import prepared

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere each process is a real one")
SHOWS = """
import os, sys
print(sys.argv, sys.path, sys.orig_argv, sys.warnoptions, __name__, __package__, os.getcwd(), os.environ["MARK"])
print(sys.stdin.read(), file=sys.stderr)
"""
IMPORTED = "import sys; sys.exit('ms_compat.ops' in sys.modules)"


def environment(**variables):
    return {**prepared.environment_of_tests, "PYTHONPATH": str(prepared.ROOT), "JAX_PLATFORMS": "cpu", **variables}


def forked(*arguments, cwd=prepared.ROOT, timeout=600, given=None, **variables):
    return prepared.run(arguments, cwd=cwd, env=environment(**variables), timeout=timeout, input=given)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", SHOWS, "a", "-b"),
        ("-W", "ignore", "-c", SHOWS),
        ("-m", "shown", "a"),
        ("-m", "nowhere"),
        ("-c", "def f():\n    raise KeyError(3)\nf()"),
        ("-c", "def f(:"),
        ("-c", "import sys; sys.exit('why')"),
        ("-c", "import sys; sys.exit(7)"),
        ("-c", "import atexit; atexit.register(print, 'end'); print('begin')"),
        ("-c", f"import os; print('lost'); os.kill(os.getpid(), {signal.SIGTERM.value})"),
        ("-c", "import threading; threading.Timer(0.01, print, ['late']).start()"),
    ],
    ids=str,
)
def test_it_shows_what_a_real_process_shows(arguments, tmp_path):
    (tmp_path / "shown.py").write_text(SHOWS)
    variables = environment(MARK="x", PYTHONPATH=os.pathsep.join(["here", str(prepared.ROOT)]))
    real = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, env=variables, input="given", capture_output=True, text=True
    )
    found = prepared.run(arguments, cwd=tmp_path, env=variables, timeout=600, input="given")
    assert vars(found) == vars(real)


def test_the_package_is_imported_and_computes():
    assert forked("-c", IMPORTED).returncode == 1
    done = forked("-c", "import ms_compat as ms; print(ms.Tensor([1.0]) + 1)")
    assert (done.stdout, done.stderr) == ("[2.]\n", "")


def test_each_process_draws_numbers_of_its_own():
    program = "import random, numpy, ms_compat as ms; print(random.random(), numpy.random.rand(), ms.ops.rand(1))"
    first, second = (forked("-c", program).stdout.split() for _ in range(2))
    assert len(first) == 3 and all(one != other for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (("-c", IMPORTED), {"MS_COMPAT_COLD_TIER": "0"}),  # read by ms_compat
        (("-c", IMPORTED), {"JAX_ENABLE_X64": "1"}),  # by JAX
        (("-c", IMPORTED), {"OMP_NUM_THREADS": "3"}),  # by libraries
        (("-I", "-c", IMPORTED), {}),
    ],
)
def test_a_real_process_runs_what_starts_otherwise(arguments, variables):
    assert forked(*arguments, **variables).returncode == 0


def test_a_process_that_takes_too_long_is_killed():
    with pytest.raises(subprocess.TimeoutExpired):
        forked("-c", "import time; time.sleep(600)", timeout=0.1)
