"""Processes made by `os.fork` after JAX has computed: an error where JAX would wait for ever.

The threads that compile are not copied into such a process. What was compiled before the fork, and is small enough to
need no other thread, still runs there; values can be read.
"""

from __future__ import annotations

import os

import jax

from ms_compat._core.jax_compat import backends_are_initialized

_LOWERED = "/jax/core/compile/jaxpr_to_mlir_module_duration"  # what JAX reports just before it compiles


def _refuse_to_compile(event: str, duration_secs: float, **kwargs: str | int) -> None:
    if event == _LOWERED:
        raise RuntimeError(
            "JAX cannot compile in a process that was forked from one that computed: the threads for it are not there. "
            "Start processes by 'spawn' or 'forkserver' (mindspore.multiprocessing.set_start_method), or before the "
            "first computation."
        )


def _after_fork() -> None:
    if backends_are_initialized():
        jax.monitoring.register_event_duration_secs_listener(_refuse_to_compile)


def watch() -> None:
    """Let processes that are forked from now on know that they are."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
