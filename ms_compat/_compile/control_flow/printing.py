"""Printing from compiled code: at every run of the program, in the layout of MindSpore's compiled `print`.

Python's `print` is a builtin that a trace would call once. While a trace is open, a replacement puts the user's calls
into the program. It passes on all calls from other threads, libraries and this package.
"""

from __future__ import annotations

import builtins
import contextlib
import sys
from typing import Any

import jax
import jax.numpy as jnp

from ms_compat._compile.analysis.users import is_users_module
from ms_compat._core.refcounted_override import RefcountedOverride
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.printing import run_time_lines
from ms_compat._core.tensor.tree import flatten, unflatten
from ms_compat._core.trace import scopes


def prints_at_run_time() -> contextlib.AbstractContextManager[None]:
    """For the time of a trace, let the user's `print` show what the program computes whenever it runs."""
    return _print.on()


def traced_print(*args: Any, **kwargs: Any) -> None:
    """The replacement for `print` while a trace is open."""
    if scopes.current_scope() is not None and is_users_module(sys._getframe(1).f_globals.get("__name__")):
        print_at_run_time(*args, **kwargs)
    else:
        _print.former(*args, **kwargs)


_print = RefcountedOverride(builtins, "print", traced_print)


def print_at_run_time(*args: Any, **kwargs: Any) -> None:
    """`print(*args)` of a traced call; keywords of Python's `print` select its format.

    The calls of a program print in their order, for which JAX has a way on one device only, and none under `vmap`.
    """
    leaves: list[Any] = []
    spec = flatten(tuple([_read(a) if isinstance(a, Parameter) else a for a in args]), leaves)

    def show(*arrays: Any) -> None:
        values = unflatten(spec, iter([wrap(jnp.asarray(a)) for a in arrays]))
        if kwargs:
            _print.former(*values, **kwargs)
        else:
            _print.former("\n".join([line for value in values for line in run_time_lines(value)]))

    arrays = [leaf._v if isinstance(leaf, Tensor) else leaf for leaf in leaves]
    try:
        jax.debug.callback(show, *arrays, ordered=jax.device_count() == 1)
    except ValueError:  # under vmap
        jax.debug.callback(show, *arrays)


def _read(parameter: Parameter) -> Tensor:
    """The value that a Parameter has at this point of the program."""
    scope = scopes.current_scope()
    if scope is not None:
        scope.note_read(parameter)
    return wrap(parameter._v)
