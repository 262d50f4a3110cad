"""`DataLoader`: batches from a user's own dataset, as Tensors."""

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ms_compat._core.errors import check_bool, check_non_negative_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import prefetch
from ms_compat.dataset.dataloader.collate import default_collate, default_convert
from ms_compat.dataset.dataloader.sampler import BatchSampler, RandomSampler, SequentialSampler
from ms_compat.dataset.dataloader.sets import IterableDataset


@faces("dataset.dataloader")
def get_worker_info() -> None:
    """Always None: there are no worker processes (see `DataLoader`)."""
    return None


class _Forever:
    """The sampler of an iterable dataset."""

    def __iter__(self) -> Iterator[None]:
        return itertools.repeat(None)


@faces("dataset.dataloader")
class DataLoader:
    """Iterates a dataset in batches.

    Differences from MindSpore: `num_workers` are threads that fetch the rows of a batch, not processes, and the
    options of processes have no effect; the order under `shuffle` is not MindSpore's, and one seed repeats it.

    Args:
        dataset: what has `__getitem__` and `__len__`, or an `IterableDataset`.
        batch_size: rows in a batch; None gives single rows.
        shuffle: random order.
        sampler: an iterable of indices.
        batch_sampler: an iterable of index lists.
        num_workers: threads that fetch rows.
        collate_fn: makes a batch from a list of rows; None takes `default_collate` (`default_convert` for single rows).
        pin_memory: accepted.
        drop_last: whether a last, smaller batch is left out.
        timeout: accepted.
        worker_init_fn: called with the number 0 before every epoch, if there are workers.
        multiprocessing_context: accepted.
        generator: see `RandomSampler`.
        prefetch_factor: accepted; batches are made ahead by one thread where that pays.
        persistent_workers: accepted.
        in_order: accepted; batches always come in order.

    Raises:
        TypeError: for an argument of another type.
        ValueError: for arguments that exclude each other, or a value out of range.

    >>> [batch.tolist() for batch in DataLoader([1, 2, 3], batch_size=2)]
    [[1, 2], [3]]
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[int] | None = None,
        batch_sampler: Iterable[list[int]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        api = "DataLoader"
        check_non_negative_int(api, "num_workers", num_workers)
        if check_type(api, "timeout", timeout, (int, float)) < 0:
            raise value_error(api, "timeout", "a number >= 0", timeout)
        check_bool(api, "drop_last", drop_last)
        self._iterable = isinstance(dataset, IterableDataset)
        self._check_exclusive(batch_size, shuffle or None, sampler, batch_sampler, drop_last or None)
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None and check_type(api, "batch_size", batch_size, int) < 1:
            raise value_error(api, "batch_size", "int and > 0", batch_size)
        if num_workers or pin_memory or multiprocessing_context or persistent_workers or prefetch_factor:
            logging.getLogger("ms_compat").debug(
                "DataLoader: rows are fetched by threads; options of processes have no effect."
            )
        rows: Any = sampler
        if rows is None and self._iterable:
            rows = _Forever()
        elif rows is None:
            rows = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(rows, batch_size, drop_last)
        self.dataset = dataset
        self.sampler: Any = rows
        self.batch_sampler: Any = batch_sampler
        self.batch_size, self.drop_last, self.num_workers = batch_size, drop_last, num_workers
        self.collate_fn = collate_fn or (default_convert if batch_sampler is None else default_collate)
        self.worker_init_fn, self.generator, self.timeout = worker_init_fn, generator, timeout
        self._decision = prefetch.Decision()

    def _check_exclusive(self, batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, drop_last: Any) -> None:
        if self._iterable:
            others = {"shuffle": shuffle, "sampler": sampler, "batch_sampler": batch_sampler}
            self._exclude("an iterable dataset", others)
        if sampler is not None:
            self._exclude("'sampler'", {"shuffle": shuffle})
        if batch_sampler is not None:
            size = None if batch_size == 1 else batch_size
            others = {"batch_size": size, "shuffle": shuffle, "sampler": sampler, "drop_last": drop_last}
            self._exclude("'batch_sampler'", others)

    @staticmethod
    def _exclude(what: str, others: dict[str, Any]) -> None:
        found = [name for name, value in others.items() if value is not None]
        if found:
            raise ValueError(f"For 'DataLoader', {what} excludes '{found[0]}', but got {others[found[0]]!r}.")

    def __iter__(self) -> Iterator[Any]:
        return prefetch.prefetched(self._batches(), self._decision)

    def _batches(self) -> Iterator[Any]:
        if self.num_workers and self.worker_init_fn is not None:
            self.worker_init_fn(0)
        if self._iterable:
            yield from self._in_order()
            return
        if self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
            return
        fetch = self.dataset.__getitem__
        if not self.num_workers:
            for indices in self.batch_sampler:
                yield self.collate_fn([fetch(index) for index in indices])
            return
        with ThreadPoolExecutor(self.num_workers, thread_name_prefix="ms_compat-loader") as pool:
            for indices in self.batch_sampler:
                yield self.collate_fn(list(pool.map(fetch, indices)))

    def _in_order(self) -> Iterator[Any]:
        rows = iter(self.dataset)
        if self.batch_size is None:
            for row in rows:
                yield self.collate_fn(row)
            return
        while batch := list(itertools.islice(rows, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self._iterable:
            rows = len(self.dataset)
            if self.batch_size is None:
                return rows
            return rows // self.batch_size if self.drop_last else -(-rows // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
