"""`GeneratorDataset`: any Python object as a source.

There are three kinds. A random-access object (`__getitem__` and `__len__`) is sampled, shuffled and sharded by index.
An iterable or an iterator is read in order. A callable is called once an epoch, and its result is read in order.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from types import GeneratorType
from typing import Any

import numpy as np

from ms_compat._core.dtype import Type, dtype_to_nptype
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._base.schema import Schema
from ms_compat.dataset._processes import choice as processes
from ms_compat.dataset._support import checks, randomness, rows
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset._support.reader import WHERE, BatchReader, RowReader
from ms_compat.dataset._support.rows import raised
from ms_compat.dataset.samplers import PKSampler

_WHERE = WHERE


def _dtype(k: int, given: Any) -> np.dtype:
    if isinstance(given, Type):
        return np.dtype("U") if given.np_dtype is None else np.dtype(dtype_to_nptype(given))
    try:
        return np.dtype(given)
    except TypeError as error:
        raise type_error(_WHERE, f"column_types[{k}]", "a dtype", given) from error


def _source_error(source: Any) -> TypeError:
    return type_error(_WHERE, "source", "callable, iterable or random accessible", source)


def _readable(source: Any) -> Any:
    """The source, or a re-readable replacement for a `zip` or a generator."""
    if isinstance(source, type) and hasattr(source, "__len__") or not (callable(source) or checks.iterable(source)):
        raise _source_error(source)
    if isinstance(source, zip):
        return list(source)
    return _Again(source) if isinstance(source, GeneratorType) else source


class _Again:
    """A generator that can be read more than once: it keeps the items."""

    def __init__(self, generator: Iterator[Any]) -> None:
        self._rows: Iterator[Any] = generator

    def __iter__(self) -> Iterator[Any]:
        self._rows, rows = itertools.tee(self._rows)
        return rows


def _first(items: Any, left: int) -> Iterator[Any]:
    """At most `left` items, all of them if it is negative, of what may have no `__iter__`."""
    while left:
        try:
            value = next(items)
        except StopIteration:
            return
        yield value
        left -= 1


@faces("dataset")
class GeneratorDataset(MappableDataset):
    """Reads rows from a Python object.

    `int` becomes int64, `float` float64, `str` a numpy string; an array keeps its dtype and is copied. The order under
    `shuffle` is our own (see `randomness`).

    Args:
        source: a random-access object, an iterable, an iterator or a function without arguments that returns one.
            A generator is read again in later epochs; other iterators end with the first.
        column_names: a name or a list of names; or give a `schema`.
        column_types: dtypes the rows must have.
        schema: a `Schema` or the path of its JSON file, in place of names and types.
        num_samples: rows at most.
        num_parallel_workers: with more than one, and `python_multiprocessing`, worker processes read the rows of a
            random-access source; each gets a copy of it. Their order is the same. Other sources are read by one thread.
        shuffle: random order, random-access sources only; None means True there.
        sampler: a sampler or an iterable of row numbers, random-access sources only.
        num_shards: number of shards, random-access sources only.
        shard_id: this shard.
        python_multiprocessing: whether worker processes read; a source that cannot be pickled is read by one thread
            after a warning.
        max_rowsize: in MB: larger rows of a worker go through a pipe instead of shared memory, after a warning. -1 and
            None for no limit.
        batch_sampler: yields lists of row numbers; the rows of one list are a batch. Random-access sources only.
        collate_fn: makes a batch of its columns, called with one list a column; for `batch_sampler`.

    Raises:
        TypeError: if the source is none of these, or a class in place of its instance.
        ValueError: if arguments exclude each other.
        RuntimeError: while iterating: no `__len__` beside `__getitem__`, an exception in the source, a wrong number of
            columns, a dtype no column can hold.

    >>> data = GeneratorDataset(lambda: ((k, k / 2) for k in range(2)), ["a", "b"])
    >>> [[item.item() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [[0, 0.0], [1, 0.5]]
    """

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: int | None = None,
        batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:
        indexed = hasattr(source, "__getitem__")
        source = _readable(source)
        self._indexed = hasattr(source, "__getitem__")
        self.python_multiprocessing = check_bool(_WHERE, "python_multiprocessing", python_multiprocessing)
        self.max_rowsize = checks.row_size(_WHERE, max_rowsize, pair=False)
        if shuffle is not None:
            check_bool(_WHERE, "shuffle", shuffle)
        self.column_names = checks.column_list(_WHERE, "column_names", column_names, none=True)
        self._types: Any = (
            None
            if column_types is None
            else [_dtype(k, t) for k, t in enumerate(check_type(_WHERE, "column_types", column_types, list))]
        )
        if schema is not None:
            self._use_schema(schema)
        if self.column_names is None:
            raise ValueError("For 'GeneratorDataset', 'column_names' or 'schema' must be given, but got neither.")
        self._check_batches(batch_sampler, collate_fn, (num_samples, shuffle, num_shards, shard_id, sampler))
        if not indexed:
            for name, value in (("sampler", sampler), ("num_shards", num_shards), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(
                        f"For 'GeneratorDataset', '{name}' needs a source that has '__getitem__' and '__len__'."
                    )
        super().__init__(
            num_samples,
            sampler,
            shuffle if self._indexed else False,
            num_shards,
            shard_id,
            num_parallel_workers,
            default_shuffle=batch_sampler is None,
        )
        if isinstance(self.sampler, PKSampler):
            raise ValueError("For 'GeneratorDataset', a PKSampler needs class labels, which this source lacks.")
        self.source = source
        self.num_samples = num_samples or None
        self.batch_sampler, self.collate_fn = batch_sampler, collate_fn
        self._call = callable(source) and not self._indexed

    def _use_schema(self, schema: Any) -> None:
        made = Schema(schema) if isinstance(schema, str) else schema
        if not isinstance(made, Schema):
            raise value_error(_WHERE, "schema", "a Schema or the path of its file", schema)
        self.column_names = [entry["name"] for entry in made.columns]
        self._types = [_dtype(k, entry["type"]) for k, entry in enumerate(made.columns)]

    def _check_batches(self, batch_sampler: Any, collate_fn: Any, others: tuple[Any, ...]) -> None:
        if batch_sampler is None:
            if collate_fn is not None:
                raise ValueError("For 'GeneratorDataset', 'collate_fn' needs a 'batch_sampler'.")
            return
        if not isinstance(batch_sampler, Iterable):
            raise type_error(_WHERE, "batch_sampler", "an iterable of lists of int", batch_sampler)
        if any(value is not None for value in others):
            raise ValueError(
                "For 'GeneratorDataset', 'batch_sampler' excludes 'num_samples', 'shuffle', "
                "'num_shards', 'shard_id' and 'sampler'."
            )
        if collate_fn is not None and not callable(collate_fn):
            raise type_error(_WHERE, "collate_fn", "a function", collate_fn)

    def _columns(self) -> list[str]:
        return self.column_names

    def _length(self) -> int:
        if isinstance(self.source, type):
            raise RuntimeError(str(_source_error(self.source)))
        if not hasattr(self.source, "__len__"):
            raise RuntimeError(
                "For 'GeneratorDataset', a random accessible 'source' must define '__len__', but it "
                "has '__getitem__' only."
            )
        length = len(self.source)
        if length == 0:
            raise RuntimeError("For 'GeneratorDataset', the 'source' must have at least one row, but its length is 0.")
        return length

    def _reader(self) -> RowReader:
        return RowReader(self.source, self.column_names, self._types)

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        return map(self._reader().prepare(), indices.tolist())

    def _in_order(self) -> Iterator[Any]:
        """Reads an iterable source; the user's exceptions are wrapped, `num_samples` ends the epoch."""
        left = -1 if self.num_samples is None else self.num_samples
        items: Any = None
        try:
            if isinstance(self.source, type) and hasattr(self.source, "__iter__"):
                raise _source_error(self.source)
            made = self.source() if self._call else self.source
            items = iter(made) if hasattr(made, "__iter__") else made
            yield from _first(items, left)
        except GeneratorExit:
            raise
        except Exception as error:
            raise rows.user_error(_WHERE, error) from error
        finally:
            if self._call and hasattr(items, "close"):
                items.close()

    def _batches(self) -> Iterator[list[int]]:
        length = self._length()
        for picked in self.batch_sampler:
            if isinstance(picked, (int, np.integer)):
                raise RuntimeError(
                    f"For 'GeneratorDataset', the 'batch_sampler' must yield lists of int, but got {picked!r}."
                )
            for k in picked:
                if not 0 <= k < length:
                    raise RuntimeError(
                        "For 'GeneratorDataset', an index of 'batch_sampler' must be in range [0, "
                        f"{length - 1}], but got {k}."
                    )
            yield [int(k) for k in picked]

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        stream = streams.rows(self, epoch)
        if self.batch_sampler is not None:
            return self._in_any_order(BatchReader(self._reader(), self.collate_fn), self._batches(), streams, stream)
        if self._indexed:
            return self._in_any_order(self._reader(), self._order(streams, epoch).tolist(), streams, stream)
        return self._ordered_rows()

    def _in_any_order(
        self, reader: Any, numbers: Iterable[Any], streams: randomness.Streams, stream: randomness.RowStream
    ) -> Iterator[rows.Row]:
        """Reads rows by their numbers, in processes if there are to be several."""
        workers = processes.count(self.num_parallel_workers)
        if self.python_multiprocessing and streams.starts_processes and workers > 1:
            pool = processes.pool_for(streams, self, reader, _WHERE, workers, self.max_rowsize)
            if pool is not None:
                yield from raised(pool.mapped(numbers, stream.base))
                return
        read = reader.prepare()
        for place, number in enumerate(numbers):
            stream.enter(place)
            try:
                made = read(number)
            finally:
                stream.leave()
            yield made

    def _ordered_rows(self) -> Iterator[rows.Row]:
        source = self._in_order()
        convert = self._reader().convert
        try:
            for value in source:
                yield convert(value)
        finally:
            source.close()  # type: ignore[attr-defined]

    def _size(self) -> int | None:
        if self.batch_sampler is not None:
            return len(self.batch_sampler) if hasattr(self.batch_sampler, "__len__") else None
        if self._indexed:
            return super()._size()
        if not self._call and hasattr(self.source, "__len__"):
            return min(len(self.source), self.num_samples or len(self.source))
        return None

    def _split_rows(self, seed: int, randomize: bool, bounds: list[int]) -> list[Any]:
        if self._indexed and self.batch_sampler is None:
            return super()._split_rows(seed, randomize, bounds)
        from ms_compat.dataset._nodes.split import frozen_parts

        return frozen_parts(self, seed, randomize, bounds)

    def get_batch_size(self) -> int:
        return 1 if self.batch_sampler is None else -1

    def __getitem__(self, index: int) -> Any:
        """The sampler's row with this number, as the source returns it."""
        check_type(_WHERE, "index", index, (int, bool, np.number))
        if not self._indexed or self.batch_sampler is not None:
            raise RuntimeError(
                "For 'GeneratorDataset', rows can be read by number only from a random accessible source without a "
                "'batch_sampler'."
            )
        return self.source[self._row_number(index)]
