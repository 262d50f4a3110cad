"""Learned and random augmentation: `RandAugment`, `TrivialAugmentWide`, `AutoAugment`.

Each draws from one table of operations with a magnitude. The ranges are those of the papers: RandAugment (Cubuk et
al., 2019), TrivialAugment (Müller and Hutter, 2021) and AutoAugment (Cubuk et al., 2018; the policy learned on
ImageNet).
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import check_int_range, check_type, unsupported_argument
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision import colors
from ms_compat.dataset.vision.base import SIZE_MAX, ImageTransform, check_fill, check_inter
from ms_compat.dataset.vision.enums import AutoAugmentPolicy, Inter
from ms_compat.dataset.vision.rotate import affine_matrix, warp

_Apply = Callable[["_Augment", np.ndarray, float], np.ndarray]


def _affine(
    self: "_Augment", image: np.ndarray, degrees: float = 0.0, shift: Any = (0.0, 0.0), shear: Any = (0.0, 0.0)
) -> np.ndarray:
    matrix = affine_matrix(image.shape, degrees, shift, 1.0, shear)
    return warp(image, matrix, self.interpolation, self.fill_value, type(self).__name__)


def _degrees(slope: float) -> float:
    return float(np.degrees(np.arctan(slope)))


def _solarize(self: "_Augment", image: np.ndarray, at: float) -> np.ndarray:
    return np.where(image >= at, 255 - image, image).astype(np.uint8)


_OPERATIONS: dict[str, _Apply] = {
    "Identity": lambda self, image, m: image,
    "ShearX": lambda self, image, m: _affine(self, image, shear=(_degrees(m), 0.0)),
    "ShearY": lambda self, image, m: _affine(self, image, shear=(0.0, _degrees(m))),
    "TranslateX": lambda self, image, m: _affine(self, image, shift=(int(m), 0)),
    "TranslateY": lambda self, image, m: _affine(self, image, shift=(0, int(m))),
    "Rotate": lambda self, image, m: _affine(self, image, degrees=m),
    "Brightness": lambda self, image, m: colors.brightness(image, 1 + m),
    "Color": lambda self, image, m: colors.saturation(image, 1 + m),
    "Contrast": lambda self, image, m: colors.contrast(image, 1 + m),
    "Sharpness": lambda self, image, m: colors.sharpness(image, 1 + m),
    "Posterize": lambda self, image, m: image & np.uint8(256 - (1 << (8 - int(m)))),
    "Solarize": _solarize,
    "AutoContrast": lambda self, image, m: colors.auto_contrast(image, 0, []),
    "Equalize": lambda self, image, m: colors.equalize(image),
    "Invert": lambda self, image, m: 255 - image,
}
_SIGNED = frozenset("ShearX ShearY TranslateX TranslateY Rotate Brightness Color Contrast Sharpness".split())


def _ranges(bins: int, shape: tuple[int, ...], wide: bool) -> dict[str, np.ndarray]:
    """The magnitudes of every operation; `wide` are TrivialAugment's."""
    zero = np.zeros(bins)
    shear, color = (0.99, 0.99) if wide else (0.3, 0.9)
    shift_x, shift_y = (32.0, 32.0) if wide else (150.0 / 331.0 * shape[1], 150.0 / 331.0 * shape[0])
    posterize = 8 - np.round(np.arange(bins) / ((bins - 1) / (6 if wide else 4)))
    lines = {
        "ShearX": shear,
        "ShearY": shear,
        "TranslateX": shift_x,
        "TranslateY": shift_y,
        "Rotate": 135.0 if wide else 30.0,
        "Brightness": color,
        "Color": color,
        "Contrast": color,
        "Sharpness": color,
    }
    return {
        "Identity": zero,
        **{name: np.linspace(0.0, high, bins) for name, high in lines.items()},
        "Posterize": posterize,
        "Solarize": np.linspace(255.0, 0.0, bins),
        "AutoContrast": zero,
        "Equalize": zero,
    }


class _Augment(ImageTransform):
    """What the three have in common: uint8 RGB images, an interpolation and a fill value for the warps."""

    _ranks = (3,)
    _dtypes = ("uint8",)

    def _set(self, interpolation: Inter, fill_value: Any) -> None:
        api = type(self).__name__
        self.interpolation = check_inter(api, interpolation)
        self.fill_value = check_fill(api, fill_value)

    def _check_channels(self, image: np.ndarray) -> None:
        if image.shape[2] != 3:
            raise RuntimeError(
                f"For '{type(self).__name__}', the image must have 3 channels, but got {image.shape[2]}."
            )

    def _do(self, name: str, image: np.ndarray, magnitude: float) -> np.ndarray:
        if name in _SIGNED and rng().random() < 0.5:
            magnitude = -magnitude
        return _OPERATIONS[name](self, image, magnitude)


class RandAugment(_Augment):
    """Applies operations drawn at random, all with one magnitude.

    Args:
        num_ops: how many.
        magnitude: which of the magnitudes, below `num_magnitude_bins`.
        num_magnitude_bins: number of magnitudes.
        interpolation: an `Inter` for the warps.
        fill_value: the value outside of a warped image, or one for each channel.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.
        RuntimeError: when called with anything but a uint8 RGB image.
    """

    def __init__(
        self,
        num_ops: int = 2,
        magnitude: int = 9,
        num_magnitude_bins: int = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self.num_ops = check_int_range("RandAugment", "num_ops", num_ops, 0, SIZE_MAX)
        self.bins = check_int_range("RandAugment", "num_magnitude_bins", num_magnitude_bins, 2, SIZE_MAX)
        self.magnitude = check_int_range("RandAugment", "magnitude", magnitude, 0, num_magnitude_bins, "[)")
        self._set(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._check_channels(image)
        ranges = _ranges(self.bins, image.shape, False)
        for _ in range(self.num_ops):
            name = rng().choice(list(ranges))
            image = self._do(name, image, float(ranges[name][self.magnitude]))
        return image


class TrivialAugmentWide(_Augment):
    """Applies one operation with one magnitude, both drawn at random.

    Args:
        num_magnitude_bins: number of magnitudes.
        interpolation: an `Inter` for the warps.
        fill_value: the value outside of a warped image, or one for each channel.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.
        RuntimeError: when called with anything but a uint8 RGB image.
    """

    def __init__(self, num_magnitude_bins: int = 31, interpolation: Inter = Inter.NEAREST, fill_value: Any = 0) -> None:
        self.bins = check_int_range("TrivialAugmentWide", "num_magnitude_bins", num_magnitude_bins, 2, SIZE_MAX)
        self._set(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._check_channels(image)
        ranges = _ranges(self.bins, image.shape, True)
        name = rng().choice(list(ranges))
        return self._do(name, image, float(rng().choice(ranges[name].tolist())))


# (operation, probability, magnitude of 10) twice: the policy that AutoAugment learned on ImageNet.
_IMAGENET = (
    (("Posterize", 0.4, 8), ("Rotate", 0.6, 9)),
    (("Solarize", 0.6, 5), ("AutoContrast", 0.6, 0)),
    (("Equalize", 0.8, 0), ("Equalize", 0.6, 0)),
    (("Posterize", 0.6, 7), ("Posterize", 0.6, 6)),
    (("Equalize", 0.4, 0), ("Solarize", 0.2, 4)),
    (("Equalize", 0.4, 0), ("Rotate", 0.8, 8)),
    (("Solarize", 0.6, 3), ("Equalize", 0.6, 0)),
    (("Posterize", 0.8, 5), ("Equalize", 1.0, 0)),
    (("Rotate", 0.2, 3), ("Solarize", 0.6, 8)),
    (("Equalize", 0.6, 0), ("Posterize", 0.4, 6)),
    (("Rotate", 0.8, 8), ("Color", 0.4, 0)),
    (("Rotate", 0.4, 9), ("Equalize", 0.6, 0)),
    (("Equalize", 0.0, 0), ("Equalize", 0.8, 0)),
    (("Invert", 0.6, 0), ("Equalize", 1.0, 0)),
    (("Color", 0.6, 4), ("Contrast", 1.0, 8)),
    (("Rotate", 0.8, 8), ("Color", 1.0, 2)),
    (("Color", 0.8, 8), ("Solarize", 0.8, 7)),
    (("Sharpness", 0.4, 7), ("Invert", 0.6, 0)),
    (("ShearX", 0.6, 5), ("Equalize", 1.0, 0)),
    (("Color", 0.4, 0), ("Equalize", 0.6, 0)),
    (("Equalize", 0.4, 0), ("Solarize", 0.2, 4)),
    (("Solarize", 0.6, 5), ("AutoContrast", 0.6, 0)),
    (("Invert", 0.6, 0), ("Equalize", 1.0, 0)),
    (("Color", 0.6, 4), ("Contrast", 1.0, 8)),
    (("Equalize", 0.8, 0), ("Equalize", 0.6, 0)),
)


class AutoAugment(_Augment):
    """Applies one of the learned pairs of operations.

    Args:
        policy: `AutoAugmentPolicy.IMAGENET`; those of CIFAR-10 and SVHN are not served.
        interpolation: an `Inter` for the warps.
        fill_value: the value outside of a warped image, or one for each channel.

    Raises:
        TypeError: for an argument of another type.
        UnsupportedError: for another policy.
        RuntimeError: when called with anything but a uint8 RGB image.
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check_type("AutoAugment", "policy", policy, AutoAugmentPolicy)
        if policy is not AutoAugmentPolicy.IMAGENET:
            unsupported_argument("AutoAugment", "policy", policy, "Use 'AutoAugmentPolicy.IMAGENET' or 'RandAugment'.")
        self.policy = policy
        self._set(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._check_channels(image)
        ranges = _ranges(10, image.shape, False)
        for name, probability, magnitude in rng().choice(_IMAGENET):
            if rng().random() < probability:
                image = self._do(name, image, float(ranges[name][magnitude]) if name in ranges else 0.0)
        return image
