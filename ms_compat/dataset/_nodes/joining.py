"""Nodes that join datasets (zip, concat) and nodes that choose or name columns (project, rename)."""

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._nodes.batching import Batched
from ms_compat.dataset._support import checks, randomness, rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset._support.init_args import forget
from ms_compat.dataset.samplers import DistributedSampler, RandomSampler, SequentialSampler


@faces("dataset")
class ZipDataset(Dataset):
    """Joins the columns of datasets side by side; the shortest ends the epoch.

    Args:
        datasets: a tuple of at least two datasets whose column names differ.

    Raises:
        TypeError: if it is not a tuple of datasets.
        ValueError: if there are fewer than two.
        RuntimeError: if a column name appears twice.
    """

    def __init__(self, datasets: tuple[Dataset, ...]) -> None:
        check_type("zip", "datasets", datasets, tuple)
        if len(datasets) < 2:
            raise ValueError(f"For 'zip', the 'datasets' must be at least two, but got {len(datasets)}.")
        super().__init__(datasets)

    def _columns(self) -> list[str]:
        names = [name for child in self.children for name in child._columns()]
        for name in names:
            if names.count(name) > 1:
                raise RuntimeError(
                    f"For 'zip', the column names must differ, but '{name}' appears twice; use 'rename' before."
                )
        return names

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        self._columns()
        for parts in zip(*(child._rows(streams, epoch) for child in self.children), strict=False):
            yield tuple([item for part in parts for item in part])

    def _size(self) -> int | None:
        sizes: list[Any] = [child._size() for child in self.children]
        return None if None in sizes else min(sizes)


@faces("dataset")
class ConcatDataset(Dataset):
    """Puts the rows of datasets one after the other.

    Args:
        datasets: datasets with equal column names, in equal order, and equal dtypes.

    Raises:
        ValueError: if a dataset has no rows, as far as its length is known without reading it.
        RuntimeError: while iterating, if columns or dtypes differ.
    """

    def __init__(self, datasets: list[Dataset]) -> None:
        super().__init__(datasets)
        for k, child in enumerate(self.children):
            if child._size() == 0:
                raise ValueError(f"For 'concat', a dataset must have rows, but dataset {k} has none.")
        self._sampler: Any = None

    def _columns(self) -> list[str]:
        names = self.children[0]._columns()
        for child in self.children[1:]:
            if child._columns() != names:
                raise RuntimeError(
                    "For 'concat', the datasets must have equal columns in equal order, but got "
                    f"{names} and {child._columns()}."
                )
        return names

    def _parts(self, streams: randomness.Streams, epoch: int) -> list[Iterator[rows.Row]]:
        """The rows of each dataset, whose first one is checked against the datasets before it."""
        names = self._columns()
        dtypes: list[Any] = []

        def checked(child: Dataset) -> Iterator[rows.Row]:
            for k, row in enumerate(child._rows(streams, epoch)):
                if k == 0:
                    found = [getattr(item, "dtype", None) for item in row]
                    dtypes[:] = dtypes or found
                    for name, a, b in zip(names, dtypes, found, strict=True):
                        if a != b and not getattr(a, "kind", "") == getattr(b, "kind", "") in ("S", "U"):
                            raise RuntimeError(
                                f"For 'concat', column '{name}' must have one dtype in all datasets, "
                                f"but got {a} and {b}."
                            )
                yield row

        return [checked(child) for child in self.children]

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        sampler, parts = self._sampler, self._parts(streams, epoch)
        if sampler is None:
            return itertools.chain.from_iterable(parts)
        if isinstance(sampler, DistributedSampler):
            sampler.parse()
            return itertools.islice(itertools.chain.from_iterable(parts), sampler.shard_id, None, sampler.num_shards)
        return self._in_turn(parts, streams.order(self, epoch, sampler.is_sharded()).generator())

    def _in_turn(self, parts: list[Iterator[rows.Row]], generator: np.random.Generator) -> Iterator[rows.Row]:
        """As in MindSpore, the rows of each dataset keep their order: only the dataset of the next row is random."""
        owners = np.repeat(np.arange(len(parts)), [child.get_dataset_size() for child in self.children])
        for owner in generator.permutation(owners).tolist():
            row = next(parts[owner], None)
            if row is None:
                raise self._other_size(owner, "fewer")
            yield row
        for k, part in enumerate(parts):
            if next(part, None) is not None:
                raise self._other_size(k, "more")

    def _other_size(self, k: int, how: str) -> RuntimeError:
        return RuntimeError(
            f"For 'concat' with a RandomSampler, dataset {k} must have equally many rows in each epoch, but got {how} "
            f"than {self.children[k].get_dataset_size()}."
        )

    def _size(self) -> int | None:
        sizes: list[Any] = [child._size() for child in self.children]
        if None in sizes:
            return None
        if isinstance(self._sampler, DistributedSampler):
            return len(range(self._sampler.shard_id, sum(sizes), self._sampler.num_shards))
        return sum(sizes)

    def _counted(self) -> int:
        if self._sampler is not None:
            return super()._counted()
        return sum(child.get_dataset_size() for child in self.children)

    def use_sampler(self, sampler: Any) -> None:
        """Reads the joined rows in shards, or in random order.

        A shard has every `num_shards`-th row of the concatenated datasets, and is not filled up (use `PaddedDataset`
        for this). Random-access datasets are then read in their own order, not shuffled.

        Args:
            sampler: a `DistributedSampler` without `shuffle` and `num_samples`, or a `RandomSampler` without
                `replacement` and `num_samples`.

        Raises:
            TypeError: if it is neither, or if a dataset is the result of `batch`.
            ValueError: for another argument of the sampler, or if a dataset has a sampler with `num_samples`.
        """
        # Everything is checked before anything changes: a refused sampler leaves the joined dataset as it was.
        api = "ConcatDataset.use_sampler"
        check_type(api, "sampler", sampler, (DistributedSampler, RandomSampler))
        if sampler.get_num_samples() is not None:
            raise ValueError(f"For '{api}', the sampler's 'num_samples' must be None, but got {sampler.num_samples}.")
        if isinstance(sampler, RandomSampler):
            if sampler.replacement:
                raise ValueError(f"For '{api}', the sampler's 'replacement' must be False, but got True.")
            self._sampler = sampler
            return
        if sampler.is_shuffled():
            raise ValueError(f"For '{api}', the sampler's 'shuffle' must be False, but got {sampler.shuffle}.")
        if sampler.num_shards <= 0:
            raise ValueError(f"For '{api}', the sampler's 'num_shards' must be > 0, but got {sampler.num_shards}.")
        children = []
        for k, child in enumerate(self.children):
            if isinstance(child, Batched):
                raise TypeError(f"For '{api}', no dataset must be the result of 'batch', but dataset {k} is.")
            if isinstance(child, MappableDataset):
                if child.sampler.get_num_samples() is not None:
                    raise ValueError(f"For '{api}', no dataset must have 'num_samples', but dataset {k} has.")
                if child.is_shuffled():  # a copy in order; the user's dataset does not change
                    child = copy.copy(child)
                    child.use_sampler(SequentialSampler())
            children.append(child)
        self.children, self._sampler, self.dataset_size = children, sampler, None
        forget(self)


class _Columns(Dataset):
    """The common base of project and rename: the child determines the order of rows."""

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        return self.children[0]._indices(streams, epoch)


@faces("dataset")
class ProjectDataset(_Columns):
    """Keeps the named columns, in the given order.

    Args:
        dataset: the dataset.
        columns: a name or a list of names.

    Raises:
        TypeError: for another type.
        ValueError: if a name is empty or appears twice.
        RuntimeError: if there is no such column.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> NumpySlicesDataset(([1], [2]), ["a", "b"]).project(["b"]).get_col_names()
    ['b']
    """

    def __init__(self, dataset: Dataset, columns: Any) -> None:
        super().__init__(dataset)
        self.columns = checks.column_list("project", "columns", columns)

    def _places(self) -> list[int]:
        return checks.positions("project", "columns", self.columns, self.children[0]._columns())

    def _columns(self) -> list[str]:
        self._places()
        return self.columns

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        places = self._places()
        return (tuple([row[k] for k in places]) for row in self.children[0]._rows(streams, epoch))

    def _gather(self, indices: np.ndarray) -> rows.Row:
        row = self.children[0]._gather(indices)
        return tuple([row[k] for k in self._places()])


@faces("dataset")
class RenameDataset(_Columns):
    """Renames columns.

    Args:
        dataset: the dataset.
        input_columns: a name or a list of names there are.
        output_columns: as many new names.

    Raises:
        TypeError: for another type.
        ValueError: if the numbers differ or a name appears twice.
        RuntimeError: if there is no such column, or if a new name is already there.
    """

    def __init__(self, dataset: Dataset, input_columns: Any, output_columns: Any) -> None:
        super().__init__(dataset)
        self.input_columns = checks.column_list("rename", "input_columns", input_columns)
        self.output_columns = checks.column_list("rename", "output_columns", output_columns)
        if len(self.input_columns) != len(self.output_columns):
            raise ValueError(
                "For 'rename', 'input_columns' and 'output_columns' must have equal length, "
                f"but got {len(self.input_columns)} and {len(self.output_columns)}."
            )

    def _columns(self) -> list[str]:
        names = list(self.children[0]._columns())
        for place, new in zip(
            checks.positions("rename", "input_columns", self.input_columns, names), self.output_columns, strict=True
        ):
            names[place] = new
        for name in names:
            if names.count(name) > 1:
                raise RuntimeError(
                    f"For 'rename', the 'output_columns' must not name a column there is, but got '{name}'."
                )
        return names

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        self._columns()
        return self.children[0]._rows(streams, epoch)

    def _gather(self, indices: np.ndarray) -> rows.Row:
        return self.children[0]._gather(indices)


@faces("dataset.zip")
def zip_datasets(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Puts the columns of datasets side by side (`mindspore.dataset.zip`); see `ZipDataset`.

    Args:
        datasets: a tuple of at least two datasets whose column names differ.

    Returns:
        The joined dataset.

    >>> import ms_compat.dataset as ds
    >>> a, b = (ds.NumpySlicesDataset([1, 2], [name], shuffle=False) for name in "ab")
    >>> ds.zip((a, b)).get_col_names()
    ['a', 'b']
    """
    return ZipDataset(datasets)
