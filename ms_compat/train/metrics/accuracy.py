"""`Accuracy`: the share of right predictions."""

from __future__ import annotations

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import EvaluationBase, need_samples, rearrange_inputs


@faces("nn train train.metrics")
class Accuracy(EvaluationBase):
    """The share of samples that are predicted right.

    Args:
        eval_type: "classification": prediction (N, C, ...) against class numbers (N, ...) or one-hot (N, C);
            "multilabel": 0/1 arrays of one shape, a sample is right if all its labels are.

    >>> import numpy as np
    >>> from ms_compat.train import Accuracy
    >>> metric = Accuracy()
    >>> metric.update(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1]))
    >>> print(round(metric.eval(), 4))
    0.6667
    """

    def __init__(self, eval_type="classification"):
        super().__init__(eval_type)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._correct_num = 0
        self._total_num = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction and label."""
        y_pred, y = self._classes(inputs, self._class_num)
        self._class_num = y_pred.shape[1]
        if self._type == "classification":
            right = (y_pred.argmax(axis=1) == y).reshape(-1)
        else:
            rows = np.moveaxis(y_pred == y, 1, -1)
            right = rows.reshape(-1, rows.shape[-1]).all(axis=-1)
        self._correct_num += right.sum()
        self._total_num += right.shape[0]

    def eval(self):
        """The accuracy.

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples("Accuracy", self._total_num)
        return self._correct_num / self._total_num
