"""`mindspore.dataset.vision.py_transforms_util`, an inner module: transforms of PIL images as functions.

Each is the transform of the same name, made and called at once.
"""

from collections.abc import Callable
from typing import Any

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.dataset import vision
from ms_compat.dataset._support.rows import is_pil

augment_error_message = "img should be PIL image. Got {}. Use Decode() for encoded data or ToPIL() for decoded data."


def _function(name: str, make: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def function(img: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_pil(img):
            raise TypeError(augment_error_message.format(type(img)))
        return make(*args, **kwargs)(img)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{doc}\n\n    Raises:\n        TypeError: it is not a PIL image.\n    "
    return function


def _crop(top: int, left: int, height: int, width: int) -> Callable[[Any], Any]:
    return lambda img: img.crop((left, top, left + width, top + height))


def _random_crop(
    size: Any, padding: Any = None, pad_if_needed: bool = False, fill_value: Any = 0, padding_mode: Any = "constant"
) -> Callable[[Any], Any]:
    fill = tuple(fill_value) if isinstance(fill_value, list) else fill_value
    return vision.RandomCrop(size, padding, pad_if_needed, fill, vision.Border(padding_mode))


def _pad(padding: Any, fill_value: Any = 0, padding_mode: Any = "constant") -> Callable[[Any], Any]:
    return vision.Pad(padding, fill_value, vision.Border(padding_mode))


adjust_brightness = _function("adjust_brightness", vision.AdjustBrightness, "Scales all values by a factor.")
adjust_contrast = _function("adjust_contrast", vision.AdjustContrast, "Moves values away from the mean grey.")
adjust_saturation = _function("adjust_saturation", vision.AdjustSaturation, "Moves values away from their grey.")
adjust_hue = _function("adjust_hue", vision.AdjustHue, "Turns the hue, by a share of the circle.")
adjust_gamma = _function("adjust_gamma", vision.AdjustGamma, "Computes gain * image ** gamma.")
horizontal_flip = _function("horizontal_flip", lambda: vision.RandomHorizontalFlip(1.0), "Flips left and right.")
vertical_flip = _function("vertical_flip", lambda: vision.RandomVerticalFlip(1.0), "Flips top and bottom.")
random_horizontal_flip = _function("random_horizontal_flip", vision.RandomHorizontalFlip, "Flips some images.")
random_vertical_flip = _function("random_vertical_flip", vision.RandomVerticalFlip, "Flips some images.")
crop = _function("crop", _crop, "Cuts out a rectangle: top, left, height, width.")
center_crop = _function("center_crop", vision.CenterCrop, "Cuts out the middle.")
random_crop = _function("random_crop", _random_crop, "Cuts out a random rectangle.")
pad = _function("pad", _pad, "Pads an image.")
resize = _function("resize", vision.Resize, "Resizes an image.")

__getattr__ = unsupported_getattr(__name__)
