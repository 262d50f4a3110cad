"""`assert` and `raise` on values that are known at run time only.

The compiled program reports through a host callback. The compiled function reads the reports when it has run (only
programs with such checks wait for their callbacks) and then raises the user's exception. The program still computes
what follows, but no result reaches a Parameter (`write_barrier.note_failure`).
"""

from __future__ import annotations

import threading
from typing import Any

import jax

from ms_compat._core.diagnostics import tracebacks
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.trace import scopes, write_barrier

COMPILE_ERRORS = (TypeError, AttributeError, NameError, ImportError, SyntaxError, UnsupportedError, RecursionError)

_lock = threading.Lock()
_failures: list[BaseException] = []


def _note_checks() -> None:
    scope = scopes.current_scope()
    while scope is not None:
        scope.checks = True
        scope = scope.outer


def fail_at_run_time(error: BaseException) -> None:
    """Raise `error` after the program has run, if this place is reached."""
    _note_checks()
    error.__traceback__ = tracebacks.without_values(error.__traceback__)

    def report():
        with _lock:
            _failures.append(error)

    jax.debug.callback(report)
    write_barrier.note_failure(True)


def check_at_run_time(holds: Any, message: Any, error: type[Exception] = AssertionError) -> None:
    """Raise `error(message)` after the program has run, if `holds` (a 0-d bool array) is false."""
    _note_checks()

    def report(ok):
        if not ok:
            with _lock:
                _failures.append(error(message))

    jax.debug.callback(report, holds)
    write_barrier.note_failure(jax.numpy.logical_not(jax.numpy.all(holds)))


def raise_reported() -> None:
    """Wait for the callbacks of programs that have run and raise the first failure."""
    jax.effects_barrier()
    with _lock:
        if not _failures:
            return
        error = _failures[0]
        _failures.clear()
    raise error.with_traceback(tracebacks.without_values(error.__traceback__))  # without frames of earlier reports
