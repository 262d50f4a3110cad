"""How the C library allocates the arrays of `ms-compat run`.

XLA allocates the memory for a step's temporaries and results at each call. The C library gets large blocks from the
system and gives them back, so each step touches new pages, which the system finds and clears: 12,000 in a step of a GPT
with one layer. glibc can do better if `GLIBC_TUNABLES` says so when the process starts:

* Pages of 2 MiB, where the system has them: fewer are touched.
* One heap for all threads, which maps no block apart and keeps up to `_KEPT` bytes that are free at its end: the next
  step gets the same pages again. With a heap for each thread, as by default, XLA's threads return theirs after each
  step. `mallopt` could set this later, but not for threads that have a heap.
  The price: what is free below blocks in use stays with the process, for its later blocks.

Medians of that GPT's steps, in GRAPH_MODE and in PYNATIVE_MODE: 105 and 90 ms by default, 81 and 98 with huge pages, 72
and 80 with both, and the process holds 480 MB in place of 600 (two cores of an AMD EPYC).

Therefore `ms-compat run` replaces itself once, before it imports JAX, by the same command with that variable. The
process number, the files and the signals stay. Workers of msrun and Jupyter kernels are started through this command as
well; other processes that the program starts inherit the variable. Importing ms_compat changes nothing here.
"""

from __future__ import annotations

import os
import sys

VARIABLE = "GLIBC_TUNABLES"
_KEPT = 512 << 20
HUGE_PAGES = "glibc.malloc.hugetlb=1"
ONE_HEAP = f"glibc.malloc.arena_max=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold={_KEPT}"
SWITCHES = {HUGE_PAGES: "MS_COMPAT_HUGE_PAGES", ONE_HEAP: "MS_COMPAT_ONE_HEAP"}
_OLDEST = {HUGE_PAGES: (2, 35), ONE_HEAP: (2, 26)}
_SYSTEM = "/sys/kernel/mm/transparent_hugepage/enabled"
_ENTRY = os.path.join("cli", "_started", "entry.py")


def restart_command() -> None:
    """Start `ms-compat run` again with these settings, unless they would have no effect or the user has decided."""
    if not _is_run() or not (found := settings()):
        return
    os.environ[VARIABLE] = found
    try:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    except OSError:  # a sandbox may forbid it; the program runs without, as before
        del os.environ[VARIABLE]


def settings() -> str:
    """What `ms-compat run` sets the variable to; empty if it leaves allocation as it is."""
    return ":".join([setting for setting in SWITCHES if why_not(setting) is None])


def why_not(setting: str) -> str | None:
    """Why `ms-compat run` does not set this; None if it does."""
    if VARIABLE in os.environ:
        return f"{VARIABLE} is set"
    if os.environ.get(SWITCHES[setting]) == "0":
        return f"{SWITCHES[setting]} is 0"
    if _glibc() < _OLDEST[setting]:
        return f"the C library is not glibc {'.'.join(map(str, _OLDEST[setting]))} or later"
    if setting == HUGE_PAGES and not _on_request():
        return "the system does not offer them on request"
    return None


def described(setting: str) -> str:
    """What `ms-compat doctor` shows."""
    if setting in os.environ.get(VARIABLE, ""):
        return f"on ({VARIABLE}={os.environ[VARIABLE]})"
    reason = why_not(setting)
    return f"'ms-compat run' sets {VARIABLE}={settings()}" if reason is None else f"off: {reason}"


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
