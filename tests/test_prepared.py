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
WAITS = "import sys; print('ms_compat.ops' in sys.modules, flush=True); input(); input()"
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
        ("shown.py", "a", "-b"),
        ("-W", "ignore", "./folder/shown.py"),
        ("fails.py",),
        ("nowhere.py",),
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
    (tmp_path / "folder").mkdir()
    for name in ("shown.py", "folder/shown.py"):
        (tmp_path / name).write_text(SHOWS + "print(__file__)")
    (tmp_path / "fails.py").write_text("def f():\n    raise KeyError(3)\nf()")
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


STARTS = f"""
import os, subprocess, sys
for arguments in (["-c", {IMPORTED!r}], ["-I", "-c", {IMPORTED!r}]):
    print(subprocess.run([sys.executable, *arguments]).returncode)
process = subprocess.Popen([sys.executable, "-c", "import os; print(os.getpid(), os.getpgid(0))"],
                           stdout=subprocess.PIPE, text=True, process_group=0)
print(process.communicate()[0].split() == [str(process.pid)] * 2, process.returncode)
"""


@pytest.mark.parametrize("nested", [False, True])
def test_programs_that_it_starts_are_forked_on_demand(nested):
    done = prepared.run(["-c", STARTS], cwd=prepared.ROOT, env=environment(), timeout=600, nested=nested)
    assert (done.stdout.split(), done.stderr) == ([str(int(nested)), "0", "True", "0"], "")


def test_variables_that_are_read_by_imports_may_be_given_before():
    given = {"MS_COMPAT_COLD_TIER": "0"}
    program = ["-c", IMPORTED.replace("'ms_compat.ops' in sys.modules", "int(os.environ['MS_COMPAT_COLD_TIER']) + 5")]
    program[1] = "import os; " + program[1]
    done = prepared.run(program, cwd=prepared.ROOT, env=environment(**given), timeout=600, begin=given)
    assert done.returncode == 5
    done = prepared.run(["-c", IMPORTED], cwd=prepared.ROOT, env=environment(**given), timeout=600, begin=given)
    assert done.returncode == 1


def test_a_program_is_a_child_of_this_process_and_takes_signals_and_input():
    with prepared.forking():
        process = subprocess.Popen(
            [sys.executable, "-c", WAITS],
            env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    with process:
        assert process.stdout.readline() == "True\n"
        process.stdin.write("\n")
        process.stdin.flush()
        process.send_signal(signal.SIGTERM)
        assert process.wait(600) == -signal.SIGTERM
