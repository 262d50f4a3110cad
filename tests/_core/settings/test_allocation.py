"""`ms-compat run` starts again to allocate otherwise: once, as the same process, never against users' settings."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import ms_compat
from ms_compat._core.settings import allocation

ROOT = str(pathlib.Path(ms_compat.__file__).parents[1])
ENTRY = str(pathlib.Path(ROOT, "ms_compat", "cli", "_started", "entry.py"))
SETTING = f"{allocation.HUGE_PAGES}:{allocation.ONE_HEAP}"


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine on which huge pages are of use; gives the calls of `execv`."""
    for name in ("GLIBC_TUNABLES", *allocation.SWITCHES.values()):
        monkeypatch.setenv(name, "")  # so that what the test sets is removed again
        monkeypatch.delenv(name)
    offered = tmp_path / "enabled"
    offered.write_text("always [madvise] never\n")
    monkeypatch.setattr(allocation, "_SYSTEM", str(offered))
    monkeypatch.setattr(os, "confstr", lambda name: "glibc 2.36")
    calls = []
    monkeypatch.setattr(os, "execv", lambda *call: calls.append((*call, os.environ["GLIBC_TUNABLES"])))
    return calls


def started(monkeypatch, argv, before):
    """Sets the arguments of this process: as the program sees them, and what comes before them on the command line."""
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "orig_argv", [*before, *argv[1:]])
    allocation.restart_command()


COMMANDS = {
    "module": (["-m", "run", "a.py", "-m", "x"], ["python", "-X", "dev", "-m", "ms_compat"]),
    "script": (["/bin/ms-compat", "run", "-c", "print('a b')"], ["/bin/python", "/bin/ms-compat"]),
    "entry": ([ENTRY, "run", "a.py"], ["python", ENTRY, ROOT]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_is_started_again_with_its_arguments(name, machine, monkeypatch):
    argv, before = COMMANDS[name]
    started(monkeypatch, argv, before)
    assert machine == [(sys.executable, [sys.executable, *before[1:], *argv[1:]], SETTING)]
    allocation.restart_command()
    assert len(machine) == 1  # the variable is set now
    for setting in allocation.SWITCHES:
        assert allocation.described(setting) == f"on (GLIBC_TUNABLES={SETTING})"


@pytest.mark.parametrize(
    "argv, before",
    [
        (["-m", "doctor"], ["python", "-m", "ms_compat"]),
        (["-m", "run", "a.py"], ["python", "-m", "other"]),
        (["train.py", "run"], ["python", "train.py"]),
        (["ms-compat", "run", "a.py"], ["python", "train.py", "run", "b.py"]),  # a program that calls the command
        (["/bin/ms-compat", "run", "a.py"], ["python", "-m", "debugger"]),
        (["-c"], ["python", "-c", "import ms_compat"]),
        ([""], ["python"]),
    ],
)
def test_other_processes_are_left_alone(argv, before, machine, monkeypatch):
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "orig_argv", before if before[-1] == "debugger" else [*before, *argv[1:]])
    if argv[0] == "ms-compat":
        monkeypatch.setattr(sys, "orig_argv", before)
    allocation.restart_command()
    assert not machine and "GLIBC_TUNABLES" not in os.environ


BOTH, HUGE, HEAP = (allocation.HUGE_PAGES, allocation.ONE_HEAP), (allocation.HUGE_PAGES,), (allocation.ONE_HEAP,)


@pytest.mark.parametrize(
    "change, off, reason",
    [
        (lambda patch: patch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0"), BOTH, "GLIBC_TUNABLES is set"),
        (lambda patch: patch.setenv("GLIBC_TUNABLES", ""), BOTH, "GLIBC_TUNABLES is set"),
        (lambda patch: patch.setenv("MS_COMPAT_HUGE_PAGES", "0"), HUGE, "MS_COMPAT_HUGE_PAGES is 0"),
        (lambda patch: patch.setenv("MS_COMPAT_ONE_HEAP", "0"), HEAP, "MS_COMPAT_ONE_HEAP is 0"),
        (lambda patch: patch.setattr(os, "confstr", lambda name: "glibc 2.34"), HUGE, "not glibc 2.35 or later"),
        (lambda patch: patch.setattr(os, "confstr", lambda name: "glibc 2.25"), HEAP, "not glibc 2.26 or later"),
        (lambda patch: patch.setattr(os, "confstr", lambda name: None), BOTH, "not glibc 2."),
        (lambda patch: patch.delattr(os, "confstr"), BOTH, "not glibc 2."),
        (lambda patch: patch.setattr(allocation, "_SYSTEM", os.devnull), HUGE, "does not offer them on request"),
        (lambda patch: patch.setattr(allocation, "_SYSTEM", "/nowhere"), HUGE, "does not offer them on request"),
    ],
)
def test_users_and_other_systems_keep_their_settings(change, off, reason, machine, monkeypatch):
    for setting in BOTH:
        assert allocation.described(setting) == f"'ms-compat run' sets GLIBC_TUNABLES={SETTING}"
    change(monkeypatch)
    before = os.environ.get("GLIBC_TUNABLES")
    left = ":".join([setting for setting in BOTH if allocation.why_not(setting) is None])
    assert all([setting not in left for setting in off])
    for setting in off:
        assert reason in allocation.described(setting)
    started(monkeypatch, *COMMANDS["module"])
    assert [call[-1] for call in machine] == ([left] if left else [])
    assert os.environ.get("GLIBC_TUNABLES") == (left or before)


def test_a_restart_that_the_system_forbids_changes_nothing(machine, monkeypatch):
    def refuse(*call):
        raise PermissionError("no")

    monkeypatch.setattr(os, "execv", refuse)
    started(monkeypatch, *COMMANDS["module"])
    assert "GLIBC_TUNABLES" not in os.environ


# Each step has a new thread, and three blocks of 34 MiB and five of 2 MiB that are alive at once, as arrays are. Prints
# the page faults of the last step.
STEPS = """
import ctypes, resource, threading
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes, libc.free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]

def step():
    blocks = [(libc.malloc(size << 20), size << 20) for size in (34, 34, 34, 2, 2, 2, 2, 2)]
    for block, size in blocks:
        libc.memset(block, 1, size)
    for block, _ in reversed(blocks):
        libc.free(block)

def step_in_thread():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    thread = threading.Thread(target=step)
    thread.start()
    thread.join()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print([step_in_thread() for _ in range(4)][-1])
"""


def test_the_next_step_gets_the_pages_of_the_last_one():
    if allocation._glibc() < allocation._OLDEST[allocation.ONE_HEAP]:
        pytest.skip("another C library")
    environment = {**os.environ, "GLIBC_TUNABLES": allocation.ONE_HEAP}
    command = [sys.executable, "-S", "-c", STEPS]
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(out) < 500  # of 28,672 pages


PROGRAM = """\
import json, os, sys
print(json.dumps([os.getpid(), sys.argv, os.environ.get("GLIBC_TUNABLES"), sys.stdin.readline()]), flush=True)
if sys.stdin.readline() == "exit":
    sys.exit(7)
os.kill(os.getpid(), {signal})
"""


@pytest.mark.skipif(os.name == "nt", reason="the command restarts on Linux only")
@pytest.mark.parametrize("word, status", [("exit", 7), ("signal", -signal.SIGTERM)])
def test_number_arguments_input_signals_and_status_pass_through(word, status, tmp_path, monkeypatch):
    (tmp_path / "a.py").write_text(PROGRAM.format(signal=int(signal.SIGTERM)))
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    expected = allocation.settings() or None
    process = subprocess.Popen(
        [sys.executable, "-m", "ms_compat", "run", "--no-check", "a.py", "x y", "-m"],
        env={**os.environ, "PYTHONPATH": ROOT, "JAX_PLATFORMS": "cpu"},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = process.communicate(f"hello\n{word}", timeout=300)
    assert json.loads(out) == [process.pid, ["a.py", "x y", "-m"], expected, "hello\n"]
    assert process.returncode == status
