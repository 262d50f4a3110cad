"""`Dataset.split`: parts without overlap, by number or by share."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._nodes.ordering import shuffled
from ms_compat.dataset._support import randomness, rows
from ms_compat.dataset._support.arguments import check_bool, check_type

_BUFFER = 10000  # rows in the shuffle buffer, as in MindSpore


def _counts(sizes: list[Any], total: int) -> list[int]:
    """Turns shares into numbers of rows; the first part absorbs rounding differences, as in MindSpore."""
    if all(isinstance(size, int) and not isinstance(size, bool) for size in sizes):
        if any(size <= 0 for size in sizes):
            raise value_error("split", "sizes", "a list of positive int", sizes)
        if sum(sizes) != total:
            raise RuntimeError(f"For 'split', the 'sizes' must add up to the dataset's {total} rows, but got {sizes}.")
        return sizes
    if not all(isinstance(size, float) for size in sizes):
        raise value_error("split", "sizes", "a list of int or a list of float", sizes)
    if any(not 0 < size <= 1 for size in sizes):
        raise value_error("split", "sizes", "shares in range (0, 1]", sizes)
    if abs(sum(sizes) - 1) > 1e-9:
        raise value_error("split", "sizes", "shares that add up to 1", sizes)
    counts = [round(size * total) for size in sizes]
    for size, count in zip(sizes, counts, strict=True):
        if count == 0:
            raise RuntimeError(f"For 'split', the share {size} of {total} rows is less than one row.")
    counts[0] += total - sum(counts)
    if counts[0] <= 0:
        raise RuntimeError(f"For 'split', the shares {sizes} leave no row of {total} for the first part.")
    return counts


def split(dataset: Dataset, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
    """Splits a dataset into parts without overlap.

    Args:
        dataset: the dataset; its size must be known.
        sizes: rows of every part, or shares that add up to 1.
        randomize: parts in random rows (the same in every epoch); otherwise in order.

    Returns:
        A tuple of datasets.

    Raises:
        TypeError: if the sizes are not a list.
        ValueError: if they are empty, negative, mixed or do not add up to 1.
        RuntimeError: if they do not add up to the dataset's size.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> [part.get_dataset_size() for part in NumpySlicesDataset(list(range(10)), ["x"]).split([0.8, 0.2])]
    [8, 2]
    """
    check_type("split", "sizes", sizes, list)
    check_bool("split", "randomize", randomize)
    if not sizes:
        raise value_error("split", "sizes", "a list that is not empty", sizes)
    counts = _counts(sizes, dataset.get_dataset_size())
    bounds = list(itertools.accumulate(counts, initial=0))
    seed = randomness.entropy()
    if hasattr(dataset, "_split_rows"):
        return tuple(dataset._split_rows(seed, randomize, bounds))
    return tuple(frozen_parts(dataset, seed, randomize, bounds))


def frozen_parts(dataset: Dataset, seed: int, randomize: bool, bounds: list[int]) -> list[Dataset]:
    """The parts between the bounds of a dataset without random access."""
    base = _Frozen(dataset, seed, randomize)
    parts = [base.skip(low).take(high - low) for low, high in itertools.pairwise(bounds)]
    # MindSpore makes each part a copy of the dataset: the parts do not consume it, and start with its count.
    dataset._consumers -= 1
    base._consumers = 1
    for part in parts:
        part._consumers = dataset._consumers
    return parts


class _Frozen(Dataset):
    """A dataset that draws its order once, so that rows keep their parts; random transforms below stay random."""

    def __init__(self, dataset: Dataset, seed: int, randomize: bool) -> None:
        super().__init__(dataset)
        self._seed, self._randomize = seed, randomize

    def _order(self, source: Iterator[Any]) -> Iterator[Any]:
        return shuffled(source, _BUFFER, randomness.Order(self._seed, 0, 0, 0).buffer_draws(0))

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        source = self.children[0]._rows(streams.frozen(self._seed), epoch)
        return self._order(source) if self._randomize else source

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        indices = self.children[0]._indices(streams.frozen(self._seed), epoch)
        if indices is None or not self._randomize:
            return indices
        return np.fromiter(self._order(iter(indices.tolist())), np.int64, len(indices))

    def _gather(self, indices: np.ndarray) -> rows.Row:
        return self.children[0]._gather(indices)
