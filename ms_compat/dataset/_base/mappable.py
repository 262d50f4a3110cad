"""Sources with random access: samplers, shards and `split` choose rows by their number."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset import samplers
from ms_compat.dataset._base import dataset
from ms_compat.dataset._support import checks, init_args, randomness, rows
from ms_compat.dataset._support.arguments import check_type


@faces("dataset")
class MappableDataset(dataset.Dataset):
    """The base of random-access sources; a subclass defines `_length()`, `_columns()` and `_read(indices)`.

    Args:
        num_samples: rows at most.
        sampler: a sampler or an iterable of row numbers; excludes the other choices.
        shuffle: random order; None means True.
        num_shards: number of shards.
        shard_id: this shard.
        num_parallel_workers: accepted; rows of a source are read by one thread.
        cache: None or a `DatasetCache`.
        default_shuffle: what None means for `shuffle`.
    """

    _any_shuffle = False  # whether samplers may use other than global shuffling

    def __init__(
        self,
        num_samples: int | None = None,
        sampler: Any = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        default_shuffle: bool = True,
    ) -> None:
        super().__init__(None, num_parallel_workers, cache)
        api = type(self).__name__
        checks.sample_count(api, num_samples)
        check_type(api, "shuffle", shuffle, (bool, samplers.Shuffle, type(None)))
        checks.shard(api, num_shards, shard_id)
        self.sampler = samplers.select(api, num_samples, sampler, shuffle, num_shards, shard_id, default_shuffle)
        self._subset: np.ndarray | None = None
        self._looked_up: np.ndarray | None = None
        self._token = object()  # the cache's key for the rows; copies share it

    def _length(self) -> int:
        raise NotImplementedError(f"{type(self).__name__} has no length.")

    def _labels(self) -> Any:
        """A function that gives the class of each row, or None."""
        return None

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        raise NotImplementedError(f"{type(self).__name__} reads nothing.")

    def _order(self, streams: randomness.Streams, epoch: int) -> np.ndarray:
        order = streams.order(self, epoch, self.sampler.is_sharded())
        if self._subset is not None:
            return order.generator().permutation(self._subset) if self.sampler.is_shuffled() else self._subset
        if not self._any_shuffle:
            self.sampler.parse()
        sampler = streams.own(self.sampler) if self.sampler._stateful() else self.sampler
        return sampler._indices(self._length(), order, self._labels())

    def _row_number(self, index: Any) -> int:
        """The source row at this place in the sampler's first epoch; all calls use one order."""
        if self._looked_up is None:
            self._looked_up = self._order(self._streams(), 0)
        if not 0 <= index < len(self._looked_up):
            raise RuntimeError(
                f"For '{type(self).__name__}', an index must be in range [0, {len(self._looked_up)}), but got {index}."
            )
        return int(self._looked_up[int(index)])

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        order = self._order(streams, epoch)
        return self._read(order) if self.cache is None else self.cache.through(self._token, order, self._read)

    def _size(self) -> int | None:
        promised = None if self._subset is not None else self.sampler._promised()
        return len(self._order(randomness.Streams(0, {}), 0)) if promised is None else promised

    def _split_rows(self, seed: int, randomize: bool, bounds: list[int]) -> list["MappableDataset"]:
        """The parts of `split`: copies that read a fixed set of rows, in random order if this source shuffles."""
        order = self._order(randomness.Streams(seed, {}), 0)
        if randomize and not self.is_shuffled():
            order = order[randomness.Order(seed, 0, 0, 0).permutation(self, len(order))]
        elif not randomize and self.is_shuffled():
            order = np.sort(order)
        parts = []
        for low, high in itertools.pairwise(bounds):
            part = copy.copy(self)
            part.dataset_size = part._looked_up = None
            part._subset = order[low:high]
            init_args.forget(part)
            parts.append(part)
        return parts

    def add_sampler(self, new_sampler: Any) -> None:
        """Adds a sampler on top: it chooses among the present sampler's rows.

        Raises:
            TypeError: if it is not a sampler.
        """
        check_type("add_sampler", "new_sampler", new_sampler, samplers.BuiltinSampler)
        top = new_sampler
        while top.child_sampler is not None:
            top = top.child_sampler
        top.add_child(self.sampler)
        self.sampler = new_sampler
        self.dataset_size = self._looked_up = None
        init_args.forget(self)

    def use_sampler(self, new_sampler: Any) -> None:
        """Replaces the last sampler; its children stay.

        Raises:
            TypeError: if it is not a sampler.
        """
        check_type("use_sampler", "new_sampler", new_sampler, samplers.BuiltinSampler)
        below = self.sampler.child_sampler
        self.sampler = new_sampler
        self.dataset_size = self._looked_up = None
        init_args.forget(self)
        if below is not None and new_sampler.child_sampler is None:
            new_sampler.add_child(below)

    def is_shuffled(self) -> bool:
        return self.sampler.is_shuffled()

    def is_sharded(self) -> bool:
        return self.sampler.is_sharded()


class ArrayDataset(MappableDataset):
    """A random-access source whose columns are arrays of equal length; a subclass defines `_arrays()`."""

    def _arrays(self) -> list[Any]:
        raise NotImplementedError(f"{type(self).__name__} has no arrays.")

    def _length(self) -> int:
        return len(self._arrays()[0])

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        return self._order(streams, epoch) if all(isinstance(array, np.ndarray) for array in self._arrays()) else None

    def _gather(self, indices: np.ndarray) -> rows.Row:
        return tuple([array[indices] for array in self._arrays()])

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        arrays = self._arrays()
        if not all(isinstance(array, np.ndarray) for array in arrays):
            where = type(self).__name__
            for k in indices.tolist():
                yield tuple([rows.column(array[k], where, c) for c, array in enumerate(arrays)])
            return
        # One gather for about 256 KiB of rows, then views into it: 0.17 us a row, where a copy of each takes 0.42.
        size = max(sum(array.nbytes for array in arrays) // max(self._length(), 1), 1)
        step = min(max(2**18 // size, 1), 256)
        strings = any(array.dtype.kind in "SU" for array in arrays)
        for start in range(0, len(indices), step):
            parts = self._gather(indices[start : start + step])
            for k in range(len(parts[0])):
                row = tuple([part[k, ...] for part in parts])
                if strings:
                    row = tuple([np.array(item.tolist()) if item.dtype.kind in "SU" else item for item in row])
                yield row
