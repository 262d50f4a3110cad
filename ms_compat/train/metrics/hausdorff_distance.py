"""`HausdorffDistance`: how far two surfaces are from each other at most."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_bool, check_one_of, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat.train.metrics._surface import distances, edges, masks
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class HausdorffDistance(Metric):
    """The maximum distance from a surface's points to the other surface.

    Args:
        distance_metric: "euclidean", "chessboard" or "taxicab".
        percentile: take this percentile, 0 to 100, in place of the maximum.
        directed: only from the prediction to the label; otherwise the larger of both directions.
        crop: MindSpore's choice to look at the surrounding box only; the result is the same.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `distance_metric`.

    >>> import numpy as np
    >>> from ms_compat.train import HausdorffDistance
    >>> metric = HausdorffDistance()
    >>> metric.update(np.array([[3, 0, 1], [1, 3, 0], [1, 0, 2]]), np.array([[0, 2, 1], [1, 2, 1], [0, 0, 1]]), 0)
    >>> print(metric.eval().round(4))
    1.4142
    """

    def __init__(self, distance_metric="euclidean", percentile=None, directed=False, crop=True):
        super().__init__()
        api = "HausdorffDistance"
        choices = ["euclidean", "chessboard", "taxicab"]
        self.distance_metric = check_one_of(api, "distance_metric", distance_metric, choices)
        self.percentile = check_type(api, "percentile", percentile, (float, type(None)))
        self.directed = check_bool(api, "directed", directed)
        self.crop = check_bool(api, "crop", crop)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self.y_pred_edges: Any = 0
        self.y_edges: Any = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take prediction and label, arrays of one shape, and the label's number; they replace those before."""
        y_pred, y, label = take("HausdorffDistance", inputs, 3)
        y_pred, y = self._convert_data(y_pred), self._convert_data(y)
        if not isinstance(label, (int, float)):
            raise value_error("HausdorffDistance.update", "label index", "int or float", label)
        y_pred, y = masks("HausdorffDistance", y_pred, y, label)
        self.y_pred_edges, self.y_edges = edges(y_pred), edges(y)
        self._is_update = True

    def _one_way(self, of, to):
        found = distances(of, to, self.distance_metric)
        if not found.size:
            return np.inf
        if self.percentile is None:
            return found.max()
        check_within("HausdorffDistance", "percentile", self.percentile, 0, 100)
        return np.percentile(found, self.percentile)

    def eval(self):
        """The distance.

        Raises:
            RuntimeError: there were no arrays.
        """
        need_samples("HausdorffDistance", self._is_update)
        there = self._one_way(self.y_pred_edges, self.y_edges)
        if self.directed:
            return there
        return max(there, self._one_way(self.y_edges, self.y_pred_edges))
