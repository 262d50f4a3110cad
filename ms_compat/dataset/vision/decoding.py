"""Decoding by libjpeg-turbo and OpenCV.

JPEG files: simplejpeg and Pillow both use libjpeg-turbo, as MindSpore does, so pixels are the same to the last bit.
simplejpeg takes 0.9 ms for 500 x 375 pixels and 7.0 ms for 1920 x 1080; OpenCV takes 1.0 and 7.9, Pillow 2.3 and 11.6.
Pillow decodes the files that `decode_jpeg` leaves out.
PNG, BMP, TIFF and PPM files: MindSpore calls OpenCV, and Pillow converts 16-bit channels and alpha channels otherwise.
"""

import threading
from typing import Any, NamedTuple

import numpy as np
import simplejpeg

from ms_compat.dataset.vision.enums import ImageReadMode
from ms_compat.dataset.vision.opencv import opencv

# The formats that MindSpore decodes, by Pillow's names; it hands the second group to OpenCV.
JPEG_FORMATS = ("JPEG", "MPO")
OPENCV_FORMATS = ("PNG", "BMP", "TIFF", "PPM")
_FRAMES = (0xC0, 0xC1, 0xC2)  # baseline, extended and progressive, with Huffman codes
_PROGRESSIVE, _START_OF_SCAN = 0xC2, 0xDA
_MOST_PIXELS = 1 << 26  # below the size at which Pillow warns of a decompression bomb
FREE_PIXELS = 1 << 21  # which a file may have whatever its size
JPEG_PIXELS = 256  # for each byte, at most: 8 x 8 pixels take two bits, but in progressive files
END_OF_JPEG = b"\xff\xd9"
_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST_SCRATCH = 1 << 26


class _Frame(NamedTuple):
    """What the head of a JPEG file says."""

    at: int  # where its segment begins
    progressive: bool
    height: int
    width: int
    channels: int

    def unit(self, data: memoryview) -> int:
        """The rows that are coded together."""
        return 8 * max(1, *(data[self.at + 11 + 3 * k] & 15 for k in range(self.channels)))


class _Scratch(threading.local):
    """A thread's buffer for pixels that the next transform copies.

    Fresh memory for 1920 x 1080 pixels has 1500 pages, and touching them first takes as long as decoding.
    """

    _buffer: np.ndarray | None = None

    def take(self, size: int) -> np.ndarray | None:
        if size > _LARGEST_SCRATCH:
            return None
        if self._buffer is None or self._buffer.size < size:
            self._buffer = np.empty(size, np.uint8)
        return self._buffer


_scratch = _Scratch()


def _frame(data: memoryview) -> _Frame | None:
    """The frame of a JPEG file with 8 bits a channel; None if its head has no such frame."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = data[at + 5] << 8 | data[at + 6], data[at + 7] << 8 | data[at + 8]
            return _Frame(at, marker == _PROGRESSIVE, height, width, data[at + 9]) if data[at + 4] == 8 else None
        if not 0xC4 <= marker <= 0xFE or 0xD0 <= marker <= _START_OF_SCAN:
            return None
        at += 2 + (data[at + 2] << 8 | data[at + 3])
    return None


class JpegFile:
    """A JPEG file of one or three channels, whose head was read.

    Args:
        data: the file's bytes, or a contiguous vector of uint8.
    """

    def __init__(self, view: memoryview, frame: _Frame) -> None:
        self._view, self._frame = view, frame

    @classmethod
    def parse(cls, data: Any) -> "JpegFile | None":
        """The file; None for other formats, four channels, rare kinds of frames and possible decompression bombs."""
        view = memoryview(data)
        if len(view) < 4 or view[:2] != b"\xff\xd8":
            return None
        frame = _frame(view)
        most = min(_MOST_PIXELS, FREE_PIXELS + JPEG_PIXELS * len(view))
        if frame is None or frame.channels not in (1, 3) or not 0 < frame.height * frame.width <= most:
            return None
        return cls(view, frame)

    @property
    def size(self) -> tuple[int, int]:
        """(height, width)."""
        return self._frame.height, self._frame.width

    def decode(self, scratch: bool = False) -> np.ndarray | None:
        """Decodes the file.

        Args:
            scratch: whether the pixels may be in a buffer that this thread's next call overwrites.

        Returns:
            RGB of shape (H, W, 3); None if the data ends early or cannot be decoded.
        """
        if self._view[-2:] == END_OF_JPEG:
            return self._decoded(self._view, self._frame.height, scratch, strict=False)
        if self._frame.progressive:
            return None  # as in MindSpore
        # The file may be whole but for its end marker: then it decodes without a warning once it has one.
        return self._decoded(bytes(self._view) + END_OF_JPEG, self._frame.height, scratch, strict=True)

    def decode_until(self, bottom: int, scratch: bool = False) -> np.ndarray | None:
        """Decodes the rows above `bottom`, and some more; otherwise as `decode`."""
        frame = self._frame
        if not self._one_scan() or self._view[-2:] != END_OF_JPEG:
            return self.decode(scratch)
        unit = frame.unit(self._view)
        # Colours of a row come from the rows beside it, too.
        rows = (-(-bottom // unit) + 1) * unit
        if rows >= frame.height:
            return self.decode(scratch)
        shorter = bytearray(self._view)
        shorter[frame.at + 5 : frame.at + 7] = rows.to_bytes(2, "big")
        return self._decoded(shorter, rows, scratch, strict=False)

    def _one_scan(self) -> bool:
        """Whether one scan has all channels, so that rows follow each other in the data."""
        data, at = self._view, self._frame.at
        while not self._frame.progressive and at + 4 < len(data) and data[at] == 0xFF:
            if data[at + 1] == _START_OF_SCAN:
                return data[at + 4] == self._frame.channels
            at += 2 + (data[at + 2] << 8 | data[at + 3])
        return False

    def _decoded(self, data: Any, rows: int, scratch: bool, strict: bool) -> np.ndarray | None:
        buffer = _scratch.take(rows * self._frame.width * 3) if scratch else None
        try:
            return simplejpeg.decode_jpeg(data, buffer=buffer, strict=strict)
        except ValueError:
            return None


def decode_jpeg(data: Any, scratch: bool = False) -> np.ndarray | None:
    """Decodes a JPEG file of one or three channels; see `JpegFile`.

    Returns:
        RGB of shape (H, W, 3); None for any other data, which Pillow decodes or refuses.
    """
    file = JpegFile.parse(data)
    return None if file is None else file.decode(scratch)


def decode_by_opencv(data: Any, mode: ImageReadMode | None = None) -> np.ndarray:
    """Decodes a file in one of the `OPENCV_FORMATS`.

    Args:
        data: the file's bytes, or a contiguous vector of uint8.
        mode: COLOR for RGB of uint8, GRAYSCALE for one channel of uint8, both turned as EXIF data say; UNCHANGED for
            one or three channels (an alpha channel is left out) in the file's dtype; None for RGB of uint8 as
            MindSpore's `Decode` gives it, which is not turned.

    Returns:
        An image of shape (H, W, C).

    Raises:
        ValueError: OpenCV cannot decode it.
    """
    _check_chunks(memoryview(data))
    cv2 = opencv()
    flags = {
        None: cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION,
        ImageReadMode.COLOR: cv2.IMREAD_COLOR_RGB,
        ImageReadMode.GRAYSCALE: cv2.IMREAD_GRAYSCALE,
        ImageReadMode.UNCHANGED: cv2.IMREAD_UNCHANGED,
    }
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags[mode])
    except cv2.error as error:
        raise ValueError(error.err or str(error)) from error
    if pixels is None:
        raise ValueError("the file is damaged, or of a kind that OpenCV cannot decode")
    if pixels.ndim == 2:
        return pixels[:, :, None]
    return np.ascontiguousarray(pixels[:, :, 2::-1]) if mode is ImageReadMode.UNCHANGED else pixels


def _check_chunks(view: memoryview) -> None:
    """Raise ValueError if a chunk of a PNG file is longer than the file: OpenCV allocates what its length says."""
    at = len(_PNG)
    last = b""
    while view[: len(_PNG)] == _PNG and at + 8 <= len(view) and last != b"IEND":
        last = bytes(view[at + 4 : at + 8])
        at += 12 + int.from_bytes(view[at : at + 4], "big")
        if at > len(view):
            raise ValueError("it ends within a chunk")
