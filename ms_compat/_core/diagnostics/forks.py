"""Processes made by `os.fork` after JAX has computed: an error where JAX would wait for ever.

The threads that compile and compute are not copied into such a process, and locks that they held stay locked. There is
no way to know which program would need them, so none runs there. Values that are computed can be read, and Tensors can
be made of NumPy's arrays.
"""

from __future__ import annotations

import os
import threading
from typing import Any, NoReturn

from ms_compat._core.jax_compat import backends_are_initialized, run_no_programs

_WAY_OUT = (
    "Start processes by 'spawn' or 'forkserver' (mindspore.multiprocessing.set_start_method), or before the first "
    "computation."
)


def _refuse(*args: Any, **kwargs: Any) -> NoReturn:
    raise RuntimeError(
        "JAX cannot compute in a process that was forked from one that computed: the threads for it are not there. "
        f"{_WAY_OUT}"
    )


def _refuse_to_wait() -> NoReturn:
    raise RuntimeError(
        "A value was not computed yet when this process was forked, and the threads that compute it are not there. "
        f"Read it before the fork, with 'asnumpy'. {_WAY_OUT}"
    )


def _after_fork() -> None:
    from ms_compat._core import tape
    from ms_compat._core.compiled import background
    from ms_compat._core.dispatch import random
    from ms_compat._core.settings import memory_limits
    from ms_compat._core.trace import scopes

    # Threads that are not there may have held them.
    scopes.lock, tape.lock, random.default_generator.lock = threading.RLock(), threading.RLock(), threading.Lock()
    background.forget()
    if backends_are_initialized():
        run_no_programs(_refuse)
        memory_limits.wait_for_nothing(_refuse_to_wait)


def watch() -> None:
    """Let processes that are forked from now on know that they are."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
