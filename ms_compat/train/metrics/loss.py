"""`Loss`: the mean loss."""

from __future__ import annotations

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class Loss(Metric):
    """The mean loss of all batches.

        >>> import numpy as np
        >>> import numpy as np

    from ms_compat.train import Loss
        >>> print(Loss()(np.array(0.5)))
        0.5
    """

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._sum_loss = np.float64(0.0)
        self._total_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take the loss of a batch; of an array its mean."""
        (loss,) = take("Loss", inputs, 1)
        loss = self._convert_data(loss)
        if loss.ndim > 1:
            raise ValueError(f"For 'Loss.update', the loss must have at most one dimension, but got {loss.ndim}.")
        self._sum_loss += loss.mean()
        self._total_num += 1

    def eval(self):
        """The mean loss.

        Raises:
            RuntimeError: there were no batches.
        """
        need_samples("Loss", self._total_num)
        return self._sum_loss / self._total_num
