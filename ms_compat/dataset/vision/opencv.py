"""Calls OpenCV, which resizes, warps, blurs and converts colours here as in MindSpore.

MindSpore 2.10 is built with OpenCV 4.11 without Intel's IPP library. The wheels have IPP, whose sums round differently
(one level of a byte in a bicubic resize, a hue on the other side), so `call` switches it off; the switch belongs to the
thread. With it off, the functions used here agree in OpenCV 4.10 to 5.0, bit for bit on bytes, with the exceptions
that `warping` describes.

Importing cv2 takes 30 to 120 ms and starts its own threads, so the first image operation imports it.
"""

import functools
from typing import Any

import numpy as np


@functools.cache
def opencv() -> Any:
    """The module `cv2`.

    Raises:
        ImportError: with a remedy, if OpenCV is not installed.
    """
    try:
        import cv2
    except ImportError as error:
        raise ImportError("Resizing, warping and colours need OpenCV: pip install opencv-python-headless") from error
    return cv2


def call(api: str, name: str, image: np.ndarray, *arguments: Any, **options: Any) -> np.ndarray:
    """Calls a function of OpenCV on an image.

    Args:
        api: the transform to name in errors.
        name: the function of `cv2`.
        image: an array of shape (H, W) or (H, W, C), in any layout and byte order.
        *arguments: the function's other arguments.
        **options: likewise.

    Returns:
        The function's result, with the axis of one channel that OpenCV drops.

    Raises:
        RuntimeError: if OpenCV refuses the image, as in MindSpore.
    """
    cv2 = opencv()
    # cv2 checks the kind of an array's numbers, not their byte order.
    native = image if image.dtype.isnative else image.astype(image.dtype.newbyteorder("="))
    before = cv2.ipp.useIPP()
    cv2.ipp.setUseIPP(False)
    try:
        made = getattr(cv2, name)(native, *arguments, **options)
    except cv2.error as error:
        reason = error.err or str(error)
        raise RuntimeError(
            f"For '{api}', the image of shape {image.shape} and dtype {image.dtype} must be one that OpenCV's '{name}' "
            f"takes, but it says: {reason}."
        ) from error
    finally:
        cv2.ipp.setUseIPP(before)
    return made[:, :, None] if made.ndim < image.ndim == 3 and image.shape[2] == 1 else made
