"""Transforms that cut, pad and flip: pure indexing, the same for arrays and PIL images."""

from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import INT32_MAX, argument_error, check_bool, check_int_range, check_type
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision.base import (
    IMAGE_DTYPES,
    SIZE_MAX,
    ArrayOnPil,
    ImageTransform,
    check_border,
    check_fill,
    check_padding,
    check_probability,
    check_size,
    dtype_name,
    need_pil,
    pil,
    pil_ops,
    square,
    with_channels,
)
from ms_compat.dataset.vision.enums import Border, SliceMode
from ms_compat.dataset.vision.opencv import opencv

_FLIPPED_BY_OPENCV = ("uint8", "int8", "uint16", "int16", "int32", "float32", "float64")
_NUMPY_MODE = {Border.EDGE: "edge", Border.REFLECT: "reflect", Border.SYMMETRIC: "symmetric"}


def pad(image: np.ndarray, sides: tuple[int, int, int, int], fill: tuple[int, ...], mode: Border) -> np.ndarray:
    """Pads an image of shape (H, W) or (H, W, C) by (left, top, right, bottom) pixels."""
    left, top, right, bottom = sides
    if not any(sides):
        return image.copy()
    if mode is not Border.CONSTANT:
        widths = ((top, bottom), (left, right), (0, 0))[: image.ndim]
        return np.pad(image, widths, mode=_NUMPY_MODE[mode])  # type: ignore[call-overload]
    height, width = image.shape[:2]
    out = np.empty((height + top + bottom, width + left + right, *image.shape[2:]), image.dtype)
    out[...] = np.array(fill if image.ndim == 3 and len(fill) == image.shape[2] else fill[0]).astype(image.dtype)
    out[top : top + height, left : left + width] = image
    return out


def mirrored(image: np.ndarray) -> np.ndarray:
    """The image of shape (H, W) or (H, W, C), left and right exchanged; a new array.

    OpenCV takes 6 us for 224 x 224 pixels of three bytes, or 50 us without IPP, which changes no value here. NumPy
    moves each byte by itself and takes 190 us.
    """
    if image.ndim == 3 and dtype_name(image.dtype) in _FLIPPED_BY_OPENCV and 1 < image.shape[2] <= 4 and image.size:
        return opencv().flip(image if image.dtype.isnative else image.astype(image.dtype.newbyteorder("=")), 1)
    return np.ascontiguousarray(image[:, ::-1])


def _pad_pil(image: Any, sides: tuple[int, int, int, int], fill: tuple[int, ...], mode: Border) -> Any:
    """Pads a PIL image of any mode by (left, top, right, bottom) pixels; a new alpha channel is opaque."""
    if mode is Border.CONSTANT:
        color = fill if len(fill) == 3 else fill * 3
        made = pil_ops().expand(image, border=sides, fill=color[:1] if image.mode in ("1", "L") else color)
    else:
        made = pil().fromarray(pad(np.asarray(image), sides, fill, mode))
    if image.mode == "P":
        made.putpalette(image.getpalette())
    return made


@faces("dataset.vision")
class Crop(ImageTransform):
    """Cuts out a rectangle.

    Args:
        coordinates: (top, left).
        size: an int (a square) or (height, width).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is negative or 0.
        RuntimeError: when the rectangle does not fit.

    >>> Crop((0, 1), 2)(np.arange(16).reshape(4, 4).astype(np.uint8)).tolist()
    [[1, 2], [5, 6]]
    """

    _copies = True
    _dtypes = IMAGE_DTYPES

    def __init__(self, coordinates: Any, size: Any) -> None:
        check_type("Crop", "coordinates", coordinates, (list, tuple))
        if len(coordinates) != 2:
            raise argument_error(
                TypeError, "Crop", "Coordinates should be a list/tuple (y, x) of length 2.", coordinates
            )
        for k, value in enumerate(coordinates):
            check_int_range("Crop", f"coordinates[{k}]", value, 0, INT32_MAX)
        self.coordinates, self.size = tuple(coordinates), square(check_size("Crop", size))

    def _image(self, image: np.ndarray) -> np.ndarray:
        (top, left), (height, width) = self.coordinates, self.size
        if top + height > image.shape[0] or left + width > image.shape[1]:
            raise RuntimeError(
                f"For 'Crop', the rectangle must fit into the image of shape {image.shape}, but got "
                f"{self.coordinates} and {self.size}."
            )
        return image[top : top + height, left : left + width].copy()


@faces("dataset.vision")
class CenterCrop(ImageTransform):
    """Cuts out the middle; an image that is too small is padded with zeros.

    Args:
        size: an int (a square) or (height, width).

    Raises:
        TypeError: for another type.
        ValueError: if it is < 1.

    >>> CenterCrop(2)(np.arange(16).reshape(4, 4).astype(np.uint8)).tolist()
    [[5, 6], [9, 10]]
    """

    _copies = True
    _any_batch = True
    _dtypes = IMAGE_DTYPES

    def __init__(self, size: Any) -> None:
        self.size = square(check_size("CenterCrop", size))

    def _image(self, image: np.ndarray) -> np.ndarray:
        height, width = self.size
        missing_y, missing_x = max(height - image.shape[0], 0), max(width - image.shape[1], 0)
        if missing_y > 6 * image.shape[0] or missing_x > 6 * image.shape[1]:
            raise RuntimeError(
                f"For 'CenterCrop', the 'size' {self.size} must be at most 7 times the image's size, but its shape is "
                f"{image.shape}."
            )
        if missing_x or missing_y:
            if image.ndim == 3 and image.shape[2] not in (1, 3):
                raise RuntimeError(
                    f"For 'CenterCrop', an image to pad must have 1 or 3 channels, but got {image.shape[2]}."
                )
            if image.dtype == np.bool_:
                image = image.view(np.uint8)
            # The top and the left get an odd rest.
            sides = (-(-missing_x // 2), -(-missing_y // 2), missing_x // 2, missing_y // 2)
            image = pad(image, sides, (0,), Border.CONSTANT)
        top, left = (image.shape[0] - height) // 2, (image.shape[1] - width) // 2
        return image[top : top + height, left : left + width].copy()

    def _pil(self, image: Any) -> Any:
        # A half is rounded to even here, and cut off for arrays.
        (height, width), (columns, rows) = self.size, image.size
        top, left = round((rows - height) / 2), round((columns - width) / 2)
        return image.crop((left, top, left + width, top + height))

    def _stacked(self, images: np.ndarray) -> np.ndarray:
        height, width = self.size
        if images.ndim not in (3, 4) or height > images.shape[1] or width > images.shape[2]:
            return np.stack([self._apply(image) for image in images])
        self._fitting(images)
        top, left = (images.shape[1] - height) // 2, (images.shape[2] - width) // 2
        return images[:, top : top + height, left : left + width].copy()


@faces("dataset.vision")
class Pad(ImageTransform):
    """Pads an image.

    Args:
        padding: pixels on all sides, or (left and right, top and bottom), or (left, top, right, bottom).
        fill_value: the value for `Border.CONSTANT`, or one for each of three channels.
        padding_mode: a `Border`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> Pad(1)(np.ones((1, 1), np.uint8)).tolist()
    [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    """

    _dtypes, _channels, _bool_as_bytes = IMAGE_DTYPES, (1, 3), True

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT) -> None:
        self.padding = check_padding("Pad", padding)
        self.fill_value = check_fill("Pad", fill_value)
        self.padding_mode = check_border("Pad", padding_mode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return pad(image, self.padding, self.fill_value, self.padding_mode)

    def _pil(self, image: Any) -> Any:
        return _pad_pil(image, self.padding, self.fill_value, self.padding_mode)


@faces("dataset.vision")
class PadToSize(ImageTransform):
    """Pads an image to a size.

    Args:
        size: the size to reach, an int (a square) or (height, width).
        offset: (top, left) pixels, an int for both; None puts the image in the middle.
        fill_value: the value for `Border.CONSTANT`, or one for each of three channels.
        padding_mode: a `Border`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.
        RuntimeError: when the image is larger.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.PadToSize([6, 8])(np.ones((4, 4, 3), np.uint8)).shape
    (6, 8, 3)
    """

    _dtypes, _channels, _bool_as_bytes = IMAGE_DTYPES, (1, 3), True

    def __init__(
        self, size: Any, offset: Any = None, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT
    ) -> None:
        if isinstance(size, (list, tuple)) and len(size) != 2:
            raise argument_error(ValueError, "PadToSize", "The size must be a sequence of length 2.", size)
        self.size = square(check_size("PadToSize", size))
        if offset is not None:
            check_type("PadToSize", "offset", offset, (int, list, tuple))
            offset = (offset, offset) if isinstance(offset, int) else tuple(offset)
            if len(offset) not in (0, 2):
                raise argument_error(
                    ValueError, "PadToSize", "The offset must be empty or a sequence of length 2.", offset
                )
            for value in offset:
                check_int_range("PadToSize", "offset", value, 0, INT32_MAX)
        self.offset = offset or None
        self.fill_value = check_fill("PadToSize", fill_value)
        self.padding_mode = check_border("PadToSize", padding_mode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        rest_y, rest_x = self.size[0] - image.shape[0], self.size[1] - image.shape[1]
        top, left = self.offset or (rest_y // 2, rest_x // 2)
        sides = (left, top, rest_x - left, rest_y - top)
        if min(sides) < 0:
            raise RuntimeError(
                f"For 'PadToSize', an image of shape {image.shape} at {(top, left)} does not fit into {self.size}."
            )
        return pad(image, sides, self.fill_value, self.padding_mode)


@faces("dataset.vision")
class RandomCrop(ImageTransform):
    """Cuts out a rectangle at a random place.

    Args:
        size: an int (a square) or (height, width).
        padding: pads first, see `Pad`; None does not.
        pad_if_needed: pads an image that is too small.
        fill_value: the value for `Border.CONSTANT`, or one for each of three channels.
        padding_mode: a `Border`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.
        RuntimeError: when the rectangle does not fit into an array; `ValueError` for a PIL image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomCrop((2, 3))(np.ones((4, 4, 3), np.uint8)).shape
    (2, 3, 3)
    """

    _copies = True
    _any_batch = True
    _dtypes, _channels, _bool_as_bytes = IMAGE_DTYPES, (1, 3), True

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.size = square(check_size("RandomCrop", size))
        self.padding = None if padding is None else check_padding("RandomCrop", padding)
        self.pad_if_needed = check_bool("RandomCrop", "pad_if_needed", pad_if_needed)
        self.fill_value = check_fill("RandomCrop", fill_value)
        self.padding_mode = check_border("RandomCrop", padding_mode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        height, width = self.size
        if self.padding is not None:
            image = pad(image, self.padding, self.fill_value, self.padding_mode)
        if self.pad_if_needed:
            y, x = max(height - image.shape[0], 0), max(width - image.shape[1], 0)
            if x or y:
                image = pad(image, (x, y, x, y), self.fill_value, self.padding_mode)
        top, left = self._place(image.shape[0], image.shape[1], RuntimeError)
        return image[top : top + height, left : left + width].copy()

    def _pil(self, image: Any) -> Any:
        height, width = self.size
        if self.padding is not None:
            image = _pad_pil(image, self.padding, self.fill_value, self.padding_mode)
        if self.pad_if_needed:
            y, x = max(height - image.height, 0), max(width - image.width, 0)
            if x or y:
                image = _pad_pil(image, (x, y, x, y), self.fill_value, self.padding_mode)
        top, left = self._place(image.height, image.width, ValueError)
        return image.crop((left, top, left + width, top + height))

    def _place(self, rows: int, columns: int, error: type[Exception]) -> tuple[int, int]:
        """Draws the rectangle's (top, left); if the image is too small, raises MindSpore's error for its kind."""
        height, width = self.size
        if height > rows or width > columns:
            raise error(f"For 'RandomCrop', the 'size' {self.size} must fit into the image, but it is {rows, columns}.")
        random = rng()
        return random.randint(0, rows - height), random.randint(0, columns - width)


@faces("dataset.vision")
class HorizontalFlip(ImageTransform):
    """Mirrors left and right.

    >>> HorizontalFlip()(np.array([[1, 2, 3]], np.uint8)).tolist()
    [[3, 2, 1]]
    """

    _any_batch = True
    _dtypes = IMAGE_DTYPES

    def _image(self, image: np.ndarray) -> np.ndarray:
        return mirrored(image)


@faces("dataset.vision")
class VerticalFlip(ImageTransform):
    """Mirrors top and bottom.

    >>> VerticalFlip()(np.array([[1], [2]], np.uint8)).tolist()
    [[2], [1]]
    """

    _any_batch = True
    _dtypes = IMAGE_DTYPES

    def _image(self, image: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(image[::-1])


@faces("dataset.vision")
class RandomHorizontalFlip(ArrayOnPil):
    """Mirrors some images left and right.

    Args:
        prob: the probability.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is outside of [0, 1].

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[1, 2, 3]], np.uint8)
    >>> vision.RandomHorizontalFlip(1.0)(image).tolist()
    [[3, 2, 1]]
    """

    _any_batch = True
    _dtypes = IMAGE_DTYPES

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomHorizontalFlip", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return mirrored(image) if rng().random() < self.prob else image


@faces("dataset.vision")
class RandomVerticalFlip(ArrayOnPil):
    """Mirrors some images top and bottom.

    Args:
        prob: the probability.

    Raises:
        TypeError: if it is not a number.
        ValueError: if it is outside of [0, 1].

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[1], [2], [3]], np.uint8)
    >>> vision.RandomVerticalFlip(1.0)(image).ravel().tolist()
    [3, 2, 1]
    """

    _dtypes = IMAGE_DTYPES

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomVerticalFlip", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(image[::-1]) if rng().random() < self.prob else image


@faces("dataset.vision")
class FiveCrop:
    """Cuts the corners and the middle out of a PIL image; returns a tuple of five images.

    Args:
        size: an int (a square) or (height, width).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.zeros((4, 4, 3), np.uint8))
    >>> [part.size for part in vision.FiveCrop(2)(image)]
    [(2, 2), (2, 2), (2, 2), (2, 2), (2, 2)]
    """

    def __init__(self, size: Any) -> None:
        self.size = square(check_size(type(self).__name__, size))

    def __call__(self, image: Any) -> tuple[Any, ...]:
        width, height = need_pil(type(self).__name__, image).size
        h, w = self.size
        if h > height or w > width:
            raise ValueError(
                f"For '{type(self).__name__}', the 'size' {self.size} must fit into the image, but it "
                f"is {(height, width)}."
            )
        corners = [(0, 0), (width - w, 0), (0, height - h), (width - w, height - h)]
        cut = [image.crop((x, y, x + w, y + h)) for x, y in corners]
        return (*cut, CenterCrop(self.size)(image))


@faces("dataset.vision")
class TenCrop(FiveCrop):
    """`FiveCrop` of a PIL image and of its mirror image; returns a tuple of ten images.

    Args:
        size: an int (a square) or (height, width).
        use_vertical_flip: mirrors top and bottom instead of left and right.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.zeros((4, 4, 3), np.uint8))
    >>> len(vision.TenCrop(2)(image))
    10
    """

    def __init__(self, size: Any, use_vertical_flip: bool = False) -> None:
        super().__init__(size)
        self.flip = (
            VerticalFlip() if check_bool("TenCrop", "use_vertical_flip", use_vertical_flip) else HorizontalFlip()
        )

    def __call__(self, image: Any) -> tuple[Any, ...]:
        mirrored = pil().fromarray(self.flip(need_pil("TenCrop", image)))
        return (*super().__call__(image), *super().__call__(mirrored))


@faces("dataset.vision")
class SlicePatches(ImageTransform):
    """Cuts an image into a grid of patches; returns them as a tuple, row by row.

    Args:
        num_height: rows of the grid.
        num_width: columns of the grid.
        slice_mode: whether a rest is filled up (`SliceMode.PAD`) or dropped.
        fill_value: the value to fill up with.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> [part.shape for part in vision.SlicePatches(1, 2)(np.zeros((4, 4, 3), np.uint8))]
    [(4, 2, 3), (4, 2, 3)]
    """

    _dtypes, _bool_as_bytes = IMAGE_DTYPES, True

    def __init__(
        self, num_height: int = 1, num_width: int = 1, slice_mode: SliceMode = SliceMode.PAD, fill_value: int = 0
    ) -> None:
        for name, value in (("num_height", num_height), ("num_width", num_width)):
            checks.check_count("SlicePatches", name, value, SIZE_MAX)
        self.grid = (num_height, num_width)
        self.slice_mode = check_type("SlicePatches", "slice_mode", slice_mode, SliceMode)
        check_int_range("SlicePatches", "fill_value", fill_value, 0, 255)
        self.fill_value = fill_value

    def _apply(self, array: np.ndarray) -> Any:
        # One patch is the unchanged image, with any numeric dtype.
        whole = self.grid == (1, 1) and array.ndim >= 2 and array.dtype.kind not in "SU"
        return array.copy() if whole else super()._apply(array)

    def _image(self, image: np.ndarray) -> Any:
        rows, columns = self.grid
        if self.slice_mode is SliceMode.PAD:
            height, width = -(-image.shape[0] // rows), -(-image.shape[1] // columns)
            sides = (0, 0, width * columns - image.shape[1], height * rows - image.shape[0])
            image = pad(image, sides, (self.fill_value,) * max(with_channels(image).shape[2], 1), Border.CONSTANT)
        else:
            height, width = image.shape[0] // rows, image.shape[1] // columns
            if height == 0 or width == 0:
                raise RuntimeError(
                    f"For 'SlicePatches', the image must have {rows} x {columns} pixels or more, but got {image.shape}."
                )
        cut = [
            image[i * height : (i + 1) * height, j * width : (j + 1) * width].copy()
            for i in range(rows)
            for j in range(columns)
        ]
        return tuple(cut) if len(cut) > 1 else cut[0]
