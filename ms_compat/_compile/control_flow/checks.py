"""`assert` and `raise` on values that are known at run time only.

The compiled program reports through a host callback. The compiled function reads the reports when it has run (only
programs with such checks wait for their callbacks) and then raises the user's exception. The program still computes
what follows, but no result reaches a Parameter (`write_barrier.note_failure`).
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import jax

from ms_compat._core.diagnostics import tracebacks
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.trace import scopes, write_barrier

COMPILE_ERRORS = (TypeError, AttributeError, NameError, ImportError, SyntaxError, UnsupportedError, RecursionError)

_lock = threading.Lock()
_failures: list[BaseException] = []


def _note_checks() -> None:
    current = scopes.current_scope()
    if current is not None:
        for scope in current.around():
            scope.checks = True


def fail_at_run_time(error: BaseException) -> None:
    """Raise `error` after the program has run, if this place is reached."""
    _note_checks()
    error.__traceback__ = tracebacks.without_values(error.__traceback__)

    jax.debug.callback(lambda: report_from_host(error))
    write_barrier.note_failure(True)


def check_at_run_time(holds: Any, message: Any, error: type[Exception] = AssertionError) -> None:
    """Raise `error(message)` after the program has run, if `holds` (a 0-d bool array) is false.

    Outside of compiled functions, where JAX transforms values that exist (`ops.vmap`), it is raised here.
    """
    if not are_reports_read():
        with raised_on_host() as came:

            def raise_there(ok):
                if not ok:
                    came[:] = [error(message)]
                    raise came[0]

            jax.debug.callback(raise_there, holds)
            jax.effects_barrier()
        return
    _note_checks()

    def report(ok):
        if not ok:
            report_from_host(error(message))

    jax.debug.callback(report, holds)
    write_barrier.note_failure(jax.numpy.logical_not(jax.numpy.all(holds)))


def are_reports_read() -> bool:
    """Whether a compiled function is being traced, which calls `raise_reported` when it has run."""
    scope = scopes.current_scope()
    return scope is not None and scope.failed is not None


@contextlib.contextmanager
def raised_on_host() -> Iterator[list[BaseException]]:
    """Raise the error that a host callback has put into the list, in place of what JAX raises for it."""
    came: list[BaseException] = []
    try:
        yield came
    except jax.errors.JaxRuntimeError:
        if not came:
            raise
    if came:
        raise came[0]


def report_from_host(error: BaseException) -> None:
    """Raise `error`, which user Python on the host has raised, after the program has run.

    The program calls `await_host` with what that Python returned.
    """
    with _lock:
        _failures.append(error)


def await_host(failed: Any) -> None:
    """Wait, when the program has run, for a host callback that may report an error.

    Args:
        failed: a 0-d bool array that the callback returns: whether it did.
    """
    _note_checks()
    jax.debug.callback(lambda failed: None, failed)  # `raise_reported` waits for this one, which waits for `failed`
    write_barrier.note_failure(failed)


def raise_reported() -> None:
    """Wait for the callbacks of programs that have run and raise the first failure."""
    jax.effects_barrier()
    with _lock:
        if not _failures:
            return
        error = _failures[0]
        _failures.clear()
    raise error.with_traceback(tracebacks.without_values(error.__traceback__))  # without frames of earlier reports
