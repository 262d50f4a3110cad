"""The fixtures `mode` and `graph`, and bounds for the memory of a run that compiles some thirty thousand programs.

Programs on disk are off: what a test finds must not hang on what the user's cache folder holds. `MS_COMPAT_CACHE=1`
lets a developer's runs share them.
"""

import ctypes
import gc
import os
import pathlib
import sys

from tests import fast_compile, prepared

# The recorded values are those of MindSpore's CPU kernels. JAX reads this when it is imported.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import pytest
from _pytest import runner

# Before anything imports ms_compat; processes of tests inherit both.
os.environ.setdefault("MS_COMPAT_CACHE", "0")
os.environ.setdefault("MS_COMPAT_ONEDNN", "0")  # recorded values are XLA's; tests of oneDNN run processes of their own
os.environ.setdefault("MS_COMPAT_BACKGROUND", "0")  # tests count programs and compare bits
# JAX cuts its frames out of each exception, also those that are caught; `hide_frames` turns this off for programs, too.
jax.config.update("jax_traceback_filtering", "off")
os.environ.pop("COLUMNS", None)  # tables that are printed into a pipe would be as narrow as the caller's terminal

_MACHINE = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
LIMIT_BYTES = max(3 << 30, min(_MACHINE // 5, 6 << 30))  # to forget all programs takes 5 s, and to compile them again
CHECK_EVERY = 50  # tests
SHORT = "test_tensor_oracle.py"  # whose tests take some milliseconds each
TESTS = pathlib.Path(__file__).parent
_STATM = pathlib.Path("/proc/self/statm")  # Linux; elsewhere nothing is forgotten
_tests = 0


def pytest_configure(config):
    """Most of the suite's time would go into compiling. `XLA_FLAGS= pytest`, and each other `-m`, compile as users do.

    XLA reads the variable with the first operation. Processes of tests inherit it.
    """
    if "not benchmark" in config.getoption("markexpr"):
        os.environ.setdefault("XLA_FLAGS", fast_compile.flags())
        fast_compile.share_contexts()


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    """The test in both modes; gives the mode."""
    import ms_compat as ms  # here as below: not before the environment is set

    chosen = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}[request.param]
    ms.set_context(mode=chosen)
    yield chosen
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.fixture
def graph():
    """The test in GRAPH_MODE."""
    import ms_compat as ms

    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is collected stays: looking for garbage in it took a quarter of the time of collecting (7 of 30 s)."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)  # with Python's 700 it took 3 % of the time of tests that trace programs
        gc.enable()


def pytest_collection_modifyitems(items):
    """Thousands of short tests come last, so that two workers of pytest-xdist end together: it was a minute."""
    items.sort(key=lambda item: item.path.name == SHORT)


def pytest_collection_finish():
    prepared.note_environment()


def pytest_runtest_protocol(item, nextitem):
    """In a worker of pytest-xdist: of a test that passes, send what its call reports, and not that it was set up, too.

    Reports of all three parts took up to 0.8 ms a test, a part of it in the process that waits for both workers.
    Options that print times get all three.
    """
    options = item.config.option
    printed = options.durations is not None or options.xmlpath or options.verbose > 1
    if printed or not hasattr(item.config, "workerinput"):
        return None  # pytest does it
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in runner.runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def resident_bytes():
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pytest_runtest_logfinish():
    global _tests
    _tests += 1
    if _tests % CHECK_EVERY == 0 and _STATM.exists() and resident_bytes() > LIMIT_BYTES:
        jax.clear_caches()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        libc = ctypes.CDLL(None)
        if hasattr(libc, "malloc_trim"):  # glibc keeps freed memory for itself otherwise
            libc.malloc_trim(0)


def pytest_runtest_teardown(item, nextitem):
    """What a test may not leave behind: GRAPH_MODE for another file, and a lock, for which other threads would wait."""
    scopes = sys.modules.get("ms_compat._core.trace.scopes")
    assert scopes is None or not scopes.lock._is_owned(), "a trace is left open, or its lock held"
    if nextitem is None or nextitem.path != item.path:
        from ms_compat._core.settings import context  # not before the environment is set

        context.set_context(mode=context.PYNATIVE_MODE)
        # What earlier files made stays: looking for garbage in it took a sixth of the suite's time.
        gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """Says it where the change is made: the tests of the coverage table itself are far from what they hang on."""
    from tests.coverage import table

    reports = [report for found in terminalreporter.stats.values() for report in found]
    ran = {TESTS.parent / nodeid.partition("::")[0] for nodeid in {getattr(r, "nodeid", "") for r in reports} if nodeid}
    if any("conformance" in path.parts for path in ran):
        ran.add(table.DEPARTURES)
    if len(ran) > 20:  # a run of the suite, which takes long enough
        return
    for path in table.unwritten(sorted(path for path in ran if path.is_file())):
        terminalreporter.write_line(
            f"{path.relative_to(TESTS.parent)} gives reasons that the coverage table has not: "
            "run python -m tests.coverage.table"
        )
