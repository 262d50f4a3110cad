"""The base of image transforms: input types (an array or a PIL image) and shared argument checks.

An array becomes an array; a PIL image becomes a PIL image where MindSpore has both. Pillow itself computes it where its
numbers differ from OpenCV's (resizing, rotation, colours). The first image or file imports Pillow and OpenCV.
"""

import functools
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_int_range,
    check_type,
    check_within,
    not_one_tensor,
)
from ms_compat.dataset._support.rows import is_pil
from ms_compat.dataset.transforms.base import Transform
from ms_compat.dataset.vision.enums import Border, Inter

SIZE_MAX = 16777216
FLOAT_MAX = 16777216

METHODS = {Inter.NEAREST: "nearest", Inter.BILINEAR: "linear", Inter.BICUBIC: "cubic", Inter.AREA: "area"}
# The dtypes that OpenCV can hold, its arithmetic's, and its filters' and warps'.
IMAGE_DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "float16", "float32", "float64")
NUMBER_DTYPES = tuple(name for name in IMAGE_DTYPES if name != "float16")
FILTER_DTYPES = ("bool", "uint8", "int16", "uint16", "float32", "float64")


@functools.lru_cache(64)
def dtype_name(dtype: np.dtype) -> str:
    """The dtype's name, "str" for text of any length. NumPy puts it together at each access, which takes 2 us."""
    return "str" if dtype.kind in "SU" else dtype.name


def pil() -> Any:
    """Pillow's `Image` module.

    Raises:
        ImportError: with a remedy, if Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("Decoding files and PIL images need Pillow: pip install pillow") from error
    return Image


def pil_ops() -> Any:
    """Pillow's `ImageOps` module."""
    pil()
    from PIL import ImageOps

    return ImageOps


def need_pil(api: str, image: Any) -> Any:
    """Returns the image if it is a PIL image; `TypeError` if not."""
    if not is_pil(image):
        raise type_error(api, "input", "a PIL image (from 'Decode(to_pil=True)' or 'ToPIL')", image)
    return image


def with_channels(image: np.ndarray) -> np.ndarray:
    """The image as (H, W, C)."""
    return image[:, :, None] if image.ndim == 2 else image


def saturated(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """The values in a dtype; integers are rounded and cut to its range."""
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)
    return values.astype(dtype)


def no_image(api: str, item: Any) -> TypeError:
    """The error for an input that is not an image."""
    return type_error(api, "input", "a numpy array or a PIL image", item)


class ImageTransform(Transform):
    """An image transform; a subclass defines `_image(image)` over arrays of shape (H, W, C) or (H, W).

    `_ranks` are the ranks it takes, `_channels` the numbers of channels and `_dtypes` the dtypes (all, if empty);
    `_bool_as_bytes` makes bool images uint8 ones, `_any_batch` lets more leading axes pass, `_pil` (if defined) takes
    PIL images.
    """

    _ranks: tuple[int, ...] = (2, 3)
    _any_batch = False
    _dtypes: tuple[str, ...] = ()
    _channels: tuple[int, ...] = ()
    _bool_as_bytes = False
    _pil: Any = None

    def _row(self, *items: Any) -> Any:
        if len(items) != 1:
            raise not_one_tensor(type(self).__name__, len(items))
        item = items[0]
        if type(item) is np.ndarray:
            return self._apply(item)
        if is_pil(item):
            return self._apply(np.asarray(item)) if self._pil is None else self._pil(item)
        if hasattr(item, "asnumpy"):
            return self._apply(item.asnumpy())
        raise no_image(type(self).__name__, item)

    def _fitting(self, array: np.ndarray) -> np.ndarray:
        """Returns the image, or a batch of them, in a dtype that the transform computes with.

        Raises:
            RuntimeError: if the dtype or the number of channels does not fit.
        """
        api = type(self).__name__
        if self._dtypes and dtype_name(array.dtype) not in self._dtypes:
            raise RuntimeError(
                f"For '{api}', the dtype of the image must be {', '.join(self._dtypes)}, but got {array.dtype}."
            )
        if self._channels and array.ndim > 2 and array.shape[-1] not in self._channels:
            counts = " or ".join(map(str, self._channels))
            raise RuntimeError(f"For '{api}', the image must have {counts} channels, but got {array.shape[-1]}.")
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        return array.view(np.uint8) if self._bool_as_bytes and array.dtype == np.bool_ else array

    def _apply(self, array: np.ndarray) -> Any:
        api = type(self).__name__
        array = self._fitting(array)
        if array.ndim in self._ranks:
            return self._image(array)
        if self._any_batch and array.ndim > 3:
            flat = array.reshape(-1, *array.shape[-3:])
            made = np.stack([self._image(image) for image in flat])
            return made.reshape(*array.shape[:-3], *made.shape[1:])
        shapes = " or ".join({2: "(H, W)", 3: "(H, W, C)"}.get(rank, f"rank {rank}") for rank in self._ranks)
        raise RuntimeError(
            f"For '{api}', the image must have shape {shapes}, but got {array.shape}. An encoded image "
            "needs 'Decode' first."
        )

    def _image(self, image: np.ndarray) -> Any:
        raise NotImplementedError(f"{type(self).__name__} does nothing.")


class ArrayOnPil(ImageTransform):
    """An image transform that only indexes: it converts PIL images to arrays and back."""

    def _pil(self, image: Any) -> Any:
        return pil().fromarray(self._apply(np.asarray(image)))


def check_size(api: str, size: Any, argument: str = "size") -> tuple[int, int] | int:
    """Checks a size: an int (returned as it is) or a list or tuple (height, width).

    Raises:
        TypeError: for another type or length.
        ValueError: if it is < 1.
    """
    check_type(api, argument, size, (int, list, tuple))
    if isinstance(size, int):
        values: Any = [size]
    elif len(size) != 2:
        raise argument_error(
            TypeError, api, "Size should be a single integer or a list/tuple (h, w) of length 2.", size
        )
    else:
        values = size
    for k, value in enumerate(values):
        check_int_range(api, argument if isinstance(size, int) else f"{argument}[{k}]", value, 1, SIZE_MAX)
    return size if isinstance(size, int) else (size[0], size[1])


def square(size: tuple[int, int] | int) -> tuple[int, int]:
    """A size as (height, width); an int is a square."""
    return (size, size) if isinstance(size, int) else size


def check_probability(api: str, prob: Any) -> float:
    """Checks a probability; `TypeError` or `ValueError`."""
    check_type(api, "prob", prob, (float, int))
    check_within(api, "prob", prob, 0.0, 1.0)
    return prob


def check_padding(api: str, padding: Any) -> tuple[int, int, int, int]:
    """Turns padding (all, or (left/right, top/bottom), or all four) into (left, top, right, bottom).

    Raises:
        TypeError: for another type.
        ValueError: if it is negative or of another length.
    """
    check_type(api, "padding", padding, (int, tuple, list))
    values = [padding] * 4 if isinstance(padding, int) else list(padding)
    if len(values) not in (2, 4):
        raise argument_error(ValueError, api, "The size of the padding list or tuple should be 2 or 4.", padding)
    for k, value in enumerate(values):
        check_int_range(api, "padding" if isinstance(padding, int) else f"padding[{k}]", value, 0, INT32_MAX)
    left, top, right, bottom = values if len(values) == 4 else (values[0], values[1], values[0], values[1])
    return left, top, right, bottom


def check_fill(api: str, fill_value: Any) -> tuple[int, ...]:
    """Turns a fill value (a number or one for each of three channels, in 0 to 255) into a tuple.

    Raises:
        TypeError: for another type or length.
        ValueError: if it is out of range.
    """
    if isinstance(fill_value, int) and not isinstance(fill_value, bool):
        values: tuple[Any, ...] = (fill_value,)
    elif isinstance(fill_value, tuple) and len(fill_value) == 3:
        values = fill_value
    else:
        raise argument_error(TypeError, api, "fill_value should be a single integer or a 3-tuple.", fill_value)
    for value in values:
        check_int_range(api, "fill_value", value, 0, 255)
    return values


def check_inter(api: str, interpolation: Any, argument: str = "interpolation") -> Inter:
    """Checks an `Inter`."""
    return check_type(api, argument, interpolation, Inter)


def check_border(api: str, padding_mode: Any) -> Border:
    """Checks a `Border`."""
    return check_type(api, "padding_mode", padding_mode, Border)


def check_range(
    api: str,
    argument: str,
    value: Any,
    low: float,
    high: float,
    types: tuple[type, ...] = (int, float),
    ends: str = "[]",
) -> tuple[float, float]:
    """Checks a pair (min, max) inside of a range.

    Raises:
        TypeError: if it is not a list or tuple of two numbers.
        ValueError: if it is out of range or min > max.
    """
    check_type(api, argument, value, (list, tuple))
    if len(value) != 2:
        raise argument_error(TypeError, api, f"{argument} should be a list/tuple of length 2.", value)
    for number in value:
        check_type(api, argument, number, types)
        check_within(api, argument, number, low, high, ends)
    if value[0] > value[1]:
        raise argument_error(ValueError, api, f"{argument} should be in (min,max) format. Got (max,min).", value)
    return value[0], value[1]
