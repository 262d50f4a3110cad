"""The base class of all datasets: the pipeline API and the protocol between nodes.

A dataset is a node that knows its children. Three methods make a node:

- `_columns()`: its column names, known before anything runs;
- `_rows(streams, epoch)`: one epoch as an iterator of rows (tuples of arrays); nodes chain as generators;
- `_size()`: rows in an epoch, or None where only counting can tell.

Nodes over arrays in memory offer a fourth and fifth, `_indices(streams, epoch)` and `_gather(indices)`: the order of
an epoch as an index array and the rows of some indices already stacked. `batch` over such a node slices arrays and
never touches single rows.
"""

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from ms_compat._core.absent import unsupported_method
from ms_compat._core.errors import check_bool, check_non_negative_int, check_type, type_error, value_error
from ms_compat.dataset import checks, randomness, rows
from ms_compat.dataset.cache import DatasetCache
from ms_compat.dataset.remembering import Remembered


class Dataset(Remembered):
    """A node of a data pipeline; made by a source such as `GeneratorDataset` or by a method of another dataset.

    The order of elements under `shuffle` and random transforms is our own: MindSpore's random streams are not
    replicated. One seed (`dataset.config.set_seed` or `set_seed`) repeats the same epochs in each new iterator; epochs
    differ from each other.

    Args:
        children: the dataset or datasets this one reads.
        num_parallel_workers: threads a `map` may use; None takes `dataset.config`'s.
        cache: None or a `DatasetCache`, which keeps the rows of sources that read files.
    """

    def __init__(self, children: Any = None, num_parallel_workers: int | None = None, cache: Any = None) -> None:
        api = type(self).__name__
        self.children: list[Dataset] = (
            [] if children is None else list(children) if isinstance(children, (list, tuple)) else [children]
        )
        self.parent: list[Dataset] = []
        for child in self.children:
            check_type(api, "children", child, Dataset)
        self.num_parallel_workers = checks.workers(api, num_parallel_workers)
        check_type(api, "cache", cache, (DatasetCache, type(None)))
        self.cache = cache
        self._counted: int | None = None
        self._init_step: int | None = None

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
        raise NotImplementedError(f"{type(self).__name__} is no array in memory.")

    def _streams(self) -> randomness.Streams:
        """Numbers the nodes from the sources up: equal pipelines draw equal streams, whatever is put on top of them."""
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

    # Pipeline operations.

    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: int | None = None,
        offload: bool | None = None,
    ) -> "Dataset":
        """Applies operations to columns of every row; see `MapDataset`."""
        from ms_compat.dataset.mapping import MapDataset

        return MapDataset(
            self,
            operations,
            input_columns,
            output_columns,
            num_parallel_workers,
            python_multiprocessing,
            cache,
            callbacks,
            max_rowsize,
            offload,
        )

    def filter(
        self, predicate: Callable[..., Any], input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> "Dataset":
        """Keeps the rows for which the predicate is true; see `FilterDataset`."""
        from ms_compat.dataset.mapping import FilterDataset

        return FilterDataset(self, predicate, input_columns, num_parallel_workers)

    def batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        python_multiprocessing: bool = False,
        max_rowsize: int | None = None,
    ) -> "Dataset":
        """Stacks consecutive rows; see `BatchDataset`."""
        from ms_compat.dataset.batching import BatchDataset

        return BatchDataset(
            self,
            batch_size,
            drop_remainder,
            num_parallel_workers,
            per_batch_map,
            input_columns,
            output_columns,
            python_multiprocessing,
            max_rowsize,
        )

    def padded_batch(
        self,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> "Dataset":
        """Stacks consecutive rows, padded to one shape; see `PaddedBatchDataset`."""
        from ms_compat.dataset.padding import PaddedBatchDataset

        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> "Dataset":
        """Batches rows of similar length together; see `BucketBatchByLengthDataset`."""
        from ms_compat.dataset.padding import BucketBatchByLengthDataset

        return BucketBatchByLengthDataset(
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: int) -> "Dataset":
        """Shuffles through a buffer of rows; see `ShuffleDataset`."""
        from ms_compat.dataset.ordering import ShuffleDataset

        return ShuffleDataset(self, buffer_size)

    def repeat(self, count: int | None = None) -> "Dataset":
        """Repeats the rows, None or -1 without end; see `RepeatDataset`."""
        from ms_compat.dataset.ordering import RepeatDataset

        return RepeatDataset(self, count)

    def take(self, count: int = -1) -> "Dataset":
        """Takes the first rows, -1 all of them; see `TakeDataset`."""
        from ms_compat.dataset.ordering import TakeDataset

        return self if count == -1 and type(count) is int else TakeDataset(self, count)

    def skip(self, count: int) -> "Dataset":
        """Leaves out the first rows; see `SkipDataset`."""
        from ms_compat.dataset.ordering import SkipDataset

        return SkipDataset(self, count)

    def zip(self, datasets: Any) -> "Dataset":
        """Puts the columns of several datasets side by side; see `ZipDataset`."""
        from ms_compat.dataset.joining import ZipDataset

        check_type("Dataset.zip", "datasets", datasets, (tuple, Dataset))
        return ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self, datasets: Any) -> "Dataset":
        """Puts the rows of several datasets one after the other; see `ConcatDataset`."""
        from ms_compat.dataset.joining import ConcatDataset

        check_type("Dataset.concat", "datasets", datasets, (list, Dataset))
        others = datasets if isinstance(datasets, list) else [datasets]
        if not others:
            raise RuntimeError("For 'Dataset.concat', the 'datasets' must name at least one dataset, but got [].")
        return ConcatDataset([self, *others])

    def __add__(self, datasets: Any) -> "Dataset":
        return self.concat(datasets)

    def project(self, columns: Any) -> "Dataset":
        """Keeps the named columns, in the given order; see `ProjectDataset`."""
        from ms_compat.dataset.joining import ProjectDataset

        return ProjectDataset(self, columns)

    def rename(self, input_columns: Any, output_columns: Any) -> "Dataset":
        """Renames columns; see `RenameDataset`."""
        from ms_compat.dataset.joining import RenameDataset

        return RenameDataset(self, input_columns, output_columns)

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple["Dataset", ...]:
        """Splits into datasets without overlap; see `split.split`."""
        from ms_compat.dataset.split import split

        return split(self, sizes, randomize)

    def apply(self, apply_func: Callable[["Dataset"], "Dataset"]) -> "Dataset":
        """Returns what a function makes of this dataset.

        Raises:
            TypeError: if it is not callable or returns no dataset.
        """
        if not callable(apply_func):
            raise type_error("Dataset.apply", "apply_func", "a function", apply_func)
        made = apply_func(self)
        return check_type("Dataset.apply", "apply_func(dataset)", made, Dataset)

    def flat_map(self, func: Callable[[Any], "Dataset"]) -> "Dataset":
        """Makes a dataset of every row and puts them one after the other; the rows are read now, as in MindSpore.

        Raises:
            TypeError: if the function returns no dataset.
        """
        if not callable(func):
            raise type_error("Dataset.flat_map", "func", "a function", func)
        made = []
        for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
            made.append(check_type("Dataset.flat_map", "func(row)", func(*row), Dataset))
        return made[0].concat(made[1:]) if len(made) > 1 else made[0]

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> "Dataset":
        """Makes the pipeline wait for `sync_update`; see `SyncWaitDataset`."""
        from ms_compat.dataset.sync import SyncWaitDataset

        return SyncWaitDataset(self, condition_name, num_batch, callback)

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Releases the next batches of the `sync_wait` of this name; see `SyncWaitDataset`."""
        from ms_compat.dataset.sync import update

        update(self, condition_name, num_batch, data)

    def disable_sync(self) -> None:
        """Lets every `sync_wait` of this pipeline pass from now on."""
        from ms_compat.dataset.sync import disable

        disable(self)

    # Iteration.

    def create_tuple_iterator(
        self, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> Any:
        """Makes an iterator whose items are lists, one entry a column.

        Args:
            columns: names of the columns wanted, all if None.
            num_epochs: epochs that may be iterated, -1 without end. Every epoch ends with `StopIteration`.
            output_numpy: numpy arrays instead of Tensors; strings are numpy arrays in any case.
            do_copy: accepted; every item is an array of its own already.

        Raises:
            TypeError: for an argument of another type.
            RuntimeError: for a column that does not exist; for an epoch too many.

        >>> from ms_compat.dataset import NumpySlicesDataset
        >>> data = NumpySlicesDataset([[1, 2], [3, 4]], ["x"], shuffle=False)
        >>> [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[1, 2], [3, 4]]
        """
        from ms_compat.dataset.iterators import TupleIterator

        check_bool("create_tuple_iterator", "do_copy", do_copy)
        names = checks.column_list("create_tuple_iterator", "columns", columns, none=True)
        return TupleIterator(self if names is None else self.project(names), num_epochs, output_numpy)

    def create_dict_iterator(self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False) -> Any:
        """Makes an iterator whose items are dicts, column name to data; the arguments are `create_tuple_iterator`'s."""
        from ms_compat.dataset.iterators import DictIterator

        check_bool("create_dict_iterator", "do_copy", do_copy)
        return DictIterator(self, num_epochs, output_numpy)

    def __iter__(self) -> Any:
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self) -> int:
        return self.get_dataset_size()

    def __bool__(self) -> bool:
        return True

    # What a pipeline is.

    def set_init_step(self, init_step: int) -> None:
        """Lets new iterators begin where a training stopped.

        Args:
            init_step: steps done; whole epochs among them are counted as over (which decides the order under
                `shuffle`), the others are left out of the first epoch.

        Raises:
            TypeError: if it is no int.
            ValueError: if it is negative.
        """
        self._init_step = check_non_negative_int("set_init_step", "init_step", init_step)

    def get_init_step(self) -> int:
        """What `set_init_step` was given, here or at the only child; 0 without it."""
        if self._init_step is None and len(self.children) == 1:
            return self.children[0].get_init_step()
        return self._init_step or 0

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The pipeline as JSON, see `serialize`.

        Args:
            filename: the file to write; "" writes none.
        """
        from ms_compat.dataset.serialization import write

        return write(self, filename)

    def waits_for_consumer(self) -> bool:
        """Whether a node waits for what the consumer does with earlier rows, so that none may be read ahead."""
        return any(child.waits_for_consumer() for child in self.children)

    def _first_row(self) -> rows.Row | None:
        iterator = self._rows(self._streams(), 0)
        try:
            return next(iter(iterator), None)
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                close()

    def get_dataset_size(self) -> int:
        """The number of rows (batches, after `batch`) in one epoch; counted once, by iterating, if need be."""
        if self._counted is None:
            size = self._size()
            if size is not None:
                return size
            self._counted = sum(1 for _ in self._rows(self._streams(), 0))
        return self._counted

    def get_batch_size(self) -> int:
        """The batch size, 1 without `batch`, -1 where it varies."""
        return self.children[0].get_batch_size() if self.children else 1

    def get_col_names(self) -> list[str]:
        """The column names, in order."""
        return list(self._columns())

    def output_types(self) -> list[np.dtype]:
        """The numpy dtype of each column, read from the first row.

        Strings have no length (`dtype('<U')`), dictionaries are `dtype('O')`.
        """
        dtypes = [np.dtype("O") if isinstance(item, dict) else item.dtype for item in self._first_row() or ()]
        return [np.dtype(dtype.kind) if dtype.kind in "SU" else dtype for dtype in dtypes]

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """The shape of each column, as a list; [0] for dictionaries.

        Args:
            estimate: reads a whole epoch and puts None where rows differ; otherwise the first row speaks for all.
        """
        check_bool("output_shapes", "estimate", estimate)
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
        """The count of the last `repeat`, 1 without."""
        return self.children[0].get_repeat_count() if self.children else 1

    def num_classes(self) -> int | None:
        """The number of classes, None where the dataset has none."""
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """The class index by name, empty where the dataset has none."""
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
        """The input indices of this node, kept where they were set (a graph compiler's hint; unused here)."""
        return self.children[0].input_indexs if self.children else getattr(self, "_input_indexs", ())

    @input_indexs.setter
    def input_indexs(self, value: tuple[Any, ...]) -> None:
        node = self
        while node.children:
            node = node.children[0]
        node._input_indexs = value

    def reset(self) -> None:
        """Does nothing: every iterator starts at the beginning."""

    def to_device(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: there is no device queue; batches reach the device when a Tensor is made of them."""
        from ms_compat._core.errors import UnsupportedError

        raise UnsupportedError(
            "mindspore.dataset.Dataset.to_device", "Iterate the dataset, or pass it to 'train.Model'."
        )

    device_que = to_device
    __getattr__ = unsupported_method("mindspore.dataset.Dataset")

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Writes one epoch to MindRecord files, which `MindDataset` reads.

        Small integers and bool become int32, uint32 and uint64 int64, float16 float32; punctuation in names becomes
        "_". Rows go to the files in turn, so that only one file keeps their order.

        Args:
            file_name: the file; of several, a number follows the name.
            num_files: how many, 1 to 1000.
            file_type: "mindrecord".

        Raises:
            TypeError: for an argument of another type.
            ValueError: if `num_files` is out of range, or for another `file_type`.
            RuntimeError: if a file exists, the folder does not, there are no rows, or one cannot be stored: strings
                and bytes must have no axes, arrays may differ in the length of their first axis only.
        """
        from ms_compat.dataset import saving

        saving.save(self, saving.check(file_name, num_files, file_type))


def check_count(api: str, value: Any, low: int) -> int:
    """Checks a row count: -1 or an int >= `low`."""
    if check_type(api, "count", value, int) != -1 and not low <= value <= checks.INT32_MAX:
        raise value_error(api, "count", f"-1 or int in range [{low}, 2**31 - 1]", value)
    return value
