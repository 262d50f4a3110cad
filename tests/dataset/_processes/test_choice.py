"""`map`, `batch` and `GeneratorDataset` in worker processes: as in threads, with more of the processor."""

import logging
import os
import random
import threading

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat.dataset._nodes import mapping
from ms_compat.dataset._processes import choice


@pytest.fixture(autouse=True)
def many_processors(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)


def rows(data, epochs=1):
    made = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [[np.asarray(item).tolist() for item in row] for _ in range(epochs) for row in made]


class Source:
    """Rows that say which process read them."""

    def __init__(self, count=12):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, k):
        return np.float32(k), os.getpid()


def slices(count=12):
    return ds.NumpySlicesDataset((np.arange(count), np.arange(count) * 10), ["x", "y"], shuffle=True)


def swapped(x, y):
    return y, x + 1, str(x)


V, T = ds.vision, ds.transforms
CROPS = [V.RandomCrop(3), V.RandomHorizontalFlip(), T.RandomApply([V.Rescale(0.5, 1)]), V.HWC2CHW()]
IMAGES = (np.arange(9 * 6 * 6 * 3) * 37 % 256).reshape(9, 6, 6, 3).astype(np.uint8)


def images(workers, processes, seed=3):
    ds.config.set_seed(seed)
    data = ds.NumpySlicesDataset(IMAGES, ["x"])
    return data.map(CROPS, "x", num_parallel_workers=workers, python_multiprocessing=processes)


def test_order_and_draws_are_those_of_threads_for_any_number_of_processes():
    expected = rows(images(1, False), 2)
    assert expected == rows(images(3, False), 2) == rows(images(1, True), 2) == rows(images(3, True), 2)
    assert expected[:9] != expected[9:]


def test_the_middle_of_an_epoch_is_resumed():
    expected = rows(images(2, False), 2)
    data = images(2, True)
    data.set_init_step(13)
    assert rows(data)[:5] == expected[13:18]


def test_map_keeps_and_moves_columns():
    def mapped(**settings):
        ds.config.set_seed(4)
        return rows(slices().map(swapped, ["x", "y"], ["a", "b", "c"], **settings))

    assert mapped() == mapped(python_multiprocessing=True, num_parallel_workers=2)


def test_each_call_runs_in_another_process():
    data = slices().map(lambda x: (x, os.getpid()), "x", ["x", "p"], 2, python_multiprocessing=True)
    data = data.batch(2, per_batch_map=lambda p, info: ([(k, os.getpid()) for k in p],), input_columns="p",
                      num_parallel_workers=2, python_multiprocessing=True)  # fmt: skip
    pids = {tuple(pair) for row in rows(data) for pair in row[data.get_col_names().index("p")]}
    assert os.getpid() not in {pid for pair in pids for pid in pair}
    assert {a for a, _ in pids}.isdisjoint({b for _, b in pids})


def batched(**settings):
    def mix(x, y, info):
        return [item + info.get_batch_num() for item in x], [random.random() if settings else item for item in y]

    ds.config.set_seed(4)
    return slices().batch(5, per_batch_map=mix, input_columns=["x", "y"], **settings)


def test_per_batch_map_gets_rows_and_the_number_of_the_batch():
    assert [row[0] for row in rows(batched(), 2)] == [
        row[0] for row in rows(batched(python_multiprocessing=True, num_parallel_workers=2), 2)
    ]
    one, three = (rows(batched(python_multiprocessing=True, num_parallel_workers=n)) for n in (1, 3))
    assert one == three


@pytest.mark.parametrize("more", [{}, {"batch_sampler": [[3, 1], [2], [0, 5]]}])
def test_several_processes_read_a_random_access_source(more):
    def read(workers):
        ds.config.set_seed(5)
        return rows(ds.GeneratorDataset(Source(), ["x", "p"], num_parallel_workers=workers, **more))

    alone, several = read(1), read(2)
    assert [row[0] for row in alone] == [row[0] for row in several]
    pids = {pid for row in several for pid in np.ravel(row[1])}
    assert os.getpid() not in pids and {pid for row in alone for pid in np.ravel(row[1])} == {os.getpid()}


def test_collate_fn_runs_where_the_rows_are_read():
    data = ds.GeneratorDataset(
        Source(), ["x", "p"], num_parallel_workers=2, batch_sampler=[[0, 1], [2, 3, 4]],
        collate_fn=lambda x, p: (np.stack(x), os.getpid()),
    )  # fmt: skip
    read = rows(data)
    assert [row[0] for row in read] == [[0, 1], [2, 3, 4]] and os.getpid() not in {row[1] for row in read}


def test_an_iterable_source_is_read_here_as_in_mindspore():
    data = ds.GeneratorDataset(lambda: ((k, os.getpid()) for k in range(3)), ["x", "p"], num_parallel_workers=2)
    assert rows(data) == [[k, os.getpid()] for k in range(3)]


def test_an_error_names_the_operation_and_its_line():
    def fails(x):
        if x == 5:
            raise KeyError("five")
        return x

    data = ds.NumpySlicesDataset(np.arange(9), ["x"], shuffle=False)
    data = data.map(fails, "x", num_parallel_workers=2, python_multiprocessing=True)
    with pytest.raises(RuntimeError, match=r"map operation \['fails'\]: the Python function raised KeyError") as caught:
        rows(data)
    cause = caught.value.__cause__
    assert type(cause) is KeyError and f'File "{__file__}"' in str(cause.__cause__)
    assert 'raise KeyError("five")' in str(cause.__cause__)


@pytest.mark.parametrize("mode, expected", [("SKIP", [0, 1, 3, 5, 6]), ("REPLACE", [0, 1, 3, 5, 6, 0, 1])])
def test_rows_that_fail_are_left_out_or_replaced(mode, expected):
    def fails(x):
        if x in (2, 4):
            raise ValueError("even")
        return x

    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
    data = ds.NumpySlicesDataset(np.arange(7), ["x"], shuffle=False)
    assert [row[0] for row in rows(data.map(fails, python_multiprocessing=True, num_parallel_workers=2))] == expected


def test_functions_that_cannot_be_sent_run_in_threads_after_one_warning(caplog):
    lock = threading.Lock()

    def locked(x):
        with lock:
            return x * 2

    data = ds.NumpySlicesDataset(np.arange(7), ["x"], shuffle=False)
    data = data.map(locked, "x", python_multiprocessing=True, num_parallel_workers=2)
    with caplog.at_level(logging.WARNING, "ms_compat"):
        assert [row[0] for row in rows(data, 2)] == [0, 2, 4, 6, 8, 10, 12] * 2
    (record,) = caplog.records
    assert record.getMessage().startswith("map: 'python_multiprocessing' has no effect") and "lock" in record.message


def test_an_iterator_that_stops_ends_its_processes():
    made = slices().map(lambda x: x, "x", python_multiprocessing=True, num_parallel_workers=2)
    iterator = made.create_dict_iterator(num_epochs=2)
    next(iterator)
    (pool,) = iterator._streams.pools.values()
    iterator.stop()
    assert pool.process.poll() is not None
    iterator = made.create_dict_iterator(num_epochs=1)
    items = list(iterator)
    assert len(items) == 12 and type(items[0]["x"]) is ms.Tensor and not iterator._streams.pools


def test_reading_one_row_starts_no_process(monkeypatch):
    def fails(*args):
        raise AssertionError("started")

    monkeypatch.setattr(choice, "pool_for", fails)
    data = slices().map(swapped, ["x", "y"], ["a", "b", "c"], python_multiprocessing=True, num_parallel_workers=2)
    assert data.output_shapes() == [[], [], []] and [k.kind for k in data.output_types()] == ["i", "i", "U"]


def test_max_rowsize_is_one_number_or_two():
    data = slices()
    for value in (3, -1, [1, 2], None):
        slices().map(swapped, max_rowsize=value).batch(2, max_rowsize=value)
    for value, error in ((-2, ValueError), ([1, -2], ValueError), ([1], TypeError), ("a", TypeError)):
        with pytest.raises(error, match="max_rowsize"):
            data.map(swapped, max_rowsize=value)
        with pytest.raises(error, match="max_rowsize"):
            data.batch(2, max_rowsize=value)
    with pytest.raises(TypeError, match="max_rowsize"):
        ds.GeneratorDataset(Source(), ["x", "p"], max_rowsize=[1, 2])


def started(data, monkeypatch):
    """The rows, and how many processes were started to make them."""
    counts = []
    made = choice.pool_for
    monkeypatch.setattr(choice, "pool_for", lambda *args, **kwargs: counts.append(args[4]) or made(*args, **kwargs))
    return rows(data, 2), max(counts, default=0)


@pytest.fixture
def soon(monkeypatch):
    """Processes without being asked, from two workers on and for quick rows."""
    for name, value in (("_MOST_THREADS", 1), ("_PROCESSES_FROM_S", 0.0), ("_PROCESSES_FROM_ROWS", 9)):
        monkeypatch.setattr(mapping, name, value)


def test_slow_rows_of_own_transforms_go_to_processes(soon, monkeypatch):
    expected = rows(images(1, False), 2)
    assert started(images(3, False), monkeypatch) == (expected, 3)


@pytest.mark.parametrize(
    "why", ["few workers", "quick rows", "few rows", "a user's function", "one within a transform"]
)
def test_other_rows_stay_in_threads(why, soon, monkeypatch):
    operations, workers = list(CROPS), 3
    if why == "few workers":
        monkeypatch.setattr(mapping, "_MOST_THREADS", 3)
    elif why == "quick rows":
        monkeypatch.setattr(mapping, "_PROCESSES_FROM_S", 100.0)
    elif why == "few rows":
        monkeypatch.setattr(mapping, "_PROCESSES_FROM_ROWS", 10)
    elif why == "a user's function":
        operations.append(np.negative)
    else:
        operations[2] = T.RandomApply([abs])
    ds.config.set_seed(3)
    data = ds.NumpySlicesDataset(IMAGES, ["x"]).map(operations, "x", num_parallel_workers=workers)
    assert started(data, monkeypatch)[1] == 0


def test_an_error_of_an_own_transform_in_a_process_is_the_same(soon):
    data = ds.NumpySlicesDataset(IMAGES, ["x"]).map([V.RandomCrop(3), V.Decode()], "x", num_parallel_workers=3)
    with pytest.raises(RuntimeError, match="Decode"):
        rows(data)
