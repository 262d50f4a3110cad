"""`Dice`: the overlap of two sets."""

from __future__ import annotations

import numpy as np

from ms_compat._core.checks import check_above, check_same_shape
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class Dice(Metric):
    """The sum over the updates of 2 sum(p y) / (sum(p^2) + sum(y^2)), divided by the number of samples (rows).

    Args:
        smooth: added below the fraction, > 0.

    Raises:
        TypeError: `smooth` is not a float.
        ValueError: it is not positive.

    >>> import numpy as np
    >>> from ms_compat.train import Dice
    >>> metric = Dice()
    >>> metric.update(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]]))
    >>> round(float(metric.eval()), 3)
    0.667
    """

    def __init__(self, smooth=1e-5):
        super().__init__()
        self.smooth = check_type("Dice", "smooth", smooth, float)
        check_above("Dice", "smooth", smooth, 0)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._dice_coeff_sum = 0.0
        self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: prediction and label of one shape."""
        y_pred, y = map(self._convert_data, take("Dice", inputs, 2))
        check_same_shape("Dice.update", y_pred=y_pred, y=y)
        self._samples_num += y.shape[0]
        intersection = np.dot(y_pred.flatten(), y.flatten())
        union = np.dot(y_pred.flatten(), y_pred.flatten()) + np.dot(y.flatten(), y.flatten())
        single = 2.0 * float(intersection) / float(union + self.smooth)
        self._dice_coeff_sum += single

    def eval(self):
        """The sum over the number of samples.

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples("Dice", self._samples_num)
        return self._dice_coeff_sum / float(self._samples_num)
