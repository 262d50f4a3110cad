"""Images in files: decode, encode, read and write.

`decoding` says which library decodes which files. Pillow reads heads, makes PIL images and has the encoders.
"""

import io
import os
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset.vision.base import pil
from ms_compat.dataset.vision.decoding import (
    END_OF_JPEG,
    FREE_PIXELS,
    JPEG_FORMATS,
    JPEG_PIXELS,
    OPENCV_FORMATS,
    decode_by_opencv,
    decode_jpeg,
)
from ms_compat.dataset.vision.enums import ImageReadMode

# How many pixels, of one bit where the format has them, a byte can hold at most: by format, or by a TIFF's compression.
_ZLIB = 8 * 1032
_MOST_UNPACKED = {
    "JPEG": JPEG_PIXELS,
    "PNG": _ZLIB,
    "BMP": 128,  # 255 equal pixels in two bytes
    "GIF": 2731,  # 4096 pixels in a code of 12 bits
    "raw": 8,
    "packbits": 8 * 64,  # 128 equal bytes in two
    "tiff_lzw": 8 * 2731,
    "tiff_deflate": _ZLIB,
    "tiff_adobe_deflate": _ZLIB,
}


def _open(data: bytes) -> Any:
    """A PIL image, whose head is read and whose pixels are not.

    Raises:
        OSError, ValueError, SyntaxError: the data is damaged.
        PIL.Image.DecompressionBombError: it has more than 178,956,970 pixels.
    """
    image = pil().open(io.BytesIO(data))
    packed = image.info.get("compression") if image.format == "TIFF" else image.format
    if image.info.get("progressive"):
        packed = None  # one bit may stand for many blocks
    most = FREE_PIXELS + _MOST_UNPACKED.get(packed, image.width * image.height) * len(data)
    if image.width * image.height > most:
        raise OSError(f"its head announces {image.width} x {image.height} pixels, but it has {len(data)} bytes")
    return image


def _check_format(image: Any) -> None:
    """Refuses formats that MindSpore does not decode.

    Raises:
        ValueError: the PIL image comes from a GIF, WebP or other file.
    """
    if image.format not in (*JPEG_FORMATS, *OPENCV_FORMATS):
        raise ValueError(
            f"it is a {image.format} file, but only JPEG, PNG, BMP, TIFF and PPM files can be decoded to arrays. "
            "'Decode(to_pil=True)' decodes it."
        )


@faces("dataset.vision")
class Decode(Remembered):
    """Decodes an encoded image (JPEG, PNG, BMP, TIFF, PPM; with `to_pil` all that Pillow decodes) to RGB.

    Args:
        to_pil: returns a PIL image instead of an array.

    Raises:
        TypeError: if `to_pil` is not a bool; when called with anything but a vector of uint8 (or bytes).
        RuntimeError: when the data cannot be decoded, or has more than 178,956,970 pixels (with `to_pil`, as in
            MindSpore, `ValueError` and Pillow's `DecompressionBombError`).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> encoded = vision.encode_png(np.full((2, 3, 3), 7, np.uint8))
    >>> image = vision.Decode()(encoded)
    >>> image.shape, image.dtype
    ((2, 3, 3), dtype('uint8'))
    """

    def __init__(self, to_pil: bool = False) -> None:
        self.to_pil = check_bool("Decode", "to_pil", to_pil)

    @staticmethod
    def _encoded(data: Any) -> Any:
        """The encoded image as bytes or as a contiguous vector of uint8."""
        if isinstance(data, np.ndarray) and data.size == 1 and data.dtype.kind == "S":
            data = data.tobytes()  # a bytes column; item() would cut zeros off its end
        if hasattr(data, "asnumpy"):
            data = data.asnumpy()
        if isinstance(data, bytes):
            return data
        if not isinstance(data, np.ndarray):
            raise type_error("Decode", "input", "an encoded image, a uint8 vector", data)
        if data.ndim != 1 or data.dtype.kind in "SU":
            raise TypeError(
                "For 'Decode', the encoded image must be a vector of uint8, but got shape "
                f"{data.shape} and dtype {data.dtype}."
            )
        return np.ascontiguousarray(data, np.uint8)

    def __call__(self, data: Any) -> Any:
        data = self._encoded(data)
        pixels = None if self.to_pil else decode_jpeg(data)
        return self._otherwise(data) if pixels is None else pixels

    def in_scratch(self, data: Any) -> Any:
        """The call for a transform that copies the pixels: this thread's next call may overwrite them."""
        data = self._encoded(data)
        pixels = decode_jpeg(data, scratch=True)
        return self._otherwise(data) if pixels is None else pixels

    def _otherwise(self, data: Any) -> Any:
        """What Pillow or OpenCV make of the encoded image."""
        try:
            image = _open(data if isinstance(data, bytes) else data.tobytes())
            if not self.to_pil:
                _check_format(image)
                if image.format in OPENCV_FORMATS:
                    return decode_by_opencv(data)
            image.load()
            image = image if image.mode == "RGB" else image.convert("RGB")
        except (OSError, ValueError, SyntaxError) as error:
            kind = ValueError if self.to_pil else RuntimeError
            raise kind(f"For 'Decode', the data cannot be decoded as an image: {error}") from error
        except pil().DecompressionBombError as error:
            if self.to_pil:
                raise
            raise RuntimeError(f"For 'Decode', the image is too large to be decoded: {error}") from error
        return image if self.to_pil else np.array(image)


@faces("dataset.vision dataset.vision.utils")
def read_file(filename: str) -> np.ndarray:
    """Reads a file as a vector of uint8.

    Raises:
        TypeError: if the name is not a str.
        RuntimeError: if it cannot be read.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_file("three.bin", np.array([1, 2, 3], np.uint8))
    >>> vision.read_file("three.bin").tolist()
    [1, 2, 3]
    """
    check_type("read_file", "filename", filename, str)
    try:
        return np.fromfile(filename, dtype=np.uint8)
    except OSError as error:
        raise RuntimeError(f"For 'read_file', the file must be readable, but {filename!r} gave: {error}") from error


@faces("dataset.vision dataset.vision.utils")
def read_image(filename: str, mode: ImageReadMode = ImageReadMode.UNCHANGED) -> np.ndarray:
    """Reads a JPEG, PNG, BMP, TIFF or PPM file as an image of shape (H, W, C).

    Args:
        filename: the file.
        mode: one channel of uint8 (GRAYSCALE), three of uint8 (COLOR), or one or three of the file's dtype (UNCHANGED);
            an alpha channel is left out.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: if it cannot be read or decoded.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_png("grey.png", np.zeros((2, 3, 3), np.uint8))
    >>> vision.read_image("grey.png").shape
    (2, 3, 3)
    """
    check_type("read_image", "mode", mode, ImageReadMode)
    data = read_file(filename).tobytes()
    try:
        image = _open(data)
        _check_format(image)
        if image.format not in OPENCV_FORMATS and not data.endswith(END_OF_JPEG):
            data += END_OF_JPEG  # without it OpenCV gives up
        return decode_by_opencv(data, mode)
    except (OSError, ValueError, SyntaxError, pil().DecompressionBombError) as error:
        raise RuntimeError(f"For 'read_image', {filename!r} cannot be decoded as an image: {error}") from error


def _encode(api: str, image: Any, kind: str, **options: Any) -> np.ndarray:
    array = image.asnumpy() if hasattr(image, "asnumpy") else image
    if not isinstance(array, np.ndarray):
        raise type_error(api, "image", "a numpy array or a Tensor", image)
    if array.dtype != np.uint8:
        raise RuntimeError(f"For '{api}', the 'image' must be uint8, but got {array.dtype}.")
    if array.ndim not in (2, 3) or array.ndim == 3 and array.shape[2] not in (1, 3):
        raise RuntimeError(
            f"For '{api}', the 'image' must have shape (H, W), (H, W, 1) or (H, W, 3), but got {array.shape}."
        )
    if not array.size:
        raise RuntimeError(f"For '{api}', the 'image' must have pixels, but its shape is {array.shape}.")
    out = io.BytesIO()
    pil().fromarray(array[:, :, 0] if array.ndim == 3 and array.shape[2] == 1 else array).save(out, kind, **options)
    return np.frombuffer(out.getvalue(), dtype=np.uint8)


@faces("dataset.vision dataset.vision.utils")
def encode_jpeg(image: Any, quality: int = 75) -> np.ndarray:
    """Encodes an image as JPEG.

    Args:
        image: uint8, (H, W), (H, W, 1) or (H, W, 3).
        quality: 1 to 100.

    Returns:
        The file's bytes, a vector of uint8.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.encode_jpeg(np.zeros((2, 3, 3), np.uint8))[:2].tolist()  # the mark of JPEG
    [255, 216]
    """
    if not 1 <= check_type("encode_jpeg", "quality", quality, int) <= 100:
        raise RuntimeError(f"For 'encode_jpeg', the 'quality' must be int in range [1, 100], but got {quality}.")
    return _encode("encode_jpeg", image, "JPEG", quality=quality)


@faces("dataset.vision dataset.vision.utils")
def encode_png(image: Any, compression_level: int = 6) -> np.ndarray:
    """Encodes an image as PNG.

    Args:
        image: uint8, (H, W), (H, W, 1) or (H, W, 3).
        compression_level: 0 to 9.

    Returns:
        The file's bytes, a vector of uint8.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> bytes(vision.encode_png(np.zeros((2, 3, 3), np.uint8))[1:4])
    b'PNG'
    """
    if not 0 <= check_type("encode_png", "compression_level", compression_level, int) <= 9:
        raise RuntimeError(
            f"For 'encode_png', the 'compression_level' must be int in range [0, 9], but got {compression_level}."
        )
    return _encode("encode_png", image, "PNG", compress_level=compression_level)


@faces("dataset.vision dataset.vision.utils")
def write_file(filename: str, data: Any) -> None:
    """Writes a vector of uint8 to a file, whole or not at all.

    Raises:
        TypeError: if the name is not a str.
        RuntimeError: if the data is not a vector of uint8 or the file cannot be written.

    >>> import os
    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_file("two.bin", np.array([1, 2], np.uint8))
    >>> os.path.getsize("two.bin")
    2
    """
    check_type("write_file", "filename", filename, str)
    array = data.asnumpy() if hasattr(data, "asnumpy") else data
    if not isinstance(array, np.ndarray):
        raise type_error("write_file", "data", "a numpy array or a Tensor", data)
    if array.ndim != 1 or array.dtype != np.uint8:
        raise RuntimeError(
            f"For 'write_file', the 'data' must be a vector of uint8, but got {array.dtype} {array.shape}."
        )
    target = os.path.realpath(filename)
    part = f"{target}.{os.getpid()}.part"
    try:
        array.tofile(part)
        os.replace(part, target)
    except OSError as error:
        if os.path.exists(part):
            os.remove(part)
        raise RuntimeError(f"For 'write_file', the file must be writable, but {filename!r} gave: {error}") from error


@faces("dataset.vision dataset.vision.utils")
def write_jpeg(filename: str, image: Any, quality: int = 75) -> None:
    """Writes an image as a JPEG file; see `encode_jpeg` and `write_file`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_jpeg("black.jpg", np.zeros((8, 8, 3), np.uint8))
    >>> vision.read_image("black.jpg").shape
    (8, 8, 3)
    """
    write_file(filename, encode_jpeg(image, quality))


@faces("dataset.vision dataset.vision.utils")
def write_png(filename: str, image: Any, compression_level: int = 6) -> None:
    """Writes an image as a PNG file; see `encode_png` and `write_file`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_png("black.png", np.zeros((2, 3, 3), np.uint8))
    >>> vision.read_image("black.png").shape
    (2, 3, 3)
    """
    write_file(filename, encode_png(image, compression_level))


@faces("dataset.vision dataset.vision.utils")
def get_image_num_channels(image: Any) -> int:
    """The number of channels in an array (H, W) or (H, W, C), or in a PIL image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.get_image_num_channels(np.zeros((2, 3, 3), np.uint8))
    3
    """
    if isinstance(image, np.ndarray):
        if image.ndim < 2:
            raise RuntimeError(
                f"For 'get_image_num_channels', the image must have rank 2 or more, but got shape {image.shape}."
            )
        return 1 if image.ndim == 2 else image.shape[-1]
    if hasattr(image, "getbands"):
        return len(image.getbands())
    raise type_error("get_image_num_channels", "image", "a numpy array or a PIL image", image)


@faces("dataset.vision dataset.vision.utils")
def get_image_size(image: Any) -> list[int]:
    """The [height, width] of an array or a PIL image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.get_image_size(np.zeros((2, 3, 3), np.uint8))
    [2, 3]
    """
    if isinstance(image, np.ndarray):
        if image.ndim < 2:
            raise RuntimeError(
                f"For 'get_image_size', the image must have rank 2 or more, but got shape {image.shape}."
            )
        return list(image.shape[:2]) if image.ndim == 2 else list(image.shape[-3:-1])
    if hasattr(image, "getbands"):
        return [image.height, image.width]
    raise type_error("get_image_size", "image", "a numpy array or a PIL image", image)
