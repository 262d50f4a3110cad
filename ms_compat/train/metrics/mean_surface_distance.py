"""`MeanSurfaceDistance`: how far two surfaces are from each other on average."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.errors import check_bool, check_one_of, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.train.metrics._surface import distances, edges, masks
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class MeanSurfaceDistance(Metric):
    """The mean distance from the prediction's surface points to the label's surface.

    Args:
        symmetric: take both directions, and the mean of the two.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `distance_metric`.

    >>> import numpy as np
    >>> from ms_compat.train import MeanSurfaceDistance
    >>> image = np.array([[1, 1], [0, 0]])
    >>> metric = MeanSurfaceDistance()
    >>> metric.update(image, image, 1)
    >>> float(metric.eval())
    0.0
    """

    _wrong_label: Any = staticmethod(value_error)

    def __init__(self, symmetric=False, distance_metric="euclidean"):
        super().__init__()
        api = type(self).__name__
        choices = ["euclidean", "chessboard", "taxicab"]
        self.distance_metric = check_one_of(api, "distance_metric", distance_metric, choices)
        self.symmetric = check_bool(api, "symmetric", symmetric)
        self._y_pred_edges = self._y_edges = np.zeros(0, bool)
        self._cleared = False

    def clear(self):
        """Forget what was seen; `eval` then raises until `update` is called."""
        self._y_pred_edges = self._y_edges = np.zeros(0, bool)
        self._cleared = True

    @rearrange_inputs
    def update(self, *inputs):
        """Take prediction and label, arrays of one shape, and the label's number; they replace those before."""
        api = type(self).__name__
        y_pred, y, label = take(api, inputs, 3)
        y_pred, y = self._convert_data(y_pred), self._convert_data(y)
        if not isinstance(label, (int, float)):
            raise self._wrong_label(f"{api}.update", "label index", "int or float", label)
        y_pred, y = masks(api, y_pred, y, label)
        self._y_pred_edges, self._y_edges = edges(y_pred), edges(y)
        self._cleared = False

    def _mean(self, power: int) -> float:
        """The mean of the distances to a power, with `symmetric` over both directions; infinite without points."""
        need_samples(type(self).__name__, not self._cleared)
        if not self._y_pred_edges.any() or not self._y_edges.any():
            return np.inf
        there = (distances(self._y_pred_edges, self._y_edges, self.distance_metric) ** power).mean()
        if not self.symmetric:
            return there
        return (there + (distances(self._y_edges, self._y_pred_edges, self.distance_metric) ** power).mean()) / 2

    def eval(self):
        """The mean; infinite if one of the surfaces has no points.

        Raises:
            RuntimeError: there were no samples since `clear`.
        """
        return self._mean(1)


@faces("nn train train.metrics")
class RootMeanSquareDistance(MeanSurfaceDistance):
    """The mean square distance; with `symmetric` its root, as measured on MindSpore 2.10.

    Args:
        symmetric: take both directions, and the mean of the two.
        distance_metric: "euclidean", "chessboard" or "taxicab".

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `distance_metric`.
    """

    _wrong_label = staticmethod(type_error)

    def eval(self):
        """The value; infinite if one of the surfaces has no points.

        Raises:
            RuntimeError: there were no samples since `clear`.
        """
        mean = self._mean(2)
        return np.sqrt(mean) if self.symmetric else mean
