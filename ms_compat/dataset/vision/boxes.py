"""Image transforms that move bounding boxes along: two columns in, image and boxes, two columns out.

A row of the boxes is (x, y, width, height, ...) in the image's pixels, as float32. A crop cuts boxes at its edges and
drops boxes outside; a box that touches the crop's edge from outside becomes a box without an area, as in MindSpore.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset.transforms.base import rng, to_array
from ms_compat.dataset.vision.base import ImageTransform, check_probability
from ms_compat.dataset.vision.crop import RandomCrop, mirrored, pad
from ms_compat.dataset.vision.enums import Inter
from ms_compat.dataset.vision.resize import RandomResize, RandomResizedCrop, Resize, resize_array


def _checked(api: str, items: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The image and a copy of its boxes.

    Raises:
        RuntimeError: if they are not an image and boxes inside of it.
    """
    if len(items) != 2:
        raise RuntimeError(f"For '{api}', two columns, the image and its boxes, must be given, but got {len(items)}.")
    image, boxes = to_array(items[0], api), to_array(items[1], api)
    if image.ndim not in (2, 3):
        raise RuntimeError(f"For '{api}', the image must have shape (H, W) or (H, W, C), but got {image.shape}.")
    if boxes.ndim != 2 or boxes.shape[1] < 4 or boxes.dtype.kind != "f":
        raise RuntimeError(
            f"For '{api}', the boxes must be floats of shape (N, 4) or wider, but got {boxes.dtype} {boxes.shape}."
        )
    x, y, width, height = boxes[:, :4].T
    if (boxes[:, :4] < 0).any() or (x + width > image.shape[1]).any() or (y + height > image.shape[0]).any():
        raise RuntimeError(
            f"For '{api}', the boxes must be inside of the image {image.shape[:2]}, but got {boxes[:, :4].tolist()}."
        )
    return image, boxes.copy()


def _cut(boxes: np.ndarray, top: int, left: int, height: int, width: int) -> np.ndarray:
    """The boxes in the coordinates of an image part; boxes outside of it are left out."""
    low_x, low_y = np.maximum(boxes[:, 0], left), np.maximum(boxes[:, 1], top)
    high_x = np.minimum(boxes[:, 0] + boxes[:, 2], left + width)
    high_y = np.minimum(boxes[:, 1] + boxes[:, 3], top + height)
    kept = (high_x >= low_x) & (high_y >= low_y)
    made = boxes[kept]
    made[:, 0], made[:, 1] = low_x[kept] - left, low_y[kept] - top
    made[:, 2], made[:, 3] = (high_x - low_x)[kept], (high_y - low_y)[kept]
    return made


def _scaled(boxes: np.ndarray, before: tuple[int, ...], after: tuple[int, ...]) -> np.ndarray:
    """The boxes of a resized image."""
    scale_y, scale_x = after[0] / before[0], after[1] / before[1]
    boxes[:, :4] *= np.array([scale_x, scale_y, scale_x, scale_y], boxes.dtype)
    return boxes


@faces("dataset.vision")
class RandomHorizontalFlipWithBBox(Remembered):
    """Mirrors some images and their boxes left and right.

    Args:
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
    >>> vision.RandomHorizontalFlipWithBBox(1.0)(image, boxes)[1].tolist()
    [[5.0, 0.0, 2.0, 2.0]]
    """

    def __init__(self, prob: float = 0.5) -> None:
        self.prob = check_probability(type(self).__name__, prob)

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(type(self).__name__, items)
        return self._flip(image, boxes) if rng().random() < self.prob else (image, boxes)

    def _flip(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        boxes[:, 0] = image.shape[1] - boxes[:, 0] - boxes[:, 2]
        return mirrored(image), boxes


@faces("dataset.vision")
class RandomVerticalFlipWithBBox(RandomHorizontalFlipWithBBox):
    """Mirrors some images and their boxes top and bottom.

    Args:
        prob: the probability.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[1, 0, 2, 2]], np.float32)
    >>> vision.RandomVerticalFlipWithBBox(1.0)(image, boxes)[1].tolist()
    [[1.0, 2.0, 2.0, 2.0]]
    """

    def _flip(self, image: np.ndarray, boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        boxes[:, 1] = image.shape[0] - boxes[:, 1] - boxes[:, 3]
        return np.ascontiguousarray(image[::-1]), boxes


@faces("dataset.vision")
class RandomCropWithBBox(RandomCrop):
    """Cuts a random rectangle out of an image and its boxes; the arguments are `RandomCrop`'s.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[0, 0, 8, 4]], np.float32)
    >>> image, boxes = vision.RandomCropWithBBox((2, 2))(image, boxes)
    >>> image.shape, boxes.tolist()
    ((2, 2, 3), [[0.0, 0.0, 2.0, 2.0]])
    """

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked("RandomCropWithBBox", items)
        height, width = self.size
        left, top, right, bottom = self.padding or (0, 0, 0, 0)
        if self.pad_if_needed:
            more_y = max(height - image.shape[0] - top - bottom, 0)
            more_x = max(width - image.shape[1] - left - right, 0)
            left, top, right, bottom = left + more_x, top + more_y, right + more_x, bottom + more_y
        image = pad(image, (left, top, right, bottom), self.fill_value, self.padding_mode)
        boxes[:, 0] += left
        boxes[:, 1] += top
        if height > image.shape[0] or width > image.shape[1]:
            raise RuntimeError(
                f"For 'RandomCropWithBBox', the 'size' {self.size} must fit into the image, but its "
                f"shape is {image.shape}."
            )
        random = rng()
        at_y, at_x = random.randint(0, image.shape[0] - height), random.randint(0, image.shape[1] - width)
        return image[at_y : at_y + height, at_x : at_x + width].copy(), _cut(boxes, at_y, at_x, height, width)


@faces("dataset.vision")
class ResizeWithBBox(Resize):
    """Resizes an image and its boxes; the arguments are `Resize`'s.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[2, 0, 2, 2]], np.float32)
    >>> vision.ResizeWithBBox((2, 4))(image, boxes)[1].tolist()
    [[1.0, 0.0, 1.0, 1.0]]
    """

    def __init__(self, size: Any, interpolation: Inter = Inter.BILINEAR) -> None:
        super().__init__(size, interpolation)

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked(type(self).__name__, items)
        made = self._image(image)
        return made, _scaled(boxes, image.shape, made.shape)


@faces("dataset.vision")
class RandomResizeWithBBox(RandomResize):
    """Resizes an image, with a random interpolation, and its boxes; the argument is `RandomResize`'s.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[2, 0, 2, 2]], np.float32)
    >>> vision.RandomResizeWithBBox((2, 4))(image, boxes)[1].tolist()
    [[1.0, 0.0, 1.0, 1.0]]
    """

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked("RandomResizeWithBBox", items)
        made = self._image(image)
        return made, _scaled(boxes, image.shape, made.shape)


@faces("dataset.vision")
class RandomResizedCropWithBBox(RandomResizedCrop):
    """Cuts out and resizes a random part of an image and its boxes; the arguments are `RandomResizedCrop`'s.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((8, 8, 3), np.uint8), np.array([[0, 0, 8, 8]], np.float32)
    >>> vision.RandomResizedCropWithBBox((4, 4))(image, boxes)[0].shape
    (4, 4, 3)
    """

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked("RandomResizedCropWithBBox", items)
        top, left, height, width = self._draw(*image.shape[:2])
        made = resize_array(
            "RandomResizedCropWithBBox", image[top : top + height, left : left + width], self.size, self.interpolation
        )
        return made, _scaled(_cut(boxes, top, left, height, width), (height, width), made.shape)


@faces("dataset.vision")
class BoundingBoxAugment(Remembered):
    """Applies a transform to the inside of random boxes.

    Args:
        transform: an image transform that keeps its input's size.
        ratio: the probability of each box.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image, boxes = np.zeros((4, 8, 3), np.uint8), np.array([[0, 0, 2, 2]], np.float32)
    >>> image, boxes = vision.BoundingBoxAugment(vision.Invert(), 1.0)(image, boxes)
    >>> image[0, :, 0].tolist()
    [255, 255, 0, 0, 0, 0, 0, 0]
    """

    def __init__(self, transform: Callable[..., Any], ratio: float = 0.3) -> None:
        if isinstance(transform, type) or not (isinstance(transform, ImageTransform) or callable(transform)):
            raise type_error("BoundingBoxAugment", "transform", "an image transform", transform)
        check_type("BoundingBoxAugment", "ratio", ratio, (float, int))
        self.transform, self.ratio = transform, check_probability("BoundingBoxAugment", ratio)

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        image, boxes = _checked("BoundingBoxAugment", items)
        out, random = image.copy(), rng()
        for x, y, width, height in boxes[:, :4].astype(int).tolist():
            if random.random() >= self.ratio or not width or not height:
                continue
            inside = out[y : y + height, x : x + width].copy()
            made = self.transform(inside)
            if made.shape != inside.shape:
                made = resize_array("BoundingBoxAugment", made, (height, width), Inter.BILINEAR)
            out[y : y + height, x : x + width] = made
        return out, boxes
