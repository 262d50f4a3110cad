"""Transforms that mix the images of a batch, and those that pick transforms at random."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_int_range, check_type
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset.transforms.base import chain, check_list, finished, rng, to_array
from ms_compat.dataset.vision.base import check_probability
from ms_compat.dataset.vision.enums import ImageBatchFormat


def _positive(api: str, argument: str, value: Any) -> float:
    if check_type(api, argument, value, (int, float)) <= 0:
        raise argument_error(ValueError, api, f"Input {argument} must be greater than 0.", value)
    return value


def _batch(api: str, items: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
    if len(items) != 2:
        raise RuntimeError(f"For '{api}', two columns, images and one-hot labels, must be given, but got {len(items)}.")
    images, labels = (to_array(item, api) for item in items)
    if images.ndim != 4 or labels.ndim not in (2, 3) or len(images) != len(labels):
        raise RuntimeError(
            f"For '{api}', a batch of images (4 axes) and their one-hot labels (2 or 3 axes) are "
            "needed: use 'batch' and 'OneHot' before. "
            f"Got shapes {images.shape} and {labels.shape}."
        )
    return images, labels


def _mixed(first: np.ndarray, second: np.ndarray, share: Any) -> np.ndarray:
    made = first.astype(np.float32) * share + second.astype(np.float32) * (1 - share)
    return (
        made.astype(first.dtype)
        if first.dtype.kind == "f"
        else np.clip(np.rint(made), 0, np.iinfo(first.dtype).max).astype(first.dtype)
    )


def _mix_labels(labels: np.ndarray, order: np.ndarray, share: Any) -> np.ndarray:
    return (labels.astype(np.float32) * share + labels[order].astype(np.float32) * (1 - share)).astype(np.float32)


@faces("dataset.vision")
class MixUpBatch(Remembered):
    """Blends each image of a batch, and its label, with another one of the batch.

    Args:
        alpha: both parameters of the Beta distribution that the share is drawn from.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> rows = (np.zeros((4, 2, 2, 3), np.uint8), np.eye(4, dtype=np.float32))
    >>> data = ds.NumpySlicesDataset(rows, ["image", "label"]).batch(4)
    >>> data = data.map(ds.vision.MixUpBatch(), ["image", "label"])
    >>> data.output_shapes()
    [[4, 2, 2, 3], [4, 4]]
    """

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = _positive("MixUpBatch", "alpha", alpha)

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = _batch("MixUpBatch", items)
        random = rng()
        order = np.array(random.sample(range(len(images)), len(images)))
        share = np.float32(random.betavariate(self.alpha, self.alpha))
        return _mixed(images, images[order], share), _mix_labels(labels, order, share)


@faces("dataset.vision")
class CutMixBatch(Remembered):
    """Puts a rectangle from another image in the batch into each image, and mixes the labels by area.

    Args:
        image_batch_format: an `ImageBatchFormat`.
        alpha: both parameters of the Beta distribution that the area is drawn from.
        prob: the probability for each image.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> rows = (np.zeros((4, 2, 2, 3), np.uint8), np.eye(4, dtype=np.float32))
    >>> data = ds.NumpySlicesDataset(rows, ["image", "label"]).batch(4)
    >>> data = data.map(ds.vision.CutMixBatch(ds.vision.ImageBatchFormat.NHWC), ["image", "label"])
    >>> data.output_shapes()
    [[4, 2, 2, 3], [4, 4]]
    """

    def __init__(self, image_batch_format: ImageBatchFormat, alpha: float = 1.0, prob: float = 1.0) -> None:
        self.format = check_type("CutMixBatch", "image_batch_format", image_batch_format, ImageBatchFormat)
        self.alpha = _positive("CutMixBatch", "alpha", alpha)
        self.prob = check_probability("CutMixBatch", prob)

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = _batch("CutMixBatch", items)
        random = rng()
        order = np.array(random.sample(range(len(images)), len(images)))
        out, shares = images.copy(), np.ones(len(images), np.float32)
        channels_last = self.format is ImageBatchFormat.NHWC
        height, width = images.shape[1:3] if channels_last else images.shape[2:4]
        for k, other in enumerate(order):
            if random.random() >= self.prob:
                continue
            side = (1 - random.betavariate(self.alpha, self.alpha)) ** 0.5
            y, x = random.randrange(height), random.randrange(width)
            rows = slice(max(int(y - height * side / 2), 0), min(int(y + height * side / 2), height))
            columns = slice(max(int(x - width * side / 2), 0), min(int(x + width * side / 2), width))
            place = (rows, columns) if channels_last else (slice(None), rows, columns)
            out[(k, *place)] = images[(other, *place)]
            shares[k] = 1 - (rows.stop - rows.start) * (columns.stop - columns.start) / (height * width)
        return out, _mix_labels(labels, order, shares.reshape(-1, *[1] * (labels.ndim - 1)))


@faces("dataset.vision")
class MixUp(Remembered):
    """Blends each image of a batch with one of the same batch or of the one before.

    Args:
        batch_size: shares to draw: the images of a batch, or 1 for one share in all of them.
        alpha: both parameters of the Beta distribution that the shares are drawn from.
        is_single: mixes inside of the batch; otherwise with the batch before.
    """

    def __init__(self, batch_size: int, alpha: float, is_single: bool = True) -> None:
        checks.check_count("MixUp", "batch_size", batch_size)
        self.batch_size, self.alpha = batch_size, _positive("MixUp", "alpha", alpha)
        self.is_single = check_bool("MixUp", "is_single", is_single)
        self._before: tuple[np.ndarray, np.ndarray] | None = None

    def __call__(self, image: Any, label: Any) -> tuple[np.ndarray, np.ndarray]:
        images, labels = to_array(image, "MixUp"), to_array(label, "MixUp")
        random = rng()
        share = np.array([random.betavariate(self.alpha, self.alpha) for _ in range(self.batch_size)])
        share = np.maximum(share, 1 - share) if self.is_single else share
        if self.is_single:
            order = np.array(random.sample(range(len(images)), len(images)))
            others = images[order], labels[order]
        else:
            others = self._before or (images, labels)
            self._before = (images, labels)
        # A batch of images has four axes and one of labels two; an image alone is broadcast against the shares.
        wide, flat = share.reshape(-1, 1, 1, 1), share.reshape(-1, 1)
        return wide * images + (1 - wide) * others[0], flat * labels + (1 - flat) * others[1]


@faces("dataset.vision")
class UniformAugment(Remembered):
    """Applies transforms drawn from a list, each of those drawn with a probability of one half.

    Args:
        transforms: a list of transforms.
        num_ops: how many are drawn.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> augment = vision.UniformAugment([vision.HorizontalFlip(), vision.VerticalFlip()], num_ops=1)
    >>> augment(np.zeros((2, 3, 3), np.uint8)).shape
    (2, 3, 3)
    """

    def __init__(self, transforms: list[Callable[..., Any]], num_ops: int = 2) -> None:
        self.transforms = check_list("UniformAugment", transforms)
        check_int_range("UniformAugment", "num_ops", num_ops, 1, len(transforms))
        self.num_ops = num_ops

    def __call__(self, *items: Any) -> Any:
        random = rng()
        drawn = [operation for operation in random.sample(self.transforms, self.num_ops) if random.random() < 0.5]
        return finished(chain(drawn, items), "UniformAugment")


@faces("dataset.vision")
class RandomSelectSubpolicy(Remembered):
    """Draws one of several lists and applies its transforms, each with its own probability.

    Args:
        policy: a list of (transform, probability) lists.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> policy = [[(vision.HorizontalFlip(), 1.0)], [(vision.HorizontalFlip(), 1.0)]]
    >>> vision.RandomSelectSubpolicy(policy)(np.array([[1, 2]], np.uint8)).tolist()
    [[2, 1]]
    """

    def __init__(self, policy: list[list[tuple[Callable[..., Any], float]]]) -> None:
        api = "RandomSelectSubpolicy"
        if not check_type(api, "policy", policy, list):
            raise argument_error(ValueError, api, "policy can not be empty.", policy)
        for sub in policy:
            if not check_type(api, "policy", sub, list):
                raise argument_error(ValueError, api, "policy can not contain empty lists.", policy)
            for entry in sub:
                if not isinstance(entry, tuple) or len(entry) != 2 or not callable(entry[0]):
                    raise type_error(api, "policy", "lists of (transform, probability)", entry)
                check_probability(api, entry[1])
        self.policy = policy

    def __call__(self, *items: Any) -> Any:
        random = rng()
        drawn = [operation for operation, prob in random.choice(self.policy) if random.random() < prob]
        return finished(chain(drawn, items), "RandomSelectSubpolicy")
