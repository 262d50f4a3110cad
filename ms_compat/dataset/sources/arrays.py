"""Sources over data in memory: `NumpySlicesDataset` and `PaddedDataset`."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.checks import check_not_empty
from ms_compat._core.errors import value_and_type
from ms_compat._core.faces import faces
from ms_compat.dataset._base.mappable import ArrayDataset, MappableDataset
from ms_compat.dataset._support import checks, rows
from ms_compat.dataset._support.arguments import check_type


def _as_column(data: Any) -> Any:
    """An array if all slices agree in shape and dtype; else the sequence itself."""
    if isinstance(data, np.ndarray):
        return data
    items = list(data)
    kinds = {type(item) for item in items}
    if (
        kinds <= {int}
        or kinds <= {float}
        or kinds <= {bool}
        or len(kinds) == 1
        and isinstance(items[0], (np.ndarray, np.generic))
    ):
        try:
            array = np.array(items)
        except ValueError:
            return items
        same = not isinstance(items[0], np.ndarray) or all(item.dtype == items[0].dtype for item in items)
        return array if same and array.dtype.kind in "biufSU" else items
    return items


@faces("dataset")
class NumpySlicesDataset(ArrayDataset):
    """Slices arrays, lists, or a tuple or dict of them, along the first axis.

    A `batch` over it without a `map` of Python functions in between slices the arrays directly.

    Args:
        data: an array or list (one column), a tuple (a column each) or a dict (a column a key); equal lengths.
        column_names: the names; None takes the dict's keys or `column_0`, `column_1`, ...
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.

    Raises:
        TypeError: if the data has another type.
        ValueError: if it is empty, lengths differ or names do not match.

    >>> data = NumpySlicesDataset({"x": [1, 2], "y": [0.5, 1.5]}, shuffle=False)
    >>> [(row["x"].item(), row["y"].item()) for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    [(1, 0.5), (2, 1.5)]
    """

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        api = "NumpySlicesDataset"
        check_type(api, "data", data, (list, tuple, dict, np.ndarray))
        names = checks.column_list(api, "column_names", column_names, none=True)
        check_not_empty(api, "data", data)
        columns = data.values() if isinstance(data, dict) else data
        parts = list(columns) if isinstance(data, (dict, tuple)) else [data]
        lengths = [len(check_type(api, f"data[{k}]", part, (list, tuple, np.ndarray))) for k, part in enumerate(parts)]
        if len(set(lengths)) > 1:
            raise ValueError(
                f"For 'NumpySlicesDataset', all columns of 'data' must have one length, but got {lengths}."
            )
        if names is None:
            names = [str(key) for key in data] if isinstance(data, dict) else [f"column_{k}" for k in range(len(parts))]
        if len(names) != len(parts):
            raise ValueError(
                f"For 'NumpySlicesDataset', the 'column_names' must name {len(parts)} columns, but got {names}."
            )
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers)
        self.column_names = names
        self._parts = parts
        self._data = [_as_column(part) for part in parts]

    def _columns(self) -> list[str]:
        return self.column_names

    def _arrays(self) -> list[Any]:
        return self._data

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        """The sampler's row with this number, in the data's own form."""
        check_type("NumpySlicesDataset", "index", index, (int, bool, np.number))
        number = self._row_number(index)
        return tuple([part[number] for part in self._parts])


@faces("dataset")
class PaddedDataset(MappableDataset):
    """Rows given as dicts, in order; `concat`enated to fill up the last shard.

    Args:
        padded_samples: a list of dicts, column name to data.

    Raises:
        TypeError: if it is not a list.
        ValueError: if it is empty.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> rows = [{"x": np.zeros(2, np.float32)}, {"x": np.ones(2, np.float32)}]
    >>> [row[0].tolist() for row in ds.PaddedDataset(rows).create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [[0.0, 0.0], [1.0, 1.0]]
    """

    def __init__(self, padded_samples: list[dict[str, Any]]) -> None:
        check_type("PaddedDataset", "padded_samples", padded_samples, list)
        if not padded_samples:
            raise ValueError(
                f"For 'PaddedDataset', the 'padded_samples' must not be empty, but got "
                f"{value_and_type(padded_samples)}."
            )
        super().__init__(shuffle=False)
        self.padded_samples = padded_samples

    def _columns(self) -> list[str]:
        return list(self.padded_samples[0])

    def _length(self) -> int:
        return len(self.padded_samples)

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        names = self._columns()
        for k in indices.tolist():
            sample = self.padded_samples[k]
            missing = [name for name in names if name not in sample]
            if missing:
                raise RuntimeError(f"PaddedDataset: KeyError: row {k} has no column {missing[0]!r}.")
            yield tuple([rows.column(sample[name], "PaddedDataset", c) for c, name in enumerate(names)])
