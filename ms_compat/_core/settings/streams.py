"""Streams and events. JAX has one queue per device, and orders computations by the data that they need.

So every `Stream` is that queue, as it is on MindSpore's CPU, where all streams are equal; waiting for one on behalf of
another has nothing to do. A program can query whether the work is done, wait for it, and measure how much time passed
between two events.
"""

from __future__ import annotations

import logging
import time
from typing import Any

import jax

from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat._core.settings import device
from ms_compat._core.settings.memory import synchronize

logger = logging.getLogger("ms_compat")


def _pending() -> list[Any]:
    """The arrays that are still being computed."""
    return [a for a in jax.live_arrays() if not a.is_deleted() and not a.is_ready()]


class Event:
    """A point in the queue of work.

    Args:
        enable_timing (bool): whether to keep the time; `record` waits for the work before it then.
        blocking (bool): accepted; `wait` has nothing to wait for.

    Raises:
        TypeError: an argument is not a bool.

    >>> from ms_compat import hal, ops
    >>> start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
    >>> start.record()
    >>> _ = ops.ones((2, 2)) + 1
    >>> end.record()
    >>> start.elapsed_time(end) >= 0
    True
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        self._timed = check_bool("Event", "enable_timing", enable_timing)
        logger.debug("Event: blocking=%s has no effect", check_bool("Event", "blocking", blocking))
        self._before: list[Any] = []
        self._time: float | None = None
        self._recorded = False

    def record(self, stream: Stream | None = None) -> None:
        """Notes the work that is submitted to the device by now.

        Args:
            stream: any; there is one queue.

        Raises:
            TypeError: it is not a Stream.
        """
        _check_stream("record", stream)
        self._before = _pending()
        self._recorded = True
        if self._timed:
            self.synchronize()
            self._time = time.perf_counter()

    def wait(self, stream: Stream | None = None) -> None:
        """Lets later work wait for this event, which it does by itself where it needs the data."""
        _check_stream("wait", stream)

    def synchronize(self) -> None:
        """Returns when the work before this event is done."""
        for array in self._before:
            if not array.is_deleted():
                array.block_until_ready()
        self._before = []

    def query(self) -> bool:
        """Whether the work before this event is done."""
        return all(a.is_deleted() or a.is_ready() for a in self._before)

    def elapsed_time(self, end_event: Event) -> float:
        """Returns the milliseconds from this event to another.

        Raises:
            TypeError: it is not an Event.
            RuntimeError: one was not recorded, or without `enable_timing`.
        """
        check_type("elapsed_time", "end_event", end_event, Event)
        if self._time is None or end_event._time is None:
            raise RuntimeError("For 'Event.elapsed_time', both events must be recorded with enable_timing=True.")
        return (end_event._time - self._time) * 1e3

    def __repr__(self) -> str:
        return f"Event(enable_timing={int(self._timed)}, is_created:{int(self._recorded)})"


class Stream:
    """The queue of the current device; all streams are equal.

    Args:
        priority (int): without effect.
        **kwargs: of MindSpore's own use; without effect.

    Raises:
        TypeError: `priority` is not an int.

    >>> from ms_compat import hal
    >>> hal.Stream() == hal.default_stream()
    True
    """

    def __init__(self, priority: int = 0, **kwargs: Any) -> None:
        logger.debug("Stream: priority=%d and %s have no effect", check_int("Stream", "priority", priority), kwargs)
        self.device_name = "CPU" if not device.accelerator_possible() else device.default_target()
        self.device_id = 0
        self.id = 0
        self.device_stream = None
        self.stream_ptr = 0

    def stream_id(self) -> int:
        """Returns 0."""
        return self.id

    def synchronize(self) -> None:
        """Returns when the device has computed all that was asked of it."""
        synchronize()

    def query(self) -> bool:
        """Whether the device has computed all that was asked of it."""
        return not _pending()

    def record_event(self, event: Event | None = None) -> Event:
        """Records an event, a new one by default; returns it.

        Raises:
            TypeError: it is not an Event.
        """
        event = Event() if event is None else _check_event("record_event", event)
        event.record()
        return event

    def wait_event(self, event: Event) -> None:
        """Lets later work wait for an event, which it does by itself where it needs the data."""
        _check_event("wait_event", event)

    def wait_stream(self, stream: Stream) -> None:
        """Lets later work wait for a stream's, which it does by itself where it needs the data."""
        check_type("wait_stream", "stream", stream, Stream)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash((self.device_name, self.device_id, self.id))

    def __repr__(self) -> str:
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


def _check_stream(api: str, stream: Any, name: str = "stream") -> None:
    if stream is not None:
        check_type(api, name, stream, Stream)


def _check_event(api: str, event: Any) -> Event:
    check_type(api, "event", event, Event)
    return event


class StreamCtx:
    """A region that submits its work to a stream, which is the one queue.

    Args:
        ctx_stream (Stream): the stream, or None.

    Raises:
        TypeError: it is not a Stream.
    """

    def __init__(self, ctx_stream: Stream | None) -> None:
        _check_stream("StreamCtx", ctx_stream, "ctx_stream")
        self.stream = ctx_stream

    def __enter__(self) -> StreamCtx:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to put back."""


def current_stream() -> Stream:
    """Returns the queue of the current device."""
    return Stream()


def default_stream() -> Stream:
    """Returns the queue of the current device."""
    return Stream()


def communication_stream() -> Stream:
    """Returns the queue of the current device; JAX runs collectives in it, too."""
    return Stream()


def set_cur_stream(stream: Stream | None) -> None:
    """Chooses a stream, of which there is one.

    Raises:
        TypeError: it is not a Stream.
    """
    _check_stream("set_cur_stream", stream)
