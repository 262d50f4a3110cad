"""The base class of all datasets: the pipeline API and the protocol between nodes.

A dataset is a node that knows its children. Three methods make a node:

- `_columns()`: its column names, known before the pipeline runs;
- `_rows(streams, epoch)`: one epoch as an iterator of rows (tuples of arrays); nodes chain as generators;
- `_size()`: rows in an epoch, or None where only counting can determine it.

Nodes over arrays in memory offer a fourth and fifth, `_indices(streams, epoch)` and `_gather(indices)`: the order of
an epoch as an index array and the rows of some indices already stacked. `batch` over such a node slices arrays and
never touches single rows.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._names import habits
from ms_compat._names.resolve import unsupported_method
from ms_compat.dataset._base.cache import DatasetCache
from ms_compat.dataset._support import checks, randomness, rows, timing
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    check_bool,
    check_non_negative_int,
    check_type,
    interval_error,
)
from ms_compat.dataset._support.init_args import Remembered

if TYPE_CHECKING:  # what `dataset/_methods.py` gives the class; the stub stands beside this file
    from ms_compat.dataset._base.dataset_methods import DatasetMethods
else:
    DatasetMethods = object


@faces("dataset")
class Dataset(Remembered, DatasetMethods):
    """A node of a data pipeline; made by a source such as `GeneratorDataset` or by a method of another dataset.

    One seed (`dataset.config.set_seed` or `set_seed`) repeats the same epochs in each new iterator; epochs differ from
    each other. The order of rows is then MindSpore's. Random transforms draw their own numbers.

    Args:
        children: the dataset or datasets this one reads.
        num_parallel_workers: threads a `map` may use; None takes `dataset.config`'s.
        cache: None or a `DatasetCache`, which keeps the rows of sources that read files.
    """

    # How many nodes read this one. MindSpore also counts nodes that are no longer used.
    _consumers = 0

    def __init__(self, children: Any = None, num_parallel_workers: int | None = None, cache: Any = None) -> None:
        api = type(self).__name__
        self.children: list[Dataset] = checks.listed(children)
        self.parent: list[Dataset] = []
        for child in self.children:
            check_type(api, "children", child, Dataset)
            child._consumers += 1
        self.num_parallel_workers = checks.workers(api, num_parallel_workers)
        check_type(api, "cache", cache, (DatasetCache, type(None)))
        self.cache = cache
        self.dataset_size: int | None = None
        self._init_step: int | None = None

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if "_rows" in cls.__dict__:
            cls._rows = _measured(cls.__dict__["_rows"])  # type: ignore[method-assign]

    # The protocol.

    def _columns(self) -> list[str]:
        return self.children[0]._columns()

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        raise NotImplementedError(f"{type(self).__name__} has no rows of its own.")

    def _size(self) -> int | None:
        return self.children[0]._size() if self.children else None

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        return None

    def _gather(self, indices: np.ndarray) -> rows.Row:
        raise NotImplementedError(f"{type(self).__name__} does not hold its rows in memory.")

    def _streams(self) -> randomness.Streams:
        """Numbers the nodes from the sources up: equal pipelines draw equal streams, whatever follows them."""
        nodes: dict[int, int] = {}
        pending: list[tuple[Dataset, bool]] = [(self, False)]
        while pending:
            node, below_done = pending.pop()
            if below_done:
                nodes.setdefault(id(node), len(nodes))
            elif id(node) not in nodes:
                pending.append((node, True))
                pending.extend((child, False) for child in reversed(node.children))
        return randomness.Streams(randomness.entropy(), nodes)

    def __len__(self) -> int:
        return self.get_dataset_size()

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        from ms_compat.dataset._support.notebook_html import dataset_text

        return dataset_text(self)

    def _repr_html_(self) -> str:
        from ms_compat.dataset._support.notebook_html import dataset_html

        return dataset_html(self)

    # What a pipeline is.

    def set_init_step(self, init_step: int) -> None:
        """Make new iterators begin where a training run stopped.

        Args:
            init_step: steps that are done. Whole epochs among them count as over (which decides the order under
                `shuffle`), and the others are left out of the first epoch.

        Raises:
            TypeError: it is not an int.
            ValueError: it is negative.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
        >>> data.set_init_step(2)
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [3]
        """
        self._init_step = check_non_negative_int("set_init_step", "init_step", init_step)

    def get_init_step(self) -> int:
        """The argument of `set_init_step`, here or at the only child; 0 without it.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2], ["x"]).get_init_step()
        0
        """
        if self._init_step is None and len(self.children) == 1:
            return self.children[0].get_init_step()
        return self._init_step or 0

    def waits_for_consumer(self) -> bool:
        """Whether a node waits for the consumer to use earlier rows, so that prefetching is not allowed."""
        return any(child.waits_for_consumer() for child in self.children)

    def _first_row(self) -> rows.Row | None:
        streams = self._streams()
        streams.starts_processes = False  # one row is not worth their start
        iterator = self._rows(streams, 0)
        try:
            return next(iter(iterator), None)
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                close()

    def get_dataset_size(self) -> int:
        """Return the number of rows (batches, after `batch`) in one epoch.

        Where only reading the rows can tell, it reads them once. The attribute `dataset_size` keeps the number; it is
        None before, and the end of an epoch sets it as well.

        Returns:
            An int.

        Raises:
            ValueError: a dataset in the pipeline is used twice.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"]).batch(2).get_dataset_size()
        3
        """
        check_tree(self)
        if self.dataset_size is None:
            size = self._size()
            self.dataset_size = self._counted() if size is None else size
        return self.dataset_size

    def _counted(self) -> int:
        """The number of rows in one epoch, counted by iterating."""
        return sum(1 for _ in self._rows(self._streams(), 0))

    def get_batch_size(self) -> int:
        """Return the batch size: 1 without `batch`, -1 where it varies.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).batch(2).get_batch_size()
        2
        """
        check_tree(self)
        return self.children[0].get_batch_size() if self.children else 1

    def get_col_names(self) -> list[str]:
        """Return the column names, in order.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset({"image": [1, 2], "label": [0, 1]}).get_col_names()
        ['image', 'label']
        """
        check_tree(self)
        return list(self._columns())

    def output_types(self) -> list[np.dtype]:
        """Return the NumPy dtype of each column, read from the first row.

        Strings have no length (`dtype('<U')`), dictionaries are `dtype('O')`.

        >>> import numpy as np
        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset(np.zeros((4, 2), np.float32), ["x"]).batch(2).output_types()
        [dtype('float32')]
        """
        check_tree(self)
        dtypes = [np.dtype("O") if isinstance(item, dict) else item.dtype for item in self._first_row() or ()]
        return [np.dtype(dtype.kind) if dtype.kind in "SU" else dtype for dtype in dtypes]

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """Return the shape of each column as a list; [0] for dictionaries.

        Args:
            estimate: read a whole epoch, and put None where rows differ. Otherwise the first row determines the shapes.

        Raises:
            TypeError: `estimate` is not a bool.
            RuntimeError: with `estimate`, rows differ in rank.

        >>> import numpy as np
        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset(np.zeros((5, 3), np.float32), ["x"]).batch(2).output_shapes()
        [[2, 3]]
        >>> ds.NumpySlicesDataset(np.zeros((5, 3), np.float32), ["x"]).batch(2).output_shapes(estimate=True)
        [[None, 3]]
        """
        check_bool("output_shapes", "estimate", estimate)
        check_tree(self)
        first = self._first_row()
        if first is None:
            return []
        shapes: list[list[int | None]] = [[0] if isinstance(item, dict) else list(item.shape) for item in first]
        if estimate:
            for row in self._rows(self._streams(), 0):
                for shape, item in zip(shapes, row, strict=True):
                    if isinstance(item, dict):
                        continue
                    if len(shape) != item.ndim:
                        raise RuntimeError(
                            "For 'output_shapes', the rows must have one rank to be estimated, but "
                            f"got {shape} and {item.shape}."
                        )
                    shape[:] = [a if a == b else None for a, b in zip(shape, item.shape, strict=True)]
        return shapes

    def get_repeat_count(self) -> int:
        """Return the count of the last `repeat`, 1 without.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2], ["x"]).repeat(3).get_repeat_count()
        3
        """
        check_tree(self)
        return self.children[0].get_repeat_count() if self.children else 1

    def num_classes(self) -> int | None:
        """Return the number of classes; None where the source has none.

        >>> import ms_compat.dataset as ds
        >>> print(ds.NumpySlicesDataset([1, 2], ["x"]).num_classes())
        None
        """
        check_tree(self)
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """Return the class index by name; empty where the source has none.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2], ["x"]).get_class_indexing()
        {}
        """
        return self.children[0].get_class_indexing() if self.children else {}

    def is_shuffled(self) -> bool:
        """Whether this node or one below it shuffles."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether a source below reads one shard of its data."""
        return any(child.is_sharded() for child in self.children)

    def is_sync(self) -> bool:
        """Whether this pipeline has a `sync_wait`."""
        return any(child.is_sync() for child in self.children)

    @property
    def input_indexs(self) -> tuple[Any, ...]:
        """This node's input indices, kept as set (a graph compiler's hint; unused here)."""
        return self.children[0].input_indexs if self.children else getattr(self, "_input_indexs", ())

    @input_indexs.setter
    def input_indexs(self, value: tuple[Any, ...]) -> None:
        node: Any = self
        while node.children:
            node = node.children[0]
        node._input_indexs = value

    def reset(self) -> None:
        """Do nothing, as every iterator starts at the beginning.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"])
        >>> data.reset()
        >>> data.get_dataset_size()
        2
        """

    def to_device(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: there is no device queue; batches reach the device when a Tensor is made of them."""
        from ms_compat._core.errors import UnsupportedError

        raise UnsupportedError(
            "mindspore.dataset.Dataset.to_device", "Iterate the dataset, or pass it to 'train.Model'."
        )

    __getattr__ = unsupported_method("mindspore.dataset.Dataset", habits.DATASET)


def _measured(make: Callable[..., Iterator[rows.Row]]) -> Callable[..., Iterator[rows.Row]]:
    """Makes `_rows` count rows and seconds while a `timing.Recorder` is active."""

    @functools.wraps(make)
    def _rows(self: Dataset, streams: randomness.Streams, epoch: int, *more: Any) -> Iterator[rows.Row]:
        made = make(self, streams, epoch, *more)
        return made if timing.active is None else timing.active.timed(self, made)

    return _rows


def check_tree(dataset: Dataset) -> None:
    """Checks that every node below this one has one consumer, as MindSpore does before a pipeline runs.

    Raises:
        ValueError: if two operations were made of one node, or a node is joined with itself.
    """
    pending = [dataset]
    while pending:
        for child in pending.pop().children:
            if child._consumers > 1:
                raise ValueError(
                    f"A pipeline must be a tree, but the '{type(child).__name__}' in it has {child._consumers} "
                    "consumers. Create the dataset again for each pipeline."
                )
            pending.append(child)


def check_count(api: str, value: Any, low: int) -> int:
    """Checks a row count: -1 or an int >= `low`."""
    if check_type(api, "count", value, int) != -1 and not low <= value <= INT32_MAX:
        raise interval_error(api, "count", low, INT32_MAX, value)
    return value
