"""MindRecord files written and read again; MindSpore 2.10 was seen to read what this writer makes of the same rows."""

import logging
import os

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat.dataset.sources.mindrecord_format import unpack_integers
from ms_compat.mindrecord.writer import pack_integers
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


LABEL = {"label": {"type": "int64"}}


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def written(name="f", schema=LABEL, rows=({"label": 1},), shards=1, index=None, small=True, **options):
    writer = mindrecord.FileWriter(name, shards, **options)
    if small:
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
    writer.add_schema(schema, "test")
    if index is not None:
        writer.add_index(index)
    writer.write_raw_data(list(rows))
    writer.commit()
    first = name if shards == 1 else name + "0" * len(str(shards - 1))
    return list(mindrecord.FileReader(first).get_next())


def same(one, other):
    return list(one) == list(other) and all(
        np.array_equal(one[key], other[key]) and getattr(one[key], "dtype", None) == getattr(other[key], "dtype", None)
        for key in one
    )


def test_every_type_comes_back():
    schema = {
        "arr": {"type": "int64", "shape": [-1]},
        "blob": {"type": "bytes"},
        "d": {"type": "float64"},
        "f": {"type": "float32"},
        "i": {"type": "int32"},
        "m": {"type": "float32", "shape": [2, 2]},
        "s": {"type": "string"},
    }
    rows = [
        {
            "arr": np.array([k, -(2**k), 2**40 * k], np.int64),
            "blob": bytes([k, 0]) * k,
            "d": k / 3,
            "f": k * 0.5,
            "i": -k,
            "m": np.full((2, 2), k, np.float32),
            "s": "é" * k,
        }
        for k in range(20)
    ]
    assert all(same(one, other) for one, other in zip(written(schema=schema, rows=rows), rows, strict=True))


@pytest.mark.parametrize("shards", [1, 3, 12])
def test_rows_are_dealt_in_blocks(shards):
    rows = [{"label": k} for k in range(7 if shards == 3 else 24)]
    assert written(rows=rows, shards=shards) == rows
    if shards == 3:  # recorded with MindSpore 2.10.0
        parts = [len(list(mindrecord.FileReader([f"f{k}"]).get_next())) for k in range(3)]
        assert parts == [3, 2, 2]
        assert sorted(os.listdir()) == ["f0", "f0.db", "f1", "f1.db", "f2", "f2.db"]


def test_two_writes_follow_each_other_in_every_shard():
    writer = mindrecord.FileWriter("f", 2)
    writer.add_schema(LABEL)
    for first in (0, 10):
        writer.write_raw_data([{"label": k} for k in range(first, first + 4 + first // 10)])
    writer.commit()
    labels = [row["label"] for row in mindrecord.FileReader("f0").get_next()]
    assert labels == [0, 1, 10, 11, 12, 2, 3, 13, 14]


def test_many_pages_and_their_index_agree():
    schema = {"data": {"type": "bytes"}, "name": {"type": "string"}}
    rows = [{"data": bytes([k]) * (1500 + k), "name": f"{k:03}" * 700} for k in range(60)]
    assert written(schema=schema, rows=rows) == rows
    os.remove("f.db")
    assert list(mindrecord.FileReader("f").get_next()) == rows


def test_rows_can_be_added():
    written(rows=[{"label": 1}, {"label": 2}], shards=2)
    writer = mindrecord.FileWriter.open_for_append("f0")
    writer.write_raw_data([{"label": 8}, {"label": 9}])
    writer.commit()
    assert [row["label"] for row in mindrecord.FileReader("f0").get_next()] == [1, 8, 2, 9]


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 100])
def test_packed_integers_come_back(size):
    generator = np.random.default_rng(size)
    values = generator.integers(-(2**62), 2**62, size) >> generator.integers(0, 62, size)
    for dtype in (np.int64, np.int32):
        numbers = values.astype(dtype)
        assert np.array_equal(unpack_integers(pack_integers(numbers), dtype, "f"), numbers)


ROWS_REFUSED = {
    "missing": (LABEL, {"x": 1}),
    "text": (LABEL, {"label": "a"}),
    "float": (LABEL, {"label": 1.5}),
    "beyond 64 bits": (LABEL, {"label": 1 << 63}),
    "beyond 64 bits for int32": ({"label": {"type": "int32"}}, {"label": -(1 << 63) - 1}),
    "bool": (LABEL, {"label": True}),
    "int for float": ({"a": {"type": "float32"}}, {"a": 1}),
    "shape": ({"a": {"type": "int32", "shape": [2, 2]}}, {"a": np.zeros((2, 3), np.int32)}),
    "list": ({"a": {"type": "int32", "shape": [-1]}}, {"a": [1, 2]}),
    "dtype": ({"a": {"type": "int32", "shape": [-1]}}, {"a": np.zeros(3)}),
    "text for bytes": ({"a": {"type": "bytes"}}, {"a": "x"}),
}


@pytest.mark.parametrize("name", ROWS_REFUSED)
def test_rows_that_do_not_fit_are_left_out_with_a_warning(name, caplog):
    schema, row = ROWS_REFUSED[name]  # what is refused was recorded with MindSpore 2.10.0
    with caplog.at_level(logging.WARNING, "ms_compat"), pytest.raises(RuntimeError, match="no row fits"):
        written(schema=schema, rows=[row])
    assert "row 0 is left out" in caplog.text
    assert not os.listdir()


def test_columns_may_have_names_that_sql_does_not_know():
    schema = {"1e9x": {"type": "int64"}, "select": {"type": "string"}}
    rows = [{"1e9x": 3, "select": "a"}]
    assert written(schema=schema, rows=rows, index=list(schema)) == rows


@pytest.mark.parametrize("row", [{"label": np.int64(3)}, {"label": 3, "more": 1}])
def test_rows_that_fit(row):
    assert written(rows=[{"label": "a"}, row]) == [{"label": 3}]


REFUSED = [
    (lambda: mindrecord.FileWriter(3), mindrecord.ParamValueError),
    (lambda: mindrecord.FileWriter("f", 0), mindrecord.ParamValueError),
    (lambda: mindrecord.FileWriter("f", "a"), mindrecord.ParamValueError),
    (lambda: written(os.path.join("none", "f")), RuntimeError),
    (lambda: written(schema={"a": {"type": "foo"}}), mindrecord.MRMInvalidSchemaError),
    (lambda: written(schema={"a": {}}), mindrecord.MRMInvalidSchemaError),
    (lambda: written(schema=3), mindrecord.MRMInvalidSchemaError),
    (lambda: written(schema={}), mindrecord.MRMInvalidSchemaError),
    (lambda: written(schema={"a-b": {"type": "int32"}}), mindrecord.MRMInvalidSchemaError),
    (lambda: written(schema={"a": {"type": "string", "shape": [2]}}), mindrecord.MRMInvalidSchemaError),
    (lambda: written(index=["zz"]), RuntimeError),
    (lambda: written(index="label"), mindrecord.ParamTypeError),
    (lambda: written(schema={"a": {"type": "bytes"}}, index=["a"]), mindrecord.MRMDefineIndexError),
    (lambda: mindrecord.FileWriter("f").write_raw_data([{"a": 1}]), RuntimeError),
    (lambda: mindrecord.FileWriter("f").write_raw_data({"a": 1}), mindrecord.ParamTypeError),
    (lambda: mindrecord.FileWriter("f").set_header_size(100), RuntimeError),
    (lambda: mindrecord.FileWriter("f").set_page_size(100), RuntimeError),
    (lambda: mindrecord.FileReader("none"), RuntimeError),
    (lambda: written(schema={"a": {"type": "bytes"}}, rows=[{"a": bytes(1 << 16)}]), RuntimeError),
    (lambda: mindrecord.FileWriter("f").commit(), RuntimeError),
]


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_what_mindspore_refuses_is_refused_and_leaves_no_file(case):
    act, kind = REFUSED[case]
    with pytest.raises(kind) as caught:
        act()
    assert type(caught.value) is kind
    assert not os.listdir()


def test_a_file_is_replaced_only_if_asked_to():
    written()
    with pytest.raises(RuntimeError, match="exists"):
        written()
    assert written(rows=[{"label": 5}], overwrite=True) == [{"label": 5}]
    assert sorted(os.listdir()) == ["f", "f.db"]


def test_a_second_schema_is_refused():
    writer = mindrecord.FileWriter("f")
    writer.add_schema(LABEL)
    with pytest.raises(mindrecord.MRMAddSchemaError):
        writer.add_schema(LABEL)


def test_without_a_commit_nothing_is_left():
    writer = mindrecord.FileWriter("f", 2)
    writer.add_schema(LABEL)
    writer.write_raw_data([{"label": 1}])
    assert os.listdir()
    del writer
    assert not os.listdir()


def test_the_default_sizes_make_a_file_that_reads():
    assert written(small=False) == [{"label": 1}]


def test_a_reader_may_choose_columns():
    schema = {"a": {"type": "int32"}, "b": {"type": "string"}}
    written(schema=schema, rows=[{"a": 1, "b": "x"}])
    reader = mindrecord.FileReader("f", columns=["b"])
    assert list(reader.get_next()) == [{"b": "x"}] and reader.len() == 1 and reader.schema() == schema
    with pytest.raises(RuntimeError, match="'zz'"):
        mindrecord.FileReader("f", columns=["zz"])


def test_a_pipeline_reads_what_was_written():
    written(rows=[{"label": k} for k in range(10)], shards=2)
    data = ds.MindDataset("f0", shuffle=False).batch(5)
    assert [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8, 9],
    ]
