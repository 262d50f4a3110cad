"""Sources that are read from beginning to end: text lines, `TFRecordDataset`, `CSVDataset`, collections of text.

Files are read one after the other in the order of their names, as MindSpore's do with `num_parallel_workers=1` (more
workers read as many files in turn). `Shuffle.GLOBAL` shuffles files and, through a buffer, rows; `Shuffle.FILES` files
only. Other modes do not shuffle, as in MindSpore. A shard is a range of rows, filled up from the beginning.
"""

import glob
import itertools
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._base import dataset
from ms_compat.dataset._nodes.ordering import shuffled
from ms_compat.dataset._support import checks, randomness, rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.files import check_folder, check_usage, missing

_BUFFER = 10000


def find_files(api: str, dataset_files: Any) -> list[str]:
    """The files of a pattern or a list of them, by name.

    Raises:
        TypeError: if it is neither str nor list of str.
        ValueError: if a pattern matches no file.
    """
    if not isinstance(dataset_files, (str, list)):
        raise type_error(api, "dataset_files", "str or a list of str", dataset_files)
    found: list[str] = []
    for pattern in [dataset_files] if isinstance(dataset_files, str) else dataset_files:
        matches = [pattern] if os.path.isfile(check_type(api, "dataset_files", pattern, str)) else glob.glob(pattern)
        files = [path for path in matches if os.path.isfile(path)]
        if not files:
            raise ValueError(f"For '{api}', the 'dataset_files' must match files, but {pattern!r} matches none.")
        found += files
    return sorted(found)


class StreamDataset(dataset.Dataset):
    """The base; a subclass defines `_columns()`, `_read(path)` and `_count(path)`.

    Args:
        dataset_files: a file, a pattern or a list of them.
        num_samples: rows at most.
        num_parallel_workers: accepted; files are read by one thread.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(None, num_parallel_workers, cache)
        api = type(self).__name__
        self.dataset_files = find_files(api, dataset_files)
        self.num_samples = checks.sample_count(api, num_samples)
        check_type(api, "shuffle", shuffle, (bool, Shuffle, type(None)))
        self.shuffle_flag = {True: Shuffle.GLOBAL, None: Shuffle.GLOBAL, False: Shuffle.FALSE}.get(shuffle, shuffle)
        checks.shard(api, num_shards, shard_id)
        self.num_shards: Any = num_shards  # None, or an int as is `shard_id`
        self.shard_id: Any = shard_id
        self._counts: list[int] | None = None

    def _read(self, path: str) -> Iterator[rows.Row]:
        raise NotImplementedError(f"{type(self).__name__} reads nothing.")

    def _count(self, path: str) -> int:
        return sum(1 for _ in self._read(path))

    def _own_files(self) -> list[str]:
        return self.dataset_files

    def _by_rows(self) -> bool:
        """Whether a shard is a range of rows; otherwise `_own_files` has chosen."""
        return self.num_shards is not None

    def _total(self) -> int:
        if self._counts is None:
            self._counts = [self._count(path) for path in self._own_files()]
        return sum(self._counts)

    def _size(self) -> int | None:
        total = self._total()
        if self._by_rows():
            total = -(-total // self.num_shards)
        return min(total, self.num_samples or total)

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        files, order = self._own_files(), streams.order(self, epoch)
        if self.shuffle_flag in (Shuffle.GLOBAL, Shuffle.FILES) and not self._by_rows():
            # Shards must agree on the order that they are cut from.
            files = [files[k] for k in order.permutation(self, len(files), step=0)]
        source = self._chain(files)
        if self._by_rows():
            share = -(-self._total() // self.num_shards)
            source = self._range(files * 2, share * self.shard_id, share * (self.shard_id + 1))
        if self.num_samples is not None:
            source = itertools.islice(source, self.num_samples)
        if self.shuffle_flag is not Shuffle.GLOBAL:
            return source
        return shuffled(source, _BUFFER, order.buffer_draws(self._size() if order.epoch else 0))

    def _read_part(self, path: str, start: int, stop: int) -> Iterator[rows.Row]:
        """The rows `start` to `stop` of a file; a subclass may find them without reading the others."""
        return itertools.islice(self._read(path), start, stop)

    def _range(self, files: list[str], start: int, stop: int) -> Iterator[rows.Row]:
        """The rows `start` to `stop` of all files together. Files without any of them are not opened."""
        counts = dict(zip(self._own_files(), self._counts or (), strict=True))
        for path in files:
            count = counts[path]
            if start < count and stop > 0:
                yield from self._read_part(path, max(start, 0), min(stop, count))
            start, stop = start - count, stop - count

    def _chain(self, files: list[str]) -> Iterator[rows.Row]:
        for path in files:
            yield from self._read(path)

    def is_shuffled(self) -> bool:
        return self.shuffle_flag is not Shuffle.FALSE

    def is_sharded(self) -> bool:
        return self.num_shards is not None and self.num_shards > 1


class PartedDataset(StreamDataset):
    """The base: files of a folder, chosen by usage, read from beginning to end.

    `_names` maps a usage to a file, `_fields` are the columns.

    Args:
        dataset_dir: the folder.
        usage: which part; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder or usage.
        RuntimeError: if the files are missing, or hold something else.
    """

    _names: dict[str, str] = {"train": "train.csv", "test": "test.csv"}
    _fields: tuple[str, ...] = ()
    _all = True

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = type(self).__name__
        folder = check_folder(api, dataset_dir)
        check_usage(api, usage, (*self._names, "all") if self._all else tuple(self._names))
        self.usage = usage or ("all" if self._all else next(iter(self._names)))
        wanted = [os.path.join(folder, name) for use, name in self._names.items() if self.usage in (use, "all")]
        paths = [path for path in wanted if os.path.isfile(path)]
        if not paths:
            raise missing(api, folder, f"the files {wanted}")
        super().__init__(paths, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _columns(self) -> list[str]:
        return list(self._fields)


@faces("dataset")
class TextFileDataset(StreamDataset):
    r"""Reads lines of text: column "text". Empty lines are left out, as in MindSpore.

    Args:
        dataset_files: a file, a pattern or a list of them; UTF-8.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a pattern matches no file.

    >>> import ms_compat.dataset as ds
    >>> with open("lines.txt", "w") as file:
    ...     _ = file.write("first\nsecond\n")
    >>> data = ds.TextFileDataset("lines.txt", shuffle=False)
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    ['first', 'second']
    """

    def _columns(self) -> list[str]:
        return ["text"]

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading(type(self).__name__, path), open(path, encoding="utf-8") as file:
            for line in file:
                text = line.rstrip("\n")
                if text:
                    yield (np.array(text),)
