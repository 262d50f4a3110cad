"""Transforms of pixel values: scale, normalise, layout, dtype, inversion, erasing."""

from typing import Any

import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import (
    argument_error,
    check_bool,
    check_float_range,
    check_int_range,
    check_type,
    check_within,
    interval_error,
)
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset._support.rows import is_pil
from ms_compat.dataset.transforms.base import Transform, rng, to_dtype
from ms_compat.dataset.transforms.data import TypeCast
from ms_compat.dataset.vision import colors
from ms_compat.dataset.vision.base import (
    FLOAT_MAX,
    IMAGE_DTYPES,
    NUMBER_DTYPES,
    ImageTransform,
    check_probability,
    check_range,
    no_image,
    pil,
    pil_ops,
    saturated,
    with_channels,
)


@faces("dataset.vision")
class Rescale(Transform):
    """Computes `image * rescale + shift` in float32.

    Args:
        rescale: the factor.
        shift: the offset.

    Raises:
        TypeError: if one is not a number.

    >>> Rescale(2.0, 1.0)(np.array([[1, 2]], np.uint8)).tolist()
    [[3.0, 5.0]]
    """

    _by_value = True

    def __init__(self, rescale: float, shift: float) -> None:
        for name, value in (("rescale", rescale), ("shift", shift)):
            if abs(check_type("Rescale", name, value, (float, int))) > FLOAT_MAX:
                raise interval_error("Rescale", name, -FLOAT_MAX, FLOAT_MAX, value)
        self.rescale, self.shift = np.float32(rescale), np.float32(shift)

    def _row(self, *items: Any) -> Any:
        if len(items) == 1 and not (
            isinstance(items[0], np.ndarray) or is_pil(items[0]) or hasattr(items[0], "asnumpy")
        ):
            raise no_image("Rescale", items[0])
        return super()._row(*items)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.dtype.kind in "SU" or array.dtype in (np.int64, np.uint32, np.uint64):
            raise RuntimeError(
                f"For 'Rescale', the image must have a dtype that images can have, but got {array.dtype}."
            )
        out = array.astype(np.float32)
        out *= self.rescale
        out += self.shift
        return out

    _stacked = _apply


def check_mean_std(api: str, mean: Any, std: Any) -> tuple[np.ndarray, np.ndarray]:
    """Checks mean and std as MindSpore does: lists or tuples of one length, mean in [0, 255], std in (0, 255]."""
    check_type(api, "mean", mean, (list, tuple))
    check_type(api, "std", std, (list, tuple))
    if len(mean) != len(std):
        raise ValueError(f"For '{api}': Length of mean and std must be equal. Got {len(mean)} and {len(std)}.")
    for name, values in (("mean", mean), ("std", std)):
        for k, value in enumerate(values):
            check_type(api, f"{name}[{k}]", value, (int, float))
            check_within(api, f"{name}[{k}]", value, 0, 255, "[]" if name == "mean" else "(]")
    return np.array(mean, np.float32), np.array(std, np.float32)


@faces("dataset.vision")
class Normalize(ImageTransform):
    """Computes `(image - mean) / std` for each channel, in float32.

    Args:
        mean: means of the channels in [0, 255], or a single one; `ToTensor` or `Rescale` before it divides them by 255.
        std: standard deviations, in (0, 255].
        is_hwc: whether images are (H, W, C); otherwise (C, H, W).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range or lengths differ.
        RuntimeError: when called with another number of channels.

    >>> Normalize([1.0], [2.0])(np.ones((1, 1, 1), np.uint8)).tolist()
    [[[0.0]]]
    """

    _any_batch = True
    _by_value = True

    def __init__(self, mean: Any, std: Any, is_hwc: bool = True) -> None:
        self.mean, self.std = check_mean_std("Normalize", mean, std)
        self.is_hwc = check_bool("Normalize", "is_hwc", is_hwc)

    def _scaled(self, images: np.ndarray, rank: int) -> np.ndarray:
        mean, std = self.mean, self.std
        axis = -1 if self.is_hwc else -3
        channels = 1 if rank == 2 else images.shape[axis]
        if len(mean) not in (1, channels):
            raise RuntimeError(
                f"For 'Normalize': number of channels does not match the size of mean and std vectors. Got {channels} "
                f"channels and {len(mean)} means."
            )
        out = images.astype(np.float32)
        if len(mean) == 1 or rank == 2:
            out -= mean
            out /= std
        elif self.is_hwc:
            # Over whole lines: numpy's inner loop over three channels would take 7 times as long.
            lines, width = out.reshape(-1, images.shape[-2] * channels), images.shape[-2]
            lines -= np.tile(mean, width)
            lines /= np.tile(std, width)
        else:
            out -= mean[:, None, None]
            out /= std[:, None, None]
        return out

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._scaled(image, image.ndim)

    def _stacked(self, images: np.ndarray) -> np.ndarray:
        if images.ndim < 3:
            return np.stack([self._apply(image) for image in images])
        return self._scaled(images, images.ndim - 1)


@faces("dataset.vision")
class NormalizePad(Normalize):
    """`Normalize`, then a channel of zeros; see `Normalize`.

    Args:
        mean: means of the channels.
        std: standard deviations of the channels.
        dtype: "float32" or "float16".
        is_hwc: whether images are (H, W, C); otherwise (C, H, W).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[1, 2, 3]]], np.uint8)
    >>> vision.NormalizePad([1.0, 1.0, 1.0], [1.0, 1.0, 1.0])(image).ravel().tolist()
    [0.0, 1.0, 2.0, 0.0]
    """

    _any_batch = False

    def __init__(self, mean: Any, std: Any, dtype: str = "float32", is_hwc: bool = True) -> None:
        self.mean, self.std = check_mean_std("NormalizePad", mean, std)
        self.is_hwc = check_bool("NormalizePad", "is_hwc", is_hwc)
        if not isinstance(dtype, str):
            raise argument_error(TypeError, "NormalizePad", "dtype should be string.", dtype)
        if dtype not in ("float32", "float16"):
            raise argument_error(ValueError, "NormalizePad", "dtype only supports float32 or float16.", dtype)
        self.dtype = np.dtype(dtype)

    def _image(self, image: np.ndarray) -> np.ndarray:
        made = with_channels(self._scaled(image, image.ndim)) if self.is_hwc else self._scaled(image, image.ndim)
        axis = -1 if self.is_hwc else -3
        shape = list(made.shape)
        shape[axis] = 1
        return np.concatenate([made, np.zeros(shape, np.float32)], axis=axis).astype(self.dtype)

    def _stacked(self, images: np.ndarray) -> np.ndarray:
        return np.stack([self._apply(image) for image in images])


@faces("dataset.vision")
class HWC2CHW(ImageTransform):
    """Moves the channels to the front; an image without channels does not change.

    Raises:
        RuntimeError: when called with another rank.

    >>> HWC2CHW()(np.zeros((2, 3, 1))).shape
    (1, 2, 3)
    """

    _dtypes = (*NUMBER_DTYPES, "str")
    _by_value = True

    def _fitting(self, array: np.ndarray) -> np.ndarray:
        return array if array.ndim == 2 else super()._fitting(array)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.ndim == 2:
            return image
        if image.dtype.kind in "SU":
            raise RuntimeError("For 'HWC2CHW', an image of shape (H, W, C) must hold numbers, but got strings.")
        return np.ascontiguousarray(image.transpose(2, 0, 1))

    def _stacked(self, images: np.ndarray) -> np.ndarray:
        if images.ndim not in (3, 4) or images.dtype.kind in "SU":
            return np.stack([self._apply(image) for image in images])
        if images.ndim == 3:
            return images
        return np.ascontiguousarray(self._fitting(images).transpose(0, 3, 1, 2))


@faces("dataset.vision")
class ToTensor(ImageTransform):
    """Turns an image into (C, H, W), divided by 255.

    Args:
        output_type: the dtype of the result.

    Raises:
        TypeError: if it is not a dtype.
        RuntimeError: when called with another rank.

    >>> ToTensor()(np.full((1, 2, 3), 255, np.uint8)).shape
    (3, 1, 2)
    """

    _dtypes = IMAGE_DTYPES
    _by_value = True

    def __init__(self, output_type: Any = np.float32) -> None:
        self.output_type = to_dtype("ToTensor", "output_type", output_type)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._planes(with_channels(image).transpose(2, 0, 1))

    def _planes(self, planes: np.ndarray) -> np.ndarray:
        out = planes.astype(np.float32, order="C")
        out *= np.float32(1 / 255)
        return out if self.output_type == np.float32 else out.astype(self.output_type)

    def _stacked(self, images: np.ndarray) -> np.ndarray:
        if images.ndim not in (3, 4):
            return np.stack([self._apply(image) for image in images])
        self._fitting(images)
        return self._planes(images[:, None] if images.ndim == 3 else images.transpose(0, 3, 1, 2))


@faces("dataset.vision")
class ToType(TypeCast):
    """Casts to a dtype; see `TypeCast`.

    Args:
        data_type: a dtype of MindSpore, numpy or Python.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.ToType(np.float32)(np.array([[1]], np.uint8)).dtype
    dtype('float32')
    """

    _by_value = True

    def __init__(self, data_type: Any) -> None:
        self.data_type = to_dtype("ToType", "data_type", data_type)


@faces("dataset.vision")
class ToNumpy(Transform):
    """Turns a PIL image into an array; an array does not change.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.zeros((2, 3, 3), np.uint8))
    >>> vision.ToNumpy()(image).shape
    (2, 3, 3)
    """

    def _apply(self, array: np.ndarray) -> np.ndarray:
        return array


@faces("dataset.vision")
class ToPIL(Remembered):
    """Turns an array into a PIL image.

    Raises:
        TypeError: when called with another type or dtype.
        ValueError: when called with another rank.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.zeros((2, 3, 3), np.uint8))
    >>> image.size, image.mode
    ((3, 2), 'RGB')
    """

    def __call__(self, image: Any) -> Any:
        if is_pil(image):
            return image
        if not isinstance(image, np.ndarray):
            raise type_error("ToPIL", "input", "a numpy array or a PIL image", image)
        check_rank("ToPIL", "image", image, 2, 3)
        if image.ndim == 3 and image.shape[2] == 1:
            image = image[:, :, 0]
        if image.ndim == 3 and image.dtype != np.uint8:
            raise TypeError(f"For 'ToPIL', an image with channels must be uint8, but got {image.dtype}.")
        return pil().fromarray(image)


def _inverted(image: np.ndarray) -> np.ndarray:
    """255 - image, cut to the dtype's limits."""
    if image.dtype == np.bool_:
        return np.ones_like(image)
    wide = image.astype(np.int64) if image.dtype.kind in "iu" else image
    return saturated(255 - wide, image.dtype)


@faces("dataset.vision")
class Invert(ImageTransform):
    """Computes `255 - image`.

    >>> Invert()(np.array([[[0, 200, 7]]], np.uint8)).tolist()
    [[[255, 55, 248]]]
    """

    _ranks, _dtypes, _channels = (3,), NUMBER_DTYPES, (3,)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _inverted(image)

    def _pil(self, image: Any) -> Any:
        return pil_ops().invert(image)


@faces("dataset.vision")
class RandomInvert(Invert):
    """Inverts some images.

    Args:
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomInvert(1.0)(np.array([[[0, 5, 255]]], np.uint8)).ravel().tolist()
    [255, 250, 0]
    """

    _pil: Any = None
    _dtypes = IMAGE_DTYPES

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomInvert", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return Invert()._apply(image) if rng().random() < self.prob else image


def _solarize(api: str, image: np.ndarray, low: float, high: float) -> np.ndarray:
    """Inverts the values inside a range; for a range of one value also all above it, as in MindSpore.

    Raises:
        RuntimeError: if the image has neither one channel nor three.
    """
    if image.ndim == 3 and image.shape[2] not in (1, 3):
        raise RuntimeError(f"For '{api}', the image must have 1 or 3 channels, but got {image.shape[2]}.")
    inside = (image >= low) & (image <= (255 if low == high else high))
    return np.where(inside, _inverted(image), image).astype(image.dtype)


@faces("dataset.vision")
class Solarize(ImageTransform):
    """Inverts the values inside of a range.

    Args:
        threshold: (min, max), or min alone with 255 as max; equal numbers also mean 255 as max.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.Solarize((100, 200))(np.array([[[50, 150, 250]]], np.uint8)).ravel().tolist()
    [50, 105, 250]
    """

    _dtypes = NUMBER_DTYPES

    def __init__(self, threshold: Any) -> None:
        check_type(type(self).__name__, "threshold", threshold, (int, float, list, tuple))
        pair = (threshold, 255) if isinstance(threshold, (int, float)) else threshold
        self.threshold = check_range(type(self).__name__, "threshold", pair, 0, 255)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return _solarize(type(self).__name__, image, *self.threshold)


@faces("dataset.vision")
class RandomSolarize(ImageTransform):
    """Solarizes between two values drawn from a range.

    Args:
        threshold: (min, max) to draw from.

    Raises:
        TypeError: if it is not a list or tuple of ints.
        ValueError: if there are not two of them, or not in the order (min, max), or not in range [0, 255].

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomSolarize((100, 100))(np.array([[[50, 150, 250]]], np.uint8)).ravel().tolist()
    [50, 105, 5]
    """

    _dtypes = NUMBER_DTYPES

    def __init__(self, threshold: Any = (0, 255)) -> None:
        if isinstance(threshold, (list, tuple)) and len(threshold) != 2:
            raise argument_error(
                ValueError, "RandomSolarize", "threshold must be a sequence of two numbers.", threshold
            )
        self.threshold = check_range("RandomSolarize", "threshold", threshold, 0, 255, (int,))

    def _image(self, image: np.ndarray) -> np.ndarray:
        low, high = sorted(rng().randint(int(self.threshold[0]), int(self.threshold[1])) for _ in range(2))
        return _solarize("RandomSolarize", image, low, high)


@faces("dataset.vision")
class Posterize(ImageTransform):
    """Keeps the highest bits of every value.

    Args:
        bits: how many, 0 to 8.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.Posterize(1)(np.array([[[50, 150, 250]]], np.uint8)).ravel().tolist()
    [0, 128, 128]
    """

    _dtypes = ("bool", "int8", "uint8")

    def __init__(self, bits: int) -> None:
        check_int_range("Posterize", "bits", bits, 0, 8)
        self.bits = bits

    def _image(self, image: np.ndarray) -> np.ndarray:
        return image.view(np.uint8) & np.uint8(256 - (1 << (8 - self.bits)))


@faces("dataset.vision")
class RandomPosterize(ImageTransform):
    """Keeps a random number of highest bits.

    Args:
        bits: (min, max), or one number; 1 to 8.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomPosterize((1, 1))(np.array([[[50, 150, 250]]], np.uint8)).ravel().tolist()
    [0, 128, 128]
    """

    _dtypes = ("bool", "int8", "uint8")

    def __init__(self, bits: Any = (8, 8)) -> None:
        check_type("RandomPosterize", "bits", bits, (int, list, tuple))
        self.bits = check_range(
            "RandomPosterize", "bits", (bits, bits) if isinstance(bits, int) else bits, 1, 8, (int,)
        )

    def _image(self, image: np.ndarray) -> np.ndarray:
        return image.view(np.uint8) & np.uint8(256 - (1 << (8 - rng().randint(int(self.bits[0]), int(self.bits[1])))))


@faces("dataset.vision")
class Equalize(ImageTransform):
    """Spreads the values of each channel evenly over 0 to 255 (uint8 only).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10], [20], [30]]], np.uint8).repeat(3, axis=2)
    >>> vision.Equalize()(image)[..., 0].tolist()
    [[0, 128, 255]]
    """

    _dtypes: tuple[str, ...] = ("bool", "uint8")
    _channels: tuple[int, ...] = (1, 3)
    _bool_as_bytes = True

    def _image(self, image: np.ndarray) -> np.ndarray:
        return colors.equalize(with_channels(image)).reshape(image.shape)

    def _pil(self, image: Any) -> Any:
        return pil_ops().equalize(image)


@faces("dataset.vision")
class AutoContrast(ImageTransform):
    """Stretches the values of each channel to 0 to 255 (uint8 only).

    Args:
        cutoff: percent of the values left out at both ends, in [0, 50).
        ignore: a value or list of values not to count.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10], [20], [30]]], np.uint8).repeat(3, axis=2)
    >>> vision.AutoContrast()(image)[..., 0].tolist()
    [[0, 127, 255]]
    """

    _dtypes: tuple[str, ...] = ("bool", "uint8")
    _channels: tuple[int, ...] = (1, 3)
    _bool_as_bytes = True

    def __init__(self, cutoff: float = 0.0, ignore: Any = None) -> None:
        api = type(self).__name__
        self.cutoff = check_float_range(api, "cutoff", cutoff, 0, 50, "[)")
        listed = checks.listed(None if ignore is None else check_type(api, "ignore", ignore, (list, tuple, int)))
        for value in listed:
            check_int_range(api, "ignore", value, 0, 255)
        self.ignore = list(listed)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return colors.auto_contrast(with_channels(image), self.cutoff, self.ignore).reshape(image.shape)

    def _pil(self, image: Any) -> Any:
        return pil_ops().autocontrast(image, self.cutoff, self.ignore or None)


@faces("dataset.vision")
class RandomEqualize(Equalize):
    """Equalizes some images.

    Args:
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10], [20], [30]]], np.uint8).repeat(3, axis=2)
    >>> vision.RandomEqualize(0.0)(image)[..., 0].tolist()
    [[10, 20, 30]]
    """

    _pil: Any = None
    _dtypes = ("uint8",)

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability("RandomEqualize", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return super()._image(image) if rng().random() < self.prob else image


@faces("dataset.vision")
class RandomAutoContrast(AutoContrast):
    """Stretches the contrast of some images.

    Args:
        cutoff: see `AutoContrast`.
        ignore: see `AutoContrast`.
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10], [20], [30]]], np.uint8).repeat(3, axis=2)
    >>> vision.RandomAutoContrast(prob=1.0)(image)[..., 0].tolist()
    [[0, 127, 255]]
    """

    _pil: Any = None
    _dtypes, _channels, _bool_as_bytes = IMAGE_DTYPES, (3,), False

    def __init__(self, cutoff: float = 0.0, ignore: Any = None, prob: float = 0.5) -> None:
        super().__init__(cutoff, ignore)
        self.prob = check_probability("RandomAutoContrast", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return AutoContrast(self.cutoff, self.ignore)._apply(image) if rng().random() < self.prob else image


@faces("dataset.vision")
class LinearTransformation(Transform):
    """Computes `(image.flatten() - mean_vector) @ transformation_matrix`, in the image's shape (C, H, W).

    Args:
        transformation_matrix: (D, D), with D = C * H * W.
        mean_vector: (D,).

    Raises:
        TypeError: if one is not an array.
        ValueError: if shapes do not fit.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.ones((1, 1, 2), np.float32)
    >>> vision.LinearTransformation(2 * np.eye(2), np.zeros(2))(image).ravel().tolist()
    [2.0, 2.0]
    """

    _takes_all_dtypes = True

    def __init__(self, transformation_matrix: np.ndarray, mean_vector: np.ndarray) -> None:
        matrix = check_type("LinearTransformation", "transformation_matrix", transformation_matrix, np.ndarray)
        mean = check_type("LinearTransformation", "mean_vector", mean_vector, np.ndarray)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or mean.shape != (len(matrix),):
            raise ValueError(
                "For 'LinearTransformation', a square matrix and a vector of its size are needed, but "
                f"got {matrix.shape} and {mean.shape}."
            )
        self.matrix, self.mean = matrix, mean

    def _row(self, *items: Any) -> Any:
        for item in items:
            if not (isinstance(item, np.ndarray) or hasattr(item, "asnumpy")):
                raise type_error("LinearTransformation", "input", "a numpy array", item)
        return super()._row(*items)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.size != len(self.mean):
            raise ValueError(
                f"For 'LinearTransformation', the image must have {len(self.mean)} values, but got shape {array.shape}."
            )
        return ((array.reshape(-1) - self.mean) @ self.matrix).reshape(array.shape)
