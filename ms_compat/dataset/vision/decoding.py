"""Decoding by OpenCV.

JPEG files: OpenCV and Pillow both use libjpeg-turbo, as MindSpore does, so pixels are the same to the last bit; OpenCV
takes 1.0 ms for 500 x 375 pixels where Pillow takes 2.3 ms. Pillow decodes the files that `decode_jpeg` leaves out.
PNG, BMP and TIFF files: MindSpore calls OpenCV, and Pillow converts 16-bit channels and alpha channels otherwise.
"""

from typing import Any

import numpy as np

from ms_compat.dataset.vision.opencv import opencv

# The formats that MindSpore's `Decode` hands to OpenCV, by Pillow's names.
OPENCV_FORMATS = ("PNG", "BMP", "TIFF")
_FRAMES = (0xC0, 0xC1, 0xC2)  # baseline, extended and progressive, with Huffman codes
_MOST_PIXELS = 1 << 26  # below the size at which Pillow warns of a decompression bomb
FREE_PIXELS = 1 << 21  # which a file may have whatever its size
JPEG_PIXELS = 256  # for each byte, at most: 8 x 8 pixels take two bits, but in progressive files
_END = b"\xff\xd9"
_PNG = b"\x89PNG\r\n\x1a\n"


def _frame(data: memoryview) -> tuple[int, int, int] | None:
    """(height, width, channels) of a JPEG file with 8 bits a channel; None if its head has no such frame."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _FRAMES:
            height, width = data[at + 5] << 8 | data[at + 6], data[at + 7] << 8 | data[at + 8]
            return (height, width, data[at + 9]) if data[at + 4] == 8 else None
        if not 0xC4 <= marker <= 0xFE or 0xD0 <= marker <= 0xDA:
            return None
        at += 2 + (data[at + 2] << 8 | data[at + 3])
    return None


def decode_jpeg(data: Any) -> np.ndarray | None:
    """Decodes a whole JPEG file of one or three channels.

    Args:
        data: the file's bytes, or a contiguous vector of uint8.

    Returns:
        RGB of shape (H, W, 3). None for any other data: other formats, files without an end marker, four channels,
        rare kinds of frames, and sizes that may be decompression bombs.
    """
    view = memoryview(data)
    if len(view) < 4 or view[:2] != b"\xff\xd8" or view[-2:] != _END:
        return None
    frame = _frame(view)
    most = min(_MOST_PIXELS, FREE_PIXELS + JPEG_PIXELS * len(view))
    if frame is None or frame[2] not in (1, 3) or not 0 < frame[0] * frame[1] <= most:
        return None
    return _decoded(view)


def decode_by_opencv(data: Any) -> np.ndarray:
    """Decodes a file in one of the `OPENCV_FORMATS`.

    Returns:
        RGB of shape (H, W, 3).

    Raises:
        ValueError: OpenCV cannot decode it.
    """
    _check_chunks(memoryview(data))
    try:
        pixels = _decoded(memoryview(data))
    except opencv().error as error:
        raise ValueError(error.err or str(error)) from error
    if pixels is None:
        raise ValueError("the file is damaged, or of a kind that OpenCV cannot decode")
    return pixels


def _check_chunks(view: memoryview) -> None:
    """Raise ValueError if a chunk of a PNG file is longer than the file: OpenCV allocates what its length says."""
    at = len(_PNG)
    last = b""
    while view[: len(_PNG)] == _PNG and at + 8 <= len(view) and last != b"IEND":
        last = bytes(view[at + 4 : at + 8])
        at += 12 + int.from_bytes(view[at : at + 4], "big")
        if at > len(view):
            raise ValueError("it ends within a chunk")


def _decoded(view: memoryview) -> np.ndarray | None:
    cv2 = opencv()
    # MindSpore does not turn images as their EXIF data say.
    return cv2.imdecode(np.frombuffer(view, np.uint8), cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION)
