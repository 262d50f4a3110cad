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
        """Apply functions to columns of every row.

        Args:
            operations: a function or transform, or a list of them. Each gets what the one before returned; a tuple is
                one item for each column, anything else is one column.
            input_columns: name or names of the columns for the first operation; None is the first column.
            output_columns: names of the columns that the last one returns; None keeps the input names.
            num_parallel_workers: number of threads or processes; None is one thread. `MapDataset` says
                when processes are used.
            python_multiprocessing: run the operations in worker processes.
            cache: None or a `DatasetCache`.
            callbacks: a `DSCallback` or a list of them.
            max_rowsize: in MB, how much of a row goes through shared memory; -1 and None set no limit.
            offload: accepted; rows are mapped by NumPy.

        Returns:
            The new dataset. If the operations return as many columns as they get, each column replaces its input;
            otherwise the new columns come first, and then the ones that were not used.

        Raises:
            TypeError: an argument has another type.
            ValueError: an operation is not callable, or it is a class or a Cell.
            RuntimeError: while iterating: a column does not exist, an operation raises an exception, or it returns
                another number of columns.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
        >>> data = data.map(lambda x: (x, x * x), input_columns=["x"], output_columns=["x", "square"])
        >>> [[item.item() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[1, 1], [2, 4], [3, 9]]
        """
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
        """Keep the rows for which a function returns true.

        Args:
            predicate: a function of the input columns, as NumPy arrays; the truth of its result decides.
            input_columns: name or names of the columns that it gets; None is all of them.
            num_parallel_workers: accepted; the function runs in the thread that reads.

        Returns:
            The new dataset.

        Raises:
            TypeError: an argument has another type.
            RuntimeError: while iterating: a column does not exist, or the function fails.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False).filter(lambda x: x % 2 == 0, ["x"])
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [2, 4]
        """
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
        """Stack consecutive rows along a new first axis: a column of shape [*] becomes [batch_size, *].

        Args:
            batch_size: an int >= 1, or a function of a `BatchInfo` that returns one.
            drop_remainder: whether to leave out a last batch with fewer rows.
            num_parallel_workers: number of processes with `python_multiprocessing`; otherwise one thread makes the
                batches.
            per_batch_map: a function of the input columns (each a list of arrays) and the `BatchInfo`. It returns a
                tuple with a list or an array for each column.
            input_columns: the columns that it gets; None is all of them.
            output_columns: names of the columns that it returns; None keeps the input names.
            python_multiprocessing: call `per_batch_map` in worker processes.
            max_rowsize: in MB, how much of a batch goes through shared memory; -1 and None set no limit.

        Returns:
            The new dataset; its size is the number of batches.

        Raises:
            TypeError: an argument has another type.
            ValueError: the size is < 1, or `per_batch_map` does not take the columns and the `BatchInfo`.
            RuntimeError: while iterating: rows differ in shape or dtype (see `padded_batch`).

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"], shuffle=False)
        >>> [row["x"].tolist() for row in data.batch(2).create_dict_iterator(num_epochs=1, output_numpy=True)]
        [[1, 2], [3, 4], [5]]
        >>> data = ds.NumpySlicesDataset([1, 2, 3, 4, 5], ["x"], shuffle=False).batch(2, drop_remainder=True)
        >>> data.get_dataset_size()
        2
        """
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
        """Stack consecutive rows, after each array was padded to one shape.

        Args:
            batch_size: an int >= 1, or a function of a `BatchInfo` that returns one.
            drop_remainder: whether to leave out a last batch with fewer rows.
            num_parallel_workers: accepted; one thread makes the batches.
            pad_info: a dict of column name and (shape, value). None as a size takes the longest row of the batch, and
                None as the value is 0. `{}` pads every column in this way; None pads nothing.

        Returns:
            The new dataset.

        Raises:
            TypeError: an argument has another type.
            RuntimeError: while iterating: a column does not exist, or an array has another rank than its shape in
                `pad_info`.

        >>> import ms_compat.dataset as ds
        >>> data = ds.GeneratorDataset([[[1]], [[2, 3]]], ["x"], shuffle=False)
        >>> data = data.padded_batch(2, pad_info={"x": ([3], -1)})
        >>> [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[[1, -1, -1], [2, 3, -1]]]
        """
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
        """Batch rows of similar length together. A row waits in its length's bucket until the bucket is full.

        Args:
            column_names: the columns for `element_length_function`; without it one column, whose first axis is the
                length.
            bucket_boundaries: rising lengths. Bucket k holds lengths below boundary k, and the last bucket the rest.
            bucket_batch_sizes: the batch size of each bucket, one more than the boundaries.
            element_length_function: the length of a row, computed from the columns.
            pad_info: see `padded_batch`; None pads nothing.
            pad_to_bucket_boundary: pad axes of no given size to the bucket's boundary - 1.
            drop_remainder: whether to leave out buckets that are not full at the end.

        Returns:
            The new dataset.

        Raises:
            TypeError: an argument has another type.
            ValueError: the numbers of boundaries and sizes do not fit, or the boundaries do not rise.
            RuntimeError: while iterating: a row is too long for `pad_to_bucket_boundary`.

        >>> import ms_compat.dataset as ds
        >>> data = ds.GeneratorDataset([[[1]], [[2, 2, 2]], [[3]], [[4, 4, 4, 4]]], ["x"], shuffle=False)
        >>> data = data.bucket_batch_by_length(["x"], [3], [2, 2], pad_info={})
        >>> [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[[1], [3]], [[2, 2, 2, 0], [4, 4, 4, 4]]]
        """
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
        """Shuffle the rows through a buffer: each row given out is drawn from the next `buffer_size` rows.

        Args:
            buffer_size: number of rows in the buffer, an int >= 2. With the dataset's size the order is uniformly
                random.

        Returns:
            The new dataset. Epochs differ; the same seed (`mindspore.set_seed` or `dataset.config.set_seed`) gives the
            same epochs again, in MindSpore's order.

        Raises:
            TypeError: `buffer_size` is not an int.
            ValueError: it is < 2.
            RuntimeError: the pipeline has a `sync_wait`, whose rows a buffer would hold back.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).shuffle(3)
        >>> sorted(row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
        [1, 2, 3]
        """
        if waits(self):
            raise RuntimeError("No shuffle after sync operators: call 'shuffle' before 'sync_wait'.")
        return ShuffleDataset(self, buffer_size)

    def repeat(self: Any, count: int | None = None) -> Dataset:
        """Repeat the rows. After `shuffle`, each repetition has another order.

        Args:
            count: how often the rows are given, an int >= 1; None and -1 repeat without end.

        Returns:
            The new dataset. Its size is `count` times as large; without end it counts once.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or < -1.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).repeat(2)
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 2, 1, 2]
        """
        return RepeatDataset(self, count)

    def take(self: Any, count: int = -1) -> Dataset:
        """Take the first rows of each epoch.

        Args:
            count: number of rows, an int >= 1; -1 takes all.

        Returns:
            The new dataset.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is 0 or < -1.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2, 3], ["x"]).take(2).get_dataset_size()
        2
        """
        return TakeDataset(self, count)

    def skip(self: Any, count: int) -> Dataset:
        """Leave out the first rows of each epoch.

        Args:
            count: number of rows, an int >= 0.

        Returns:
            The new dataset.

        Raises:
            TypeError: `count` is not an int.
            ValueError: it is negative.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).skip(1)
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [2, 3]
        """
        return SkipDataset(self, count)

    def zip(self: Any, datasets: Any) -> Dataset:
        """Join the columns of several datasets side by side. The shortest dataset ends the epoch.

        Args:
            datasets: a dataset, or a tuple of datasets. Their column names must differ.

        Returns:
            The new dataset.

        Raises:
            TypeError: it is neither.
            RuntimeError: while iterating: a column name appears twice (see `rename`).

        >>> import ms_compat.dataset as ds
        >>> x = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> y = ds.NumpySlicesDataset([3, 4], ["y"], shuffle=False)
        >>> [[item.item() for item in row] for row in x.zip(y).create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [[1, 3], [2, 4]]
        """
        check_type("Dataset.zip", "datasets", datasets, (tuple, Dataset))
        return ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self: Any, datasets: Any) -> Dataset:
        """Put the rows of several datasets one after the other; `a + b` does the same.

        Args:
            datasets: a dataset, or a list of datasets, with the same column names in the same order and the same
                dtypes.

        Returns:
            The new dataset.

        Raises:
            TypeError: it is neither.
            ValueError: a dataset has no rows.
            RuntimeError: the list is empty; while iterating: columns or dtypes differ.

        >>> import ms_compat.dataset as ds
        >>> a = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> b = ds.NumpySlicesDataset([3], ["x"], shuffle=False)
        >>> [row[0].item() for row in a.concat(b).create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 2, 3]
        """
        check_type("Dataset.concat", "datasets", datasets, (list, Dataset))
        others = datasets if isinstance(datasets, list) else [datasets]
        if not others:
            raise RuntimeError("For 'Dataset.concat', the 'datasets' must name at least one dataset, but got [].")
        return ConcatDataset([self, *others])

    def __add__(self: Any, datasets: Any) -> Dataset:
        return self.concat(datasets)

    def project(self: Any, columns: Any) -> Dataset:
        """Keep the named columns, in the given order.

        Args:
            columns: a name or a list of names.

        Returns:
            The new dataset.

        Raises:
            TypeError: another type.
            ValueError: a name is empty or appears twice.
            RuntimeError: a column does not exist. This is found when the pipeline runs.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset(([1], [2], [3]), ["a", "b", "c"]).project(["c", "a"]).get_col_names()
        ['c', 'a']
        """
        return ProjectDataset(self, columns)

    def rename(self: Any, input_columns: Any, output_columns: Any) -> Dataset:
        """Rename columns.

        Args:
            input_columns: a name or a list of names.
            output_columns: as many new names.

        Returns:
            The new dataset.

        Raises:
            TypeError: another type.
            ValueError: the numbers differ, or a name appears twice.
            RuntimeError: a column does not exist, or a new name is in use. This is found when the pipeline runs.

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset(([1], [2]), ["a", "b"]).rename("a", "image").get_col_names()
        ['image', 'b']
        """
        return RenameDataset(self, input_columns, output_columns)

    def split(self: Any, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Split the rows into datasets without overlap.

        Args:
            sizes: a list with each part's number of rows (their sum is the dataset's size), or with shares in (0, 1]
                whose sum is 1. Shares are rounded, and the first part gets the difference.
            randomize: draw which rows go to which part, once for all epochs; otherwise take them in order.

        Returns:
            A tuple of datasets.

        Raises:
            TypeError: `sizes` is not a list.
            ValueError: it is empty, a size is not positive, sizes and shares are mixed, or the shares do not add up to
                1.
            RuntimeError: the sizes do not add up to the dataset's size, or a share is less than one row.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset(list(range(10)), ["x"], shuffle=False)
        >>> train, test = data.split([0.8, 0.2], randomize=False)
        >>> train.get_dataset_size()
        8
        >>> [row[0].item() for row in test.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [8, 9]
        """
        return split(self, sizes, randomize)

    def apply(self: Any, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """Return what a function makes of this dataset.

        Args:
            apply_func: a function of a dataset that returns a dataset.

        Raises:
            TypeError: it is not callable, or it returns something else.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"]).apply(lambda data: data.take(2).batch(2))
        >>> data.get_dataset_size()
        1
        """
        check_callable("Dataset.apply", "apply_func", apply_func)
        made = apply_func(self)
        return check_type("Dataset.apply", "apply_func(dataset)", made, Dataset)

    def flat_map(self: Any, func: Callable[[Any], Dataset]) -> Dataset:
        """Make a dataset from every row and put them one after the other. As in MindSpore, it reads the rows at once.

        Args:
            func: takes the columns of a row as NumPy arrays, and returns a dataset.

        Returns:
            The new dataset.

        Raises:
            TypeError: `func` is not callable, or it returns something else.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> data = data.flat_map(lambda x: ds.NumpySlicesDataset([x, x * 10], ["x"], shuffle=False))
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 10, 2, 20]
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
        """Make the pipeline wait at this place for `sync_update`. The first rows pass without one.

        If no update comes within the time of `dataset.config.set_callback_timeout`, it warns and lets all rows through.

        Args:
            condition_name: a name for `sync_update`.
            num_batch: number of rows (batches) that each update lets through, an int >= 1.
            callback: a function that `sync_update` calls with its `data`.

        Returns:
            The new dataset. Call `shuffle` before `sync_wait`, not after it.

        Raises:
            TypeError: an argument has another type.
            ValueError: `num_batch` is < 1.
            RuntimeError: the name is in use.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).sync_wait("gate")
        >>> for row in data.create_dict_iterator(num_epochs=1, output_numpy=True):
        ...     print(row["x"])
        ...     data.sync_update("gate")
        1
        2
        """
        return SyncWaitDataset(self, condition_name, num_batch, callback)

    def sync_update(self: Any, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Let the next batches pass the `sync_wait` of this name.

        Args:
            condition_name: the name of the `sync_wait`.
            num_batch: number of batches; None is the number given to `sync_wait`.
            data: what its callback gets.

        Raises:
            RuntimeError: the pipeline has no `sync_wait` of this name.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).sync_wait("gate", callback=print)
        >>> for row in data.create_dict_iterator(num_epochs=1, output_numpy=True):
        ...     data.sync_update("gate", data=f"after {row['x']}")
        after 1
        after 2
        """
        update(self, condition_name, num_batch, data)

    def disable_sync(self: Any) -> None:
        """Let every `sync_wait` of this pipeline pass from now on.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).sync_wait("gate")
        >>> data.disable_sync()
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 2]
        """
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
        """Make an iterator whose items are dicts of column name and data.

        Args:
            num_epochs: number of epochs that may be iterated; -1 sets no limit. Each `for` loop over the iterator is an
                epoch.
            output_numpy: give NumPy arrays instead of Tensors. Strings are NumPy arrays in any case.
            do_copy: accepted; every item is an array of its own already.

        Returns:
            An iterator.

        Raises:
            TypeError: an argument has another type.
            RuntimeError: one epoch more than `num_epochs` is begun.

        >>> import ms_compat.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": [1.0, 2.0], "y": [0, 1]}, shuffle=False).batch(2)
        >>> for row in data.create_dict_iterator(num_epochs=1):
        ...     print(row["x"], row["y"])
        [1. 2.] [0 1]
        """
        check_bool("create_dict_iterator", "do_copy", do_copy)
        return DictIterator(self, num_epochs, output_numpy)

    def __iter__(self: Any) -> Any:
        return self.create_tuple_iterator(num_epochs=1)

    def to_json(self: Any, filename: str = "") -> dict[str, Any]:
        """Describe the pipeline as JSON; `dataset.deserialize` makes it again.

        Args:
            filename: the file to write; "" writes none.

        Returns:
            A dict: the last node with its arguments, and its children.

        >>> import ms_compat.dataset as ds
        >>> made = ds.NumpySlicesDataset([1, 2], ["x"]).batch(2).to_json()
        >>> made["op_type"]
        'BatchDataset'
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

        >>> import ms_compat.dataset as ds
        >>> ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).save("numbers.mindrecord")
        >>> data = ds.MindDataset("numbers.mindrecord", shuffle=False)
        >>> [row[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        [1, 2, 3]
        """
        saving.save(self, saving.check(file_name, num_files, file_type))


def attach() -> None:
    """Add the methods to `Dataset`."""
    for name, method in vars(DatasetMethods).items():
        if callable(method):
            method.__qualname__ = f"Dataset.{name}"
            setattr(Dataset, name, method)
