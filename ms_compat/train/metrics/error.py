"""`MAE` and `MSE`: mean errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


class _MeanError(Metric):
    """The errors of all elements, summed up, over the number of samples."""

    _error: Callable[[np.ndarray], np.ndarray]  # of the differences

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._error_sum = np.float64(0.0)
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction and label of one shape."""
        y_pred, y = map(self._convert_data, take(type(self).__name__, inputs, 2))
        self._error_sum += self._error(y.reshape(y_pred.shape) - y_pred).sum()
        self._samples_num += y.shape[0]

    def eval(self):
        """The sum of the errors over the number of samples (rows).

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples(type(self).__name__, self._samples_num)
        return self._error_sum / self._samples_num


@faces("nn train train.metrics")
class MAE(_MeanError):
    """Sum of |prediction - label| over the number of samples.

    >>> import numpy as np
    >>> from ms_compat.train import MAE
    >>> print(MAE()(np.array([0.1, 0.2]), np.array([0.0, 0.25])).round(4))
    0.075
    """

    @staticmethod
    def _error(difference):
        return np.abs(difference)


@faces("nn train train.metrics")
class MSE(_MeanError):
    """Sum of (prediction - label)^2 over the number of samples.

    >>> import numpy as np
    >>> from ms_compat.train import MSE
    >>> print(MSE()(np.array([0.1, 0.2]), np.array([0.0, 0.25])).round(4))
    0.0062
    """

    @staticmethod
    def _error(difference):
        return difference**2
