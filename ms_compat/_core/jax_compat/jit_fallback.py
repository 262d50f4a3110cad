"""What `jax.jit` does for a call whose program is not in its cache."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import jax

from ms_compat._core import interrupts
from ms_compat._core.jax_compat import placement
from ms_compat._core.jax_compat.array_limits import check_arrays_of_programs
from ms_compat._core.jax_compat.capabilities import (
    HAS_JIT_ENTRY,
    HAS_JIT_FALLBACK,
    JitGlobalCppCacheKeys,
    cc_shard_arg,
    dispatch_registry,
    extension,
    get_cpp_global_cache,
    pjit,
)

logger = logging.getLogger("ms_compat")


def jit_with_fallback(fn: Any, jitted: Any, fallback: Any) -> Any:
    """A `jax.jit(fn)` that tries another way to the results before it compiles.

    A call whose program is in the cache of `jax.jit` finds it there, as fast as ever. For any other call,
    `fallback(args)` may give the outputs, or None, and then the program is compiled. Its results are not cached.

    The cache keeps a signature without a program as one that Python serves from then on. So the cache is emptied when
    such a signature gets its program, as `fallback.must_clear_cache` says; the others are found again, in 0.1 ms each.

    Args:
        fn: a function of positional arguments.
        jitted: `jax.jit(fn)`.
        fallback: a function of the argument tuple.

    Returns:
        The function; `jitted` itself, which compiles at once, where this release of JAX has the parts no longer.
    """
    if not HAS_JIT_FALLBACK:
        check_arrays_of_programs()
        return jitted

    def missed(*args: Any) -> Any:
        outputs = fallback(args)
        if outputs is not None:
            return outputs, None, False
        if fallback.must_clear_cache:
            fallback.must_clear_cache = False
            clear()
        check_arrays_of_programs()
        # an interrupt in JAX's Python code would leave its traces open, or come out as an error of its caches
        with interrupts.hold_signals():
            return compiled(*args)

    try:
        compiled = jitted._cache_miss
        served: Any = extension.pjit(
            getattr(fn, "__name__", "fn"), fn, missed, [], [], JitGlobalCppCacheKeys(), dispatch_registry, cc_shard_arg,
            get_cpp_global_cache(False),
        )  # fmt: skip
        clear = served._clear_cache
        served._fun, served._jit_info = jitted._fun, jitted._jit_info
    except (AttributeError, TypeError) as gone:
        logger.debug("First calls are compiled, JAX %s keeps its jit otherwise: %s", jax.__version__, gone)
        return jitted
    return served


def run_no_programs(refuse: Callable[..., Any]) -> None:
    """Let every call of a `jax.jit` call `refuse`, which raises, from now on; arrays are adopted and not copied.

    JAX's C++ caches find programs by the settings at their compilation. Under other settings each call goes through
    Python, whose first step this replaces.
    """
    placement.adopt_only()
    if HAS_JIT_ENTRY:
        setattr(pjit, "_infer_params", refuse)  # noqa: B010  # type checkers know its signature
    else:  # the error has JAX's own text
        jax.config.update("jax_no_tracing", True)
    promotion = "raise" if jax.config.jax_numpy_rank_promotion == "warn" else "warn"  # type: ignore[attr-defined]
    jax.config.update("jax_numpy_rank_promotion", promotion)
