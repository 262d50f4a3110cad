"""`RandomDataset`: random values of a schema, to try a pipeline without data."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat._core.faces import faces
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._base.schema import Schema
from ms_compat.dataset._support import checks, rows
from ms_compat.dataset._support.arguments import check_type

_ROWS = 16


@faces("dataset")
class RandomDataset(MappableDataset):
    """Makes rows of random values; the same ones in each epoch.

    Args:
        total_rows: how many; None is 16.
        schema: a `Schema` or the path of one: names, dtypes and shapes of the columns; None is one column "column0" of
            int32.
        columns_list: the columns wanted, all if None.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        cache: None or a `DatasetCache`.
        shuffle: random order; None means True.
        num_shards: number of shards.
        shard_id: this shard.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if it is out of range.

    >>> schema = Schema()
    >>> schema.add_column("x", "float32", [2])
    >>> RandomDataset(3, schema).output_shapes()
    [[2]]
    """

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        api = "RandomDataset"
        self.total_rows = (
            checks.sample_count(api, check_type(api, "total_rows", total_rows, (int, type(None)))) or _ROWS
        )
        check_type(api, "columns_list", columns_list, (list, type(None)))
        if isinstance(schema, (str, os.PathLike)):
            schema = Schema(os.fspath(schema))
        elif schema is not None and not isinstance(schema, Schema):
            raise type_error(api, "schema", "a Schema or the path of one", schema)
        alone: list[dict[str, Any]] = [{"name": "column0", "type": "int32", "shape": []}]
        entries = schema.columns if schema is not None else alone
        if columns_list:
            checks.positions(api, "columns_list", columns_list, [entry["name"] for entry in entries])
        self._entries = [entry for entry in entries if not columns_list or entry["name"] in columns_list]
        super().__init__(num_samples, None, shuffle, num_shards, shard_id, num_parallel_workers, cache)

    def _columns(self) -> list[str]:
        return [entry["name"] for entry in self._entries]

    def _length(self) -> int:
        return self.total_rows

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        for k in indices.tolist():
            generator = np.random.default_rng((5489, k))
            yield tuple([_drawn(generator, entry) for entry in self._entries])


def _drawn(generator: np.random.Generator, entry: dict[str, Any]) -> np.ndarray:
    shape = tuple(max(size, 1) for size in entry.get("shape", [1]))
    if entry["type"] == "string":
        return generator.integers(0, 10**6, shape).astype(str)
    dtype = np.dtype(entry["type"])
    if dtype.kind == "f":
        return generator.random(shape).astype(dtype)
    top = 1 if dtype.kind == "b" else int(np.iinfo(dtype).max)
    return generator.integers(0, top, shape, dtype=np.int64 if dtype.kind != "u" else np.uint64, endpoint=True).astype(
        dtype
    )
