"""Transforms that a `map` computes together.

`Decode` before a transform that copies its image, such as `Resize`, decodes into memory that each thread has already.

`ToTensor`, `Rescale`, `Normalize`, `HWC2CHW` and casts make one number of each byte, whatever the other bytes are. A
run of them on a uint8 image is therefore a lookup. The transforms themselves make the table, from the 256 bytes in each
channel, so the result is the same to the last bit. `Normalize` and `HWC2CHW` on 224 x 224 take 90 us instead of 150 to
450: a second float32 array of 600 KB often costs fresh pages of memory.
"""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat.dataset.transforms.base import row_call
from ms_compat.dataset.vision.files import Decode
from ms_compat.dataset.vision.opencv import opencv

_MOST_CHANNELS = 4
_SMALLEST = 4096  # below so many bytes, the calls cost more than the arithmetic
_DTYPES = ("uint8", "int32", "float32", "float64")


def row_calls(operations: Sequence[Callable[..., Any]]) -> list[Callable[..., Any]]:
    """The functions that a `map` calls, one after the other; a run of transforms `_by_value` becomes one function."""
    made: list[Callable[..., Any]] = []
    followers = [*operations[1:], None]
    pairs = zip(operations, followers, strict=True)
    for by_value, group in itertools.groupby(pairs, lambda pair: "_by_value" in vars(type(pair[0]))):
        run = list(group)
        if by_value and len(run) > 1:
            made.append(TableLookup([operation for operation, _ in run]))
        else:
            made += [_call(operation, follower) for operation, follower in run]
    return made


def _call(operation: Callable[..., Any], follower: Any) -> Callable[..., Any]:
    if type(operation) is Decode and not operation.to_pil and "_copies" in vars(type(follower)):
        return operation.in_scratch
    return row_call(operation)


class TableLookup:
    """Transforms that are called one after the other, or looked up in one table where the image is uint8.

    Args:
        transforms: those that set `_by_value`.
    """

    def __init__(self, transforms: Sequence[Callable[..., Any]]) -> None:
        self._operations = [row_call(transform) for transform in transforms]
        means = [getattr(transform, "mean", None) for transform in transforms]
        self._counts = {len(mean) for mean in means if mean is not None}
        self._tables: dict[int, np.ndarray | None] = {}

    def __call__(self, *items: Any) -> Any:
        return self.call_into(np.empty, *items)

    def call_into(self, empty: Callable[..., np.ndarray], *items: Any) -> Any:
        """The call; `empty(shape, dtype)` makes the array of the result, where a table gives it."""
        if len(items) == 1:
            image = items[0]
            if type(image) is np.ndarray and image.dtype == np.uint8 and image.ndim == 3 and image.size >= _SMALLEST:
                table = self._table(image.shape[2])
                if table is not None:
                    return _looked_up(image, table, empty)
        for operation in self._operations:
            items = (operation(*items),)
        return items[0]

    def _table(self, channels: int) -> np.ndarray | None:
        """What each byte becomes, as an image of shape (256, 1, C) or (C, 256, 1); None if the run must be called."""
        if channels not in self._tables:
            self._tables[channels] = self._computed(channels)
        return self._tables[channels]

    def _computed(self, channels: int) -> np.ndarray | None:
        if channels > _MOST_CHANNELS or self._counts - {1, channels}:
            return None
        made: Any = np.repeat(np.arange(256, dtype=np.uint8), channels).reshape(256, 1, channels)
        try:
            for operation in self._operations:
                made = operation(made)
        except (RuntimeError, TypeError, ValueError):
            return None  # the call with the image itself raises it
        known = made.dtype.name in _DTYPES and made.shape in ((256, 1, channels), (channels, 256, 1))
        return np.ascontiguousarray(made) if known else None


def _looked_up(image: np.ndarray, table: np.ndarray, empty: Callable[..., np.ndarray]) -> np.ndarray:
    cv2, image = opencv(), np.ascontiguousarray(image)
    height, width, channels = image.shape
    if len(table) == 256:
        out = empty(image.shape, table.dtype)
        cv2.LUT(image, table.reshape(1, 256, -1), out)
        return out
    out = empty((channels, height, width), table.dtype)
    for k, plane in enumerate(cv2.split(image)):
        cv2.LUT(plane, table[k].reshape(1, 256), out[k])
    return out
