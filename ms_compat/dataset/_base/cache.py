"""`DatasetCache`: keeps rows in this process's memory, and on its disk, after the first read.

MindSpore keeps them in a separate server (`dataset-cache --start`), which several processes share. Here there is no
server: the rows of a random-access source that reads files (images, MindRecord) stay in memory, up to `size`, and later
epochs take them from there. With `spilling` the rows beyond `size` go to a temporary file, which has no name and so
ends with the process. Other nodes with a cache compute their rows again. The rows are the same either way, but
processes do not share them, and a cache ends with its process.
"""

import logging
import os
import pickle
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import INT32_MAX, check_bool, check_int_range, check_type

_MIB = 1 << 20


class CacheStatistics:
    """A cache's statistics: the average row size in bytes, and the number of rows in memory and on disk."""

    def __init__(self, avg_cache_sz: int, num_mem_cached: int, num_disk_cached: int) -> None:
        self.avg_cache_sz, self.num_mem_cached, self.num_disk_cached = avg_cache_sz, num_mem_cached, num_disk_cached


@faces("dataset")
class DatasetCache:
    """Keeps the rows of a source in memory.

    Args:
        session_id: the number of a session; any is accepted.
        size: the most memory in MiB, 0 for no limit.
        spilling: writes the rows beyond the limit to a temporary file; otherwise they are read again.
        hostname: accepted; there is no server.
        port: accepted.
        num_connections: accepted.
        prefetch_size: accepted.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> DatasetCache(session_id=1).get_stat().num_mem_cached
    0
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        api = "DatasetCache"
        for name, value, low, high in (
            ("session_id", session_id, 1, 2**32 - 1),
            ("size", size, 0, 2**64 - 1),
            ("port", port, 1025, 65535),
            ("num_connections", num_connections, 1, INT32_MAX),
            ("prefetch_size", prefetch_size, 1, INT32_MAX),
        ):
            if value is not None:
                check_int_range(api, name, value, low, high)
        check_bool(api, "spilling", spilling)
        check_type(api, "hostname", hostname, (str, type(None)))
        logging.getLogger("ms_compat").debug("DatasetCache: rows are kept in this process; there is no cache server")
        self.session_id, self.size, self.spilling = session_id, size, spilling
        self.hostname, self.port = hostname, port
        self.num_connections, self.prefetch_size = num_connections, prefetch_size
        self._rows: dict[tuple[Any, int], tuple[Any, ...]] = {}
        self._bytes = 0
        # The temporary file with the other rows, and where each is.
        self._file: Any = None
        self._on_disk: dict[tuple[Any, int], tuple[int, int]] = {}
        self._lock = threading.Lock()

    def __deepcopy__(self, memo: dict[int, Any]) -> "DatasetCache":
        return self  # copies of a pipeline share the rows

    def get_stat(self) -> CacheStatistics:
        """The cache's statistics now."""
        count = len(self._rows) + len(self._on_disk)
        written = sum(size for _, size in self._on_disk.values())
        return CacheStatistics((self._bytes + written) // max(count, 1), len(self._rows), len(self._on_disk))

    def through(
        self, source: Any, indices: np.ndarray, read: Callable[[np.ndarray], Iterator[tuple[Any, ...]]]
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of some indices: from the cache, or read and then kept.

        Args:
            source: the key of the rows' source.
            indices: the rows wanted, in order.
            read: reads the rows of some indices.
        """
        for k in indices.tolist():
            row = self._rows.get((source, k))
            if row is None and (source, k) in self._on_disk:
                yield self._from_disk((source, k))
                continue
            if row is None:
                row = next(iter(read(np.array([k]))))
                self._keep((source, k), row)
            # Rows go to functions that may write into them.
            yield tuple([item.copy() if isinstance(item, np.ndarray) else item for item in row])

    def _keep(self, key: tuple[Any, int], row: tuple[Any, ...]) -> None:
        size = sum(item.nbytes for item in row if isinstance(item, np.ndarray))
        if not self.size or self._bytes + size <= self.size * _MIB:
            self._rows[key] = tuple([item.copy() if isinstance(item, np.ndarray) else item for item in row])
            self._bytes += size
        elif self.spilling:
            self._to_disk(key, row)

    def _to_disk(self, key: tuple[Any, int], row: tuple[Any, ...]) -> None:
        data = pickle.dumps(row, protocol=5)
        with self._lock:
            if self._file is None:
                self._file = tempfile.TemporaryFile()
                weakref.finalize(self, self._file.close)
            self._on_disk[key] = self._file.seek(0, os.SEEK_END), len(data)
            self._file.write(data)

    def _from_disk(self, key: tuple[Any, int]) -> tuple[Any, ...]:
        place, size = self._on_disk[key]
        with self._lock:
            self._file.seek(place)
            data = self._file.read(size)
        return pickle.loads(data)
