"""How many cores of an accelerator a device or a stream may use: kept and given back, without effect.

XLA divides the work of a program among the cores itself.
"""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.errors import check_int, check_type
from ms_compat._core.settings.streams import Stream

logger = logging.getLogger("ms_compat")

_NOT_SET = (-1, -1)
_of_devices: dict[int, tuple[int, int]] = {}
_of_stream = _NOT_SET  # all streams are one queue


def _numbers(api: str, cube_num: Any, vector_num: Any) -> tuple[int, int]:
    return check_int(api, "cube_num", cube_num), check_int(api, "vector_num", vector_num)


def _shown(numbers: tuple[int, int]) -> dict[str, int]:
    return {"cube_core_num": numbers[0], "vector_core_num": numbers[1]}


def get_device_limit(device: int) -> dict[str, int]:
    """Return the numbers of cores that `set_device_limit` set; -1 where it set none.

    Args:
        device (int): the number of the device.

    Returns:
        A dict with the keys "cube_core_num" and "vector_core_num".

    Raises:
        TypeError: `device` is not an int.

    >>> from ms_compat import runtime
    >>> runtime.set_device_limit(0, 8, 16)
    >>> runtime.get_device_limit(0)
    {'cube_core_num': 8, 'vector_core_num': 16}
    """
    return _shown(_of_devices.get(check_int("get_device_limit", "device", device), _NOT_SET))


def set_device_limit(device: int, cube_num: int = -1, vector_num: int = -1) -> None:
    """Keep numbers of cores for `get_device_limit`; XLA decides itself how many cores a program uses.

    Args:
        device (int): the number of the device.
        cube_num (int): cores that multiply matrices; -1 sets no limit.
        vector_num (int): cores that compute with vectors; -1 sets no limit.

    Raises:
        TypeError: an argument is not an int.
    """
    check_int("set_device_limit", "device", device)
    _of_devices[device] = _numbers("set_device_limit", cube_num, vector_num)
    logger.debug("runtime.set_device_limit(%d, %d, %d) has no effect: XLA uses all cores", device, cube_num, vector_num)


def get_stream_limit(stream: Stream) -> dict[str, int]:
    """Return the numbers of cores that `set_stream_limit` set; -1 where it set none. All streams are one queue.

    Args:
        stream (Stream): any stream.

    Returns:
        A dict with the keys "cube_core_num" and "vector_core_num".

    Raises:
        TypeError: `stream` is not a Stream.

    >>> from ms_compat import runtime
    >>> stream = runtime.Stream()
    >>> with runtime.StreamLimitCtx(stream, 8, 16):
    ...     print(runtime.get_stream_limit(stream))
    {'cube_core_num': 8, 'vector_core_num': 16}
    >>> runtime.get_stream_limit(stream)
    {'cube_core_num': -1, 'vector_core_num': -1}
    """
    check_type("get_stream_limit", "stream", stream, Stream)
    return _shown(_of_stream)


def set_stream_limit(stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
    """Keep numbers of cores for `get_stream_limit`; XLA decides itself how many cores a program uses.

    Args:
        stream (Stream): any stream.
        cube_num (int): cores that multiply matrices; -1 sets no limit.
        vector_num (int): cores that compute with vectors; -1 sets no limit.

    Raises:
        TypeError: `stream` is not a Stream, or a number is not an int.
    """
    global _of_stream
    check_type("set_stream_limit", "stream", stream, Stream)
    _of_stream = _numbers("set_stream_limit", cube_num, vector_num)
    logger.debug("runtime.set_stream_limit(%d, %d) has no effect: XLA uses all cores", cube_num, vector_num)


def reset_stream_limit(stream: Stream) -> None:
    """Forget what `set_stream_limit` set.

    Raises:
        TypeError: `stream` is not a Stream.
    """
    global _of_stream
    check_type("reset_stream_limit", "stream", stream, Stream)
    _of_stream = _NOT_SET
    logger.debug("runtime.reset_stream_limit: XLA uses all cores")


class StreamLimitCtx:
    """A region with numbers of cores for a stream. The earlier numbers are restored at its end.

    Args:
        stream (Stream): any stream.
        cube_num (int): cores that multiply matrices; -1 sets no limit.
        vector_num (int): cores that compute with vectors; -1 sets no limit.

    Raises:
        TypeError: `stream` is not a Stream.
    """

    def __init__(self, stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
        check_type("StreamLimitCtx", "stream", stream, Stream)
        self.stream = stream
        self.cube_num = cube_num
        self.vector_num = vector_num
        self._before = _NOT_SET

    def __enter__(self) -> None:
        self._before = _of_stream
        set_stream_limit(self.stream, self.cube_num, self.vector_num)

    def __exit__(self, *_: object) -> None:
        set_stream_limit(self.stream, *self._before)
