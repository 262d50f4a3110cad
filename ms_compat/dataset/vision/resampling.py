"""Resizing as MindSpore does it: by OpenCV, for the interpolations of `Inter`."""

import numpy as np

from ms_compat.dataset.vision.opencv import call, opencv

FLAGS = {"nearest": "INTER_NEAREST", "linear": "INTER_LINEAR", "cubic": "INTER_CUBIC", "area": "INTER_AREA"}


def resize(image: np.ndarray, height: int, width: int, method: str, api: str = "Resize") -> np.ndarray:
    """Resizes an image of shape (H, W, C).

    Args:
        image: uint8, int16, uint16, float32 or float64; any number of OpenCV's for "nearest".
        height: the new height.
        width: the new width.
        method: "nearest", "linear", "cubic" or "area".
        api: the transform to name in errors.

    Returns:
        The image of shape (height, width, C), in its dtype.

    Raises:
        RuntimeError: if OpenCV refuses the image: without pixels, or of another dtype.
    """
    return call(api, "resize", image, (width, height), interpolation=getattr(opencv(), FLAGS[method]))
