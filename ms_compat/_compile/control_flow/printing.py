"""Printing from compiled code: at every run of the program, in the layout of MindSpore's compiled `print`.

Python's `print` is a builtin that a trace would call once. While a trace is open another one stands in its place, which
puts the user's calls into the program and passes all others on: those of other threads, of libraries, of this package.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.control_flow.convert import is_users_module
from ms_compat._compile.signature import build, split
from ms_compat._core import state
from ms_compat._core.parameter import Parameter
from ms_compat._core.printing import run_time_lines
from ms_compat._core.tensor import Tensor, wrap

_plain = builtins.print
_lock = threading.Lock()
_open = 0


@contextlib.contextmanager
def prints_at_run_time() -> Iterator[None]:
    """For the time of a trace, let the user's `print` show what the program computes whenever it runs."""
    global _open, _plain
    with _lock:
        if not _open:
            _plain, builtins.print = builtins.print, traced_print
        _open += 1
    try:
        yield
    finally:
        with _lock:
            _open -= 1
            if not _open:
                builtins.print = _plain


def traced_print(*args: Any, **kwargs: Any) -> None:
    """What stands in the place of `print` while a trace is open."""
    if state.current_scope() is not None and is_users_module(sys._getframe(1).f_globals.get("__name__")):
        print_at_run_time(*args, **kwargs)
    else:
        _plain(*args, **kwargs)


def print_at_run_time(*args: Any, **kwargs: Any) -> None:
    """`print(*args)` of a traced call; keywords of Python's `print` ask for its format.

    The calls of a program print in their order, for which JAX has a way on one device only, and none under `vmap`.
    """
    leaves: list[Any] = []
    spec = split(tuple([_read(a) if isinstance(a, Parameter) else a for a in args]), leaves)

    def show(*arrays: Any) -> None:
        values = build(spec, iter([wrap(jnp.asarray(a)) for a in arrays]))
        if kwargs:
            _plain(*values, **kwargs)
        else:
            _plain("\n".join([line for value in values for line in run_time_lines(value)]))

    arrays = [leaf._v if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    try:
        jax.debug.callback(show, *arrays, ordered=jax.device_count() == 1)
    except ValueError:  # under vmap
        jax.debug.callback(show, *arrays)


def _read(parameter: Parameter) -> Tensor:
    """The value that a Parameter has at this point of the program."""
    scope = state.current_scope()
    if scope is not None:
        scope.note_read(parameter)
    return wrap(parameter._v)
