"""`sync_wait` and `sync_update`: a pipeline that waits until the training loop releases it."""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._support import randomness, rows
from ms_compat.dataset._support.arguments import argument_error, check_type

_log = logging.getLogger("ms_compat")


@faces("dataset")
class SyncWaitDataset(Dataset):
    """Waits before every `num_batch` rows, or batches if it is batched later, for `sync_update`; the first ones pass.

    Args:
        dataset: the dataset.
        condition_name: the name that `sync_update` uses.
        num_batch: rows (or batches) let through by each update.
        callback: called with the data of each update.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if `num_batch` is < 1.
        RuntimeError: if the name is taken.

    If no update comes within the time of `config.set_callback_timeout`, it warns and lets all rows through.
    """

    def __init__(
        self, dataset: Dataset, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> None:
        super().__init__(dataset)
        self.condition_name = check_type("sync_wait", "condition_name", condition_name, str)
        if check_type("sync_wait", "num_batch", num_batch, int) <= 0:
            raise argument_error(ValueError, "sync_wait", "num_batch need to be greater than 0.", num_batch)
        if callback is not None and not callable(callback):
            raise type_error("sync_wait", "callback", "a function", callback)
        if condition_name in {node.condition_name for node in waits(dataset)}:
            raise RuntimeError(
                f"For 'sync_wait': Condition name is already in use. This pipeline has a {condition_name!r}."
            )
        self.num_batch, self.callback = num_batch, callback
        self._changed = threading.Condition()
        self._allowed, self._enabled, self._rows_a_batch = num_batch, True, 1
        self._running: randomness.Streams | None = None

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        from ms_compat.dataset import config

        limit = config.get_callback_timeout()  # type: ignore[attr-defined]  # made from the table there
        if streams is not self._running:  # a new iterator: the unread rows of the one before it no longer count
            self._running, self._allowed = streams, self.num_batch * self._rows_a_batch
        for row in self.children[0]._rows(streams, epoch):
            with self._changed:
                if not self._changed.wait_for(lambda: self._allowed > 0 or not self._enabled, timeout=limit):
                    self._enabled = False
                    _log.warning(
                        "For 'sync_wait', 'sync_update(\"%s\")' was not called within %s s. All rows pass from now on.",
                        self.condition_name,
                        limit,
                    )
                self._allowed -= 1
            yield row

    def waits_for_consumer(self) -> bool:
        return True

    def batched(self, size: int) -> None:
        """A `batch` above calls this: from now on an update releases batches of this size."""
        self._allowed, self._rows_a_batch = self._allowed * size, self._rows_a_batch * size

    def release(self, num_batch: int | None, data: Any) -> None:
        """Lets the next rows through, after the callback has seen the data."""
        if self.callback is not None:
            self.callback(data)
        with self._changed:
            self._allowed += (self.num_batch if num_batch is None else num_batch) * self._rows_a_batch
            self._changed.notify_all()

    def pass_all(self) -> None:
        """Lets all rows through from now on."""
        with self._changed:
            self._enabled = False
            self._changed.notify_all()

    def is_sync(self) -> bool:
        return True


def waits(dataset: Dataset) -> list[SyncWaitDataset]:
    """The `sync_wait` nodes of a pipeline."""
    found = [dataset] if isinstance(dataset, SyncWaitDataset) else []
    return found + [node for child in dataset.children for node in waits(child)]


def update(dataset: Dataset, condition_name: str, num_batch: int | None, data: Any) -> None:
    """Releases the `sync_wait` of this name.

    Raises:
        TypeError: if the name is not a str.
        RuntimeError: if `num_batch` is < 1 or there is no such name.
    """
    check_type("sync_update", "condition_name", condition_name, str)
    if num_batch is not None and not (isinstance(num_batch, int) and num_batch > 0):
        raise RuntimeError(
            f"For 'sync_update': Sync_update batch size can only be positive integer, got: {num_batch!r}."
        )
    nodes = [node for node in waits(dataset) if node.condition_name == condition_name]
    if not nodes:
        raise RuntimeError(
            f"For 'sync_update': Condition name not found. No 'sync_wait' has the name {condition_name!r}."
        )
    for node in nodes:
        node.release(num_batch, data)


def disable(dataset: Dataset) -> None:
    """Lets every `sync_wait` of a pipeline pass."""
    for node in waits(dataset):
        node.pass_all()
