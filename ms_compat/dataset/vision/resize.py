"""Transforms that resize, alone or after a cut.

Arrays are resized as OpenCV does it (see `resampling`), PIL images by Pillow: their numbers differ, in MindSpore too.
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import INT32_MAX, argument_error, check_int_range, not_one_tensor
from ms_compat.dataset._support.rows import is_pil
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision.base import (
    FLOAT_MAX,
    IMAGE_DTYPES,
    METHODS,
    ImageTransform,
    check_inter,
    check_range,
    check_size,
    dtype_name,
    pil,
    square,
)
from ms_compat.dataset.vision.enums import Inter
from ms_compat.dataset.vision.resampling import resize


def resize_array(api: str, image: np.ndarray, size: tuple[int, int], interpolation: Inter) -> np.ndarray:
    """Resizes an array of shape (H, W) or (H, W, C)."""
    if interpolation is Inter.ANTIALIAS:
        raise TypeError(
            f"For '{api}', Inter.ANTIALIAS needs a PIL image (from 'Decode(to_pil=True)' or 'ToPIL'), but got an array."
        )
    if dtype_name(image.dtype) not in IMAGE_DTYPES:
        raise RuntimeError(
            f"For '{api}', the dtype of the image must be {', '.join(IMAGE_DTYPES)}, but got {image.dtype}."
        )
    if image.shape[:2] == size:
        return image.copy()
    if image.dtype in (np.int8, np.int32, np.float16) and interpolation is not Inter.NEAREST:
        raise RuntimeError(f"For '{api}', an image of dtype {image.dtype} can be resized with Inter.NEAREST only.")
    if interpolation is Inter.PILCUBIC:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise RuntimeError(
                f"For '{api}', Inter.PILCUBIC needs a uint8 image of 3 channels, but got {image.dtype} {image.shape}."
            )
        image_module = pil()
        return np.array(image_module.fromarray(image).resize(size[::-1], image_module.Resampling.BICUBIC))
    if size[0] > 1000 * image.shape[0] or size[1] > 1000 * image.shape[1]:
        raise RuntimeError(
            f"For '{api}', the 'size' must be at most 1000 times the image's size, but got {size} for {image.shape}."
        )
    method = METHODS[interpolation]
    if image.dtype == np.float16:  # OpenCV moves any 16-bit numbers
        return resize(image.view(np.uint16), *size, method, api).view(np.float16)
    if image.dtype == bool:
        return resize(image.view(np.uint8), *size, method, api).astype(bool)
    return resize(image, *size, method, api)


def resize_pil(api: str, image: Any, size: tuple[int, int], interpolation: Inter) -> Any:
    """Resizes a PIL image with Pillow."""
    methods = pil().Resampling
    found = {
        Inter.NEAREST: methods.NEAREST,
        Inter.ANTIALIAS: methods.LANCZOS,
        Inter.BILINEAR: methods.BILINEAR,
        Inter.BICUBIC: methods.BICUBIC,
    }.get(interpolation)
    if found is None:
        raise TypeError(f"For '{api}', a PIL image cannot be resized with {interpolation!r}; use 'ToNumpy' before.")
    return image.resize(size[::-1], found)


def shorter_edge(size: int, height: int, width: int) -> tuple[int, int]:
    """The (height, width) whose shorter edge is `size`, in the image's proportions."""
    if height <= width:
        return size, int(size * width / height)
    return int(size * height / width), size


@faces("dataset.vision")
class Resize(ImageTransform):
    """Resizes an image.

    Args:
        size: (height, width), or an int for the shorter edge, keeping the proportions.
        interpolation: an `Inter`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the size is < 1.
        RuntimeError: when called with a dtype or shape that cannot be resized.

    >>> Resize((2, 2))(np.arange(16, dtype=np.uint8).reshape(4, 4)).tolist()
    [[3, 5], [11, 13]]
    """

    _copies = True
    _any_batch = True

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR) -> None:
        if not isinstance(size, (int, list, tuple)) or (not isinstance(size, int) and len(size) != 2):
            raise argument_error(
                TypeError, "Resize", "Size should be a single integer or a list/tuple (h, w) of length 2.", size
            )
        self.size = check_size("Resize", size)
        self.interpolation = check_inter("Resize", interpolation)

    def _target(self, height: int, width: int) -> tuple[int, int]:
        return shorter_edge(self.size, height, width) if isinstance(self.size, int) else self.size

    def _image(self, image: np.ndarray) -> np.ndarray:
        return resize_array("Resize", image, self._target(*image.shape[:2]), self.interpolation)

    def _pil(self, image: Any) -> Any:
        return resize_pil("Resize", image, self._target(image.height, image.width), self.interpolation)


@faces("dataset.vision")
class RandomResize(Resize):
    """Resizes an image with an interpolation drawn by chance; the argument is `Resize`'s.

    Args:
        size: (height, width), or an int for the shorter edge.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomResize((2, 3))(np.zeros((4, 4, 3), np.uint8)).shape
    (2, 3, 3)
    """

    _copies = True
    _pil: Any = None

    def __init__(self, size: Any) -> None:
        self.size = check_size("RandomResize", size)
        self.interpolation = Inter.BILINEAR

    def _image(self, image: np.ndarray) -> np.ndarray:
        drawn = rng().choice((Inter.BILINEAR, Inter.NEAREST, Inter.BICUBIC, Inter.AREA))
        return resize_array("RandomResize", image, self._target(*image.shape[:2]), drawn)


@faces("dataset.vision")
class ResizedCrop(ImageTransform):
    """Cuts out a rectangle and resizes it.

    Args:
        top: its first row.
        left: its first column.
        height: its height.
        width: its width.
        size: (height, width) of the result, or an int for the shorter edge.
        interpolation: an `Inter`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.ResizedCrop(0, 0, 2, 2, (4, 4))(np.zeros((3, 3, 3), np.uint8)).shape
    (4, 4, 3)
    """

    _copies = True

    def __init__(
        self, top: int, left: int, height: int, width: int, size: Any, interpolation: Inter = Inter.BILINEAR
    ) -> None:
        for name, value, low in (("top", top, 0), ("left", left, 0), ("height", height, 1), ("width", width, 1)):
            check_int_range("ResizedCrop", name, value, low, INT32_MAX)
        self.box = (top, left, height, width)
        self.resize = Resize(check_size("ResizedCrop", size), interpolation)

    def _cut(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        top, left, height, width = self.box
        if top + height > rows or left + width > columns:
            raise RuntimeError(
                f"For 'ResizedCrop', the rectangle {self.box} must fit into the image, but it is {rows} x {columns}."
            )
        return self.box

    def _image(self, image: np.ndarray) -> np.ndarray:
        top, left, height, width = self._cut(*image.shape[:2])
        return self.resize(image[top : top + height, left : left + width])


@faces("dataset.vision")
class RandomResizedCrop(ImageTransform):
    """Cuts out a random part and resizes it.

    Args:
        size: (height, width) of the result, or an int (a square).
        scale: (min, max) share of the area.
        ratio: (min, max) of width over height.
        interpolation: an `Inter`.
        max_attempts: how often a part is drawn until one fits; then the largest middle part is taken.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range or a range is not in the order (min, max).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomResizedCrop((4, 4))(np.zeros((8, 8, 3), np.uint8)).shape
    (4, 4, 3)
    """

    _copies = True
    _any_batch = True
    _api = "RandomResizedCrop"

    def __init__(
        self,
        size: Any,
        scale: Any = (0.08, 1.0),
        ratio: Any = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        api = type(self).__name__
        self.size = square(check_size(api, size))
        self.scale = check_range(api, "scale", scale, 0, FLOAT_MAX)
        if not self.scale[1]:
            raise argument_error(ValueError, api, "Input scale[1] must be greater than 0.", scale)
        self.ratio = check_range(api, "ratio", ratio, 0, FLOAT_MAX, ends="(]")
        self.interpolation = check_inter(api, interpolation)
        checks.check_count(api, "max_attempts", max_attempts)
        self.max_attempts = max_attempts

    def _draw(self, rows: int, columns: int) -> tuple[int, int, int, int]:
        """A random rectangle (top, left, height, width)."""
        random = rng()
        low, high = math.log(self.ratio[0]), math.log(self.ratio[1])
        for _ in range(self.max_attempts):
            area = rows * columns * random.uniform(*self.scale)
            ratio = math.exp(random.uniform(low, high))
            width, height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < width <= columns and 0 < height <= rows:
                return random.randint(0, rows - height), random.randint(0, columns - width), height, width
        image_ratio = columns / rows
        width, height = columns, rows
        if image_ratio < self.ratio[0]:
            height = max(round(columns / self.ratio[0]), 1)
        elif image_ratio > self.ratio[1]:
            width = max(round(rows * self.ratio[1]), 1)
        return (rows - height) // 2, (columns - width) // 2, height, width

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._cut(image, self._draw(*image.shape[:2]))

    def _cut(self, image: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
        top, left, height, width = box
        return resize_array(
            type(self).__name__, image[top : top + height, left : left + width], self.size, self.interpolation
        )

    def _pil(self, image: Any) -> Any:
        top, left, height, width = self._draw(image.height, image.width)
        return resize_pil(
            type(self).__name__, image.crop((left, top, left + width, top + height)), self.size, self.interpolation
        )


@faces("dataset.vision")
class RandomCropDecodeResize(RandomResizedCrop):
    """Decodes an encoded image (a uint8 vector), cuts out a random part and resizes it; see `RandomResizedCrop`.

    It gives the pixels of `Decode` and `RandomResizedCrop`. Rows of a JPEG file below the part are not decoded.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> encoded = vision.encode_jpeg(np.zeros((8, 8, 3), np.uint8))
    >>> vision.RandomCropDecodeResize((4, 4))(encoded).shape
    (4, 4, 3)
    """

    def _row(self, *items: Any) -> Any:
        from ms_compat.dataset.vision.decoding import JpegFile
        from ms_compat.dataset.vision.files import Decode

        if len(items) != 1:
            raise not_one_tensor("RandomCropDecodeResize", len(items))
        data = items[0]
        if is_pil(data) or not isinstance(data, np.ndarray) or data.ndim != 1 or data.dtype != np.uint8:
            raise type_error("RandomCropDecodeResize", "input", "an encoded image, a uint8 vector", data)
        file = JpegFile.parse(np.ascontiguousarray(data))
        if file is None:
            return self._image(Decode()(data))
        box = self._draw(*file.size)
        pixels = file.decode_until(box[0] + box[2], scratch=True)
        return self._cut(Decode()(data) if pixels is None else pixels, box)
