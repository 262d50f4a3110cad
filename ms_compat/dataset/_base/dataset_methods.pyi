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
        """Apply functions to columns of every row."""
        ...
    def filter(self: Any, predicate: Callable[..., Any], input_columns: Any=None, num_parallel_workers: int | None=None) -> Dataset:
        """Keep the rows for which a function returns true."""
        ...
    def batch(self: Any, batch_size: Any, drop_remainder: bool=False, num_parallel_workers: int | None=None, per_batch_map: Callable[..., Any] | None=None, input_columns: Any=None, output_columns: Any=None, python_multiprocessing: bool=False, max_rowsize: int | None=None) -> Dataset:
        """Stack consecutive rows along a new first axis: a column of shape [*] becomes [batch_size, *]."""
        ...
    def padded_batch(self: Any, batch_size: Any, drop_remainder: bool=False, num_parallel_workers: int | None=None, pad_info: dict[str, Any] | None=None) -> Dataset:
        """Stack consecutive rows, after each array was padded to one shape."""
        ...
    def bucket_batch_by_length(self: Any, column_names: Any, bucket_boundaries: list[int], bucket_batch_sizes: list[int], element_length_function: Callable[..., int] | None=None, pad_info: dict[str, Any] | None=None, pad_to_bucket_boundary: bool=False, drop_remainder: bool=False) -> Dataset:
        """Batch rows of similar length together. A row waits in its length's bucket until the bucket is full."""
        ...
    def shuffle(self: Any, buffer_size: int) -> Dataset:
        """Shuffle the rows through a buffer: each row given out is drawn from the next `buffer_size` rows."""
        ...
    def repeat(self: Any, count: int | None=None) -> Dataset:
        """Repeat the rows. After `shuffle`, each repetition has another order."""
        ...
    def take(self: Any, count: int=-1) -> Dataset:
        """Take the first rows of each epoch."""
        ...
    def skip(self: Any, count: int) -> Dataset:
        """Leave out the first rows of each epoch."""
        ...
    def zip(self: Any, datasets: Any) -> Dataset:
        """Join the columns of several datasets side by side. The shortest dataset ends the epoch."""
        ...
    def concat(self: Any, datasets: Any) -> Dataset:
        """Put the rows of several datasets one after the other; `a + b` does the same."""
        ...
    def __add__(self: Any, datasets: Any) -> Dataset:
        ...
    def project(self: Any, columns: Any) -> Dataset:
        """Keep the named columns, in the given order."""
        ...
    def rename(self: Any, input_columns: Any, output_columns: Any) -> Dataset:
        """Rename columns."""
        ...
    def split(self: Any, sizes: list[Any], randomize: bool=True) -> tuple[Dataset, ...]:
        """Split the rows into datasets without overlap."""
        ...
    def apply(self: Any, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """Return what a function makes of this dataset."""
        ...
    def flat_map(self: Any, func: Callable[[Any], Dataset]) -> Dataset:
        """Make a dataset from every row and put them one after the other. As in MindSpore, it reads the rows at once."""
        ...
    def device_que(self: Any, send_epoch_end: bool=True, create_data_info_queue: bool=False, queue_name: str='') -> TransferDataset:
        """Makes a pipeline that runs by itself; see `TransferDataset`."""
        ...
    def sync_wait(self: Any, condition_name: str, num_batch: int=1, callback: Callable[..., Any] | None=None) -> Dataset:
        """Make the pipeline wait at this place for `sync_update`. The first rows pass without one."""
        ...
    def sync_update(self: Any, condition_name: str, num_batch: int | None=None, data: Any=None) -> None:
        """Let the next batches pass the `sync_wait` of this name."""
        ...
    def disable_sync(self: Any) -> None:
        """Let every `sync_wait` of this pipeline pass from now on."""
        ...
    def create_tuple_iterator(self: Any, columns: Any=None, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Any:
        """Makes an iterator whose items are lists, one entry a column."""
        ...
    def create_dict_iterator(self: Any, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Any:
        """Make an iterator whose items are dicts of column name and data."""
        ...
    def __iter__(self: Any) -> Any:
        ...
    def to_json(self: Any, filename: str='') -> dict[str, Any]:
        """Describe the pipeline as JSON; `dataset.deserialize` makes it again."""
        ...
    def save(self: Any, file_name: str, num_files: int=1, file_type: str='mindrecord') -> None:
        """Writes one epoch to MindRecord files, which `MindDataset` reads."""
        ...
