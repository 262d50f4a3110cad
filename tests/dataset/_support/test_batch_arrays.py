"""Rows that `map` writes into their batch."""

import time

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import transforms, vision
from ms_compat.dataset._support import batch_arrays
from ms_compat.dataset._support.batch_arrays import BatchArrays


def test_items_of_one_kind_fill_their_batch():
    batches = BatchArrays(2)
    items = [batches.empty(index, 0, (100, 100), np.float32) for index in (2, 3)]
    whole = batches.take(1, 0, items)
    assert whole.shape == (2, 100, 100) and whole.dtype == np.float32 and whole.flags.owndata
    assert all(item.base is whole for item in items)
    assert batches.take(1, 0, items) is None


def test_a_last_smaller_batch_holds_no_more_memory_than_its_rows():
    batches = BatchArrays(5)
    items = [batches.empty(index, 0, (100, 100), np.float32) for index in (0, 1)]
    items[1][...] = 3
    whole = batches.take(0, 0, items)
    assert whole.shape == (2, 100, 100) and whole.flags.owndata and (whole[1] == 3).all()


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((10,), "float32"), ((1 << 28,), "float32"), ((100, 100), "U9"), ((100, 100), ">f4"), ((0, 4), "int8")],
)
def test_small_large_and_strange_items_have_no_place(shape, dtype):
    assert BatchArrays(4).empty(0, 0, shape, np.dtype(dtype)) is None


def test_items_unlike_the_first_have_no_place():
    batches = BatchArrays(4)
    first = batches.empty(0, 0, (100, 100), np.float32)
    assert batches.empty(1, 0, (100, 101), np.float32) is None
    assert batches.empty(1, 0, (100, 100), np.int32) is None
    assert batches.take(0, 0, [first, np.zeros((100, 101))]) is None


def images(count=10, side=112):
    made = np.arange(count * side * side * 3, dtype=np.int64).reshape(count, side, side, 3) * 7 % 251
    return made.astype(np.uint8)


def rows_of(data):
    return [row for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


PIPELINES = {
    "a table": lambda data: data.map([vision.Crop((0, 1), 100), vision.Normalize([1.0], [2.0]), vision.HWC2CHW()], "x"),
    "a table of lines": lambda data: data.map(
        [vision.Crop((0, 1), 100), vision.Rescale(0.5, 1.0), vision.ToType("int32")]
    ),
    "one transform": lambda data: data.map(vision.HorizontalFlip(), "x"),
    "a function": lambda data: data.map(lambda x: np.float64(x) + 1, "x"),
    "a view": lambda data: data.map(lambda x: x[:, ::-1], "x"),
    "two columns": lambda data: data.map(lambda x: (np.float32(x), x[:50], x.sum()), "x", ["a", "b", "c"]),
    "another column": lambda data: data.map(lambda x: np.float32(x), "x").map(transforms.TypeCast("int32"), "y"),
    "after another map": lambda data: data.map(lambda x: x + x, "x").map(lambda x: np.float32(x), "x"),
    "threads": lambda data: data.map(lambda x: (time.sleep(0.001), np.float32(x))[1], "x", num_parallel_workers=2),
}


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("rest", [False, True])
def test_batches_equal_stacked_rows(name, rest, monkeypatch):
    def data():
        return PIPELINES[name](ds.NumpySlicesDataset((images(), np.arange(10)), ["x", "y"], shuffle=False))

    rows, placed = rows_of(data()), []
    take = BatchArrays.take
    monkeypatch.setattr(BatchArrays, "take", lambda *given: placed.append(take(*given)) or placed[-1])
    batches = rows_of(data().batch(4, drop_remainder=rest))
    assert [len(batch[0]) for batch in batches] == [4, 4] + [2] * (not rest)
    assert any(array is not None for array in placed)
    for k, batch in enumerate(batches):
        for column, stacked in enumerate(batch):
            expected = np.stack([row[column] for row in rows[4 * k : 4 * k + 4]])
            assert stacked.dtype == expected.dtype and (stacked == expected).all()
            assert stacked.flags.writeable and stacked.flags.c_contiguous


def test_batches_of_an_epoch_share_no_memory():
    data = ds.NumpySlicesDataset((images(),), ["x"], shuffle=False).map(vision.HorizontalFlip(), "x").batch(4)
    first = rows_of(data)
    kept = [batch[0].copy() for batch in first]
    again = rows_of(data)
    assert all((batch[0] == old).all() for batch, old in zip(first, kept, strict=True))
    assert not any(np.shares_memory(a[0], b[0]) for a in first for b in [*again, *first] if a is not b)


def test_rows_of_different_shapes_are_an_error():
    sizes = iter((64, 64, 65, 64))
    data = ds.NumpySlicesDataset((images(4),), ["x"], shuffle=False).map(
        lambda x: np.zeros((next(sizes), 999), np.float32), "x"
    )
    with pytest.raises(RuntimeError, match=r"must have one shape and dtype, but got shape \(64, 999\)"):
        rows_of(data.batch(4))


def test_rows_that_may_fail_are_stacked(monkeypatch):
    monkeypatch.setattr(BatchArrays, "empty", None)

    def failing(x):
        if x[0, 0, 0] == images()[3][0, 0, 0]:
            raise ValueError
        return np.float32(x)

    mode = ds.config.get_error_samples_mode()
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.SKIP)
    try:
        data = ds.NumpySlicesDataset((images(),), ["x"], shuffle=False).map(failing, "x").batch(3)
        assert [len(batch[0]) for batch in rows_of(data)] == [3, 3, 3]
    finally:
        ds.config.set_error_samples_mode(mode)


def test_the_largest_batch_bounds_memory_that_is_never_filled(monkeypatch):
    monkeypatch.setattr(batch_arrays, "_LARGEST_BATCH", 1 << 20)
    assert BatchArrays(100).empty(0, 0, (100, 100), np.float32) is None
