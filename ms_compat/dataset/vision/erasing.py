"""Transforms that overwrite rectangles of an image."""

from typing import Any

import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_bool,
    check_float_range,
    check_int_range,
    check_type,
)
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision.base import IMAGE_DTYPES, ImageTransform, check_probability, check_range, pil


@faces("dataset.vision")
class CutOut(ImageTransform):
    """Sets random squares to zero.

    Args:
        length: side of the squares.
        num_patches: how many.
        is_hwc: whether images are (H, W, C); otherwise (C, H, W).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.CutOut(4)(np.ones((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    _ranks = (3,)

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        for name, value in (("length", length), ("num_patches", num_patches)):
            checks.check_count("CutOut", name, value)
        self.length, self.num_patches = length, num_patches
        self.is_hwc = check_bool("CutOut", "is_hwc", is_hwc)

    def _image(self, image: np.ndarray) -> np.ndarray:
        out = image.copy()
        view = out if self.is_hwc else out.transpose(1, 2, 0)
        height, width = view.shape[:2]
        if self.length > min(height, width):
            raise RuntimeError(
                f"For 'CutOut', the 'length' must fit into the image, but got {self.length} for {height} x {width}."
            )
        for _ in range(self.num_patches):
            top, left = rng().randint(0, height - self.length), rng().randint(0, width - self.length)
            view[top : top + self.length, left : left + self.length] = 0
        return out


@faces("dataset.vision")
class Erase(ImageTransform):
    """Fills a rectangle.

    Args:
        top: its first row.
        left: its first column.
        height: its height.
        width: its width.
        value: the value, or one for each of three channels.
        inplace: writes into the input.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.Erase(0, 0, 1, 2, value=9)(np.zeros((2, 2, 3), np.uint8))
    >>> image[..., 0].tolist()
    [[9, 9], [0, 0]]
    """

    _ranks, _dtypes, _channels = (3,), IMAGE_DTYPES, (3,)

    def __init__(self, top: int, left: int, height: int, width: int, value: Any = 0.0, inplace: bool = False) -> None:
        for name, number, low in (("top", top, 0), ("left", left, 0), ("height", height, 1), ("width", width, 1)):
            check_int_range("Erase", name, number, low, INT32_MAX)
        check_type("Erase", "value", value, (float, int, tuple))
        values = value if isinstance(value, tuple) else (value,)
        if isinstance(value, tuple) and len(value) != 3:
            raise argument_error(TypeError, "Erase", "value should be a single integer/float or a 3-tuple.", value)
        for number in values:
            check_float_range("Erase", "value", number, 0, 255)
        self.box, self.value = (top, left, height, width), values
        self.inplace = check_bool("Erase", "inplace", inplace)

    def _image(self, image: np.ndarray) -> np.ndarray:
        top, left, height, width = self.box
        if top + height > image.shape[0] or left + width > image.shape[1]:
            raise RuntimeError(
                f"For 'Erase', the rectangle {self.box} must fit into the image, but its shape is {image.shape}."
            )
        out = image if self.inplace else image.copy()
        out[top : top + height, left : left + width] = np.array(self.value, image.dtype)
        return out


@faces("dataset.vision")
class RandomErasing(ImageTransform):
    """Fills a random rectangle of some images (C, H, W).

    Args:
        prob: the probability.
        scale: (min, max) share of the area.
        ratio: (min, max) of height over width.
        value: the value, one for each of three channels, or "random".
        inplace: writes into the input.
        max_attempts: how often a rectangle is drawn until one fits.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomErasing()(np.ones((3, 8, 8), np.float32)).shape
    (3, 8, 8)
    """

    _takes_all_dtypes = True

    def __init__(
        self,
        prob: float = 0.5,
        scale: Any = (0.02, 0.33),
        ratio: Any = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        self.prob = check_probability("RandomErasing", prob)
        self.scale = check_range("RandomErasing", "scale", scale, 0, 16777216)
        self.ratio = check_range("RandomErasing", "ratio", ratio, 0, 16777216, ends="(]")
        self.value = check_type("RandomErasing", "value", value, (int, list, tuple, str))
        if value != "random" if isinstance(value, str) else isinstance(value, (list, tuple)) and len(value) != 3:
            raise argument_error(
                ValueError, "RandomErasing",
                "The value for erasing should be either a single value, or a string 'random', or a sequence of 3 "
                "elements for RGB respectively.", value,
            )  # fmt: skip
        for number in [] if isinstance(value, str) else checks.listed(value):
            check_int_range("RandomErasing", "value", number, 0, 255)
        self.inplace = check_bool("RandomErasing", "inplace", inplace)
        checks.check_count("RandomErasing", "max_attempts", max_attempts)
        self.max_attempts = max_attempts

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if rng().random() >= self.prob:
            return array
        check_rank("RandomErasing", "image", array, 3)
        return self._image(array)

    def _image(self, image: np.ndarray) -> np.ndarray:
        random = rng()
        channels, rows, columns = image.shape
        for _ in range(self.max_attempts):
            area = random.uniform(*self.scale) * rows * columns
            ratio = random.uniform(*self.ratio)
            height, width = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
            if not (0 < height < rows and 0 < width < columns):
                continue
            top, left = random.randint(0, rows - height), random.randint(0, columns - width)
            if isinstance(self.value, str):
                fill = np.array([random.gauss(0, 1) for _ in range(channels * height * width)]).reshape(
                    channels, height, width
                )
            else:
                fill = np.array(self.value).reshape(-1, 1, 1)
            out = image if self.inplace else image.copy()
            out[:, top : top + height, left : left + width] = fill
            return out
        return image

    def _pil(self, image: Any) -> Any:
        made = self._apply(np.asarray(image).transpose(2, 0, 1))
        return pil().fromarray(np.ascontiguousarray(made.transpose(1, 2, 0)))
