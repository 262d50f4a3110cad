"""Prefetch: a thread that makes the next item while the consumer uses the last one, when that pays.

Passing an item between threads costs 11 us and, worse, makes the two threads take turns on the interpreter lock. So the
consumer's thread makes and times the first items; a thread starts only if an item takes longer than `PAYS_FROM_S`. It
keeps `DEPTH` items ahead (an iterator may choose another number) and ends with the epoch. Closing the generator stops
and joins it: by `break`, by garbage collection, by an exception or at exit.
"""

import atexit
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any

PAYS_FROM_S = 0.0005
PROBES = 3
DEPTH = 2

_live: "weakref.WeakSet[_Producer]" = weakref.WeakSet()


class Decision:
    """Whether an iterator prefetches: undecided until its first items were timed."""

    def __init__(self) -> None:
        self.threaded: bool | None = None


class _Producer:
    """The thread and the queue between it and the consumer."""

    def __init__(self, items: Iterator[Any], depth: int) -> None:
        self._items, self._depth = items, depth
        self._queue: deque[tuple[bool, Any]] = deque()
        self._condition = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="ms_compat-prefetch", daemon=True)
        _live.add(self)
        self._thread.start()

    def _work(self) -> None:
        while True:
            try:
                entry = (True, next(self._items))
            except BaseException as error:  # handed to the consumer, StopIteration included
                entry = (False, error)
            with self._condition:
                self._queue.append(entry)
                self._condition.notify_all()
                self._condition.wait_for(lambda: self._stopped or len(self._queue) < self._depth)
                if self._stopped or not entry[0]:
                    return

    def get(self) -> tuple[bool, Any]:
        with self._condition:
            self._condition.wait_for(lambda: self._queue or self._stopped)
            entry = self._queue.popleft() if self._queue else (False, StopIteration())
            self._condition.notify_all()
            return entry

    def items(self) -> Iterator[Any]:
        """What the thread has made, until the end, or the error that ended it."""
        found, item = self.get()
        while found:
            yield item
            found, item = self.get()
        if not isinstance(item, StopIteration):
            raise item

    def stop(self) -> None:
        with self._condition:
            self._stopped = True
            self._condition.notify_all()
        if self._thread is not threading.current_thread():
            # A user's function may be in the middle of an item; it is a daemon thread that ends after it.
            self._thread.join(timeout=5)
        _live.discard(self)


@atexit.register
def _stop_all() -> None:
    for producer in list(_live):
        producer.stop()


def prefetched(items: Iterator[Any], decision: Decision, depth: int = DEPTH) -> Iterator[Any]:
    """Yields an iterator's items; a thread makes them ahead if making one takes long.

    Args:
        items: a generator; it is advanced by one thread at a time and closed at the end.
        decision: kept over the epochs of one iterator, so that only its first epoch is timed.
        depth: how many items the thread makes ahead.
    """
    producer = None
    try:
        if decision.threaded is None:
            best = float("inf")
            for _ in range(PROBES):
                start = time.perf_counter()
                try:
                    item = next(items)
                except StopIteration:
                    return
                spent = time.perf_counter() - start
                best = min(best, spent)
                yield item
            decision.threaded = best > PAYS_FROM_S
        if not decision.threaded:
            yield from items
            return
        producer = _Producer(items, depth)
        yield from producer.items()
    finally:
        if producer is not None:
            producer.stop()
        close = getattr(items, "close", None)
        if close is not None and (producer is None or not producer._thread.is_alive()):
            close()
