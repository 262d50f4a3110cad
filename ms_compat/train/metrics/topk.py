"""`TopKCategoricalAccuracy`: whether the label is among the k best predictions."""

from __future__ import annotations

from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, is_one_hot, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class TopKCategoricalAccuracy(Metric):
    """The share of samples whose label is among the k largest predictions.

    Args:
        k: how many.

    Raises:
        TypeError: `k` is not an int.
        ValueError: `k` is smaller than 1.

    >>> import numpy as np
    >>> from ms_compat.train import TopKCategoricalAccuracy
    >>> print(TopKCategoricalAccuracy(2)(np.array([[0.2, 0.5, 0.3], [0.1, 0.35, 0.5]]), np.array([2, 0])))
    0.5
    """

    def __init__(self, k):
        super().__init__()
        if not isinstance(k, int):
            raise type_error("TopKCategoricalAccuracy", "k", "int", k)
        check_at_least("TopKCategoricalAccuracy", "k", k, 1)
        self.k = k
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._correct_num = 0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction (N, C) and label, class numbers (N,) or one-hot (N, C)."""
        y_pred, y = map(self._convert_data, take("TopKCategoricalAccuracy", inputs, 2))
        if y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        if y_pred.ndim != 2 or y_pred.shape[1] < self.k:
            raise ValueError(
                f"For '{type(self).__name__}', the prediction must be scores (N, C) of at least {self.k} classes, but "
                f"got shape {y_pred.shape}. 'TopKCategoricalAccuracy(k)' takes another number."
            )
        best = (-y_pred).argsort(axis=1, kind="stable")[:, : self.k]  # of equal ones the first
        self._correct_num += (y.reshape(-1, 1).repeat(self.k, 1) == best).sum()
        self._samples_num += y.shape[0]

    def eval(self):
        """The share.

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples("TopKCategoricalAccuracy", self._samples_num)
        return self._correct_num / self._samples_num


@faces("nn train train.metrics")
class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label has the largest prediction: `TopKCategoricalAccuracy` with k = 1.

    `update` takes predictions [N, C] and labels, as class numbers [N] or one-hot [N, C].

    >>> import numpy as np
    >>> from ms_compat.train import Top1CategoricalAccuracy
    >>> print(Top1CategoricalAccuracy()(np.array([[0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]), np.array([1, 0])))
    0.5
    """

    def __init__(self):
        super().__init__(1)


@faces("nn train train.metrics")
class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose label is among the five largest predictions: `TopKCategoricalAccuracy` with k = 5.

    `update` takes predictions [N, C] and labels, as class numbers [N] or one-hot [N, C].

    >>> import numpy as np
    >>> from ms_compat.train import Top5CategoricalAccuracy
    >>> print(Top5CategoricalAccuracy()(np.arange(12.0).reshape(2, 6), np.array([0, 3])))
    0.5
    """

    def __init__(self):
        super().__init__(5)
