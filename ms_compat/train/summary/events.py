"""TensorBoard's event files: records of a length, a checksum and an `Event` message.

    Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5 }
    Summary { repeated Value value = 1 }
    Value   { string tag = 1; float simple_value = 2; Image image = 4; HistogramProto histo = 5;
              TensorProto tensor = 8 }

MindSpore's own summary files have the same records and nearly the same messages, but only MindInsight reads them, which
is no longer developed. They are only written, and by hand: most of their bytes are one NumPy array's, and
protobuf's runtime would need the schemas of nine messages. Source of the format: TensorBoard's `event.proto`,
`summary.proto` and `tensor.proto`.
"""

import io
import math
import os
import struct
from typing import Any

import numpy as np

from ms_compat._core.crc32c import masked_crc
from ms_compat._formats.protobuf.wire import varint

# TensorProto's numbers of dtypes.
_DTYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "int64": 9,
    "bool": 10,
    "bfloat16": 14,
    "uint16": 17,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}


def _whole(field: int, number: int) -> bytes:
    return varint(field << 3) + varint(number & (1 << 64) - 1)


def _double(field: int, number: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", number)


def _bytes(field: int, data: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(data)) + data


def scalar(value: np.ndarray) -> bytes:
    """The field of a number: the first one of an array."""
    return varint(2 << 3 | 5) + struct.pack("<f", float(value.reshape(-1)[0]))


def tensor(value: np.ndarray) -> bytes:
    """The field of an array."""
    shape = b"".join(_bytes(2, _whole(1, size)) for size in value.shape)
    content = np.ascontiguousarray(value).tobytes()
    return _bytes(8, _whole(1, _DTYPES[value.dtype.name]) + _bytes(2, shape) + _bytes(4, content))


def histogram(value: np.ndarray) -> bytes:
    """The field of a histogram over up to 90 buckets of equal width; values that are not finite are left out."""
    flat = value.astype(np.float64).reshape(-1)
    flat = flat[np.isfinite(flat)]
    if not flat.size:
        flat = np.zeros(1)
    counts, edges = np.histogram(flat, bins=int(min(max(math.sqrt(flat.size), 1), 90)))
    packed = _bytes(6, edges[1:].astype("<f8").tobytes()) + _bytes(7, counts.astype("<f8").tobytes())
    numbers = (flat.min(), flat.max(), flat.size, flat.sum(), (flat**2).sum())
    return _bytes(5, b"".join(_double(field, float(number)) for field, number in enumerate(numbers, 1)) + packed)


def image(value: np.ndarray) -> bytes:
    """The field of images (N, C, H, W) of one or three channels, as one PNG with up to eight side by side.

    Bytes are used as they are, and values in [0, 1] are multiplied by 255. Others are scaled to 0 to 255, as in
    MindSpore.
    """
    from PIL import Image

    count, _, height, width = value.shape
    columns = min(count, 8)
    rows = -(-count // columns)
    canvas = np.zeros((rows, columns, 3, height, width))
    canvas.reshape(-1, 3, height, width)[:count] = value
    canvas = canvas.transpose(0, 3, 1, 4, 2).reshape(rows * height, columns * width, 3)
    low, high = canvas.min(), canvas.max()
    if value.dtype != np.uint8:
        inside = low >= 0 and high <= 1
        spread = 255 / (high - low + 1) if high != low else 1.0
        canvas = canvas * 255 if inside else (canvas - low) * spread
    out = io.BytesIO()
    Image.fromarray(canvas.astype(np.uint8)).save(out, "PNG")
    sizes = _whole(1, canvas.shape[0]) + _whole(2, canvas.shape[1]) + _whole(3, 3)
    return _bytes(4, sizes + _bytes(4, out.getvalue()))


FIELDS = {"scalar": scalar, "tensor": tensor, "histogram": histogram, "image": image}


def event(wall_time: float, step: int | None = None, version: str = "", values: Any = ()) -> bytes:
    """An `Event`.

    Args:
        wall_time: seconds since 1970.
        step: the step.
        version: what a file begins with.
        values: (kind, tag, array) of a summary.
    """
    out = _double(1, wall_time)
    if step is not None:
        out += _whole(2, step)
    if version:
        out += _bytes(3, version.encode())
    if values:
        parts = [_bytes(1, _bytes(1, tag.encode()) + FIELDS[kind](array)) for kind, tag, array in values]
        out += _bytes(5, b"".join(parts))
    return out


class EventFile:
    """A file of events.

    Args:
        path: the file; it is made with the first event.
        limit: the most bytes; events beyond it are dropped. None for no limit.
    """

    def __init__(self, path: str, limit: int | None = None) -> None:
        self.path, self._limit = path, limit
        self._file: Any = None

    def write(self, wall_time: float, step: int, values: list[tuple[str, str, np.ndarray]]) -> None:
        """Adds an event; the first one makes the file."""
        if self._file is None:
            self._file = open(self.path, "wb")  # closed by `close`
            self._record(event(wall_time, version="brain.Event:2"))
        self._record(event(wall_time, step, values=values))

    def _record(self, data: bytes) -> None:
        if self._limit is not None and self._file.tell() + len(data) + 16 > self._limit:
            raise OSError(f"{self.path!r} would grow beyond 'max_file_size', {self._limit} bytes")
        head = struct.pack("<Q", len(data))
        self._file.write(head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data)))

    def flush(self) -> None:
        """Hands what was written to the disk."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
