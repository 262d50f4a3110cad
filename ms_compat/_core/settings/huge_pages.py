"""Huge pages for the arrays of `ms-compat run`.

XLA allocates the memory for a step's temporaries at each call. The C library gets large blocks from the system and
gives them back, so each step touches new pages: 645,000 page faults in twenty steps of a small GPT. With pages of 2 MiB
there were 52,000, and on a quiet machine a step took 211 ms instead of 255. glibc uses them if `GLIBC_TUNABLES` says so
when the process starts. Therefore `ms-compat run` replaces itself once, before it imports JAX, by the same command with
that variable. The process number, the files and the signals stay. Workers of msrun and Jupyter kernels are started
through this command as well; other processes that the program starts inherit the variable.

Importing ms_compat changes nothing here. `mallopt` could keep the freed memory instead (`M_MMAP_MAX=0` with a large
`M_TRIM_THRESHOLD`), with three quarters fewer page faults, but the process then grew from 490 to 740 MB and would
return no memory. Higher thresholds alone had no effect: the temporaries are larger than the highest one that glibc
accepts, 32 MiB.
"""

from __future__ import annotations

import os
import sys

VARIABLE = "GLIBC_TUNABLES"
SETTING = "glibc.malloc.hugetlb=1"
SWITCH = "MS_COMPAT_HUGE_PAGES"
_OLDEST = (2, 35)
_SYSTEM = "/sys/kernel/mm/transparent_hugepage/enabled"
_ENTRY = os.path.join("cli", "_started", "entry.py")


def restart_command() -> None:
    """Start `ms-compat run` again with huge pages, unless they would have no effect or the user has decided."""
    if not _is_run() or why_not() is not None:
        return
    os.environ[VARIABLE] = SETTING
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:  # a sandbox may forbid it; the program runs without, as before
        del os.environ[VARIABLE]


def why_not() -> str | None:
    """Why `ms-compat run` leaves the pages as they are; None if it uses huge ones."""
    if VARIABLE in os.environ:
        return f"{VARIABLE} is set"
    if os.environ.get(SWITCH) == "0":
        return f"{SWITCH} is 0"
    if _glibc() < _OLDEST:
        return f"the C library is not glibc {'.'.join(map(str, _OLDEST))} or later"
    if not _on_request():
        return "the system does not offer them on request"
    return None


def described() -> str:
    """What `ms-compat doctor` shows."""
    if SETTING in os.environ.get(VARIABLE, ""):
        return f"on ({VARIABLE}={os.environ[VARIABLE]})"
    reason = why_not()
    return f"'ms-compat run' sets {VARIABLE}={SETTING}" if reason is None else f"off: {reason}"


def _glibc() -> tuple[int, ...]:
    """The version of glibc; (0,) for another C library."""
    try:
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
        return tuple(int(part) for part in version.split(".")[:2]) if name == "glibc" else (0,)
    except (AttributeError, OSError, ValueError):  # Windows has no such function, and other libraries no such name
        return (0,)


def _on_request() -> bool:
    """Whether Linux gives huge pages to a process that asks. If it always does, glibc does not ask."""
    try:
        with open(_SYSTEM, encoding="ascii") as file:
            return "[madvise]" in file.read()
    except OSError:
        return False


def _is_run() -> bool:
    """Whether this process was started as `ms-compat run`, `python -m ms_compat run`, or through `entry.py`.

    `sys.argv` must still agree with the process's command line. A program that calls the command's function, or a
    debugger that runs it, cannot be started again in this way.
    """
    words = sys.argv[1:]
    if words[:1] != ["run"] or sys.orig_argv[-len(words) :] != words or not sys.executable:
        return False
    before, program = sys.orig_argv[: -len(words)], sys.argv[0]
    if program == "-m":
        return before[-2:] == ["-m", "ms_compat"]
    if program.endswith(_ENTRY):  # which takes its own first argument out of `sys.argv`
        return len(before) > 1 and before[-2] == program
    return os.path.basename(program) == "ms-compat" and before[-1] == program
