"""The methods of a dataset: operations that make another dataset, iteration, and saving.

Every `Dataset` has them, and they make objects of its subclasses, which import it. So the class here defines them and
`attach` adds them to `Dataset`, as Tensor gets its methods (`_tensor/methods.py`); for type checkers and editors
`Dataset` derives from a stub with the same signatures, which `python -m tests.stubs.generate` writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._core.checks import check_callable
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._base.iterators import DictIterator, TupleIterator
from ms_compat.dataset._base.serialization import write
from ms_compat.dataset._nodes import saving
from ms_compat.dataset._nodes.batching import BatchDataset
from ms_compat.dataset._nodes.joining import ConcatDataset, ProjectDataset, RenameDataset, ZipDataset
from ms_compat.dataset._nodes.mapping import FilterDataset, MapDataset
from ms_compat.dataset._nodes.ordering import RepeatDataset, ShuffleDataset, SkipDataset, TakeDataset
from ms_compat.dataset._nodes.padding import BucketBatchByLengthDataset, PaddedBatchDataset
from ms_compat.dataset._nodes.split import split
from ms_compat.dataset._nodes.sync import SyncWaitDataset, disable, update, waits
from ms_compat.dataset._nodes.transfer import TransferDataset
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import check_bool, check_type


class DatasetMethods:
    """The methods of `Dataset` that need its subclasses; `self` is a Dataset, of which this class knows nothing."""

    def map(
        self: Any,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: int | None = None,
        offload: bool | None = None,
    ) -> Dataset:
        """Applies operations to columns of every row; see `MapDataset`."""
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
        self: Any, predicate: Callable[..., Any], input_columns: Any = None, num_parallel_workers: int | None = None
    ) -> Dataset:
        """Keeps the rows for which the predicate is true; see `FilterDataset`."""
        return FilterDataset(self, predicate, input_columns, num_parallel_workers)

    def batch(
        self: Any,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable[..., Any] | None = None,
        input_columns: Any = None,
        output_columns: Any = None,
        python_multiprocessing: bool = False,
        max_rowsize: int | None = None,
    ) -> Dataset:
        """Stacks consecutive rows; see `BatchDataset`."""
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
        self: Any,
        batch_size: Any,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> Dataset:
        """Stacks consecutive rows, padded to one shape; see `PaddedBatchDataset`."""
        return PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    def bucket_batch_by_length(
        self: Any,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Dataset:
        """Batches rows of similar length together; see `BucketBatchByLengthDataset`."""
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

    def shuffle(self: Any, buffer_size: int) -> Dataset:
        """Shuffles through a buffer of rows; see `ShuffleDataset`.

        Raises:
            RuntimeError: the pipeline has a `sync_wait`, whose rows a buffer would hold back.
        """
        if waits(self):
            raise RuntimeError("No shuffle after sync operators: call 'shuffle' before 'sync_wait'.")
        return ShuffleDataset(self, buffer_size)

    def repeat(self: Any, count: int | None = None) -> Dataset:
        """Repeats the rows, None or -1 without end; see `RepeatDataset`."""
        return RepeatDataset(self, count)

    def take(self: Any, count: int = -1) -> Dataset:
        """Takes the first rows, -1 all of them; see `TakeDataset`."""
        return TakeDataset(self, count)

    def skip(self: Any, count: int) -> Dataset:
        """Leaves out the first rows; see `SkipDataset`."""
        return SkipDataset(self, count)

    def zip(self: Any, datasets: Any) -> Dataset:
        """Joins the columns of several datasets side by side; see `ZipDataset`."""
        check_type("Dataset.zip", "datasets", datasets, (tuple, Dataset))
        return ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self: Any, datasets: Any) -> Dataset:
        """Puts the rows of several datasets one after the other; see `ConcatDataset`."""
        check_type("Dataset.concat", "datasets", datasets, (list, Dataset))
        others = datasets if isinstance(datasets, list) else [datasets]
        if not others:
            raise RuntimeError("For 'Dataset.concat', the 'datasets' must name at least one dataset, but got [].")
        return ConcatDataset([self, *others])

    def __add__(self: Any, datasets: Any) -> Dataset:
        return self.concat(datasets)

    def project(self: Any, columns: Any) -> Dataset:
        """Keeps the named columns, in the given order; see `ProjectDataset`."""
        return ProjectDataset(self, columns)

    def rename(self: Any, input_columns: Any, output_columns: Any) -> Dataset:
        """Renames columns; see `RenameDataset`."""
        return RenameDataset(self, input_columns, output_columns)

    def split(self: Any, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Splits into datasets without overlap; see `split.split`."""
        return split(self, sizes, randomize)

    def apply(self: Any, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """Returns what a function makes of this dataset.

        Raises:
            TypeError: if it is not callable or returns no dataset.
        """
        check_callable("Dataset.apply", "apply_func", apply_func)
        made = apply_func(self)
        return check_type("Dataset.apply", "apply_func(dataset)", made, Dataset)

    def flat_map(self: Any, func: Callable[[Any], Dataset]) -> Dataset:
        """Makes a dataset from every row and concatenates them; it reads the rows now, as in MindSpore.

        Raises:
            TypeError: if the function returns no dataset.
        """
        check_callable("Dataset.flat_map", "func", func)
        made = []
        for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
            made.append(check_type("Dataset.flat_map", "func(row)", func(*row), Dataset))
        return made[0].concat(made[1:]) if len(made) > 1 else made[0]

    def device_que(
        self: Any, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = ""
    ) -> TransferDataset:
        """Makes a pipeline that runs by itself; see `TransferDataset`."""
        return TransferDataset(self, send_epoch_end, create_data_info_queue, queue_name)

    def sync_wait(
        self: Any, condition_name: str, num_batch: int = 1, callback: Callable[..., Any] | None = None
    ) -> Dataset:
        """Makes the pipeline wait for `sync_update`; see `SyncWaitDataset`."""
        return SyncWaitDataset(self, condition_name, num_batch, callback)

    def sync_update(self: Any, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Releases the next batches of the `sync_wait` of this name; see `SyncWaitDataset`."""
        update(self, condition_name, num_batch, data)

    def disable_sync(self: Any) -> None:
        """Lets every `sync_wait` of this pipeline pass from now on."""
        disable(self)

    def create_tuple_iterator(
        self: Any, columns: Any = None, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
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
        check_bool("create_tuple_iterator", "do_copy", do_copy)
        names = checks.column_list("create_tuple_iterator", "columns", columns, none=True)
        return TupleIterator(self if names is None else self.project(names), num_epochs, output_numpy)

    def create_dict_iterator(self: Any, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False) -> Any:
        """Makes an iterator whose items are dicts, column name to data; the arguments are `create_tuple_iterator`'s."""
        check_bool("create_dict_iterator", "do_copy", do_copy)
        return DictIterator(self, num_epochs, output_numpy)

    def __iter__(self: Any) -> Any:
        return self.create_tuple_iterator(num_epochs=1)

    def to_json(self: Any, filename: str = "") -> dict[str, Any]:
        """The pipeline as JSON, see `serialize`.

        Args:
            filename: the file to write; "" writes none.
        """
        return write(self, filename)

    def save(self: Any, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
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
        saving.save(self, saving.check(file_name, num_files, file_type))


def attach() -> None:
    """Add the methods to `Dataset`."""
    for name, method in vars(DatasetMethods).items():
        if callable(method):
            method.__qualname__ = f"Dataset.{name}"
            setattr(Dataset, name, method)
