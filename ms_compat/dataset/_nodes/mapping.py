"""`map` and `filter`: the nodes that call functions row by row.

Threads: with `num_parallel_workers` > 1 the first rows are mapped in line and timed; if a row takes long enough, chunks
of rows go to a thread pool that lives as long as the epoch, and come back in order. Decoding, sleeping and large numpy
calls release the interpreter lock, pure Python and many small numpy calls do not: if the pool is not faster than one
thread, `map` stops using it. With `dataset.config.set_enable_autotune` the number of threads follows the time for which
the consumer waits. Random transforms draw by row number (see `randomness`), so the number of threads never
changes a result. With `python_multiprocessing` the rows go to worker processes instead (see `_processes`).

Processes without being asked: on a machine of 16 cores, threads that decoded, cropped and normalized pictures of 224 x
224 reached 2,100 rows a second with four of them and no more with 16, because each row needs the interpreter lock for a
third of its time. Eight processes reached 4,300. So more than four workers are processes if a row takes long, the rows
are many, and all operations are this package's own, which run in another process as in this one.
"""

import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ms_compat._core.checks import check_callable
from ms_compat._core.errors import value_and_type
from ms_compat._core.faces import faces
from ms_compat.dataset import config, debug
from ms_compat.dataset._base.dataset import Dataset
from ms_compat.dataset._processes import choice as processes
from ms_compat.dataset._support import checks, randomness, rows
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset._support.batch_arrays import BatchArrays
from ms_compat.dataset._support.mapper import RowMapper
from ms_compat.dataset._support.tuning import Tuning
from ms_compat.dataset.callback import DSCallback, DSCallbackRunContext
from ms_compat.dataset.vision.fusing import row_calls

_PROBES = 4
_THREADS_FROM_S = 0.0002
_MOST_THREADS, _PROCESSES_FROM_S, _PROCESSES_FROM_ROWS = 4, 0.0003, 2000
_CHUNK_S = 0.006
# After so many chunks a worker, and seconds of work, the time spent waiting for rows must be below this share of
# what one thread would take. Within a few milliseconds a busy machine may say anything.
_TRIAL, _TRIAL_S, _GAIN = 8, 0.2, 0.8
_SPARE = 16
_logger = logging.getLogger("ms_compat")


def layout(columns: list[str], places: list[int], outputs: list[str]) -> tuple[list[str], list[tuple[bool, int]]]:
    """The places of the columns that a function returns.

    If it returns as many as it takes, each replaces its input. Otherwise all of them come first, then the columns that
    it does not take.

    Returns:
        The new names, and for each of them whether it comes from the function and its number there (or in the old row).

    >>> layout(["a", "b", "c"], [2, 0], ["d", "e"])
    (['e', 'b', 'd'], [(True, 1), (False, 1), (True, 0)])
    """
    if len(places) == len(outputs):
        made = [(True, places.index(k)) if k in places else (False, k) for k in range(len(columns))]
    else:
        made = [(True, k) for k in range(len(outputs))] + [(False, k) for k in range(len(columns)) if k not in places]
    return [outputs[k] if fresh else columns[k] for fresh, k in made], made


class _Function(Dataset):
    """The common base of map and filter: the child, the input columns and the worker count."""

    _api = "map"

    def __init__(
        self, dataset: Dataset, input_columns: Any, num_parallel_workers: int | None, cache: Any = None
    ) -> None:
        super().__init__(dataset, num_parallel_workers, cache)
        self.input_columns = checks.column_list(self._api, "input_columns", input_columns, none=True)


@faces("dataset")
class MapDataset(_Function):
    """Applies operations to columns of every row.

    Args:
        dataset: the dataset.
        operations: a function or transform, or a list of them, each called with what the one before returned. A tuple
            is one item a column, anything else one column.
        input_columns: the columns given to the first operation; None takes the first column.
        output_columns: names of the columns the last one returns; None keeps the input names.
        num_parallel_workers: how many threads or processes; None takes one thread, or as many processes as
            `dataset.config.get_num_parallel_workers` says. More than the processors are never started. More than four
            are processes if all operations are this package's transforms, a row takes 0.3 ms and 2,000 rows are known
            to come; the rows are the same.
        python_multiprocessing: runs the operations in worker processes, which do not share an interpreter lock. The
            rows, their order and the draws of this package's transforms are the same. Python's and NumPy's global
            generators start anew at each row there, so that they do not depend on the number of processes. Changes
            that a function makes to its own objects stay in the worker. Functions that cannot be pickled run in
            threads after a warning; with `callbacks` and in debug mode all run in this process.
        cache: None or a `DatasetCache`.
        callbacks: a `DSCallback` or a list of them.
        max_rowsize: in MB, or a list of two, for a worker's input and output: larger rows go through a pipe instead
            of shared memory, after a warning. -1 and None for no limit.
        offload: accepted (it moves transforms to the accelerator).

    Raises:
        TypeError: for an argument of another type.
        ValueError: if an operation is not callable, or a class.
        RuntimeError: while iterating, without operations, for a column that does not exist, an exception in an
            operation, a wrong number of columns or data that no column can hold.

    >>> from ms_compat.dataset import NumpySlicesDataset
    >>> data = NumpySlicesDataset([1, 2], ["x"], shuffle=False).map(lambda x: (x, x * x), ["x"], ["x", "y"])
    >>> [[item.item() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [[1, 1], [2, 4]]
    """

    def __init__(
        self,
        dataset: Dataset,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: Any = None,
        callbacks: Any = None,
        max_rowsize: int | None = None,
        offload: bool | None = None,
    ) -> None:
        super().__init__(dataset, input_columns, num_parallel_workers, cache)
        self.output_columns = checks.column_list("map", "output_columns", output_columns, none=True)
        self.python_multiprocessing = check_bool("map", "python_multiprocessing", python_multiprocessing)
        self.max_rowsize = checks.row_size("map", max_rowsize)
        if offload is not None and check_bool("map", "offload", offload):
            _logger.debug("map: offload has no effect; rows are mapped by NumPy.")
        listed = checks.listed(operations)
        checks.refuse_classes("map", "operations", listed)
        for k, operation in enumerate(listed):
            if not callable(operation):
                raise ValueError(
                    f"For 'map', the 'operations[{k}]' must be callable, but got {value_and_type(operation)}."
                )
            if hasattr(operation, "cells_and_names"):
                raise ValueError(
                    f"For 'map', the 'operations[{k}]' must not be a Cell, but got {type(operation).__name__}: rows "
                    "are NumPy arrays. Use NumPy or 'mindspore.dataset.transforms', and call the Cell in the network."
                )
        self.operations: list[Callable[..., Any]] = list(listed)
        wanted = checks.listed(callbacks)
        self._threads = _Threads()
        self.callbacks = [check_type("map", "callbacks", callback, DSCallback) for callback in wanted]

    def _plan(self) -> tuple[list[int], list[str], list[tuple[bool, int]]]:
        if not self.operations:
            raise RuntimeError("For 'map', the 'operations' must hold at least one operation, but there is none.")
        columns = self.children[0]._columns()
        inputs = columns[:1] if self.input_columns is None else self.input_columns
        places = checks.positions("map", "input_columns", inputs, columns)
        names, made = layout(columns, places, self.output_columns or inputs)
        return places, names, made

    def _columns(self) -> list[str]:
        return self._plan()[1]

    def places(self) -> list[int | None]:
        """For each column of a row, its number among what the operations return; None if they do not make it."""
        return [k if fresh else None for fresh, k in self._plan()[2]]

    def _row_mapper(self) -> RowMapper:
        """What maps one row, with everything looked up once."""
        places, _, made = self._plan()
        operations: Any = row_calls(self.operations)
        if config.get_debug_mode():
            operations = debug.hooked(self.operations, config._debug[1], _name)
        where = f"map operation {[_name(op) for op in self.operations]}"
        return RowMapper(operations, where, places, len(self.output_columns or places), made)

    def _mapper(self) -> Callable[[rows.Row], rows.Row]:
        return self._row_mapper().in_line()

    def _rows(self, streams: randomness.Streams, epoch: int, batches: BatchArrays | None = None) -> Iterator[rows.Row]:
        """One epoch's rows.

        Args:
            streams: the iterator's random streams.
            epoch: the epoch.
            batches: where to write what the operations return, if this process calls them and none may fail.
        """
        source = self.children[0]._rows(streams, epoch)
        mapper, stream = self._row_mapper(), streams.rows(self, epoch)
        run = mapper.in_line()
        if self.callbacks:
            return self._observed(source, run, stream, epoch)
        mode = config.get_error_samples_mode()
        returns = mode is config.ErrorSamplesMode.RETURN
        pool = self._pool(streams, mapper)
        if pool is not None:
            attempts = _in_processes(source, mapper, pool, stream.base, not returns)
        elif returns:
            workers = processes.count(self.num_parallel_workers or 1)
            if self.children[0].waits_for_consumer():
                workers = 1
            if workers > 1:
                self._threads.tune(workers)

                def processed(unmapped: Iterator[rows.Row], first: int) -> Iterator[rows.Row] | None:
                    pool = self._unasked_pool(streams, mapper, workers)
                    return pool and rows.raised(_in_processes(unmapped, mapper, pool, stream.base + first, False))

                return _threaded(source, run, stream, workers, self._threads, batches, processed)
            return _mapped(source, run, stream, batches)
        else:
            attempts = _in_line(source, run, stream)
        return rows.raised(attempts) if returns else _tolerant(attempts, mode is config.ErrorSamplesMode.REPLACE)

    def _pool(self, streams: randomness.Streams, mapper: RowMapper) -> Any:
        """The processes that map the rows; None if they are mapped in this process."""
        if not self.python_multiprocessing or not streams.starts_processes or self._in_one_process():
            return None
        return processes.pool_for(
            streams, self, mapper, "map", processes.count(self.num_parallel_workers), self.max_rowsize
        )

    def _unasked_pool(self, streams: randomness.Streams, mapper: RowMapper, workers: int) -> Any:
        """Processes that map rows which take long, although `python_multiprocessing` is off; None for threads."""
        if workers <= _MOST_THREADS or not streams.starts_processes or self._in_one_process():
            return None
        if (self.children[0]._size() or 0) < _PROCESSES_FROM_ROWS or not all(map(processes.is_own, self.operations)):
            return None
        return processes.pool_for(streams, self, mapper, "map", workers, self.max_rowsize, asked=False)

    def _in_one_process(self) -> bool:
        """Whether something follows each row, or waits for it, in this process."""
        return bool(self.callbacks) or config.get_debug_mode() or self.children[0].waits_for_consumer()

    def _observed(
        self, source: Iterator[Any], run: Any, stream: randomness.RowStream, epoch: int
    ) -> Iterator[rows.Row]:
        context = DSCallbackRunContext(epoch + 1, 0, getattr(self, "_steps", 0) if epoch else 0)
        if epoch == 0:
            begin = DSCallbackRunContext()
            for callback in self.callbacks:
                callback.ds_begin(begin)
        for callback in self.callbacks:
            callback.ds_epoch_begin(context)
        for index, row in enumerate(source):
            context.cur_step_num_in_epoch += 1
            context.cur_step_num += 1
            due = [callback for callback in self.callbacks if index % callback.step_size == 0]
            for callback in due:
                callback.ds_step_begin(context)
            made = _one(run, stream, index, row)
            for callback in due:
                callback.ds_step_end(context)
            yield made
        self._steps = context.cur_step_num
        for callback in self.callbacks:
            callback.ds_epoch_end(context)

    def waits_for_consumer(self) -> bool:
        return any(callback.waits for callback in self.callbacks) or super().waits_for_consumer()

    # Transforms that know how to work on a stack of rows are applied to whole batches, see `BatchDataset`.

    def stackable(self) -> bool:
        """Whether one column is mapped to one by transforms that take a stack of rows as well."""
        places, _, _ = self._plan()
        if self.callbacks or len(places) != 1 or len(self.output_columns or places) != 1:
            return False
        if config.get_error_samples_mode() is not config.ErrorSamplesMode.RETURN or config.get_debug_mode():
            return False
        return all(hasattr(operation, "_stacked") for operation in self.operations)

    def on_stack(self, stacked: rows.Row) -> rows.Row:
        """Maps the stacked rows of the child."""
        place = self._plan()[0][0]
        item = stacked[place]
        try:
            operation: Any
            for operation in self.operations:
                item = operation._stacked(item)
        except Exception as error:
            raise rows.user_error(f"map operation {[_name(op) for op in self.operations]}", error) from error
        return (*stacked[:place], item, *stacked[place + 1 :])

    def _indices(self, streams: randomness.Streams, epoch: int) -> np.ndarray | None:
        return self.children[0]._indices(streams, epoch) if self.stackable() else None

    def _gather(self, indices: np.ndarray) -> rows.Row:
        return self.on_stack(self.children[0]._gather(indices))


def _name(operation: Any) -> str:
    return getattr(operation, "__name__", type(operation).__name__)


def _one(
    run: Callable[..., rows.Row],
    stream: randomness.RowStream,
    index: int,
    row: rows.Row,
    batches: BatchArrays | None = None,
) -> rows.Row:
    stream.enter(index)
    try:
        return run(row) if batches is None else run(row, batches.row(index))
    finally:
        stream.leave()


def _mapped(
    source: Iterator[rows.Row],
    run: Callable[..., rows.Row],
    stream: randomness.RowStream,
    batches: BatchArrays | None,
) -> Iterator[rows.Row]:
    for index, row in enumerate(source):
        yield _one(run, stream, index, row, batches)


def _in_line(source: Iterator[rows.Row], run: Callable[..., rows.Row], stream: randomness.RowStream) -> Iterator[Any]:
    """The mapped rows, and the error of each row that failed."""
    for index, row in enumerate(source):
        try:
            yield _one(run, stream, index, row)
        except RuntimeError as error:
            yield error


def _in_processes(source: Iterator[rows.Row], mapper: RowMapper, pool: Any, base: int, goes_on: bool) -> Iterator[Any]:
    """The mapped rows, and the error of each row that failed. Workers get the columns that the operations use."""
    waiting: deque[rows.Row] = deque()

    def columns() -> Iterator[list[Any]]:
        for row in source:
            waiting.append(row)
            yield mapper.taken(row)

    for made in pool.mapped(columns(), base, goes_on):
        row = waiting.popleft()
        yield made if isinstance(made, BaseException) else mapper.joined(row, made)


def _tolerant(attempts: Iterator[Any], replace: bool) -> Iterator[rows.Row]:
    """Leaves out rows that fail; with `replace`, puts the first good rows at the end instead of them."""
    good: list[rows.Row] = []
    failed = 0
    for index, made in enumerate(attempts):
        if isinstance(made, BaseException):
            if not isinstance(made, RuntimeError):
                raise made
            _logger.warning("map: row %d is left out: %s", index, made)
            failed += 1
            continue
        if replace and len(good) < _SPARE:
            good.append(made)
        yield made
    if replace and failed and not good:
        raise RuntimeError("For 'map', all rows failed, so that there is none to put in their place.")
    for k in range(failed if good else 0):
        yield tuple([item.copy() if isinstance(item, np.ndarray) else item for item in good[k % len(good)]])


class _Threads:
    """What a node has measured about its threads: whether they pay (None before a trial), and how many it uses."""

    def __init__(self) -> None:
        self.pay: bool | None = None
        self._tuning: Tuning | None = None

    def tune(self, most: int) -> None:
        """Begins to choose the number of threads, or goes on, if autotuning is on."""
        self._tuning = (self._tuning or Tuning(most)) if config.get_enable_autotune() else None

    def chunks(self, workers: int) -> int:
        """How many chunks may be in work: one for each thread, and one more that waits where the number is fixed."""
        return workers + 1 if self._tuning is None else self._tuning.workers

    def waited(self, seconds: float) -> bool:
        """Counts time for which the consumer waited; returns whether the number of threads has changed."""
        if self._tuning is None:
            return False
        before = self._tuning.workers
        self._tuning.waited(seconds)
        self._tuning.adapt()
        return self._tuning.workers != before

    def log(self, workers: int) -> None:
        """Says how many threads an epoch used at its end, if they were chosen."""
        if self._tuning is not None:
            _logger.info("map: autotuning used %d of %d threads.", self._tuning.workers, workers)


def _threaded(
    source: Iterator[rows.Row],
    run: Callable[..., rows.Row],
    stream: randomness.RowStream,
    workers: int,
    threads: _Threads,
    batches: BatchArrays | None,
    processed: Callable[[Iterator[rows.Row], int], Iterator[rows.Row] | None],
) -> Iterator[rows.Row]:
    """Maps some rows and measures them; the others in processes, in threads or here.

    `processed` maps the rows from a number on in processes, or returns None.
    """
    numbered = enumerate(source)
    spent = []
    for index, row in itertools.islice(numbered, _PROBES):
        start = time.perf_counter()
        made = _one(run, stream, index, row, batches)
        spent.append(time.perf_counter() - start)
        yield made
    if len(spent) == _PROBES and min(spent) >= _PROCESSES_FROM_S:
        mapped = processed(source, _PROBES)
        if mapped is not None:
            yield from mapped
            return
    if threads.pay is not False and len(spent) == _PROBES and min(spent) >= _THREADS_FROM_S:
        yield from _pooled(numbered, run, stream, workers, min(spent), threads, batches)
    for index, row in numbered:
        yield _one(run, stream, index, row, batches)


def _pooled(
    numbered: Iterator[tuple[int, rows.Row]],
    run: Callable[..., rows.Row],
    stream: randomness.RowStream,
    workers: int,
    alone: float,
    threads: _Threads,
    batches: BatchArrays | None,
) -> Iterator[rows.Row]:
    """Maps in a thread pool until the rows end, or until one thread turns out to be as fast.

    One thread takes at least the processor time of all threads, and at least `alone` seconds a row, in which it may
    sleep. Rows may differ much: a random crop is decoded as far as it reaches.
    """
    size = max(int(_CHUNK_S / alone), 1)

    def work(chunk: list[tuple[int, rows.Row]]) -> tuple[list[rows.Row], float]:
        start = time.thread_time()
        made = [_one(run, stream, index, row, batches) for index, row in chunk]
        return made, time.thread_time() - start

    def in_chunks() -> Iterator[rows.Row]:
        futures: deque[Any] = deque()
        waited, busy, done = 0.0, 0.0, 0
        while True:
            while threads.pay is not False and len(futures) < threads.chunks(workers):
                chunk = list(itertools.islice(numbered, size))
                if not chunk:
                    break
                futures.append(pool.submit(work, chunk))
            if not futures:
                return
            start = time.perf_counter()
            made, processor = futures.popleft().result()
            seconds = time.perf_counter() - start
            waited, busy, done = waited + seconds, busy + processor, done + len(made)
            if threads.waited(seconds):
                waited, busy, done = 0.0, 0.0, 0  # the trial is about the new number
            used = min(threads.chunks(workers), workers)
            by_one = max(alone * done, busy)
            if threads.pay is None and used > 1 and done >= _TRIAL * size * used and by_one >= _TRIAL_S:
                threads.pay = waited < _GAIN * by_one
            yield from made

    pool = ThreadPoolExecutor(workers, thread_name_prefix="ms_compat-map")
    try:
        yield from in_chunks()
    finally:
        threads.log(workers)
        pool.shutdown(wait=True, cancel_futures=True)


@faces("dataset")
class FilterDataset(_Function):
    """Keeps the rows for which the predicate is true.

    Args:
        dataset: the dataset.
        predicate: a function of the input columns; its result is taken by truth.
        input_columns: the columns given to it; None gives all.
        num_parallel_workers: accepted; the predicate runs in the reading thread.

    Raises:
        TypeError: if the predicate is not callable.
        RuntimeError: while iterating, for a column that does not exist or an exception in the predicate.
    """

    _api = "filter"

    def __init__(
        self,
        dataset: Dataset,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> None:
        super().__init__(dataset, input_columns, num_parallel_workers)
        check_callable("filter", "predicate", predicate)
        self.predicate = predicate

    def _rows(self, streams: randomness.Streams, epoch: int) -> Iterator[rows.Row]:
        columns = self.children[0]._columns()
        names = columns if self.input_columns is None else self.input_columns
        places = checks.positions("filter", "input_columns", names, columns)
        predicate, stream = self.predicate, streams.rows(self, epoch)
        for index, row in enumerate(self.children[0]._rows(streams, epoch)):
            stream.enter(index)
            try:
                kept = bool(predicate(*[row[k] for k in places]))
            except Exception as error:
                raise rows.user_error("filter", error) from error
            finally:
                stream.leave()
            if kept:
                yield row

    def _size(self) -> int | None:
        return None
