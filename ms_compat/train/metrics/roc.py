"""`ROC`: the receiver operating characteristic."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class ROC(Metric):
    """False and true positive rates over all thresholds.

    Args:
        class_num: number of classes; by default two.
        pos_label: the positive label of two classes, by default 1.

    Raises:
        TypeError: an argument is not an int.

    >>> import numpy as np
    >>> from ms_compat.train import ROC
    >>> metric = ROC(pos_label=1)
    >>> metric.update(np.array([0.1, 0.9]), np.array([0, 1]))
    >>> fpr, tpr, thresholds = metric.eval()
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
    """

    def __init__(self, class_num=None, pos_label=None):
        super().__init__()
        self.class_num = check_type("ROC", "class_num", class_num, (int, type(None)))
        self.pos_label = check_type("ROC", "pos_label", pos_label, (int, type(None)))
        self._given_label = pos_label
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self.y_pred: Any = 0
        self.y: Any = 0
        self.sample_weights = None
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take all scores, (N,) or (N, C), and labels (N,); they replace those before."""
        y_pred, y = map(self._convert_data, take("ROC", inputs, 2))
        if y_pred.ndim == y.ndim:
            classes = 1
            if self.pos_label is None:
                self.pos_label = 1
            y_pred, y = y_pred.flatten(), y.flatten()
        elif y_pred.ndim == y.ndim + 1:
            classes = y_pred.shape[1]
            if self.class_num != classes:
                raise ValueError(
                    f"For 'ROC.update', the 'class_num' must be the prediction's number of classes {classes}, but "
                    f"got {self.class_num}."
                )
            y_pred = np.moveaxis(y_pred, 1, 0).reshape(classes, -1).transpose(0, 1)
            y = y.flatten()
        else:
            raise ValueError(
                "For 'ROC.update', the prediction must have as many dimensions as the label, or one more, but got "
                f"shapes {y_pred.shape} and {y.shape}."
            )
        self.class_num = classes
        self.y_pred, self.y = y_pred, y
        self._is_update = True

    def eval(self):
        """False positive rates, true positive rates and thresholds; with several classes a list of each.

        Raises:
            RuntimeError: there were no samples.
            ValueError: a class is missing.
        """
        need_samples("ROC", self._is_update)
        if self.class_num == 1:
            return _curve(self.y_pred, self.y, self.pos_label)
        curves = [_curve(self.y_pred[label], self.y, label) for label in range(self.class_num)]
        return tuple([list(part) for part in zip(*curves, strict=True)])


def _curve(scores: np.ndarray, labels: np.ndarray, pos_label: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.argsort(scores)[::-1]
    scores = scores[order]
    positive = (labels[order] == pos_label).astype(np.int64)
    last = np.append(np.where(np.diff(scores))[0], positive.size - 1)
    tps = np.cumsum(positive)[last]
    fps = 1 + last - tps
    tps = np.concatenate([[0], tps])
    fps = np.concatenate([[0], fps])
    thresholds = np.concatenate([[scores[0] + 1], scores[last]])
    if fps[-1] <= 0:
        raise ValueError("For 'ROC.eval', there are no negative samples: the false positive rate has no meaning.")
    if tps[-1] <= 0:
        raise ValueError("For 'ROC.eval', there are no positive samples: the true positive rate has no meaning.")
    return fps / fps[-1], tps / tps[-1], thresholds
