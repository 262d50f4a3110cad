"""`Recall`: true positives over all that is positive."""

from __future__ import annotations

from ms_compat._core.faces import faces
from ms_compat.train.metrics._per_class import PerClass


@faces("nn train train.metrics")
class Recall(PerClass):
    """True positives over true positives and false negatives.

    Args:
        eval_type: "classification" (per class) or "multilabel" (mean over samples).

    >>> import numpy as np
    >>> from ms_compat.train import Recall
    >>> metric = Recall()
    >>> metric.update(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1]))
    >>> metric.eval().round(4).tolist()
    [1.0, 0.5]
    """

    @staticmethod
    def _counted(y_pred, y):
        return y
