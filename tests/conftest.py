"""Keeps the memory of a long run in bounds: the suite compiles some thirty thousand programs, which JAX would keep.

Programs on disk are off: what a test finds must not hang on what the user's cache folder holds. `MS_COMPAT_CACHE=1`
lets a developer's runs share them.
"""

import ctypes
import gc
import os
import pathlib

import jax

os.environ.setdefault("MS_COMPAT_CACHE", "0")  # before anything imports ms_compat; processes of tests inherit it

LIMIT_BYTES = 3 << 30
CHECK_EVERY = 50  # tests
_STATM = pathlib.Path("/proc/self/statm")  # Linux; elsewhere nothing is forgotten
_tests = 0


def resident_bytes():
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pytest_runtest_logfinish():
    global _tests
    _tests += 1
    if _tests % CHECK_EVERY == 0 and _STATM.exists() and resident_bytes() > LIMIT_BYTES:
        jax.clear_caches()
        gc.collect()
        libc = ctypes.CDLL(None)
        if hasattr(libc, "malloc_trim"):  # glibc keeps freed memory for itself otherwise
            libc.malloc_trim(0)


def pytest_runtest_teardown(item, nextitem):
    """The mode is of the process: a file that leaves GRAPH_MODE behind must not change what the next one tests."""
    if nextitem is None or nextitem.path != item.path:
        from ms_compat._core import context  # not before the environment is set

        context.set_context(mode=context.PYNATIVE_MODE)
