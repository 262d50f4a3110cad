"""Python objects between two processes: pickled through a socket, with large arrays in shared memory.

The sender allocates a block for each large array in memory that both processes map, copies the array there, and pickles
where it is. The receiver makes an array over the block, without a copy. When that array is collected, the block's
place goes back to the sender with the receiver's next message.

The memory has no name: on Linux it is a memfd, elsewhere a file that is deleted at once. Its descriptor travels through
the socket. So the system frees it when the processes end, even if they are killed, and the size of /dev/shm, which
containers often limit to 64 MB, does not matter.
"""

import bisect
import contextlib
import io
import itertools
import mmap
import os
import pickle
import select
import socket
import struct
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

# Smaller arrays are pickled: a block costs some 10 us to allocate, map and release.
LARGE = 1 << 15
_ALIGNMENT = 64
_SEGMENT = 8 << 20
_HEADER = struct.Struct("<QB")
_MAX_FDS = 64
_CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)


def anonymous_file(size: int) -> int:
    """A descriptor of `size` bytes of memory without a name."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("ms_compat", os.MFD_CLOEXEC)
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    try:
        os.ftruncate(descriptor, size)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


class _Segment:
    """Memory that both processes map, and its free ranges in order."""

    def __init__(self, size: int) -> None:
        self.descriptor = anonymous_file(size)
        self.memory = mmap.mmap(self.descriptor, size)
        self.starts, self.stops = [0], [size]

    def allocate(self, size: int) -> int | None:
        """The first place with `size` free bytes; the lowest is most likely to be in the caches."""
        for k, (start, stop) in enumerate(zip(self.starts, self.stops, strict=True)):
            if stop - start >= size:
                if stop - start == size:
                    del self.starts[k], self.stops[k]
                else:
                    self.starts[k] = start + size
                return start
        return None

    def release(self, start: int, size: int) -> None:
        stop = start + size
        k = bisect.bisect_left(self.starts, start)
        if k and self.stops[k - 1] == start:
            k -= 1
            self.stops[k] = stop
        else:
            self.starts.insert(k, start)
            self.stops.insert(k, stop)
        if k + 1 < len(self.starts) and self.starts[k + 1] == stop:
            self.stops[k] = self.stops[k + 1]
            del self.starts[k + 1], self.stops[k + 1]


class Arena:
    """The blocks of one sender."""

    def __init__(self) -> None:
        self.segments: list[_Segment] = []
        self._sizes: dict[tuple[int, int], int] = {}
        self._unsent: list[int] = []

    def place(self, array: np.ndarray) -> tuple[int, int]:
        """Copies an array into a block; returns the block's segment and offset."""
        size = -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
        number, offset = self._allocate(size)
        self._sizes[number, offset] = size
        np.ndarray(array.shape, array.dtype, self.segments[number].memory, offset)[...] = array
        return number, offset

    def _allocate(self, size: int) -> tuple[int, int]:
        for number, segment in enumerate(self.segments):
            offset = segment.allocate(size)
            if offset is not None:
                return number, offset
        # Each segment is as large as all before it: a process keeps one descriptor for each.
        made = _Segment(max(_SEGMENT, 2 * size, sum(len(segment.memory) for segment in self.segments)))
        self._unsent.append(made.descriptor)
        self.segments.append(made)
        made.allocate(size)
        return len(self.segments) - 1, 0

    def release(self, number: int, offset: int) -> None:
        self.segments[number].release(offset, self._sizes.pop((number, offset)))

    def unsent(self) -> list[int]:
        """The descriptors of the segments that the other process does not have yet."""
        descriptors, self._unsent = self._unsent, []
        return descriptors

    def in_use(self) -> int:
        """The bytes of all blocks."""
        return sum(self._sizes.values())


class _Block:
    """The memory below an array that another process sent; NumPy holds it as the array's base."""

    __slots__ = ("__array_interface__", "_place", "_released", "_segment")

    def __init__(self, interface: dict[str, Any], released: deque, place: tuple[int, int], segment: Any) -> None:
        self.__array_interface__ = interface
        self._released, self._place, self._segment = released, place, segment

    def __del__(self) -> None:
        self._released.append(self._place)


_receiving = threading.local()


def _received(place: tuple[int, int], shape: tuple[int, ...], typestr: str) -> np.ndarray:
    """The array in a block; pickles name this function."""
    channel: Channel = _receiving.channel
    address, segment = channel.mapped[place[0]]
    interface = {"version": 3, "shape": shape, "typestr": typestr, "data": (address + place[1], False)}
    return np.asarray(_Block(interface, channel.dropped, place, segment))


class _Pickler(pickle.Pickler):
    """Pickles large arrays as blocks."""

    def __init__(self, file: Any, arena: Arena, excluded: frozenset[int]) -> None:
        super().__init__(file, protocol=5)
        self._arena, self._excluded = arena, excluded

    def reducer_override(self, item: Any) -> Any:
        if type(item) is not np.ndarray or item.nbytes < LARGE or item.dtype.kind not in "biufcSU":
            return NotImplemented
        if id(item) in self._excluded:
            return NotImplemented
        return _received, (self._arena.place(item), item.shape, item.dtype.str)


class Channel:
    """One end of a connection.

    Args:
        connection: the socket.
        relieve: called while the other end takes nothing; it should receive, because both ends may be sending.

    `send` and `receive` may be called by one thread each at a time; blocks may be released by any.
    """

    def __init__(self, connection: socket.socket, relieve: Callable[[], None] | None = None) -> None:
        self.socket = connection
        self._relieve = relieve
        self.arena = Arena()
        self.mapped: list[tuple[int, mmap.mmap]] = []  # the other end's segments, with their addresses
        self.dropped: deque[tuple[int, int]] = deque()  # blocks of the other end that nothing here uses any more
        self._lock = threading.Lock()  # the arena's: a receiving thread releases blocks while another one sends

    def send(self, message: Any, excluded: Iterable[int] = ()) -> None:
        """Sends an object.

        Args:
            message: the object.
            excluded: the `id` of each array that must not be placed in shared memory.
        """
        released = [self.dropped.popleft() for _ in range(len(self.dropped))]
        file = io.BytesIO()
        with self._lock:
            _Pickler(file, self.arena, frozenset(excluded)).dump((released, message))
            descriptors = self.arena.unsent()
        data = file.getbuffer()
        first, rest = descriptors[:_MAX_FDS], descriptors[_MAX_FDS:]
        if rest:
            raise RuntimeError("A message must need at most 64 new segments of shared memory.")
        header = _HEADER.pack(len(data), len(first))
        try:
            self._wait_for_room()
            socket.send_fds(self.socket, [header], first)
        finally:
            for descriptor in first:  # the mapping keeps the memory
                os.close(descriptor)
        self._send_all(data)

    def _wait_for_room(self) -> None:
        """Returns when the socket takes data, and relieves the other end until then."""
        while self._relieve is not None:
            readable, writable, _ = select.select([self.socket], [self.socket], [])
            if writable:
                return
            if readable:
                self._relieve()

    def _send_all(self, data: memoryview) -> None:
        if self._relieve is None:
            self.socket.sendall(data)
            return
        while data:
            self._wait_for_room()
            with contextlib.suppress(BlockingIOError):
                data = data[self.socket.send(data, socket.MSG_DONTWAIT) :]

    def receive(self) -> Any:
        """The next object.

        Raises:
            EOFError: the other end is closed.
        """
        header, descriptors, _, _ = socket.recv_fds(self.socket, _HEADER.size, _MAX_FDS, _CLOSE_ON_EXEC)
        for descriptor in descriptors:
            self._map(descriptor)
        while header and len(header) < _HEADER.size:
            header += self._exactly(_HEADER.size - len(header))
        if not header:
            raise EOFError("The other process has closed the connection.")
        size, _ = _HEADER.unpack(header)
        data = self._exactly(size)
        _receiving.channel = self
        try:
            released, message = pickle.loads(data)
        finally:
            _receiving.channel = None
        with self._lock:
            for place in released:
                self.arena.release(*place)
        return message

    def _map(self, descriptor: int) -> None:
        try:
            memory = mmap.mmap(descriptor, 0)
        finally:
            os.close(descriptor)
        address = np.frombuffer(memory, np.uint8).__array_interface__["data"][0]
        self.mapped.append((address, memory))

    def _exactly(self, size: int) -> bytearray:
        data = bytearray(size)
        view, got = memoryview(data), 0
        while got < size:
            count = self.socket.recv_into(view[got:])
            if not count:
                raise EOFError("The other process has closed the connection.")
            got += count
        return data

    def close(self) -> None:
        """Closes the socket. Arrays over blocks stay valid."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        for descriptor in self.arena.unsent():
            os.close(descriptor)


def sized(items: Iterable[Any]) -> int:
    """The bytes of the arrays in a row."""
    total = 0
    for item in items:
        if isinstance(item, np.ndarray):
            total += item.nbytes
        elif isinstance(item, dict):
            total += sized(item.values())
        elif isinstance(item, (list, tuple)):
            total += sized(item)
    return total


def arrays_of(items: Iterable[Any]) -> Iterator[int]:
    """The `id` of each array in a row."""
    for item in items:
        if isinstance(item, np.ndarray):
            yield id(item)
        elif isinstance(item, dict):
            yield from arrays_of(item.values())
        elif isinstance(item, (list, tuple)):
            yield from arrays_of(item)


def above(rows: Iterable[Iterable[Any]], limit: int | None) -> frozenset[int]:
    """The `id` of each array in rows of more than `limit` bytes; empty without a limit."""
    if limit is None:
        return frozenset()
    return frozenset(itertools.chain.from_iterable(arrays_of(row) for row in rows if sized(row) > limit))
