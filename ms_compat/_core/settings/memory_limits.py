"""Errors for arrays that no memory can hold, while the program can still catch them.

XLA ends the process for a shape whose bytes a 64-bit number cannot count. The CPU runtime ends it when code reads an
array for which there was no memory. So shapes are checked where JAX passes them to XLA (`jax_compat`), and results of
compiled programs once more at their trace, where the operation has a name. Before large arrays are read, `asnumpy`
waits for them, which raises. Only this last check costs a call anything: `asnumpy` takes 0.25 us more, and 0.6 us for
arrays of more than 65,536 elements.
"""

from __future__ import annotations

import functools
import math
import os
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._core.jax_compat import ArrayImpl, check_countable, has_symbolic_size
from ms_compat._core.settings import device
from ms_compat._core.trace import concurrency

_LARGE = 1 << 16  # elements
_large = _LARGE  # -1 in a process that was forked
_refuse_to_wait: Callable[[], Any] | None = None


@functools.cache
def _memory() -> float:
    """Bytes of this machine's memory, swap included; infinite where the system does not report it."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        with open("/proc/swaps", encoding="ascii") as file:
            return size + sum(1024 * int(line.split()[2]) for line in file.readlines()[1:])
    except (OSError, ValueError, AttributeError, IndexError):
        return math.inf


def check_results(name: str, results: Any) -> None:
    """Raises if a program's results can be in no memory of this machine.

    Results with symbols for sizes are not checked. Whoever traces with symbols checks again once the sizes are known.

    Args:
        name: the program.
        results: arrays, or what stands for them in a trace; in trees.

    Raises:
        ValueError: a shape is of 2**63 bytes or more.
        RuntimeError: on CPU, they are of more bytes than the machine has, as MindSpore raises when it allocates.
    """
    total, name = 0, name.strip("_")
    for leaf in jax.tree.leaves(results):
        shape = getattr(leaf, "shape", ())
        if has_symbolic_size(shape):
            return
        if shape:
            check_countable(shape, leaf.dtype, f"For '{name}', a result")
            total += math.prod(shape) * getattr(leaf.dtype, "itemsize", 1)
    if total > _LARGE and total > _memory() and device.platform() == "cpu" and jax.process_count() == 1:
        raise RuntimeError(
            f"For '{name}', the results are of {total} bytes ({total / 2**30:.1f} GiB), but this machine has a memory "
            f"of {_memory() / 2**30:.1f} GiB."
        )


def bounded(fn: Callable, name: str) -> Callable:
    """The function, to be compiled, that checks its results while it is traced."""

    @functools.wraps(fn)
    def checked(*args: Any) -> Any:
        out = fn(*args)
        check_results(name, out)
        return out

    return checked


def settled(value: Any) -> Any:
    """The array, once it is known that there was memory for it.

    Raises:
        RuntimeError: there was none.
    """
    if value.__class__ is ArrayImpl and value.size > _large:
        if _refuse_to_wait is not None and not value.is_ready():  # type: ignore[attr-defined]
            _refuse_to_wait()
        value.block_until_ready()
    return value


def wait_for_nothing(refuse: Callable[[], Any]) -> None:
    """Let reading a value that is not computed yet call `refuse`, which raises, as nobody computes it any more."""
    global _large, _refuse_to_wait
    _large, _refuse_to_wait = -1, refuse


def to_numpy(value: Any) -> np.ndarray:
    """A jax array's values, which may share its memory; of another array the same."""
    return np.asarray(settled(value))


def values_of(tensor: Any) -> np.ndarray:
    """A tensor's values, which may share its memory. Waits for a function of another thread that changes the tensor."""
    return when_held(tensor, to_numpy)


def when_held(tensor: Any, read: Callable[[Any], Any]) -> Any:
    """The result of `read` for a tensor's array; once more, if another thread has donated the array meanwhile."""
    value = None
    try:
        value = tensor._v
        return read(value)
    except (RuntimeError, ValueError, TypeError) as error:  # TypeError: another thread's tracer
        if not concurrency.is_anothers(value, error):
            raise
    value = None  # held by nobody
    return read(concurrency.held_value(tensor))
