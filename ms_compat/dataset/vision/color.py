"""Transforms of colours: adjustments, grey, HSV, channel order, blur.

The arithmetic is in `colors`; PIL images go through Pillow.
"""

from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_float_range, check_type
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision import colors
from ms_compat.dataset.vision.base import (
    FILTER_DTYPES,
    FLOAT_MAX,
    IMAGE_DTYPES,
    ImageTransform,
    check_probability,
    check_range,
    need_pil,
    pil,
    saturated,
    with_channels,
)
from ms_compat.dataset.vision.enums import ConvertMode
from ms_compat.dataset.vision.opencv import call


def _pil_enhance(kind: str, image: Any, factor: float) -> Any:
    pil()
    from PIL import ImageEnhance

    return getattr(ImageEnhance, kind)(image).enhance(factor)


def _pil_hue(image: Any, factor: float) -> Any:
    if image.mode in ("L", "1", "I", "F"):
        return image
    h, s, v = image.convert("HSV").split()
    turned = (np.asarray(h).astype(np.int64) + int(factor * 255)).astype(np.uint8)
    return pil().merge("HSV", (pil().fromarray(turned), s, v)).convert(image.mode)


class _Adjust(ImageTransform):
    """An adjustment of an RGB image by a factor."""

    _ranks: tuple[int, ...] = (3,)
    _dtypes: tuple[str, ...] = ("uint8", "uint16", "float32")
    _channels: tuple[int, ...] = (3,)
    _limits: tuple[float, float] = (0.0, FLOAT_MAX)
    _argument: str
    _enhance: str  # the class of PIL's ImageEnhance
    _adjust: Any  # a function (image, factor)

    def __init__(self, factor: float) -> None:
        check_float_range(type(self).__name__, self._argument, factor, *self._limits)
        self.factor = factor

    def _image(self, image: np.ndarray) -> np.ndarray:
        return self._adjust(image, self.factor)

    def _pil(self, image: Any) -> Any:
        return _pil_enhance(self._enhance, image, self.factor)


@faces("dataset.vision")
class AdjustBrightness(_Adjust):
    """Scales the brightness.

    Args:
        brightness_factor: 0 is black, 1 the image.

    >>> AdjustBrightness(2.0)(np.full((1, 1, 3), 60, np.uint8)).tolist()
    [[[120, 120, 120]]]
    """

    _ranks, _dtypes, _channels = (2, 3), IMAGE_DTYPES, (1, 3)
    _argument, _enhance, _adjust = "brightness_factor", "Brightness", staticmethod(colors.brightness)

    def __init__(self, brightness_factor: float) -> None:
        super().__init__(brightness_factor)


@faces("dataset.vision")
class AdjustContrast(_Adjust):
    """Scales the distance from the mean grey.

    Args:
        contrast_factor: 0 is grey, 1 the image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[0, 0, 0], [100, 100, 100]]], np.uint8)
    >>> vision.AdjustContrast(0.0)(image)[..., 0].tolist()
    [[50, 50]]
    """

    _argument, _enhance, _adjust = "contrast_factor", "Contrast", staticmethod(colors.contrast)

    def __init__(self, contrast_factor: float) -> None:
        super().__init__(contrast_factor)


@faces("dataset.vision")
class AdjustSaturation(_Adjust):
    """Scales the distance from the grey version.

    Args:
        saturation_factor: 0 is the grey version, 1 the image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[255, 0, 0]]], np.uint8)
    >>> vision.AdjustSaturation(0.0)(image).ravel().tolist()
    [76, 76, 76]
    """

    _argument, _enhance, _adjust = "saturation_factor", "Color", staticmethod(colors.saturation)

    def __init__(self, saturation_factor: float) -> None:
        super().__init__(saturation_factor)


@faces("dataset.vision")
class AdjustSharpness(_Adjust):
    """Scales the distance from the smoothed image.

    Args:
        sharpness_factor: 0 is the smoothed image, 1 the image.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.full((3, 3, 3), 7, np.uint8)
    >>> bool((vision.AdjustSharpness(2.0)(image) == image).all())
    True
    """

    _ranks, _dtypes, _channels, _bool_as_bytes = (2, 3), FILTER_DTYPES, (), True
    _argument = "sharpness_factor"

    def __init__(self, sharpness_factor: float) -> None:
        super().__init__(sharpness_factor)

    _pil: Any = None

    def _image(self, image: np.ndarray) -> np.ndarray:
        return colors.sharpness(with_channels(image), self.factor).reshape(image.shape)


@faces("dataset.vision")
class AdjustHue(_Adjust):
    """Turns the hue.

    Args:
        hue_factor: share of the circle, in [-0.5, 0.5].

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[255, 0, 0]]], np.uint8)
    >>> vision.AdjustHue(0.5)(image).ravel().tolist()
    [0, 255, 252]
    """

    _dtypes = ("uint8", "float32")
    _argument, _limits, _adjust = "hue_factor", (-0.5, 0.5), staticmethod(colors.hue)

    def __init__(self, hue_factor: float) -> None:
        super().__init__(hue_factor)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.dtype != np.uint8:
            return _cast_back(super()._image(np.clip(image, 0, 255).astype(np.uint8)), image.dtype)
        return super()._image(image)

    def _pil(self, image: Any) -> Any:
        return _pil_hue(image, self.factor)


def _cast_back(image: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return image.astype(dtype)


@faces("dataset.vision")
class AdjustGamma(ImageTransform):
    """Computes `gain * image ** gamma` over values scaled to [0, 1].

    Args:
        gamma: the power, >= 0.
        gain: the factor.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[0, 51, 255]]], np.uint8)
    >>> vision.AdjustGamma(2.0)(image).ravel().tolist()
    [0, 10, 255]
    """

    _any_batch = True
    _dtypes, _channels = IMAGE_DTYPES, (1, 3)

    def __init__(self, gamma: float, gain: float = 1) -> None:
        self.gamma = check_float_range("AdjustGamma", "gamma", gamma, 0, FLOAT_MAX)
        self.gain = check_type("AdjustGamma", "gain", gain, (int, float))

    def _image(self, image: np.ndarray) -> np.ndarray:
        return colors.gamma(image, self.gamma, self.gain)

    def _pil(self, image: Any) -> Any:
        return pil().fromarray(colors.gamma(np.asarray(image), self.gamma, self.gain))


_ADJUSTMENTS = {
    "brightness": AdjustBrightness,
    "contrast": AdjustContrast,
    "saturation": AdjustSaturation,
    "hue": AdjustHue,
}


def _factor_range(api: str, argument: str, value: Any, center: float, low: float, high: float) -> tuple[float, float]:
    """Turns a factor into (min, max): a number is the distance from the centre."""
    check_type(api, argument, value, (int, float, list, tuple))
    if isinstance(value, (int, float)):
        if value < 0:
            raise argument_error(ValueError, api, f"The input value of {argument} cannot be negative.", value)
        pair = (center - value, center + value)
        if center:
            pair = (max(pair[0], 0.0), pair[1])
        return check_range(api, argument, pair, low, high)
    return check_range(api, argument, value, low, high)


@faces("dataset.vision")
class RandomColorAdjust(ImageTransform):
    """Adjusts brightness, contrast, saturation and hue by random factors, in random order.

    Args:
        brightness: (min, max), or the largest distance from 1.
        contrast: likewise.
        saturation: likewise.
        hue: (min, max) in [-0.5, 0.5], or the largest distance from 0.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10, 20, 30]]], np.uint8)
    >>> vision.RandomColorAdjust(brightness=(2.0, 2.0))(image).ravel().tolist()
    [20, 40, 60]
    """

    _ranks, _channels = (3,), (3,)

    def __init__(
        self, brightness: Any = (1, 1), contrast: Any = (1, 1), saturation: Any = (1, 1), hue: Any = (0, 0)
    ) -> None:
        api = "RandomColorAdjust"
        self.ranges = {
            "brightness": _factor_range(api, "brightness", brightness, 1, 0, FLOAT_MAX),
            "contrast": _factor_range(api, "contrast", contrast, 1, 0, FLOAT_MAX),
            "saturation": _factor_range(api, "saturation", saturation, 1, 0, FLOAT_MAX),
            "hue": _factor_range(api, "hue", hue, 0, -0.5, 0.5),
        }

    def _steps(self) -> list[tuple[str, float]]:
        """Which adjustments to make, by how much; those that change nothing are left out."""
        random = rng()
        steps = []
        for name, (low, high) in self.ranges.items():
            neutral = 0 if name == "hue" else 1
            if not low == high == neutral:
                steps.append((name, random.uniform(low, high)))
        random.shuffle(steps)
        return steps

    def _image(self, image: np.ndarray) -> np.ndarray:
        for name, factor in self._steps():
            image = _ADJUSTMENTS[name](factor)._apply(image)
        return image

    def _pil(self, image: Any) -> Any:
        kinds = {"brightness": "Brightness", "contrast": "Contrast", "saturation": "Color"}
        for name, factor in self._steps():
            image = _pil_hue(image, factor) if name == "hue" else _pil_enhance(kinds[name], image, factor)
        return image


@faces("dataset.vision")
class RandomColor(ImageTransform):
    """Scales the saturation by a random factor.

    Args:
        degrees: (min, max) of the factor.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10, 20, 30]]], np.uint8)
    >>> vision.RandomColor((1.0, 1.0))(image).ravel().tolist()
    [10, 20, 30]
    """

    _ranks, _channels = (3,), (3,)

    def __init__(self, degrees: Any = (0.1, 1.9)) -> None:
        self.degrees = check_range("RandomColor", "degrees", degrees, 0, FLOAT_MAX)

    def _image(self, image: np.ndarray) -> np.ndarray:
        factor = rng().uniform(*self.degrees)
        if factor == 1:
            return image.copy()
        return AdjustSaturation(factor)._apply(image.view(np.uint8) if image.dtype == np.bool_ else image)

    def _pil(self, image: Any) -> Any:
        return _pil_enhance("Color", image, rng().uniform(*self.degrees))


@faces("dataset.vision")
class RandomSharpness(ImageTransform):
    """Scales the sharpness by a random factor.

    Args:
        degrees: (min, max) of the factor.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomSharpness((0.5, 1.5))(np.full((3, 3, 3), 7, np.uint8)).shape
    (3, 3, 3)
    """

    _dtypes, _bool_as_bytes = FILTER_DTYPES, True

    def __init__(self, degrees: Any = (0.1, 1.9)) -> None:
        self.degrees = check_range("RandomSharpness", "degrees", degrees, 0, FLOAT_MAX)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return colors.sharpness(with_channels(image), rng().uniform(*self.degrees)).reshape(image.shape)

    def _pil(self, image: Any) -> Any:
        return _pil_enhance("Sharpness", image, rng().uniform(*self.degrees))


@faces("dataset.vision")
class RandomAdjustSharpness(ImageTransform):
    """Scales the sharpness of some images.

    Args:
        degree: the factor.
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.full((3, 3, 3), 7, np.uint8)
    >>> bool((vision.RandomAdjustSharpness(2.0, prob=1.0)(image) == image).all())
    True
    """

    _dtypes = IMAGE_DTYPES

    def __init__(self, degree: float, prob: float = 0.5) -> None:
        self.degree = check_float_range("RandomAdjustSharpness", "degree", degree, 0, FLOAT_MAX)
        self.prob = check_probability("RandomAdjustSharpness", prob)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return AdjustSharpness(self.degree)._apply(image) if rng().random() < self.prob else image


@faces("dataset.vision")
class RandomLighting(ImageTransform):
    """Adds noise along the principal colours of ImageNet (AlexNet's lighting), to RGB images.

    Args:
        alpha: standard deviation of the noise.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10, 20, 30]]], np.uint8)
    >>> vision.RandomLighting(0.0)(image).ravel().tolist()
    [10, 20, 30]
    """

    _ranks = (3,)
    _values = np.array([55.46, 4.794, 1.148])
    _vectors = np.array([[-0.5675, 0.7192, 0.4009], [-0.5808, -0.0045, -0.8140], [-0.5836, -0.6948, 0.4203]])
    _dtypes, _channels = IMAGE_DTYPES, (3,)

    def __init__(self, alpha: float = 0.05) -> None:
        self.alpha = check_float_range("RandomLighting", "alpha", alpha, 0, FLOAT_MAX)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return saturated(image.astype(np.float32) + self._noise().astype(np.float32), image.dtype)

    def _pil(self, image: Any) -> Any:
        # Cut off, not rounded.
        made = np.clip(np.asarray(image.convert("RGB")) + self._noise(), 0, 255)
        return pil().fromarray(made.astype(np.uint8))

    def _noise(self) -> np.ndarray:
        random = rng()
        return self._vectors @ (np.array([random.gauss(0, self.alpha) for _ in range(3)]) * self._values)


@faces("dataset.vision")
class Grayscale:
    """Turns a PIL image grey.

    Args:
        num_output_channels: 1 or 3.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.full((2, 2, 3), 9, np.uint8))
    >>> np.asarray(vision.Grayscale()(image)).tolist()
    [[9, 9], [9, 9]]
    """

    def __init__(self, num_output_channels: int = 1) -> None:
        if check_type("Grayscale", "num_output_channels", num_output_channels, int) not in (1, 3):
            raise value_error("Grayscale", "num_output_channels", "1 or 3", num_output_channels)
        self.num_output_channels = num_output_channels

    def __call__(self, image: Any) -> Any:
        gray = need_pil(type(self).__name__, image).convert("L")
        return gray if self.num_output_channels == 1 else pil().merge("RGB", (gray, gray, gray))


@faces("dataset.vision")
class RandomGrayscale:
    """Turns some PIL images grey, keeping the number of channels.

    Args:
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = vision.ToPIL()(np.full((1, 1, 3), 9, np.uint8))
    >>> np.asarray(vision.RandomGrayscale(1.0)(image)).tolist()
    [[[9, 9, 9]]]
    """

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = check_probability("RandomGrayscale", prob)

    def __call__(self, image: Any) -> Any:
        if rng().random() >= self.prob:
            return need_pil("RandomGrayscale", image)
        return Grayscale(3 if len(need_pil("RandomGrayscale", image).getbands()) == 3 else 1)(image)


_TO_GRAY = (
    ConvertMode.COLOR_BGR2GRAY,
    ConvertMode.COLOR_RGB2GRAY,
    ConvertMode.COLOR_BGRA2GRAY,
    ConvertMode.COLOR_RGBA2GRAY,
)
_FROM_GRAY = (ConvertMode.COLOR_GRAY2BGR, ConvertMode.COLOR_GRAY2BGRA)


@faces("dataset.vision")
class ConvertColor(ImageTransform):
    """Converts channel order, alpha channel or grey.

    Args:
        convert_mode: a `ConvertMode`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[10, 20, 30]]], np.uint8)
    >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(image).ravel().tolist()
    [30, 20, 10]
    """

    _dtypes = ("bool", "uint8", "uint16", "float32")

    def __init__(self, convert_mode: ConvertMode) -> None:
        self.convert_mode = check_type("ConvertColor", "convert_mode", convert_mode, ConvertMode)

    def _image(self, image: np.ndarray) -> np.ndarray:
        wide, mode = with_channels(image), self.convert_mode
        channels = wide.shape[2]
        taken = (1,) if mode in _FROM_GRAY else (1, 3, 4)
        if channels not in ((3, 4) if mode in _TO_GRAY else taken):
            raise RuntimeError(f"For 'ConvertColor', {mode!r} cannot take an image of {channels} channels.")
        if channels == 1 and mode not in _FROM_GRAY:
            wide = np.repeat(wide, 3, axis=2)
        if image.dtype == np.bool_:
            return call("ConvertColor", "cvtColor", wide.view(np.uint8), int(mode)).astype(np.bool_)
        return call("ConvertColor", "cvtColor", wide, int(mode))  # OpenCV's numbers of the conversions


class _Hsv(ImageTransform):
    """A conversion between RGB and HSV of floats in [0, 1], (H, W, 3) or (3, H, W), or batches of them."""

    _ranks = (3, 4)
    _function: Any = None

    def __init__(self, is_hwc: bool = False) -> None:
        self.is_hwc = check_bool(type(self).__name__, "is_hwc", is_hwc)

    def _pil(self, image: Any) -> Any:
        raise type_error(type(self).__name__, "input", "a numpy array", image)

    def _apply(self, array: np.ndarray) -> Any:
        if array.ndim not in self._ranks:
            raise TypeError(
                f"For '{type(self).__name__}', the image must have rank 3 or 4, but got shape {array.shape}."
            )
        return super()._apply(array)

    def _image(self, image: np.ndarray) -> np.ndarray:
        axis = -1 if self.is_hwc else -3
        if image.shape[axis] != 3:
            raise TypeError(
                f"For '{type(self).__name__}', the image must have 3 channels on axis {axis}, but got {image.shape}."
            )
        made = type(self)._function(np.moveaxis(image.astype(np.float64), axis, -1))
        return np.moveaxis(made, -1, axis)


@faces("dataset.vision")
class RgbToHsv(_Hsv):
    """Converts RGB in [0, 1] to HSV in [0, 1].

    Args:
        is_hwc: whether images are (H, W, C); otherwise (C, H, W).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[0.0, 1.0, 0.0]]], np.float32)
    >>> vision.RgbToHsv(is_hwc=True)(image).round(3).ravel().tolist()
    [0.333, 1.0, 1.0]
    """

    _function = staticmethod(colors.rgb_to_hsv)

    def _image(self, image: np.ndarray) -> np.ndarray:
        if image.dtype == np.bool_:
            raise TypeError("For 'RgbToHsv', the image must hold numbers, but got dtype bool.")
        return super()._image(image)


@faces("dataset.vision")
class HsvToRgb(_Hsv):
    """Converts HSV in [0, 1] to RGB in [0, 1].

    Args:
        is_hwc: whether images are (H, W, C); otherwise (C, H, W).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[[0.0, 1.0, 1.0]]], np.float32)
    >>> vision.HsvToRgb(is_hwc=True)(image).round(3).ravel().tolist()
    [1.0, 0.0, 0.0]
    """

    _function = staticmethod(colors.hsv_to_rgb)


@faces("dataset.vision")
class GaussianBlur(ImageTransform):
    """Blurs an image with a Gaussian.

    Args:
        kernel_size: an odd int, or (width, height).
        sigma: the standard deviation, or one each; None takes `0.3 * ((kernel_size - 1) * 0.5 - 1) + 0.8` of the first
            size.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.full((5, 5, 3), 7, np.uint8)
    >>> bool((vision.GaussianBlur(3)(image) == image).all())
    True
    """

    _dtypes, _bool_as_bytes = FILTER_DTYPES, True

    def __init__(self, kernel_size: Any, sigma: Any = None) -> None:
        check_type("GaussianBlur", "kernel_size", kernel_size, (int, list, tuple))
        sizes = (kernel_size,) * 2 if isinstance(kernel_size, int) else tuple(kernel_size)
        if len(sizes) != 2:
            raise argument_error(
                TypeError, "GaussianBlur",
                "Kernel size should be a single integer or a list/tuple (kernel_width, kernel_height) of length 2.",
                kernel_size,
            )  # fmt: skip
        for size in sizes:
            if check_type("GaussianBlur", "kernel_size", size, int) < 1 or size % 2 == 0:
                raise value_error("GaussianBlur", "kernel_size", "odd and > 0", kernel_size)
        check_type("GaussianBlur", "sigma", sigma, (int, float, list, tuple, type(None)))
        sigma = 0 if sigma is None else sigma
        spread = (sigma,) * 2 if isinstance(sigma, (int, float)) else tuple(sigma)
        if len(spread) != 2:
            raise argument_error(
                TypeError, "GaussianBlur",
                "Sigma should be a single number or a list/tuple of length 2 for width and height.", sigma,
            )  # fmt: skip
        for value in spread:
            check_float_range("GaussianBlur", "sigma", value, 0, FLOAT_MAX)
        # The default for the first size, in float32 as MindSpore has it.
        default = np.float32(sizes[0]) * np.float32(0.15) + np.float32(0.35)
        self.sizes = sizes
        self.sigmas = tuple(float(np.float32(value or default)) for value in spread)

    def _image(self, image: np.ndarray) -> np.ndarray:
        return call("GaussianBlur", "GaussianBlur", image, self.sizes, self.sigmas[0], sigmaY=self.sigmas[1])
