"""`Perplexity`: e to the mean negative log-probability of the labels."""

from __future__ import annotations

import math

import numpy as np

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class Perplexity(Metric):
    """exp(-mean(log p(label))).

    Args:
        ignore_label: a label that does not count, or None.

    Raises:
        TypeError: it is not an int.

    >>> import numpy as np
    >>> from ms_compat.train import Perplexity
    >>> round(Perplexity()(np.array([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]]), np.array([1, 0, 1])), 4)
    2.2314
    """

    def __init__(self, ignore_label=None):
        super().__init__()
        self.ignore_label = check_type("Perplexity", "ignore_label", ignore_label, (int, type(None)))
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._sum_metric = 0.0
        self._num_inst = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: probabilities (N, C) and labels (N,)."""
        preds, labels = map(self._convert_data, take("Perplexity", inputs, 2))
        if labels.size != preds.size / preds.shape[-1]:
            raise RuntimeError(
                "For 'Perplexity.update', there must be a label for every row of probabilities, but got shapes "
                f"{preds.shape} and {labels.shape}."
            )
        labels = labels.reshape(-1)
        chosen = preds.reshape(labels.size, -1)[np.arange(labels.size), labels.astype(np.int64)]
        count = labels.size
        if self.ignore_label is not None:
            ignored = (labels == self.ignore_label).astype(preds.dtype)
            count -= ignored.sum()
            chosen = chosen * (1 - ignored) + ignored
        self._sum_metric -= np.log(np.maximum(1e-10, chosen)).sum()
        self._num_inst += count

    def eval(self):
        """The perplexity.

        Raises:
            RuntimeError: there were no samples.
        """
        need_samples("Perplexity", self._num_inst)
        return math.exp(self._sum_metric / self._num_inst)
