"""Contents of files, read into aligned arrays of their own by several threads.

JAX's CPU backend adopts arrays that are aligned to 64 bytes without a copy, so each byte is copied once, from the
system's cache. Half of the time goes into new memory: the system clears each page at its first write. Both parts run
without Python's lock, so two threads take half as long as one (`tests/benchmarks/test_checkpoints.py`).

No file is mapped: if a mapped file becomes shorter, the next access to its end terminates the process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ms_compat._formats.protobuf.wire import bad_file

_ALIGNMENT = 64
_PART_BYTES = 1 << 20  # what a thread reads in one call; several, so that threads share one content
_WINDOW_BYTES = 128 << 20  # what is read together, between two steps of a progress bar
_MOST_THREADS = 8  # more share the same memory bandwidth
_MOST_VIEWS = 512  # per call; Linux takes 1,024
_BLOCK_BYTES = 4096  # of `Bytes`
_SHORTER = "became shorter while it was read"
_GAP_BYTES = 4096  # smaller gaps between contents are read as well, which costs less than another call

Pieces = tuple[tuple[int, int], ...]
_Name = TypeVar("_Name")


class _Part(NamedTuple):
    """Memory that one call fills with the bytes of a file from `offset` on."""

    offset: int
    views: list[memoryview]


def read(file: Any, pieces: Pieces, *, api: str, path: str) -> np.ndarray:
    """The bytes at (offset, length) pieces of a file, joined in a new aligned uint8 array.

    Args:
        file: an open file without a buffer, a descriptor, or a file in memory. A descriptor's position is not used.
        pieces: offsets and lengths.
        api: the API to name in errors.
        path: the file to name in errors.

    Raises:
        ValueError: if the file ends before a piece does.
    """
    return read_all(file, [pieces], api=api, path=path)[0]


def read_all(file: Any, wanted: Sequence[Pieces], *, api: str, path: str) -> list[np.ndarray]:
    """As `read` for several contents, whose memory is allocated at once."""
    found = [_aligned(sum(length for _, length in pieces)) for pieces in wanted]
    parts = _parts(found, wanted)
    descriptor = _descriptor(file)

    def fill(part: _Part) -> None:
        offset, views = part
        while views:
            count = _fill(file, descriptor, offset, views)
            if not count:
                end = min(offset, os.fstat(descriptor).st_size) if descriptor is not None else offset
                missing = offset - end + sum(view.nbytes for view in views)
                raise bad_file(api, path, end, _SHORTER, f"{missing} more bytes", 0)
            offset += count
            views = _after(views, count)

    threads = min(len(parts), os.cpu_count() or 1, _MOST_THREADS) if descriptor is not None else 1
    left = iter(parts)

    def fill_left() -> None:
        for part in left:
            fill(part)

    if threads <= 1:
        fill_left()
        return found
    pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="ms_compat-read")
    try:
        others = [pool.submit(fill_left) for _ in range(threads - 1)]
        fill_left()  # this thread reads as well
        for other in others:
            other.result()
    finally:
        list(left)  # after an error the others need not read the rest
        pool.shutdown()
    return found


class Bytes:
    """The bytes of an open file by index and slice, a block of which is kept.

    Args:
        file: an open file without a buffer.
        size: its bytes; an index from there on is not looked up.
        api: the API to name in errors.
        path: the file to name in errors.
    """

    def __init__(self, file: Any, size: int, *, api: str, path: str):
        self._file, self._size = file, size
        self._api, self._path = api, path
        self._block = b""
        self._start = 0

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            start, stop, _ = at.indices(self._size)
            return self._read(start, max(stop - start, 0))
        within = at - self._start
        if not 0 <= within < len(self._block):
            self._block = self._read(at, min(_BLOCK_BYTES, self._size - at))
            self._start, within = at, 0
        return self._block[within]

    def _read(self, offset: int, count: int) -> bytes:
        """The bytes; ValueError if the file has become shorter."""
        parts = []
        self._file.seek(offset)
        while count:
            part = self._file.read(count)
            if not part:
                raise bad_file(self._api, self._path, offset, _SHORTER, f"{count} more bytes", 0)
            parts.append(part)
            offset, count = offset + len(part), count - len(part)
        return b"".join(parts)


def windows(wanted: Iterable[tuple[_Name, Pieces]]) -> Iterator[list[tuple[_Name, Pieces]]]:
    """Names and places of contents, as many at a time as should be read together."""
    window: list[tuple[_Name, Pieces]] = []
    size = 0
    for name, pieces in wanted:
        window.append((name, pieces))
        size += sum(length for _, length in pieces)
        if size >= _WINDOW_BYTES:
            yield window
            window, size = [], 0
    if window:
        yield window


def _aligned(size: int) -> np.ndarray:
    raw = np.empty(size + _ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % _ALIGNMENT
    return raw[start : start + size]


def _parts(arrays: list[np.ndarray], wanted: Sequence[Pieces]) -> list[_Part]:
    """Cut large contents, and join small ones that are neighbours in the file."""
    parts: list[_Part] = []
    end = size = 0  # of the last part
    skipped = memoryview(bytearray(_GAP_BYTES))  # which nobody reads
    for array, pieces in zip(arrays, wanted, strict=True):
        view, at = array.data, 0
        for offset, length in pieces:
            stop = at + length
            while at < stop:
                count = min(stop - at, _PART_BYTES)
                gap = offset - end
                if (
                    not parts
                    or not 0 <= gap <= _GAP_BYTES
                    or size + count > _PART_BYTES
                    or len(parts[-1].views) > _MOST_VIEWS
                ):
                    parts.append(_Part(offset, []))
                    size = gap = 0
                if gap:
                    parts[-1].views.append(skipped[:gap])
                parts[-1].views.append(view[at : at + count])
                at, offset, size = at + count, offset + count, size + gap + count
                end = offset
    return parts


def _descriptor(file: Any) -> int | None:
    """What threads can read from by position; None for a file in memory, and on Windows."""
    if not hasattr(os, "preadv"):
        return None
    if isinstance(file, int):
        return file
    try:
        return file.fileno()
    except OSError:
        return None


def _fill(file: Any, descriptor: int | None, offset: int, views: list[memoryview]) -> int:
    """Fill the beginning of some memory; returns how many bytes were read, 0 at the end of the file."""
    if descriptor is not None:
        return os.preadv(descriptor, views, offset)
    file.seek(offset)
    return file.readinto(views[0])


def _after(views: list[memoryview], count: int) -> list[memoryview]:
    """The memory without its first bytes."""
    for index, view in enumerate(views):
        if count < view.nbytes:
            return [view[count:], *views[index + 1 :]]
        count -= view.nbytes
    return []
