"""Nodes that change which rows come and in which order, but not the rows: shuffle, repeat, take, skip.

Each works on rows and, over arrays in memory, on the index array of an epoch (see `core`), which makes
`shuffle(...).batch(...)` over arrays as cheap as slicing.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._base.dataset import Dataset, check_count, check_tree
from ms_compat.dataset._support import randomness, rows
from ms_compat.dataset._support.arguments import INT32_MAX, check_type, check_within, interval_error
from ms_compat.dataset._support.mersenne import Mersenne64


class _Reordered(Dataset):
    """The common base of the four nodes: columns and stacked rows are the child's."""

    def _gather(self, indices: np.ndarray) -> rows.Row:
        return self.children[0]._gather(indices)


@faces("dataset")
class ShuffleDataset(_Reordered):
    """Shuffles through a buffer: each row comes from a random place of `buffer_size` rows, refilled in order.

    The order is MindSpore's. A buffer as large as the dataset shuffles it fully.

    Args:
        dataset: the dataset to shuffle.
        buffer_size: rows in the buffer, at least 2.

    Raises:
        TypeError: if the size is not an int.
        ValueError: if it is < 2.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> data = NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).shuffle(3)
    >>> sorted(row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    [1, 2, 3]
    """

    def __init__(self, dataset: Dataset, buffer_size: int) -> None:
        super().__init__(dataset)
        check_type("shuffle", "buffer_size", buffer_size, int)
        if not 2 <= buffer_size <= INT32_MAX:
            raise interval_error("shuffle", "buffer_size", 2, INT32_MAX, buffer_size)
        self.buffer_size = buffer_size

    def _draws(self, streams: randomness.Streams, epoch: int) -> Mersenne64:
        order = streams.order(self, epoch)
        return order.buffer_draws(self.children[0]._size() if order.epoch else 0)

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        return shuffled(self.children[0]._rows(streams, epoch), self.buffer_size, self._draws(streams, epoch))

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        indices = self.children[0]._indices(streams, epoch)
        if indices is None:
            return None
        order = shuffled(iter(indices.tolist()), self.buffer_size, self._draws(streams, epoch))
        return np.fromiter(order, np.int64, len(indices))

    def is_shuffled(self) -> bool:
        return True


def shuffled(source: Iterator[Any], size: int, draws: Mersenne64) -> Iterator[Any]:
    """Takes rows from random places in a buffer with `size` rows, as MindSpore does.

    The last row fills the place of the one taken, and the next one comes behind it.
    """
    buffer = list(itertools.islice(source, size))
    if len(buffer) == size:
        # Places are drawn in blocks: one numpy call a row would cost 1.1 us.
        while chunk := list(itertools.islice(source, 256)):
            for place, row in zip((draws.take(len(chunk)) % np.uint64(size)).tolist(), chunk, strict=True):
                taken, buffer[place] = buffer[place], buffer[-1]
                buffer[-1] = row
                yield taken
    left = np.arange(len(buffer), 0, -1).astype(np.uint64)
    for place in (draws.take(len(buffer)) % left).tolist():
        taken, buffer[place] = buffer[place], buffer[-1]
        buffer.pop()
        yield taken


@faces("dataset")
class RepeatDataset(_Reordered):
    """Repeats the rows; every repetition is a new epoch for shuffles and random transforms below.

    Args:
        dataset: the dataset to repeat.
        count: repetitions; None or -1 without end.

    Raises:
        TypeError: if the count is not an int.
        ValueError: if it is 0 or < -1.
    """

    def __init__(self, dataset: Dataset, count: int | None = None) -> None:
        super().__init__(dataset)
        check_type("repeat", "count", count, (int, type(None)))
        if count is not None and count != -1 and not 1 <= count <= INT32_MAX:
            raise interval_error("repeat", "count", 1, INT32_MAX, count)
        self.count = -1 if count is None else count

    def _epochs(self, epoch: int) -> Iterator[int]:
        return itertools.count(epoch) if self.count == -1 else iter(range(epoch * self.count, (epoch + 1) * self.count))

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        for inner in self._epochs(epoch):
            empty = True
            for row in self.children[0]._rows(streams, inner):
                empty = False
                yield row
            if empty and self.count == -1:
                return

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        if self.count == -1:
            return None
        parts: list[Any] = [self.children[0]._indices(streams, inner) for inner in self._epochs(epoch)]
        return None if parts[0] is None else np.concatenate(parts)

    def _size(self) -> int | None:
        size = self.children[0]._size()
        # Without end counts once, as in MindSpore.
        return size if size is None or self.count == -1 else size * self.count

    def get_repeat_count(self) -> int:
        check_tree(self)
        return self.count


@faces("dataset")
class TakeDataset(_Reordered):
    """Takes the first `count` rows of each epoch; -1 takes all.

    Raises:
        TypeError: if the count is not an int.
        ValueError: if it is 0 or < -1.
    """

    def __init__(self, dataset: Dataset, count: int = -1) -> None:
        super().__init__(dataset)
        self.count = check_count("take", count, 1)

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        source = self.children[0]._rows(streams, epoch)
        return source if self.count == -1 else itertools.islice(source, self.count)

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        indices = self.children[0]._indices(streams, epoch)
        return indices if indices is None or self.count == -1 else indices[: self.count]

    def _size(self) -> int | None:
        size = self.children[0]._size()
        return size if size is None or self.count == -1 else min(size, self.count)


@faces("dataset")
class SkipDataset(_Reordered):
    """Leaves out the first `count` rows of each epoch.

    Raises:
        TypeError: if the count is not an int.
        ValueError: if it is < 0.
    """

    def __init__(self, dataset: Dataset, count: int) -> None:
        super().__init__(dataset)
        check_type("skip", "count", count, int)
        check_within("skip", "count", count, 0, INT32_MAX)
        self.count = count

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        return itertools.islice(self.children[0]._rows(streams, epoch), self.count, None)

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        indices = self.children[0]._indices(streams, epoch)
        return None if indices is None else indices[self.count :]

    def _size(self) -> int | None:
        size = self.children[0]._size()
        return None if size is None else max(size - self.count, 0)
