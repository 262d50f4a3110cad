"""Interpreted products use one thread of BLAS.

XLA's compiler holds all cores while programs are interpreted. A product that BLAS shares between threads then waits
until each of them gets a core, and the threads that are done spin meanwhile: 82 ms in place of 5 for a convolution of
64 channels, on two cores.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

LEAST_SHARED = 1 << 18  # multiplications of a product from which OpenBLAS uses several threads


@functools.cache
def _libraries() -> list[Any]:
    """The BLAS libraries of this process; NumPy's is loaded with it."""
    import threadpoolctl  # here, as most programs have no large products

    return threadpoolctl.ThreadpoolController().select(user_api="blas").lib_controllers


class _Region:
    """The whole process has one number of threads: the first that enters sets it, the last that leaves resets it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.inside = 0
        self.former: list[int] = []

    def enter(self) -> None:
        with self.lock:
            self.inside += 1
            if self.inside == 1:
                self.former = [library.get_num_threads() for library in _libraries()]
                self._set([1] * len(self.former))

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self._set(self.former)

    def _set(self, numbers: list[int]) -> None:
        for library, number in zip(_libraries(), numbers, strict=True):
            library.set_num_threads(number)


_region = _Region()


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """A region whose products use one thread each, in all threads of the process."""
    _region.enter()
    try:
        yield
    finally:
        _region.leave()
