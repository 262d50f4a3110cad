"""`MindDataset`: rows of MindRecord files; the format is in `mindrecord_format`."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.dataset import samplers
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._support import checks, rows
from ms_compat.dataset._support.arguments import check_non_negative_int, check_type
from ms_compat.dataset.sources.mindrecord_format import Place, Shard

_API = "MindDataset"


@faces("dataset")
class MindDataset(MappableDataset):
    """Reads MindRecord files. Bytes columns are arrays `[bytes]`, as in MindSpore; `vision.Decode` takes them.

    Differences from MindSpore: a missing `.db` index is not needed (the pages are scanned), every sampler works, and
    the order under `shuffle` is our own (see `randomness`).

    Args:
        dataset_files: one file, whose other shards are found by the names in its header, or a list of all files to
            read.
        columns_list: the columns to read, in this order; None or [] reads all, in alphabetical order.
        num_parallel_workers: accepted.
        shuffle: random order, a bool or a `Shuffle`; None means True.
        num_shards: number of shards.
        shard_id: this shard.
        sampler: a sampler or an iterable of row numbers.
        padded_sample: a dict, column name to data, for the rows of `num_padded`.
        num_padded: rows added at the end, so that shards come out even.
        num_samples: rows at most.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a file does not exist, or the padding lacks a column.
        RuntimeError: if arguments exclude each other; if a file is not a MindRecord file or has no such column.

    >>> import ms_compat.dataset as ds
    >>> ds.NumpySlicesDataset({"id": [1, 2], "score": [0.5, 0.25]}, shuffle=False).save("rows.mindrecord")
    >>> data = ds.MindDataset("rows.mindrecord", columns_list=["id"], shuffle=False)
    >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [1, 2]
    """

    _any_shuffle = True

    def __init__(
        self,
        dataset_files: Any,
        columns_list: list[str] | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        sampler: Any = None,
        padded_sample: dict[str, Any] | None = None,
        num_padded: int | None = None,
        num_samples: int | None = None,
        cache: Any = None,
    ) -> None:
        check_type(_API, "dataset_files", dataset_files, (str, list))
        for path in dataset_files if isinstance(dataset_files, list) else [dataset_files]:
            if not os.path.isfile(check_type(_API, "dataset_files", path, str)):
                raise value_error(_API, "dataset_files", "files that exist", path)
        check_type(_API, "columns_list", columns_list, (list, type(None)))
        self.columns_list = (
            None if columns_list == [] else checks.column_list(_API, "columns_list", columns_list, none=True)
        )
        if (padded_sample is None) != (num_padded is None):
            raise RuntimeError("For 'MindDataset', 'padded_sample' and 'num_padded' must be given together.")
        if padded_sample is not None:
            check_type(_API, "padded_sample", padded_sample, dict)
            check_non_negative_int(_API, "num_padded", num_padded)
            if self.columns_list is None:
                raise RuntimeError("For 'MindDataset', a 'padded_sample' needs a 'columns_list'.")
            missing = [name for name in self.columns_list if name not in padded_sample]
            if missing:
                raise ValueError(f"For 'MindDataset', the 'padded_sample' must have column {missing[0]!r}.")
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self.dataset_files, self.num_padded = dataset_files, num_padded or 0
        self.padded_sample: Any = padded_sample  # a dict where `num_padded` is given
        self._opened: tuple[list[Shard], np.ndarray] | None = None

    def _shards(self) -> list[Shard]:
        if isinstance(self.dataset_files, list):
            return [Shard(path) for path in self.dataset_files]
        first = Shard(self.dataset_files)
        if len(first.names) <= 1:
            return [first]
        folder = os.path.dirname(self.dataset_files)
        # Names only: a header must not lead out of its folder.
        paths = [os.path.join(folder, os.path.basename(name)) for name in first.names]
        missing = [path for path in paths if not os.path.isfile(path)]
        if missing:
            raise RuntimeError(
                f"For 'MindDataset', {self.dataset_files!r} names {missing[0]!r} as a shard, but there is no such file."
            )
        return [Shard(path) for path in paths]

    def _open(self) -> tuple[list[Shard], np.ndarray]:
        """The files, and a table with a line for each row: the number of its file, and its place there."""
        if self._opened is None:
            shards = self._shards()
            for shard in shards[1:]:
                if shard.schema != shards[0].schema:
                    raise RuntimeError(
                        f"For 'MindDataset', all files must have one schema, but {shard.path!r} has another."
                    )
            places = [shard.places() for shard in shards]
            numbers = np.repeat(np.arange(len(shards)), [len(part) for part in places])
            self._opened = shards, np.column_stack([numbers, np.concatenate(places)])
        return self._opened

    def _columns(self) -> list[str]:
        names = sorted(self._open()[0][0].schema)
        if self.columns_list is None:
            return names
        checks.positions(_API, "columns_list", self.columns_list, names)
        return self.columns_list

    def _length(self) -> int:
        return len(self._open()[1]) + self.num_padded

    def _labels(self) -> Any:
        sampler = self.sampler
        if not isinstance(sampler, samplers.PKSampler):
            return None
        return lambda: [row[0] for row in self._fetch(np.arange(len(self._open()[1])), [sampler.class_column])]

    def _padding(self, names: list[str]) -> rows.Row:
        shard = self._open()[0][0]
        made = []
        for k, name in enumerate(names):
            value = self.padded_sample[name]
            item = np.array([value]) if isinstance(value, bytes) else rows.column(value, _API, k)
            made.append(item if shard.dtype(name) is None else item.astype(shard.dtype(name)))
        return tuple(made)

    def _fetch(self, indices: np.ndarray, names: list[str]) -> Iterator[rows.Row]:
        shards, places = self._open()
        handles: dict[int, Any] = {}
        try:
            for k in indices.tolist():
                if k >= len(places):
                    yield self._padding(names)
                    continue
                number, *place = places[k].tolist()
                if number not in handles:
                    handles[number] = open(shards[number].path, "rb")  # closed below
                yield tuple(shards[number].read(handles[number], Place(*place), names))
        finally:
            for handle in handles.values():
                handle.close()

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        return self._fetch(indices, self._columns())
