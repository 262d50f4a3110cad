"""Where a data pipeline's time goes: `ms-compat run --profile` records rows and seconds of each node.

Nothing is measured unless a `Recorder` is active when an epoch starts.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from ms_compat.dataset._support import rows

active: "Recorder | None" = None

# Below this share of waiting, a pipeline keeps up.
_WAITING = 0.1


class NodeTimes:
    """The rows that a node has made, and the seconds that it took itself."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.rows, self.seconds = 0, 0.0

    def rate(self) -> float:
        """Rows per second of the node's own time."""
        return self.rows / self.seconds if self.seconds else float("inf")


class _Stack(threading.local):
    """The seconds spent in nodes below the one that runs now, for each thread."""

    def __init__(self) -> None:
        self.below = [0.0]


class Recorder:
    """Collects what nodes and iterators do while it is `active`."""

    def __init__(self) -> None:
        self.nodes: dict[int, NodeTimes] = {}
        self.waited = 0.0
        self.items = 0
        self._loops: dict[int, tuple[float, float]] = {}
        self._stack = _Stack()

    def timed(self, node: Any, source: Iterator[rows.Row]) -> Iterator[rows.Row]:
        """Yields a node's rows and counts the time that each takes, less what the nodes below it take."""
        if isinstance(source, _Timed):  # a subclass calls its base's method
            return source
        times = self.nodes.setdefault(id(node), NodeTimes(node))
        return _Timed(source, times, self._stack)

    def wait(self, iterator: Any, take: Callable[[], Any]) -> Any:
        """What `take` returns; its time counts as the program's wait for data."""
        begin = time.perf_counter()
        try:
            item = take()
            self.items += 1
            return item
        finally:
            end = time.perf_counter()
            self.waited += end - begin
            first, _ = self._loops.get(id(iterator), (begin, end))
            self._loops[id(iterator)] = first, end

    def loop_seconds(self) -> float:
        """From the first to the last item of each iterator, summed."""
        return sum(end - begin for begin, end in self._loops.values())

    def slowest(self) -> NodeTimes | None:
        """The node that took most time itself."""
        return max(self.nodes.values(), key=lambda times: times.seconds, default=None)

    def advice(self) -> str:
        """What to change, in one sentence."""
        slowest, loop = self.slowest(), self.loop_seconds()
        if slowest is None or not loop:
            return ""
        if self.waited < _WAITING * loop:
            return "The pipeline keeps up with the program."
        return f"{type(slowest.node).__name__} is the slowest node. {_change(slowest.node)}"


class _Timed:
    """An iterator that measures another one."""

    __slots__ = ("_source", "_stack", "_times")

    def __init__(self, source: Iterator[rows.Row], times: NodeTimes, stack: _Stack) -> None:
        self._source, self._times, self._stack = source, times, stack

    def __iter__(self) -> "_Timed":
        return self

    def __next__(self) -> rows.Row:
        below = self._stack.below
        below.append(0.0)
        begin = time.perf_counter()
        try:
            row = next(self._source)
            self._times.rows += 1
            return row
        finally:
            spent = time.perf_counter() - begin
            self._times.seconds += spent - below.pop()
            below[-1] += spent

    def close(self) -> None:
        """Closes the iterator below, if it can be closed."""
        close = getattr(self._source, "close", None)
        if close is not None:
            close()


def _change(node: Any) -> str:
    """What would make a node faster."""
    cores, workers = os.cpu_count() or 1, node.num_parallel_workers or 1
    name = type(node).__name__
    functions = name == "MapDataset" or getattr(node, "per_batch_map", None) is not None or name == "GeneratorDataset"
    if functions and getattr(node, "python_multiprocessing", False) and (name != "GeneratorDataset" or workers > 1):
        if workers < cores:
            return f"Start more processes: num_parallel_workers={cores} instead of {workers}."
        return "All processors work on it: make its functions cheaper, or save their results with 'Dataset.save'."
    if name == "GeneratorDataset":
        return f"Read in processes: num_parallel_workers={cores}, if the source has __getitem__ and __len__."
    if functions:
        return f"Run its functions in processes: python_multiprocessing=True, num_parallel_workers={cores}."
    if not node.children:
        return "Keep its rows in memory with cache=DatasetCache(...), or store them as MindRecord with 'Dataset.save'."
    return "It does its work in one thread: give it fewer or smaller rows."
