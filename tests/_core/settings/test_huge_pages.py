"""`ms-compat run` starts itself again for huge pages: once, as the same process, never against users' settings."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

import ms_compat
from ms_compat._core.settings import huge_pages

ROOT = str(pathlib.Path(ms_compat.__file__).parents[1])
ENTRY = str(pathlib.Path(ROOT, "ms_compat", "cli", "_started", "entry.py"))
SETTING = "glibc.malloc.hugetlb=1"


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """A machine on which huge pages are of use; gives the calls of `execv`."""
    for name in ("GLIBC_TUNABLES", "MS_COMPAT_HUGE_PAGES"):
        monkeypatch.setenv(name, "")  # so that what the test sets is removed again
        monkeypatch.delenv(name)
    offered = tmp_path / "enabled"
    offered.write_text("always [madvise] never\n")
    monkeypatch.setattr(huge_pages, "_SYSTEM", str(offered))
    monkeypatch.setattr(os, "confstr", lambda name: "glibc 2.36")
    calls = []
    monkeypatch.setattr(os, "execv", lambda *call: calls.append((*call, os.environ["GLIBC_TUNABLES"])))
    return calls


def started(monkeypatch, argv, before):
    """Sets the arguments of this process: as the program sees them, and what comes before them on the command line."""
    monkeypatch.setattr(sys, "argv", argv)
    monkeypatch.setattr(sys, "orig_argv", [*before, *argv[1:]])
    huge_pages.restart_command()


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
    huge_pages.restart_command()
    assert len(machine) == 1  # the variable is set now
    assert huge_pages.described() == f"on (GLIBC_TUNABLES={SETTING})"


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
    huge_pages.restart_command()
    assert not machine and "GLIBC_TUNABLES" not in os.environ


@pytest.mark.parametrize(
    "change, reason",
    [
        (lambda patch: patch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0"), "GLIBC_TUNABLES is set"),
        (lambda patch: patch.setenv("GLIBC_TUNABLES", ""), "GLIBC_TUNABLES is set"),
        (lambda patch: patch.setenv("MS_COMPAT_HUGE_PAGES", "0"), "MS_COMPAT_HUGE_PAGES is 0"),
        (lambda patch: patch.setattr(os, "confstr", lambda name: "glibc 2.34"), "not glibc 2.35 or later"),
        (lambda patch: patch.setattr(os, "confstr", lambda name: None), "not glibc 2.35 or later"),
        (lambda patch: patch.delattr(os, "confstr"), "not glibc 2.35 or later"),
        (lambda patch: patch.setattr(huge_pages, "_SYSTEM", os.devnull), "does not offer them on request"),
        (lambda patch: patch.setattr(huge_pages, "_SYSTEM", "/nowhere"), "does not offer them on request"),
    ],
)
def test_users_and_other_systems_keep_their_settings(change, reason, machine, monkeypatch):
    assert huge_pages.described() == f"'ms-compat run' sets GLIBC_TUNABLES={SETTING}"
    change(monkeypatch)
    before = os.environ.get("GLIBC_TUNABLES")
    started(monkeypatch, *COMMANDS["module"])
    assert not machine and os.environ.get("GLIBC_TUNABLES") == before
    assert reason in huge_pages.described()


def test_a_restart_that_the_system_forbids_changes_nothing(machine, monkeypatch):
    def refuse(*call):
        raise PermissionError("no")

    monkeypatch.setattr(os, "execv", refuse)
    started(monkeypatch, *COMMANDS["module"])
    assert "GLIBC_TUNABLES" not in os.environ


PROGRAM = """\
import json, os, sys
print(json.dumps([os.getpid(), sys.argv, os.environ.get("GLIBC_TUNABLES"), sys.stdin.readline()]), flush=True)
if sys.stdin.readline() == "exit":
    sys.exit(7)
os.kill(os.getpid(), {signal})
"""


@pytest.mark.skipif(os.name == "nt", reason="the command restarts on Linux only")
@pytest.mark.parametrize("word, status", [("exit", 7), ("signal", -signal.SIGTERM)])
def test_number_arguments_input_signals_and_status_pass_through(word, status, tmp_path):
    (tmp_path / "a.py").write_text(PROGRAM.format(signal=int(signal.SIGTERM)))
    why_not = huge_pages.why_not()
    environment = {name: value for name, value in os.environ.items() if name != "GLIBC_TUNABLES"}
    process = subprocess.Popen(
        [sys.executable, "-m", "ms_compat", "run", "--no-check", "a.py", "x y", "-m"],
        env={**environment, "PYTHONPATH": ROOT, "JAX_PLATFORMS": "cpu"},
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    out, _ = process.communicate(f"hello\n{word}", timeout=300)
    expected = SETTING if why_not is None else None
    assert json.loads(out) == [process.pid, ["a.py", "x y", "-m"], expected, "hello\n"]
    assert process.returncode == status
