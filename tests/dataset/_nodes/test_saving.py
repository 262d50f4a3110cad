"""`Dataset.save`: MindRecord files of any pipeline, read back; and what else every dataset has."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.mindrecord import FileReader


def generated(*rows, names=None):
    names = names or [f"c{k}" for k in range(len(rows[0]))]
    return ds.GeneratorDataset(list(rows), names, shuffle=False)


def back(path, **options):
    data = ds.MindDataset(path, shuffle=False, **options)
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


def schema(path):
    return FileReader(path).schema()


# As MindSpore stores them.
STORED = {"bool int8 uint8 int16 uint16 int32": "int32", "uint32 int64 uint64": "int64"}
STORED |= {"float16 float32": "float32", "float64": "float64"}


@pytest.mark.parametrize(("given", "stored"), [(one, kind) for names, kind in STORED.items() for one in names.split()])
def test_numbers_are_widened(given, stored, tmp_path):
    path = str(tmp_path / "f.mindrecord")
    values = [np.array([1, 0, 1], given), np.ones((2, 3), given), np.array(1, given)]
    generated(values, values).save(path)
    assert schema(path) == {
        "c0": {"type": stored, "shape": [-1]},
        "c1": {"type": stored, "shape": [-1, 3]},
        "c2": {"type": stored},
    }
    for row in back(path):
        for name, value in zip(("c0", "c1", "c2"), values, strict=True):
            assert row[name].dtype == stored
            assert np.array_equal(row[name], value.astype(stored))


def test_strings_bytes_and_lengths_that_differ(tmp_path):
    path = str(tmp_path / "f")
    rows = [
        (np.array(f"näme{k}"), np.array(b"\xff\x01%d" % k), np.arange(k), np.full((k, 2), 0.5), np.uint64(2**64 - 1))
        for k in range(1, 4)
    ]
    generated(*rows, names=["a-b.c", "raw", "v", "m", "u"]).save(path)
    found = back(path)
    assert [row["a_b_c"].item() for row in found] == ["näme1", "näme2", "näme3"]
    assert [row["raw"].tobytes() for row in found] == [b"\xff\x011", b"\xff\x012", b"\xff\x013"]
    assert [row["v"].tolist() for row in found] == [[0], [0, 1], [0, 1, 2]]
    assert [row["m"].shape for row in found] == [(1, 2), (2, 2), (3, 2)]
    assert [row["u"].item() for row in found] == [-1] * 3


@pytest.mark.parametrize("count", (2, 3, 12))
def test_rows_go_to_the_files_in_turn(count, tmp_path):
    path = str(tmp_path / "f")
    ds.NumpySlicesDataset(np.arange(300), ["a"], shuffle=False).save(path, count)
    names = [f"f{k}" for k in range(count)]  # no zeros before the number
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(names + [f"{name}.db" for name in names])
    parts = [[row["a"].item() for row in back([str(tmp_path / name)])] for name in names]
    assert parts == [list(range(k, 300, count)) for k in range(count)]
    assert sorted(row["a"].item() for row in back(str(tmp_path / names[1]))) == list(range(300))


def test_more_files_than_rows(tmp_path):
    ds.NumpySlicesDataset(np.arange(3), ["a"], shuffle=False).save(str(tmp_path / "f"), 5)
    assert [row["a"].item() for row in back([str(tmp_path / f"f{k}") for k in range(5)])] == [0, 1, 2]


def test_what_is_saved_is_what_the_pipeline_gives(tmp_path):
    data = ds.NumpySlicesDataset(np.arange(10).reshape(5, 2), ["a"], shuffle=False)
    data = data.map(lambda a: (a * 2).astype(np.float32), "a").batch(2)
    data.save(str(tmp_path / "f"))
    rows = [row["a"].tolist() for row in back(str(tmp_path / "f"))]
    assert rows == [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert [len(row) for row in rows] == [2, 2, 1]


def failing():
    yield (np.array(1),)
    raise KeyError("row")


LEFT = {
    "strings with axes": lambda: generated((np.array(["a", "b"]),)),
    "bytes with axes": lambda: generated((np.array([b"a", b"b"]),)),
    "a dict": lambda: generated(({"a": 1},)),
    "other ranks": lambda: generated(*[(np.ones((1,) * k, np.int32),) for k in (1, 2)]),
    "other lengths of the second axis": lambda: generated(*[(np.ones((2, k), np.int32),) for k in (1, 2)]),
    "a name with a blank": lambda: generated((1,), names=["a b"]),
    "no rows": lambda: ds.NumpySlicesDataset(np.arange(3), ["a"], shuffle=False).filter(lambda a: False),
    "names that are equal then": lambda: generated((1, 2), names=["a-b", "a.b"]),
    "an error of the pipeline": lambda: ds.GeneratorDataset(failing, ["a"], shuffle=False),
}


@pytest.mark.parametrize("name", LEFT)
def test_nothing_is_left_of_what_cannot_be_stored(name, tmp_path):
    with pytest.raises(RuntimeError):
        LEFT[name]().save(str(tmp_path / "f"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("args", "error"),
    (
        (("f", 0), ValueError),
        (("f", -1), ValueError),
        (("f", 1001), ValueError),
        (("f", 1.5), TypeError),
        (("f", True), TypeError),
        (("f", "2"), TypeError),
        (("f", None), TypeError),
        (("f", 1, "tfrecord"), ValueError),
        (("f", 1, ""), ValueError),
        (("f", 1, None), ValueError),
        (("f", 1, 3), TypeError),
        ((3,), TypeError),
        ((None,), TypeError),
        (("",), RuntimeError),
        (("no/such/f",), RuntimeError),
    ),
)
def test_arguments_are_refused_as_in_mindspore(args, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match="Dataset.save"):
        ds.NumpySlicesDataset(np.arange(3), ["a"]).save(*args)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", (1, 2))
def test_no_file_is_overwritten(count, tmp_path):
    path = str(tmp_path / "f")
    data = ds.NumpySlicesDataset(np.arange(3), ["a"], shuffle=False)
    data.save(path, count)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with pytest.raises(RuntimeError, match="exists already"):
        ds.NumpySlicesDataset(np.arange(4), ["a"]).save(path, count)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_reset_leaves_a_dataset_as_it_is():
    data = ds.NumpySlicesDataset(np.arange(3), ["a"], shuffle=False)
    assert ds.Dataset.reset(data) is None
    assert data.reset() is None
    assert [row["a"].item() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)] == [0, 1, 2]


def test_a_batch_knows_its_number_and_epoch():
    seen = []

    def note(rows, info):
        assert isinstance(info, ds.BatchInfo)
        seen.append((info.get_epoch_num(), info.get_batch_num()))
        return (rows,)

    data = ds.NumpySlicesDataset(np.arange(5), ["a"], shuffle=False).batch(2, per_batch_map=note)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [len(list(iterator)) for _ in range(2)] == [3, 3]
    assert seen == [(epoch, batch) for epoch in range(2) for batch in range(3)]
    grown = ds.NumpySlicesDataset(np.arange(6), ["a"], shuffle=False).batch(lambda info: info.get_batch_num() + 1)
    assert [len(row[0]) for row in grown.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [1, 2, 3]


def test_the_number_of_workers_is_kept():
    before = ds.config.get_num_parallel_workers()
    try:
        ds.config.set_num_parallel_workers(1)
        assert ds.config.get_num_parallel_workers() == 1
    finally:
        ds.config.set_num_parallel_workers(before)
    with pytest.raises(ValueError):
        ds.config.set_num_parallel_workers(0)
    assert ds.config.get_num_parallel_workers() == before
