"""Allocators of the user's own and replays of allocations: checked, and without effect.

XLA allocates from a pool of its own, which `XLA_PYTHON_CLIENT_ALLOCATOR` and `XLA_PYTHON_CLIENT_MEM_FRACTION` choose
before the backend starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
from collections.abc import Iterator

from ms_compat._core.errors import check_type

logger = logging.getLogger("ms_compat")


class PluggableAllocator:
    """Two functions of a shared library that allocate and free memory.

    Args:
        path_to_so_file (str): the library, which is loaded.
        alloc_fn_name (str): its function `void *(size_t, int, stream)`.
        free_fn_name (str): its function `void (void *, size_t, stream)`.

    Raises:
        OSError: the library cannot be loaded.
        AttributeError: it has no such function.

    >>> from ms_compat import runtime
    >>> runtime.PluggableAllocator("/no/library.so", "allocate", "free")
    Traceback (most recent call last):
    OSError: /no/library.so: cannot open shared object file: No such file or directory
    """

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str) -> None:
        library = ctypes.CDLL(os.fspath(path_to_so_file))
        self._alloc, self._free = getattr(library, alloc_fn_name), getattr(library, free_fn_name)

    @property
    def alloc_fn_ptr(self) -> int | None:
        """The address of the function that allocates."""
        return ctypes.cast(self._alloc, ctypes.c_void_p).value

    @property
    def free_fn_ptr(self) -> int | None:
        """The address of the function that frees."""
        return ctypes.cast(self._free, ctypes.c_void_p).value


class MemPool:
    """A pool of memory with an allocator of its own.

    Args:
        allocator (PluggableAllocator): the allocator.
    """

    def __init__(self, allocator: PluggableAllocator) -> None:
        self._allocator = allocator

    @property
    def allocator(self) -> PluggableAllocator:
        """The allocator of the pool."""
        return self._allocator


@contextlib.contextmanager
def use_mem_pool(pool: MemPool) -> Iterator[None]:
    """A region for a pool of memory; JAX allocates from XLA's pool there as well.

    Args:
        pool (MemPool): the pool.

    Raises:
        AttributeError: `pool` has no allocator.
    """
    found = pool.allocator
    logger.debug("runtime.use_mem_pool(%s) has no effect: XLA has a pool of its own", found)
    yield


def memory_replay(file_path: str) -> None:
    """Check that a record of MindSpore's pool exists; XLA has a pool of its own, which replays nothing.

    Args:
        file_path (str): the file `memory_block.csv` of a profile.

    Raises:
        TypeError: `file_path` is not a path.
        FileNotFoundError: there is no such file.
    """
    check_type("memory_replay", "file_path", file_path, (str, os.PathLike))
    if not os.path.isfile(file_path):
        raise FileNotFoundError(f"For 'memory_replay', the file 'file_path' does not exist: {file_path}.")
    logger.debug("runtime.memory_replay(%s) has no effect: XLA has a pool of its own", file_path)
