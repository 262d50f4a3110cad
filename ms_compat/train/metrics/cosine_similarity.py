"""`CosineSimilarity`: how similar the rows of a matrix are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.errors import check_bool, check_one_of
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs


@faces("nn train train.metrics")
class CosineSimilarity(Metric):
    """The matrix of all row pairs' products.

    Args:
        similarity: "cosine" normalizes the rows, "dot" does not.
        reduction: "none", or "sum" or "mean" over the last axis.
        zero_diagonal: whether to set the diagonal to zero.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: another `similarity` or `reduction`.

    >>> import numpy as np
    >>> from ms_compat.train import CosineSimilarity
    >>> metric = CosineSimilarity()
    >>> metric.update(np.array([[1.0, 0.0], [1.0, 1.0]]))
    >>> metric.eval().round(3).tolist()
    [[0.0, 0.707], [0.707, 0.0]]
    """

    def __init__(self, similarity="cosine", reduction="none", zero_diagonal=True):
        super().__init__()
        self.similarity = check_one_of("CosineSimilarity", "similarity", similarity, ["dot", "cosine"])
        self.reduction = check_one_of("CosineSimilarity", "reduction", reduction, ["none", "sum", "mean"])
        self.zero_diagonal = check_bool("CosineSimilarity", "zero_diagonal", zero_diagonal)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self.sqr_mtx_res: Any = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, inputs):
        """Take the matrix, (N, D); it replaces the one before."""
        data = self._convert_data(inputs)
        if self.similarity == "cosine":
            data = data / np.linalg.norm(data, ord=2, axis=1).reshape(-1, 1)
        self.sqr_mtx_res = np.dot(data, data.transpose(1, 0))
        self._is_update = True

    def eval(self):
        """The matrix, or its reduction.

        Raises:
            RuntimeError: there was no matrix.
        """
        need_samples("CosineSimilarity", self._is_update)
        result = self.sqr_mtx_res
        if self.zero_diagonal:
            np.fill_diagonal(result, 0)
        if self.reduction == "none":
            return result
        return result.mean(axis=-1) if self.reduction == "mean" else result.sum(axis=-1)
