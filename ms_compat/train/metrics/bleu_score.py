"""`BleuScore`: n-grams that a translation shares with its references (Papineni et al., 2002)."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ms_compat._core.checks import check_within
from ms_compat._core.errors import check_bool, check_int
from ms_compat._core.faces import faces
from ms_compat.train.metrics.metric import Metric, need_samples, rearrange_inputs, take


@faces("nn train train.metrics")
class BleuScore(Metric):
    """The BLEU score of all translations seen.

    Args:
        n_gram: length of the longest n-gram, 1 to 4.
        smooth: whether to add one to the counts of the precisions.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `n_gram` is out of range.

    >>> from ms_compat.train import BleuScore
    >>> print(BleuScore(2)([["a", "b", "c"]], [[["a", "b", "c"]]]))
    1.0
    """

    def __init__(self, n_gram=4, smooth=False):
        super().__init__()
        self.n_gram = check_int("BleuScore", "n_gram", n_gram)
        check_within("BleuScore", "n_gram", n_gram, 1, 4)
        self.smooth = check_bool("BleuScore", "smooth", smooth)
        self.clear()

    def clear(self):
        """Forget what was seen."""
        self._numerator = np.zeros(self.n_gram)
        self._denominator = np.zeros(self.n_gram)
        self._trans_len = 0
        self._ref_len = 0
        self._is_update = False

    def _count(self, words) -> Counter:
        return Counter(tuple(words[at : at + n]) for n in range(1, self.n_gram + 1) for at in range(len(words) - n + 1))

    @rearrange_inputs
    def update(self, *inputs):
        """Take a batch: a list of translations (lists of words) and a list with each one's list of references."""
        candidates, references = take("BleuScore", inputs, 2)
        if len(candidates) != len(references):
            raise ValueError(
                "For 'BleuScore.update', every translation needs its references, but there are "
                f"{len(candidates)} and {len(references)}."
            )
        for candidate, known in zip(candidates, references, strict=True):
            self._trans_len += len(candidate)
            lengths = [len(reference) for reference in known]
            self._ref_len += lengths[int(np.argmin([abs(len(candidate) - length) for length in lengths]))]
            counts = self._count(candidate)
            most: Counter = Counter()
            for reference in known:
                most |= self._count(reference)
            for gram, number in (counts & most).items():
                self._numerator[len(gram) - 1] += number
            for gram, number in counts.items():
                self._denominator[len(gram) - 1] += number
        self._is_update = True

    def eval(self):
        """The score.

        Raises:
            RuntimeError: there were no translations.
        """
        need_samples("BleuScore", self._is_update)
        if min(self._numerator) == 0.0:
            return np.array(0.0)
        extra = 1.0 if self.smooth else 0.0
        precisions = (self._numerator + extra) / (self._denominator + extra)
        geometric = np.exp(np.sum(1.0 / self.n_gram * np.log(precisions)))
        penalty = 1.0 if self._trans_len > self._ref_len else np.exp(1 - self._ref_len / self._trans_len)
        return penalty * geometric
