"""How many processes or threads a node uses when `dataset.config.set_enable_autotune` is on."""

import time

# The interval, and the shares of waiting above which workers are added and below which one is taken away.
_TUNE_S, _WAITS_LONG, _WAITS_LITTLE = 0.2, 0.2, 0.02


class Tuning:
    """Chooses how many workers get rows, by the share of time for which the consumer waits for them.

    Args:
        most: how many workers there are.
    """

    def __init__(self, most: int) -> None:
        self.workers, self._most = 1, most
        self._begin, self._waited = time.perf_counter(), 0.0

    def waited(self, seconds: float) -> None:
        """Counts time for which the consumer waited for a result."""
        self._waited += seconds

    def adapt(self) -> None:
        """Changes the number, at most every `_TUNE_S`."""
        now = time.perf_counter()
        if now - self._begin < _TUNE_S:
            return
        share = self._waited / (now - self._begin)
        if share > _WAITS_LONG:
            self.workers = min(self.workers * 2, self._most)
        elif share < _WAITS_LITTLE and self.workers > 1:
            self.workers -= 1
        self._begin, self._waited = now, 0.0
