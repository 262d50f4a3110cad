"""Learned and random augmentation: `RandAugment`, `TrivialAugmentWide`, `AutoAugment`.

Each draws from one table of operations with a magnitude. The ranges come from the papers: RandAugment (Cubuk et
al., 2019), TrivialAugment (Müller and Hutter, 2021) and AutoAugment (Cubuk et al., 2018; the policies learned on
ImageNet, CIFAR-10 and SVHN). Results equal MindSpore's pixel by pixel, except for translations: MindSpore interprets
the shift in pixels as a share of the image, which leaves nothing of the image.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_int_range, check_type
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


def _factor(magnitude: float) -> float:
    return float(np.float32(1) + np.float32(magnitude))


def _line(low: float, high: float, bins: int) -> np.ndarray:
    """Magnitudes, added up in float32 as in MindSpore: bytes on a border fall to the same side."""
    steps = np.full(bins, np.float32(high - low) / np.float32(bins - 1), np.float32)
    steps[0] = low
    return np.cumsum(steps, dtype=np.float32)


def _solarize(self: "_Augment", image: np.ndarray, at: float) -> np.ndarray:
    return np.where(image >= at, 255 - image, image).astype(np.uint8)


_OPERATIONS: dict[str, _Apply] = {
    "Identity": lambda self, image, m: image,
    "ShearX": lambda self, image, m: _affine(self, image, shear=(float(np.degrees(m)), 0.0)),
    "ShearY": lambda self, image, m: _affine(self, image, shear=(0.0, float(np.degrees(m)))),
    "TranslateX": lambda self, image, m: _affine(self, image, shift=(int(m), 0)),
    "TranslateY": lambda self, image, m: _affine(self, image, shift=(0, int(m))),
    "Rotate": lambda self, image, m: _affine(self, image, degrees=m),
    "Brightness": lambda self, image, m: colors.brightness(image, _factor(m)),
    "Color": lambda self, image, m: colors.saturation(image, _factor(m)),
    "Contrast": lambda self, image, m: colors.contrast(image, _factor(m)),
    "Sharpness": lambda self, image, m: colors.sharpness(image, _factor(m)),
    "Posterize": lambda self, image, m: image & np.uint8(256 - (1 << (8 - int(m)))),
    "Solarize": _solarize,
    "AutoContrast": lambda self, image, m: colors.auto_contrast(image, 0, []),
    "Equalize": lambda self, image, m: colors.equalize(image),
    "Invert": lambda self, image, m: 255 - image,
}
_SIGNED = frozenset("ShearX ShearY TranslateX TranslateY Rotate Brightness Color Contrast Sharpness".split())


def _ranges(bins: int, shape: tuple[int, ...], wide: bool, top: float = 255.0) -> dict[str, np.ndarray]:
    """Every operation's magnitudes; `wide` selects TrivialAugment's, `top` is where Solarize's begin."""
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
        **{name: _line(0.0, high, bins) for name, high in lines.items()},
        "Posterize": posterize,
        "Solarize": _line(top, 0.0, bins),
        "AutoContrast": zero,
        "Equalize": zero,
    }


class _Augment(ImageTransform):
    """The common base of the three: uint8 RGB images, an interpolation and a fill value for the warps."""

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


@faces("dataset.vision")
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

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandAugment()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
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


@faces("dataset.vision")
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

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.TrivialAugmentWide()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    def __init__(self, num_magnitude_bins: int = 31, interpolation: Inter = Inter.NEAREST, fill_value: Any = 0) -> None:
        self.bins = check_int_range("TrivialAugmentWide", "num_magnitude_bins", num_magnitude_bins, 2, SIZE_MAX)
        self._set(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._check_channels(image)
        ranges = _ranges(self.bins, image.shape, True)
        name = rng().choice(list(ranges))
        return self._do(name, image, float(rng().choice(ranges[name].tolist())))


# Pairs of (operation, probability, which of 10 magnitudes): the policies that AutoAugment learned on three datasets.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
        Posterize .4 8 Rotate .6 9 | Solarize .6 5 AutoContrast .6 0 | Equalize .8 0 Equalize .6 0 |
        Posterize .6 7 Posterize .6 6 | Equalize .4 0 Solarize .2 4 | Equalize .4 0 Rotate .8 8 |
        Solarize .6 3 Equalize .6 0 | Posterize .8 5 Equalize 1. 0 | Rotate .2 3 Solarize .6 8 |
        Equalize .6 0 Posterize .4 6 | Rotate .8 8 Color .4 0 | Rotate .4 9 Equalize .6 0 |
        Equalize .0 0 Equalize .8 0 | Invert .6 0 Equalize 1. 0 | Color .6 4 Contrast 1. 8 |
        Rotate .8 8 Color 1. 2 | Color .8 8 Solarize .8 7 | Sharpness .4 7 Invert .6 0 | ShearX .6 5 Equalize 1. 0 |
        Color .4 0 Equalize .6 0 | Equalize .4 0 Solarize .2 4 | Solarize .6 5 AutoContrast .6 0 |
        Invert .6 0 Equalize 1. 0 | Color .6 4 Contrast 1. 8 | Equalize .8 0 Equalize .6 0
    """,
    AutoAugmentPolicy.CIFAR10: """
        Invert .1 0 Contrast .2 6 | Rotate .7 2 TranslateX .3 9 | Sharpness .8 1 Sharpness .9 3 |
        ShearY .5 8 TranslateY .7 9 | AutoContrast .5 0 Equalize .9 0 | ShearY .2 7 Posterize .3 7 |
        Color .4 3 Brightness .6 7 | Sharpness .3 9 Brightness .7 9 | Equalize .6 0 Equalize .5 0 |
        Contrast .6 7 Sharpness .6 5 | Color .7 7 TranslateX .5 8 | Equalize .3 0 AutoContrast .4 0 |
        TranslateY .4 3 Sharpness .2 6 | Brightness .9 6 Color .2 8 | Solarize .5 2 Invert .0 0 |
        Equalize .2 0 AutoContrast .6 0 | Equalize .2 0 Equalize .6 0 | Color .9 9 Equalize .6 0 |
        AutoContrast .8 0 Solarize .2 8 | Brightness .1 3 Color .7 0 | Solarize .4 5 AutoContrast .9 0 |
        TranslateY .9 9 TranslateY .7 9 | AutoContrast .9 0 Solarize .8 3 | Equalize .8 0 Invert .1 0 |
        TranslateY .7 9 AutoContrast .9 0
    """,
    AutoAugmentPolicy.SVHN: """
        ShearX .9 4 Invert .2 0 | ShearY .9 8 Invert .7 0 | Equalize .6 0 Solarize .6 6 |
        Invert .9 0 Equalize .6 0 | Equalize .6 0 Rotate .9 3 | ShearX .9 4 AutoContrast .8 0 |
        ShearY .9 8 Invert .4 0 | ShearY .9 5 Solarize .2 6 | Invert .9 0 AutoContrast .8 0 |
        Equalize .6 0 Rotate .9 3 | ShearX .9 4 Solarize .3 3 | ShearY .8 8 Invert .7 0 |
        Equalize .9 0 TranslateY .6 6 | Invert .9 0 Equalize .6 0 | Contrast .3 3 Rotate .8 4 |
        Invert .8 0 TranslateY .0 2 | ShearY .7 6 Solarize .4 8 | Invert .6 0 Rotate .8 4 |
        ShearY .3 7 TranslateX .9 3 | ShearX .1 6 Invert .6 0 | Solarize .7 2 TranslateY .6 7 |
        ShearY .8 4 Invert .8 0 | ShearX .7 9 TranslateY .8 3 | ShearY .8 5 AutoContrast .7 0 |
        ShearX .7 2 Invert .1 0
    """,
}
_Step = tuple[str, float, int]


def _parsed(policy: str) -> list[tuple[_Step, _Step]]:
    rows = [pair.split() for pair in policy.split("|")]
    return [((a, float(p), int(m)), (b, float(q), int(n))) for a, p, m, b, q, n in rows]


@faces("dataset.vision")
class AutoAugment(_Augment):
    """Applies one of the learned operation pairs.

    Args:
        policy: an `AutoAugmentPolicy`: the dataset that the pairs were learned on.
        interpolation: an `Inter` for the warps.
        fill_value: the value outside of a warped image, or one for each channel.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: when called with anything but a uint8 RGB image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.AutoAugment()(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        check_type("AutoAugment", "policy", policy, AutoAugmentPolicy)
        self.policy = policy
        self._pairs = _parsed(_POLICIES[policy])
        self._set(interpolation, fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        self._check_channels(image)
        ranges = _ranges(10, image.shape, False, 256.0)
        for name, probability, magnitude in rng().choice(self._pairs):
            if rng().random() < probability:
                image = self._do(name, image, float(ranges[name][magnitude]) if name in ranges else 0.0)
        return image
