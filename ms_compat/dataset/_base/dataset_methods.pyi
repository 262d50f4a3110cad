# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa


from collections.abc import Callable
from typing import Any
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._nodes.transfer import TransferDataset

class DatasetMethods:
    """The methods of `Dataset` that need its subclasses; `self` is a Dataset, of which this class knows nothing."""
    def map(self: Any, operations: Any, input_columns: Any=None, output_columns: Any=None, num_parallel_workers: int | None=None, python_multiprocessing: bool=False, cache: Any=None, callbacks: Any=None, max_rowsize: int | None=None, offload: bool | None=None) -> Dataset:
        """Applies operations to columns of every row; see `MapDataset`."""
        ...
    def filter(self: Any, predicate: Callable[..., Any], input_columns: Any=None, num_parallel_workers: int | None=None) -> Dataset:
        """Keeps the rows for which the predicate is true; see `FilterDataset`."""
        ...
    def batch(self: Any, batch_size: Any, drop_remainder: bool=False, num_parallel_workers: int | None=None, per_batch_map: Callable[..., Any] | None=None, input_columns: Any=None, output_columns: Any=None, python_multiprocessing: bool=False, max_rowsize: int | None=None) -> Dataset:
        """Stacks consecutive rows; see `BatchDataset`."""
        ...
    def padded_batch(self: Any, batch_size: Any, drop_remainder: bool=False, num_parallel_workers: int | None=None, pad_info: dict[str, Any] | None=None) -> Dataset:
        """Stacks consecutive rows, padded to one shape; see `PaddedBatchDataset`."""
        ...
    def bucket_batch_by_length(self: Any, column_names: Any, bucket_boundaries: list[int], bucket_batch_sizes: list[int], element_length_function: Callable[..., int] | None=None, pad_info: dict[str, Any] | None=None, pad_to_bucket_boundary: bool=False, drop_remainder: bool=False) -> Dataset:
        """Batches rows of similar length together; see `BucketBatchByLengthDataset`."""
        ...
    def shuffle(self: Any, buffer_size: int) -> Dataset:
        """Shuffles through a buffer of rows; see `ShuffleDataset`."""
        ...
    def repeat(self: Any, count: int | None=None) -> Dataset:
        """Repeats the rows, None or -1 without end; see `RepeatDataset`."""
        ...
    def take(self: Any, count: int=-1) -> Dataset:
        """Takes the first rows, -1 all of them; see `TakeDataset`."""
        ...
    def skip(self: Any, count: int) -> Dataset:
        """Leaves out the first rows; see `SkipDataset`."""
        ...
    def zip(self: Any, datasets: Any) -> Dataset:
        """Joins the columns of several datasets side by side; see `ZipDataset`."""
        ...
    def concat(self: Any, datasets: Any) -> Dataset:
        """Puts the rows of several datasets one after the other; see `ConcatDataset`."""
        ...
    def __add__(self: Any, datasets: Any) -> Dataset:
        ...
    def project(self: Any, columns: Any) -> Dataset:
        """Keeps the named columns, in the given order; see `ProjectDataset`."""
        ...
    def rename(self: Any, input_columns: Any, output_columns: Any) -> Dataset:
        """Renames columns; see `RenameDataset`."""
        ...
    def split(self: Any, sizes: list[Any], randomize: bool=True) -> tuple[Dataset, ...]:
        """Splits into datasets without overlap; see `split.split`."""
        ...
    def apply(self: Any, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """Returns what a function makes of this dataset."""
        ...
    def flat_map(self: Any, func: Callable[[Any], Dataset]) -> Dataset:
        """Makes a dataset from every row and concatenates them; it reads the rows now, as in MindSpore."""
        ...
    def device_que(self: Any, send_epoch_end: bool=True, create_data_info_queue: bool=False, queue_name: str='') -> TransferDataset:
        """Makes a pipeline that runs by itself; see `TransferDataset`."""
        ...
    def sync_wait(self: Any, condition_name: str, num_batch: int=1, callback: Callable[..., Any] | None=None) -> Dataset:
        """Makes the pipeline wait for `sync_update`; see `SyncWaitDataset`."""
        ...
    def sync_update(self: Any, condition_name: str, num_batch: int | None=None, data: Any=None) -> None:
        """Releases the next batches of the `sync_wait` of this name; see `SyncWaitDataset`."""
        ...
    def disable_sync(self: Any) -> None:
        """Lets every `sync_wait` of this pipeline pass from now on."""
        ...
    def create_tuple_iterator(self: Any, columns: Any=None, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Any:
        """Makes an iterator whose items are lists, one entry a column."""
        ...
    def create_dict_iterator(self: Any, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Any:
        """Makes an iterator whose items are dicts, column name to data; the arguments are `create_tuple_iterator`'s."""
        ...
    def __iter__(self: Any) -> Any:
        ...
    def to_json(self: Any, filename: str='') -> dict[str, Any]:
        """The pipeline as JSON, see `serialize`."""
        ...
    def save(self: Any, file_name: str, num_files: int=1, file_type: str='mindrecord') -> None:
        """Writes one epoch to MindRecord files, which `MindDataset` reads."""
        ...
