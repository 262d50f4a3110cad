"""Batches for a step: one is fetched, and put on the device, while the step before it runs.

A step is dispatched and returns before it is computed. The next batch is taken at that moment, so that the host's work
and the copy overlap the computation; only then callbacks run, which may wait for the loss. A pipeline that itself waits
for callbacks (`sync_wait`, `WaitedDSCallback`) is read only when its batch is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ms_compat.train._model.resuming import Start, skipped

_END = object()


class LookAhead:
    """An epoch of batches, one of them ahead.

    Args:
        batches: an iterator over lists of Tensors.
        ahead: whether a batch may be taken before it is wanted.
    """

    __slots__ = ("_ahead", "_batches", "_error", "_item")

    def __init__(self, batches: Iterator[Any], ahead: bool = True):
        self._batches = batches
        self._ahead = ahead
        self._error: BaseException | None = None
        self._item: Any = None
        self.fetch()

    def fetch(self) -> None:
        """Take the next batch from the dataset. An error is kept until its turn comes, after the current step's end."""
        if self._ahead:
            self._fetch()

    def _fetch(self) -> None:
        try:
            self._item = next(self._batches, _END)
        except Exception as error:  # raised by `take`
            self._error = error

    def take(self) -> Any:
        """The batch that was fetched, or None at the end."""
        if not self._ahead:
            self._fetch()
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        item, self._item = self._item, None
        return None if item is _END else item


def rewind(dataset: Any) -> None:
    """Reset a data set after an epoch, as MindSpore does; only a user's own may need it to begin again."""
    reset = getattr(dataset, "reset", None)
    if callable(reset):
        from ms_compat.dataset._base.dataset import Dataset

        if not isinstance(dataset, Dataset):
            reset()


class Epochs:
    """The dataset of a run, epoch by epoch.

    Args:
        dataset: has `create_tuple_iterator`.
        epochs: how many epochs the caller will run.
        start: where an earlier training was: of its epoch the batches that it did are left out.
    """

    def __init__(self, dataset: Any, epochs: int, start: Start | None = None):
        self._iterator = dataset.create_tuple_iterator(num_epochs=epochs)
        self.done = start.steps if start else 0
        self._leaves_out = 0
        if start is not None:
            go_on = getattr(self._iterator, "go_on", None)
            if go_on is None:  # a user's own dataset
                self._leaves_out = start.steps
            else:
                go_on(start.data_seed, start.epoch, start.steps)
        waits = getattr(dataset, "waits_for_consumer", None)
        self._ahead = waits is None or not waits()

    def epoch(self) -> LookAhead:
        """The next epoch."""
        batches = skipped(iter(self._iterator), self._leaves_out)
        self.done = self._leaves_out = 0
        return LookAhead(batches, self._ahead)

    @property
    def seed(self) -> int | None:
        """The seed of the pipeline's random streams; None for a user's own dataset."""
        return getattr(self._iterator, "seed", None)

    def close(self) -> None:
        """End the iteration; threads that make batches stop."""
        stop = getattr(self._iterator, "stop", None)
        if stop is not None:
            stop()
