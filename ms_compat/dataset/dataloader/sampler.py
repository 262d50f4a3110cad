"""Samplers for `DataLoader`: iterables of indices or index lists.

Random orders are our own (see `ms_compat.dataset._support.randomness`).
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np

from ms_compat._core.errors import check_bool, check_int_range, check_positive_int, check_type
from ms_compat._core.faces import faces
from ms_compat.dataset._support import randomness

T = TypeVar("T", covariant=True)


@faces("dataset.dataloader")
class Sampler(Generic[T]):
    """The base of samplers; a subclass defines `__iter__`.

    Args:
        data_source: accepted.
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(f"{type(self).__name__} must define '__iter__'.")


@faces("dataset.dataloader")
class SequentialSampler(Sampler[int]):
    """Indices in order.

    Args:
        data_source: what has the length.
    """

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


@faces("dataset.dataloader")
class RandomSampler(Sampler[int]):
    """Indices in random order, drawn again by every `iter`.

    Args:
        data_source: what has the length.
        replacement: draws each index from all, so that indices may repeat.
        num_samples: how many; None takes the length.
        generator: a `numpy.random.Generator` to draw from; None takes `dataset.config`'s seed.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if `num_samples` is < 1.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        self.replacement = check_bool("RandomSampler", "replacement", replacement)
        if num_samples is not None:
            check_positive_int("RandomSampler", "num_samples", num_samples)
        check_type("RandomSampler", "generator", generator, (np.random.Generator, type(None)))
        self._count, self.generator, self._round = num_samples, generator, 0

    @property
    def num_samples(self) -> int:
        """How many indices an `iter` gives."""
        return len(self.data_source) if self._count is None else self._count

    def __iter__(self) -> Iterator[int]:
        rows = len(self.data_source)
        draw = self.generator or np.random.default_rng((randomness.entropy(), self._round))
        self._round += 1
        if self.replacement:
            return iter(draw.integers(rows, size=self.num_samples).tolist())
        rounds = -(-self.num_samples // rows) if rows else 0
        return itertools.islice((k for _ in range(rounds) for k in draw.permutation(rows).tolist()), self.num_samples)

    def __len__(self) -> int:
        return self.num_samples


@faces("dataset.dataloader")
class BatchSampler(Sampler[list[int]]):
    """Lists of indices.

    Args:
        sampler: an iterable of indices.
        batch_size: indices in a list.
        drop_last: whether a last, shorter list is left out.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the size is < 1.

    >>> list(BatchSampler(range(5), 2, False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        super().__init__()
        check_positive_int("BatchSampler", "batch_size", batch_size)
        self.sampler: Any = sampler
        self.batch_size = batch_size
        self.drop_last = check_bool("BatchSampler", "drop_last", drop_last)

    def __iter__(self) -> Iterator[list[int]]:
        source = iter(self.sampler)
        while batch := list(itertools.islice(source, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        rows = len(self.sampler)
        return rows // self.batch_size if self.drop_last else -(-rows // self.batch_size)


@faces("dataset.dataloader")
class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th index; short shards are filled up from the beginning, or cut with `drop_last`.

    Args:
        dataset: what has the length.
        num_replicas: number of shards; None takes the number of processes.
        rank: this shard; None takes this process's.
        shuffle: draws one order, the same in all shards of a seed and epoch.
        seed: the seed of the order.
        drop_last: cuts to an even number instead of filling up.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the rank is out of range.
    """

    def __init__(
        self,
        dataset: Any,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        if num_replicas is None or rank is None:
            from ms_compat.communication import get_group_size, get_rank

            num_replicas = get_group_size() if num_replicas is None else num_replicas
            rank = get_rank() if rank is None else rank
        self.num_replicas = check_type("DistributedSampler", "num_replicas", num_replicas, int)
        check_int_range("DistributedSampler", "rank", rank, 0, num_replicas, "[)")
        self.rank, self.dataset, self.epoch = rank, dataset, 0
        self.shuffle = check_bool("DistributedSampler", "shuffle", shuffle)
        self.seed = check_type("DistributedSampler", "seed", seed, int)
        self.drop_last = check_bool("DistributedSampler", "drop_last", drop_last)

    def set_epoch(self, epoch: int) -> None:
        """Sets the epoch, which changes the order."""
        self.epoch = epoch

    def __iter__(self) -> Iterator[int]:
        rows = len(self.dataset)
        order = np.random.default_rng((self.seed, self.epoch)).permutation(rows) if self.shuffle else np.arange(rows)
        return iter(order[(np.arange(len(self)) * self.num_replicas + self.rank) % max(rows, 1)].tolist())

    def __len__(self) -> int:
        rows = len(self.dataset)
        return rows // self.num_replicas if self.drop_last else -(-rows // self.num_replicas)
