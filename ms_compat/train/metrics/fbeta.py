"""`Fbeta` and `F1`: the weighted harmonic mean of precision and recall."""

from __future__ import annotations

import sys

import numpy as np

from ms_compat._core.errors import check_bool, value_error
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class Fbeta(Metric):
    """(1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp) for each class.

    Args:
        beta: weight of recall against precision, > 0.

    Raises:
        ValueError: `beta` is not positive.

    >>> import numpy as np
    >>> from ms_compat.train import Fbeta
    >>> metric = Fbeta(1)
    >>> metric.update(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1]))
    >>> metric.eval().round(4).tolist()
    [0.6667, 0.6667]
    """

    def __init__(self, beta):
        super().__init__()
        if not beta > 0:
            raise value_error("Fbeta", "beta", "greater than 0", beta)
        self.eps = sys.float_info.min
        self.beta = beta
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._true_positives = 0
        self._actual_positives = 0
        self._positives = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction (N, C) and label, class numbers (N,) or one-hot (N, C)."""
        y_pred, y = map(self._convert_data, take("Fbeta", inputs, 2))
        if y_pred.ndim == y.ndim and np.array_equiv(y**2, y) and (y.sum(-1) == 1).all():
            y = y.argmax(axis=1)
        classes = y_pred.shape[1]
        if y.max() + 1 > classes:
            raise ValueError(f"For 'Fbeta.update', there are {classes} classes, but the largest label is {y.max()}.")
        if self._class_num and classes != self._class_num:
            raise ValueError(
                f"For 'Fbeta.update', the predictions had {self._class_num} classes so far, but now {classes}."
            )
        self._class_num = classes
        identity = np.eye(classes)
        y = identity[y.reshape(-1).astype(np.int64)]
        y_pred = identity[y_pred.argmax(axis=1).reshape(-1)]
        self._positives = self._positives + y_pred.sum(axis=0)
        self._actual_positives = self._actual_positives + y.sum(axis=0)
        self._true_positives = self._true_positives + (y * y_pred).sum(axis=0)

    def eval(self, average=False):
        """The value of each class, or their mean.

        Args:
            average: whether to return the mean.

        Raises:
            RuntimeError: there were no samples.
        """
        check_bool("Fbeta", "average", average)
        need_samples("Fbeta", self._class_num)
        square = self.beta**2
        result = (square + 1) * self._true_positives
        result = result / (square * self._actual_positives + self._positives + self.eps)
        return result.mean() if average else result


@faces("nn train train.metrics")
class F1(Fbeta):
    """`Fbeta` with beta 1.

    >>> import numpy as np
    >>> from ms_compat.train import F1
    >>> F1()(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1])).round(4).tolist()
    [0.6667, 0.6667]
    """

    def __init__(self):
        super().__init__(1.0)
