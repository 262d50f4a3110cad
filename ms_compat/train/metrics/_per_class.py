"""The counts behind precision and recall, for each class or, with several labels, for each sample."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

import numpy as np

from ms_compat._core.errors import check_bool
from ms_compat.train.metrics.metric import EvaluationBase, need_samples, rearrange_inputs

logger = logging.getLogger("ms_compat")


class PerClass(EvaluationBase):
    """Base class of `Precision` and `Recall`: true positives over what `_counted` counts."""

    _counted: Callable[[np.ndarray, np.ndarray], np.ndarray]  # of y_pred and y
    eps = sys.float_info.min  # of no effect on counts: it is there for 0 / 0

    def __init__(self, eval_type="classification"):
        super().__init__(eval_type)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._class_num = 0
        empty = self._type == "multilabel"
        self._true_positives = np.empty(0) if empty else 0
        self._counts = np.empty(0) if empty else 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction and label."""
        y_pred, y = self._classes(inputs, self._class_num)
        self._class_num = y_pred.shape[1]
        if self._type == "classification":
            if y.max() + 1 > self._class_num:
                raise ValueError(
                    f"For '{type(self).__name__}.update', the labels must be below the number of classes "
                    f"{self._class_num}, but the largest is {y.max()}."
                )
            identity = np.eye(self._class_num)
            y = identity[y.reshape(-1).astype(np.int64)].T
            y_pred = identity[np.moveaxis(y_pred, 1, -1).reshape(-1, self._class_num).argmax(axis=1)].T
        else:
            y_pred = np.moveaxis(y_pred, 1, -1).reshape(-1, self._class_num)
            y = np.moveaxis(y, 1, -1).reshape(-1, self._class_num)
        right = (y * y_pred).sum(axis=1).astype(float)
        counts = self._counted(y_pred, y).sum(axis=1).astype(float)
        if self._type == "multilabel":
            self._true_positives = np.concatenate((self._true_positives, right))
            self._counts = np.concatenate((self._counts, counts))
        else:
            self._true_positives = self._true_positives + right
            self._counts = self._counts + counts

    def eval(self, average=False):
        """The value of each class (with several labels: of each sample), or their mean.

        Args:
            average: whether to return the mean.

        Returns:
            float64 array, or a number.

        Raises:
            RuntimeError: there were no samples.
        """
        name = type(self).__name__
        need_samples(name, self._class_num)
        check_bool(name, "average", average)
        result = np.divide(self._true_positives, self._counts + self.eps)
        return result.mean() if average else result
