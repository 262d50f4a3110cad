"""Transforms that turn and warp images.

Arrays are warped as OpenCV does it (see `warping`), PIL images by Pillow where MindSpore does so.
"""

import math
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_type, check_within
from ms_compat.dataset.transforms.base import rng
from ms_compat.dataset.vision import warping
from ms_compat.dataset.vision.base import (
    FLOAT_MAX,
    METHODS,
    NUMBER_DTYPES,
    SIZE_MAX,
    ArrayOnPil,
    ImageTransform,
    check_fill,
    check_inter,
    check_probability,
    check_range,
    pil,
)
from ms_compat.dataset.vision.enums import Inter


def _method(api: str, interpolation: Inter, image: np.ndarray) -> str:
    if interpolation not in METHODS:
        raise RuntimeError(f"For '{api}', {interpolation!r} is not for warping; use NEAREST, BILINEAR or BICUBIC.")
    if interpolation is not Inter.NEAREST and image.dtype in (np.int8, np.int32):
        raise RuntimeError(f"For '{api}', an image of dtype {image.dtype} can be warped with Inter.NEAREST only.")
    return METHODS[interpolation]


def _bytes_of_bool(image: np.ndarray) -> np.ndarray:
    return image.view(np.uint8) if image.dtype == bool else image


def check_center(api: str, center: Any) -> tuple[float, float] | None:
    """Checks a centre: None or two numbers (x, y)."""
    if center is None:
        return None
    if not isinstance(center, (list, tuple)) or len(center) != 2:
        raise argument_error(ValueError, api, "Value center needs to be a 2-tuple.", center)
    for value in center:
        check_type(api, "center", value, (int, float))
    return center[0], center[1]


@faces("dataset.vision")
class Rotate(ImageTransform):
    """Turns an image counter-clockwise.

    Args:
        degrees: the angle.
        resample: an `Inter`.
        expand: enlarges the image so that nothing is cut.
        center: (x, y) to turn around; None is the middle.
        fill_value: the value outside, or one for each of three channels.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> Rotate(180)(np.array([[1, 2], [3, 4]], np.uint8)).tolist()
    [[4, 3], [2, 1]]
    """

    _any_batch = True
    _dtypes = NUMBER_DTYPES

    def __init__(
        self,
        degrees: float,
        resample: Inter = Inter.NEAREST,
        expand: bool = False,
        center: Any = None,
        fill_value: Any = 0,
    ) -> None:
        api = type(self).__name__
        self.degrees = self._checked_degrees(api, degrees)
        self.resample = check_inter(api, resample, "resample")
        self.expand = check_bool(api, "expand", expand)
        self.center = check_center(api, center)
        self.fill_value = check_fill(api, fill_value)

    def _checked_degrees(self, api: str, degrees: Any) -> Any:
        return check_type(api, "degrees", degrees, (int, float))

    def _angle(self) -> float:
        return self.degrees

    def _image(self, image: np.ndarray) -> np.ndarray:
        api = type(self).__name__
        method = _method(api, self.resample, image)
        wide = _bytes_of_bool(image)
        made = warping.rotate(wide, self._angle(), method, self.expand, self.center, self.fill_value, api)
        return made if self.expand else made.astype(image.dtype, copy=False)  # an enlarged bool image becomes bytes


@faces("dataset.vision")
class RandomRotation(Rotate):
    """Turns an image by a random angle; the other arguments are `Rotate`'s.

    Args:
        degrees: (min, max), or the largest angle to both sides.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomRotation((90, 90), expand=True)(np.zeros((2, 4, 3), np.uint8)).shape
    (4, 2, 3)
    """

    _any_batch = False

    def _checked_degrees(self, api: str, degrees: Any) -> tuple[float, float]:
        return check_degrees(api, degrees)

    def _angle(self) -> float:
        return rng().uniform(*self.degrees)

    def _pil(self, image: Any) -> Any:
        methods = pil().Resampling
        found = {Inter.NEAREST: methods.NEAREST, Inter.BILINEAR: methods.BILINEAR, Inter.BICUBIC: methods.BICUBIC}.get(
            self.resample
        )
        if found is None:
            raise TypeError(f"For '{type(self).__name__}', a PIL image cannot be turned with {self.resample!r}.")
        fill = (
            self.fill_value
            if len(self.fill_value) == len(image.getbands())
            else self.fill_value[:1] * len(image.getbands())
        )
        return image.rotate(
            self._angle(), found, self.expand, self.center, fillcolor=fill if len(fill) > 1 else fill[0]
        )


def check_degrees(api: str, degrees: Any) -> tuple[float, float]:
    """Checks angles: (min, max), or the largest to both sides."""
    check_type(api, "degrees", degrees, (int, float, list, tuple))
    if isinstance(degrees, (int, float)):
        check_within(api, "degrees", degrees, 0, FLOAT_MAX)
        return -degrees, degrees
    return check_range(api, "degrees", degrees, -FLOAT_MAX, FLOAT_MAX)


def affine_matrix(
    shape: tuple[int, ...], degrees: float, translate: tuple[float, float], scale: float, shear: tuple[float, float]
) -> np.ndarray:
    """The 2x3 matrix that turns, shears and scales around the middle, then shifts by pixels (x, y)."""
    height, width = shape[:2]
    x, y = (width - 1) / 2, (height - 1) / 2
    angle, shear_x, shear_y = (math.radians(value) for value in (degrees, *shear))
    a = math.cos(angle - shear_y) / math.cos(shear_y)
    b = -math.cos(angle - shear_y) * math.tan(shear_x) / math.cos(shear_y) - math.sin(angle)
    c = math.sin(angle - shear_y) / math.cos(shear_y)
    d = -math.sin(angle - shear_y) * math.tan(shear_x) / math.cos(shear_y) + math.cos(angle)
    a, b, c, d = scale * a, scale * b, scale * c, scale * d
    return np.array([[a, b, x + translate[0] - a * x - b * y], [c, d, y + translate[1] - c * x - d * y]])


@faces("dataset.vision")
class Affine(ImageTransform):
    """Turns, shifts, scales and shears an image around its middle.

    Args:
        degrees: the angle, clockwise.
        translate: shift as shares (x, y) of width and height, in [-1, 1].
        scale: the factor, > 0.
        shear: angle along x, or (x, y).
        resample: an `Inter`.
        fill_value: the value outside, or one for each of three channels.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> image = np.array([[1, 2, 3]], np.uint8)
    >>> vision.Affine(degrees=0, translate=[0.0, 0.0], scale=1.0, shear=[0, 0])(image).tolist()
    [[1, 2, 3]]
    """

    _dtypes = NUMBER_DTYPES

    def __init__(
        self,
        degrees: float,
        translate: Any,
        scale: float,
        shear: Any,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        self.degrees = check_type("Affine", "degrees", degrees, (int, float))
        check_type("Affine", "translate", translate, (list, tuple))
        if len(translate) != 2:
            raise argument_error(TypeError, "Affine", "The length of translate should be 2.", translate)
        for k, value in enumerate(translate):
            check_type("Affine", f"translate[{k}]", value, (int, float))
            check_within("Affine", f"translate[{k}]", value, -1.0, 1.0)
        check_within("Affine", "scale", check_type("Affine", "scale", scale, (int, float)), 0, FLOAT_MAX, "(]")
        check_type("Affine", "shear", shear, (int, float, list, tuple))
        self.shear = (shear, 0.0) if isinstance(shear, (int, float)) else tuple(shear)
        if len(self.shear) != 2:
            raise argument_error(TypeError, "Affine", "The length of shear should be 2.", shear)
        self.translate, self.scale = tuple(translate), scale
        self.resample = check_inter("Affine", resample, "resample")
        self.fill_value = check_fill("Affine", fill_value)

    def _image(self, image: np.ndarray) -> np.ndarray:
        shift = (self.translate[0] * image.shape[1], self.translate[1] * image.shape[0])
        return warp(
            image,
            affine_matrix(image.shape, self.degrees, shift, self.scale, self.shear),
            self.resample,
            self.fill_value,
            "Affine",
        )


def warp(image: np.ndarray, matrix: np.ndarray, resample: Inter, fill: tuple[int, ...], api: str) -> np.ndarray:
    """Warps an image of shape (H, W) or (H, W, C) by a 2x3 or 3x3 matrix, in its size."""
    function = warping.warp_affine if matrix.shape == (2, 3) else warping.warp_perspective
    height, width = image.shape[:2]
    made = function(_bytes_of_bool(image), matrix, height, width, _method(api, resample, image), fill, api)
    return made.astype(image.dtype, copy=False)


@faces("dataset.vision")
class RandomAffine(ArrayOnPil):
    """Turns, shifts, scales and shears an image at random.

    Args:
        degrees: (min, max), or the largest angle to both sides.
        translate: (min x, max x) or (min x, max x, min y, max y) as shares, in [-1, 1]; None for no shift.
        scale: (min, max); None for 1.
        shear: the largest angle, (min, max) along x, or (min x, max x, min y, max y); None for none.
        resample: an `Inter`.
        fill_value: the value outside, or one for each of three channels.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a number is out of range.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomAffine(degrees=15, scale=(0.9, 1.1))(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    _dtypes = NUMBER_DTYPES

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        resample: Inter = Inter.NEAREST,
        fill_value: Any = 0,
    ) -> None:
        api = "RandomAffine"
        self.degrees = check_degrees(api, degrees)
        self.translate = self._four(api, "translate", translate, 1.0)
        self.scale = (1.0, 1.0) if scale is None else check_range(api, "scale", scale, 0, FLOAT_MAX)
        if scale is not None and scale[0] == scale[1] == 0:
            raise argument_error(ValueError, api, "scale[0] and scale[1] should not both be 0.", scale)
        if isinstance(shear, (int, float)) and not isinstance(shear, bool):
            if shear <= 0:
                raise argument_error(ValueError, api, "Input shear must be greater than 0.", shear)
            shear = (-shear, shear)
        self.shear = self._four(api, "shear", shear, FLOAT_MAX)
        self.resample = check_inter(api, resample, "resample")
        self.fill_value = check_fill(api, fill_value)

    @staticmethod
    def _four(api: str, argument: str, value: Any, limit: float) -> tuple[tuple[float, float], tuple[float, float]]:
        if value is None:
            return (0.0, 0.0), (0.0, 0.0)
        check_type(api, argument, value, (list, tuple))
        if len(value) not in (2, 4):
            raise argument_error(TypeError, api, f"{argument} should be a list or tuple of length 2 or 4.", value)
        first = check_range(api, argument, value[:2], -limit, limit)
        return first, check_range(api, argument, value[2:] or (0.0, 0.0), -limit, limit)

    def _image(self, image: np.ndarray) -> np.ndarray:
        random = rng()
        shift = (
            round(random.uniform(*self.translate[0]) * image.shape[1]),
            round(random.uniform(*self.translate[1]) * image.shape[0]),
        )
        shear = (random.uniform(*self.shear[0]), random.uniform(*self.shear[1]))
        matrix = affine_matrix(image.shape, random.uniform(*self.degrees), shift, random.uniform(*self.scale), shear)
        return warp(image, matrix, self.resample, self.fill_value, "RandomAffine")


def _points(api: str, argument: str, points: Any) -> list[tuple[int, int]]:
    check_type(api, argument, points, (list, tuple))
    if len(points) != 4:
        raise type_error(api, argument, "four points (x, y)", points)
    for point in points:
        check_type(api, argument, point, (list, tuple))
        if len(point) != 2:
            raise type_error(api, argument, "four points (x, y)", points)
        for value in point:
            if not -SIZE_MAX <= check_type(api, argument, value, int) <= SIZE_MAX:
                raise value_error(api, argument, "coordinates of an image", points)
    return [(x, y) for x, y in points]


@faces("dataset.vision")
class Perspective(ArrayOnPil):
    """Warps an image so that four points go to four others.

    Args:
        start_points: four points (x, y).
        end_points: where they go.
        interpolation: an `Inter`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> corners = [[0, 0], [3, 0], [3, 3], [0, 3]]
    >>> vision.Perspective(corners, corners)(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    _dtypes = NUMBER_DTYPES

    def __init__(self, start_points: Any, end_points: Any, interpolation: Inter = Inter.BILINEAR) -> None:
        self.start_points = _points("Perspective", "start_points", start_points)
        self.end_points = _points("Perspective", "end_points", end_points)
        self.interpolation = check_inter("Perspective", interpolation)

    def _image(self, image: np.ndarray) -> np.ndarray:
        made = self._mapped(image)
        return made.view(np.uint8) if made.dtype == np.bool_ else made

    def _pil(self, image: Any) -> Any:
        return pil().fromarray(self._mapped(np.asarray(image)))

    def _mapped(self, image: np.ndarray) -> np.ndarray:
        matrix = warping.perspective_matrix(self.start_points, self.end_points)
        return warp(image, matrix, self.interpolation, (0,), "Perspective")


@faces("dataset.vision")
class RandomPerspective(ArrayOnPil):
    """Warps some images by moving their corners at random.

    Args:
        distortion_scale: how far, in [0, 1].
        prob: the probability.
        interpolation: an `Inter`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.RandomPerspective(prob=0.0)(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)
    """

    def __init__(self, distortion_scale: float = 0.5, prob: float = 0.5, interpolation: Inter = Inter.BICUBIC) -> None:
        check_type("RandomPerspective", "distortion_scale", distortion_scale, float)
        check_within("RandomPerspective", "distortion_scale", distortion_scale, 0.0, 1.0)
        self.distortion_scale = distortion_scale
        self.prob = check_probability("RandomPerspective", check_type("RandomPerspective", "prob", prob, float))
        self.interpolation = check_inter("RandomPerspective", interpolation)

    def _image(self, image: np.ndarray) -> np.ndarray:
        random = rng()
        if random.random() >= self.prob:
            return image
        height, width = image.shape[:2]
        y, x = int(self.distortion_scale * height / 2), int(self.distortion_scale * width / 2)
        right, bottom = width - 1, height - 1
        corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
        moved = [
            (random.randint(0, x), random.randint(0, y)),
            (random.randint(right - x, right), random.randint(0, y)),
            (random.randint(right - x, right), random.randint(bottom - y, bottom)),
            (random.randint(0, x), random.randint(bottom - y, bottom)),
        ]
        return warp(image, warping.perspective_matrix(corners, moved), self.interpolation, (0,), "RandomPerspective")
