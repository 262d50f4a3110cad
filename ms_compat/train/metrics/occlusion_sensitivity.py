"""`OcclusionSensitivity`: the image positions that a network's score depends on."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.train.metrics.metric import Metric, rearrange_inputs, take


@faces("nn train train.metrics")
class OcclusionSensitivity(Metric):
    """The score of a class less the score when a place is covered, for each place of an image.

    Args:
        pad_val: the value that covers.
        margin: how far the cover reaches to both sides of a place: one number, or one for each axis.
        n_batch: covered images given to the network at a time.
        b_box: the places looked at, [min, max, min, max, ...], both inclusive, negative ones standing for the image's
            edges; None takes all.

    Raises:
        TypeError: for an argument of another type.

    >>> from ms_compat import Tensor, nn
    >>> from ms_compat.train import OcclusionSensitivity
    >>> class Sum(nn.Cell):
    ...     def construct(self, x):
    ...         return x.sum(-1, keepdims=True)
    >>> metric = OcclusionSensitivity(margin=1)
    >>> metric(Sum(), np.array([[1.0, 2.0, 3.0]], np.float32), np.array(0)).tolist()
    [1.0, 3.0, 5.0]
    """

    def __init__(self, pad_val=0.0, margin=2, n_batch=128, b_box=None):
        super().__init__()
        api = "OcclusionSensitivity"
        self.pad_val = check_type(api, "pad_val", pad_val, float)
        self.margin = check_type(api, "margin", margin, (int, list))
        self.n_batch = check_type(api, "n_batch", n_batch, int)
        self.b_box = check_type(api, "b_box", b_box, (list, type(None)))
        self.clear()

    def clear(self):
        """Forget the image."""
        self._result = None

    @rearrange_inputs
    def update(self, *inputs):
        """Look at an image.

        Args:
            inputs: the network; the image, of shape (1, ...); its label, one number.

        Raises:
            ValueError: there are not three inputs, or the box does not fit the image.
            TypeError: the first is not a Cell.
            RuntimeError: there is more than one image or label.
        """
        from ms_compat.nn.cell import Cell

        model, image, label = take("OcclusionSensitivity", inputs, 3)
        check_type("OcclusionSensitivity.update", "model", model, Cell)
        image, label = self._convert_data(image), self._convert_data(label)
        if image.shape[0] != 1 or label.size != 1:
            raise RuntimeError(
                "For 'OcclusionSensitivity.update', there must be one image and one label, but got shapes "
                f"{image.shape} and {label.shape}."
            )
        shape, number = image.shape[1:], int(label.reshape(-1)[0])
        ranges = self._ranges(shape)
        margins = self.margin if isinstance(self.margin, list) else [self.margin] * len(shape)
        scores = []
        for places in _lots(ranges, self.n_batch):
            covered = np.repeat(image, len(places), axis=0)
            for k, place in enumerate(places):
                cover: Any = tuple(slice(max(at - m, 0), at + m) for at, m in zip(place, margins, strict=True))
                covered[(k, *cover)] = self.pad_val
            scores.append(model(Tensor(covered)).asnumpy()[:, number])
        whole = model(Tensor(image)).asnumpy()[0, number]
        found = np.concatenate(scores).reshape([len(places) for places in ranges])
        self._result = whole - np.squeeze(found)

    def _ranges(self, shape):
        """The places looked at along each axis."""
        if self.b_box is None:
            return [range(size) for size in shape]
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(
                f"For 'OcclusionSensitivity', the 'b_box' must have {2 * len(shape)} numbers, but got {self.b_box}."
            )
        ranges = []
        for low, high, size in zip(self.b_box[::2], self.b_box[1::2], shape, strict=True):
            low, high = max(low, 0), size - 1 if high < 0 else high
            if not low <= high < size:
                raise ValueError(f"For 'OcclusionSensitivity', the 'b_box' {self.b_box} must fit into {shape}.")
            ranges.append(range(low, high + 1))
        return ranges

    def eval(self):
        """The differences of the score, in the shape of the places looked at.

        Raises:
            RuntimeError: no image was looked at.
        """
        if self._result is None:
            raise RuntimeError("For 'OcclusionSensitivity.eval', 'update' must be called before.")
        return self._result


def _lots(ranges, count):
    """The places of a grid, so many at a time."""
    places = itertools.product(*ranges)
    while lot := list(itertools.islice(places, count)):
        yield lot
