"""`padded_batch` and `bucket_batch_by_length`: batches of rows whose shapes differ."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_and_type, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._nodes.batching import Batched
from ms_compat.dataset._support import checks, randomness, rows
from ms_compat.dataset._support.arguments import argument_error, check_bool, check_type

_PadInfo = dict[str, Any]


def check_pad_info(api: str, pad_info: Any) -> _PadInfo | None:
    """Checks `pad_info`: None, or a dict of column name to None or (shape, value)."""
    if pad_info is None:
        return None
    for name, entry in check_type(api, "pad_info", pad_info, dict).items():
        check_type(api, "pad_info", name, str)
        if entry is None:
            continue
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise type_error(api, f"pad_info['{name}']", "None or a tuple (shape, value)", entry)
        shape, value = entry
        check_type(api, f"pad_info['{name}'][0]", shape, (list, type(None)))
        for size in shape or ():
            if size is not None and check_type(api, f"pad_info['{name}'][0]", size, int) < 1:
                raise value_error(api, f"pad_info['{name}'][0]", "sizes > 0 or None", shape)
        check_type(api, f"pad_info['{name}'][1]", value, (int, float, str, bytes, np.ndarray, np.generic, type(None)))
    return pad_info


def pad(items: list[np.ndarray], name: str, shape: list[int | None] | None, value: Any) -> np.ndarray:
    """Stacks arrays in one shape: shorter ones are filled up at the end of each axis, longer ones are cut.

    Args:
        items: arrays of one rank and dtype.
        name: the column's name.
        shape: the shape to reach; None, or None for an axis, takes the longest of the batch.
        value: what to fill with; None is 0 or "".

    Raises:
        RuntimeError: if ranks differ, or numbers are to be filled up with strings or strings with numbers.

    >>> pad([np.array([1]), np.array([2, 3])], "x", None, -1).tolist()
    [[1, -1], [2, 3]]
    """
    rank, dtype = items[0].ndim, items[0].dtype
    wanted = [None] * rank if shape is None else list(shape)
    if len(wanted) != rank or any(item.ndim != rank for item in items):
        raise RuntimeError(
            f"For 'padded_batch', column '{name}' must have rank {len(wanted)}, but got shapes "
            f"{sorted({i.shape for i in items})}."
        )
    full = [max(item.shape[k] for item in items) if size is None else size for k, size in enumerate(wanted)]
    strings = dtype.kind in "SU"
    if value is not None and strings != (np.asarray(value).dtype.kind in "SU"):
        raise RuntimeError(
            f"For 'padded_batch', column '{name}' and its 'pad_info' must both be numbers or both strings, but got "
            f"{dtype} and {value!r}."
        )
    if strings:
        fill = np.array("" if value is None else value).astype(dtype.kind)
        dtype = max((*(item.dtype for item in items), fill.dtype), key=lambda d: d.itemsize)
    else:
        fill = np.array(0 if value is None else value).astype(dtype)
    out = np.full((len(items), *full), fill, dtype)
    for k, item in enumerate(items):
        inner: Any = tuple(slice(min(a, b)) for a, b in zip(item.shape, full, strict=True))
        out[(k, *inner)] = item[inner]
    return out


def padded(group: list[rows.Row], names: list[str], pad_info: _PadInfo | None, edge: int | None = None) -> rows.Row:
    """Makes a batch: the columns of `pad_info` padded (all, if it is empty), the others stacked.

    Args:
        group: the rows.
        names: the column names.
        pad_info: see `PaddedBatchDataset`.
        edge: the size of axes that `pad_info` leaves open; None takes the longest.
    """
    out: list[Any] = []
    for name, column in zip(names, zip(*group, strict=True), strict=True):
        if pad_info is None or (pad_info and name not in pad_info):
            out.append(rows.stack(column, name))
            continue
        shape, value = pad_info.get(name) or (None, None)
        if edge is not None:
            shape = [edge if size is None else size for size in (shape or [None] * column[0].ndim)]
        out.append(pad(list(column), name, shape, value))
    return tuple(out)


def _check_names(pad_info: _PadInfo | None, names: list[str]) -> None:
    if pad_info:
        checks.positions("padded_batch", "pad_info", list(pad_info), names)


@faces("dataset")
class PaddedBatchDataset(Batched):
    """Stacks consecutive rows, padded to one shape.

    Args:
        dataset: the dataset.
        batch_size: an int, or a function of `BatchInfo` that returns one.
        drop_remainder: whether a last, smaller batch is left out.
        num_parallel_workers: accepted; batches are made by one thread.
        pad_info: column name to (shape, value); None for the shape or an axis takes the longest of the batch, None for
            the value is 0. `{}` pads every column so; None pads nothing.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: while iterating, for a column that does not exist or another rank.

    >>> from ms_compat.dataset import GeneratorDataset
    >>> data = GeneratorDataset([[[1]], [[2, 3]]], ["x"], shuffle=False).padded_batch(2, pad_info={"x": ([3], -1)})
    >>> [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [[[1, -1, -1], [2, 3, -1]]]
    """

    def __init__(
        self,
        dataset: Dataset,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: _PadInfo | None = None,
    ) -> None:
        super().__init__(dataset, "padded_batch", batch_size, drop_remainder, num_parallel_workers)
        self.pad_info = check_pad_info("padded_batch", pad_info)

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        names = self.children[0]._columns()
        _check_names(self.pad_info, names)
        return (padded(group, names, self.pad_info) for group, _ in self._groups(streams, epoch))


def _check_sizes(api: str, argument: str, sizes: list[Any], sentence: str) -> None:
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool):
            raise argument_error(TypeError, api, f"{argument} should be a list of int.", sizes)
        if size < 1:
            raise argument_error(ValueError, api, f"{argument} {sentence}.", sizes)


@faces("dataset")
class BucketBatchByLengthDataset(Dataset):
    """Batches rows of similar length together: a row waits in its length's bucket until the bucket is full.

    Args:
        dataset: the dataset.
        column_names: columns given to `element_length_function`; without it one column, whose first axis is the length.
        bucket_boundaries: rising lengths; bucket k holds lengths below boundary k, the last one the rest.
        bucket_batch_sizes: the batch size of each bucket, one more than boundaries.
        element_length_function: the length of a row, from the columns.
        pad_info: see `PaddedBatchDataset`; None pads every column, as `{}` does.
        pad_to_bucket_boundary: axes that `pad_info` leaves open are padded to the bucket's boundary - 1; without effect
            where it names no column.
        drop_remainder: whether buckets that are not full at the end are left out.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the numbers do not fit together.
        RuntimeError: while iterating, if a row is too long for `pad_to_bucket_boundary`.
    """

    def __init__(
        self,
        dataset: Dataset,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: _PadInfo | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> None:
        super().__init__(dataset)
        api = "bucket_batch_by_length"
        self.column_names = checks.column_list(api, "column_names", check_type(api, "column_names", column_names, list))
        check_type(api, "bucket_boundaries", bucket_boundaries, list)
        check_type(api, "bucket_batch_sizes", bucket_batch_sizes, list)
        if not bucket_boundaries:
            raise ValueError(f"For '{api}': bucket_boundaries cannot be empty.")
        _check_sizes(api, "bucket_boundaries", bucket_boundaries, "must only contain positive numbers")
        if any(a >= b for a, b in zip(bucket_boundaries, bucket_boundaries[1:], strict=False)):
            sentence = "bucket_boundaries should be strictly increasing."
            raise argument_error(ValueError, api, sentence, bucket_boundaries)
        _check_sizes(api, "bucket_batch_sizes", bucket_batch_sizes, "should be a list of positive numbers")
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            sentence = "bucket_batch_sizes must contain one element more than bucket_boundaries."
            raise argument_error(ValueError, api, sentence, bucket_batch_sizes)
        if element_length_function is None and len(self.column_names) != 1:
            raise value_error(api, "column_names", "one column, without an element_length_function", column_names)
        if element_length_function is not None and not callable(element_length_function):
            raise type_error(api, "element_length_function", "a function", element_length_function)
        self.bucket_boundaries, self.bucket_batch_sizes = bucket_boundaries, bucket_batch_sizes
        self.element_length_function = element_length_function
        self.pad_info = check_pad_info(api, pad_info) or {}
        self.pad_to_bucket_boundary = check_bool(api, "pad_to_bucket_boundary", pad_to_bucket_boundary)
        self.drop_remainder = check_bool(api, "drop_remainder", drop_remainder)

    def _length(self, row: rows.Row, places: list[int]) -> int:
        if self.element_length_function is None:
            return row[places[0]].shape[0]
        found = rows.call(self.element_length_function, [row[k] for k in places], "element_length_function")
        try:
            return int(found)
        except TypeError as error:
            raise RuntimeError(
                f"For 'bucket_batch_by_length', a length must be int, but got {value_and_type(found)}."
            ) from error

    def _batch(self, group: list[rows.Row], names: list[str], bucket: int) -> rows.Row:
        if not (self.pad_to_bucket_boundary and self.pad_info):
            return padded(group, names, self.pad_info)
        if bucket == len(self.bucket_boundaries):
            raise RuntimeError(
                "For 'bucket_batch_by_length' with 'pad_to_bucket_boundary', a row must be shorter "
                f"than {self.bucket_boundaries[-1]}."
            )
        return padded(group, names, self.pad_info, self.bucket_boundaries[bucket] - 1)

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        names = self.children[0]._columns()
        places = checks.positions("bucket_batch_by_length", "column_names", self.column_names, names)
        _check_names(self.pad_info, names)
        buckets: list[list[rows.Row]] = [[] for _ in self.bucket_batch_sizes]
        for row in self.children[0]._rows(streams, epoch):
            bucket = int(np.searchsorted(self.bucket_boundaries, self._length(row, places), side="right"))
            buckets[bucket].append(row)
            if len(buckets[bucket]) == self.bucket_batch_sizes[bucket]:
                group, buckets[bucket] = buckets[bucket], []
                yield self._batch(group, names, bucket)
        for bucket, group in enumerate(buckets):
            if group and not self.drop_remainder:
                yield self._batch(group, names, bucket)

    def _size(self) -> int | None:
        return None
