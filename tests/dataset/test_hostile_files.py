"""Files made to cost memory or time, or to reach where they should not: refused by the documented error, at once."""

import gzip
import json
import os
import sqlite3
import time
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat._core.untrusted import read_json
from tests.conformance.dataset_tfrecord import tfrecord


@pytest.fixture
def cheap():
    """The test takes neither long nor much memory."""
    begin = time.monotonic()
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 << 20 and time.monotonic() - begin < 10, peak


def written(path, count=3):
    writer = mindrecord.FileWriter(str(path))
    writer.add_schema({"n": {"type": "int64"}, "d": {"type": "bytes"}}, "x")
    writer.write_raw_data([{"n": k, "d": b"ab"} for k in range(count)])
    writer.commit()
    return str(path)


def read(path):
    return [
        int(row[1])
        for row in ds.MindDataset(path, shuffle=False).create_tuple_iterator(num_epochs=1, output_numpy=True)
    ]


FIELDS = (
    "ROW_ID, PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END"
)
ENDLESS = (
    f"CREATE VIEW INDEXES ({FIELDS}) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT x, 0, 0, 0, 0, 0, 0 FROM c"
)
INDEXES = {
    "a view": ["DROP TABLE INDEXES", ENDLESS],
    "text": ["UPDATE INDEXES SET PAGE_ID_RAW = 'abc'"],
    "text that is a number": ["DROP TABLE INDEXES", f"CREATE TABLE INDEXES ({FIELDS})",
                              "INSERT INTO INDEXES VALUES (0, '0', 0, 8, 1, 0, 8)"],
    "a fraction": ["UPDATE INDEXES SET PAGE_OFFSET_RAW = 0.5"],
    "nothing": ["DROP TABLE INDEXES", f"CREATE TABLE INDEXES ({FIELDS})", "INSERT INTO INDEXES (ROW_ID) VALUES (1)"],
    "a huge value": ["DROP TABLE INDEXES",
                     f"CREATE TABLE INDEXES ({FIELDS.replace('PAGE_ID_RAW,', 'PAGE_ID_RAW AS (zeroblob(9e8)),')})",
                     "INSERT INTO INDEXES (ROW_ID) VALUES (1)"],
    "a huge number": ["UPDATE INDEXES SET PAGE_ID_BLOB = 9223372036854775807"],
}  # fmt: skip


@pytest.mark.parametrize("kind", INDEXES)
def test_an_index_of_something_else(tmp_path, kind, cheap):
    path = written(tmp_path / "a")
    with sqlite3.connect(path + ".db") as connection:
        for statement in INDEXES[kind]:
            connection.execute(statement)
    connection.close()
    with pytest.raises(RuntimeError, match="For 'MindDataset', '.*/a(.db)?' is not a valid MindRecord file"):
        read(path)


def test_more_rows_than_the_file_has_room_for(tmp_path):
    path = written(tmp_path / "a")
    with open(path, "rb+") as file:
        file.truncate(20000)
    with sqlite3.connect(path + ".db") as connection:
        connection.execute("DROP TABLE INDEXES")
        connection.execute(f"CREATE TABLE INDEXES ({FIELDS})")
        connection.executemany("INSERT INTO INDEXES VALUES (?, 0, 0, 0, 0, 0, 0)", [(k,) for k in range(5000)])
    connection.close()
    with pytest.raises(RuntimeError, match="more than 2501 rows for a file of 20000 bytes"):
        read(path)


@pytest.mark.parametrize("change", [
    {"page_size": 1 << 60}, {"page_size": float("inf")}, {"header_size": float("nan")}, {"page": [{}]}, {"page": 3},
    {"schema": [{"schema": {"n": 3}}]}, {"schema": [3]}, {"page_size": "9" * 5000}, {"page_size": 10**400},
])  # fmt: skip
@pytest.mark.parametrize("indexed", [True, False])
def test_a_header_of_something_else(tmp_path, change, indexed, cheap):
    path = written(tmp_path / "a")
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.dumps(json.loads(data[8 : 8 + length]) | change).encode()
    with open(path, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header + data[8 + len(header) : 1 << 16])
    if not indexed:
        os.unlink(path + ".db")
    with pytest.raises(RuntimeError, match="not a valid MindRecord file"):
        read(path)


def test_a_header_nested_without_end(tmp_path):
    path = written(tmp_path / "a")
    with open(path, "wb") as file:
        file.write((200000).to_bytes(8, "little") + b"[" * 200000)
    with pytest.raises(RuntimeError, match="nested too deeply"):
        read(path)


@pytest.mark.parametrize("name", ["a#b", "a?b", "a%41b", "a?mode=rwc&x=", "ü b", "a\\b"])
def test_names_that_mean_something_to_sqlite(tmp_path, name):
    path = written(tmp_path / "m")  # FileWriter refuses some of the names
    for end in ("", ".db"):
        os.rename(f"{path}{end}", tmp_path / (name + end))
    assert read(str(tmp_path / name)) == [0, 1, 2]
    assert sorted(os.listdir(tmp_path)) == sorted([name, name + ".db"])


def pipeline(**arguments):
    return {"op_type": "NumpySlicesDataset", "arguments": {"data": [1]} | arguments, "children": []}


def test_dtypes_of_a_pipeline_are_those_of_numbers_and_strings(cheap):
    wide = ds.deserialize(pipeline(data={"array": ["a", "bc"], "numpy": "<U250000000"}, shuffle=False))
    assert [row[0] for row in wide.create_tuple_iterator(output_numpy=True)] == ["a", "bc"]
    for name in ("O", "V1000000000", "f4," * 1000, "M8", "U9,f4", "c16", 3, None, ["f4"], "f3x"):
        with pytest.raises(RuntimeError, match="must be a dtype of numbers or strings"):
            ds.deserialize(pipeline(data={"array": ["a"], "numpy": name}))


def deep(levels, make):
    held = [1]
    for _ in range(levels):
        held = make(held)
    return held


@pytest.mark.parametrize("held", [
    {"op_type": 3, "arguments": {}, "children": []},
    {"op_type": "NumpySlicesDataset", "arguments": [], "children": []},
    {"op_type": "NumpySlicesDataset", "arguments": {}, "children": 3},
    {"op_type": "NumpySlicesDataset", "arguments": {"data": {"child": 7}}, "children": []},
    {"op_type": "os.system", "arguments": {}, "children": []},
    {"op_type": "serialization.Remembered", "arguments": {}, "children": []},
    {"op_type": "map", "arguments": {}, "children": []},
    pipeline(data={"class": 3, "arguments": {}}),
    {"op_type": "BatchDataset", "arguments": {"dataset": [], "batch_size": 1}, "children": []},
    pipeline(data={"enum": ["dataset.Shuffle"], "name": "FILES"}),
    pipeline(data={"enum": "dataset.Shuffle", "name": "__class__"}),
    pipeline(data={"array": [[1], [2, 3]], "numpy": "int32"}),
    pipeline(data={"array": [1 << 80], "numpy": "int32"}),
    pipeline(data=deep(30_000, lambda held: [held])),
    deep(30_000, lambda held: {"op_type": "RepeatDataset", "arguments": {}, "children": [held]}),
], ids=range(15))  # fmt: skip
def test_pipelines_of_something_else(held):
    with pytest.raises(RuntimeError, match="For 'deserialize'"):
        ds.deserialize(held)


JSON = {"deep": b"[" * 200000, "not UTF-8": b'{"a": "\xff"}', "empty": b"", "Infinity": b'{"a": Infinity}'}


@pytest.mark.parametrize("kind", JSON)
def test_json_that_is_none(tmp_path, kind):
    path = tmp_path / "a.json"
    path.write_bytes(JSON[kind])
    readers = [lambda: read_json("f", path), lambda: ds.Schema(str(path)), lambda: ds.config.load(str(path)),
               lambda: ds.CocoDataset(str(tmp_path), str(path)).get_class_indexing(),
               lambda: ds.ManifestDataset(str(path)).get_class_indexing(),
               lambda: list(ds.CLUEDataset(str(path)))]  # fmt: skip
    for number, reader in enumerate(readers):
        if kind == "empty" and number == 5:
            continue  # no lines are no error
        with pytest.raises(RuntimeError, match="For '.*a.json"):
            reader()


def test_the_place_of_a_byte_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("é".encode() * (1 << 19) + b"ok\xc3\n" + b"x" * 100)
    with pytest.raises(RuntimeError, match=rf"For 'TextFileDataset', the file '{path}' .* byte 1048578 is no utf-8"):
        list(ds.TextFileDataset(str(path), shuffle=False))


def test_broken_compression_is_told(tmp_path):
    examples = tfrecord([{"a": [1, 2]} for _ in range(50)])
    for kind, whole in (("GZIP", gzip.compress(examples)), ("ZLIB", zlib.compress(examples))):
        for data in (whole[:-20] + b"x" * 20, whole[: len(whole) // 2], b"\x1f\x8b" + b"x" * 50, b"x" * 50):
            path = tmp_path / f"{kind}.tfrecord"
            path.write_bytes(data)
            with pytest.raises(RuntimeError, match="For 'TFRecordDataset'.*tfrecord"):
                list(ds.TFRecordDataset(str(path), compression_type=kind, shuffle=False))


def test_a_small_file_of_mnist_unpacks_to_no_more_than_it_announces(tmp_path, cheap):
    bomb = gzip.compress(b"\0" * (1 << 24), 9) * 64  # a GiB of zeros in a MiB
    for part in ("train", "t10k"):
        for name in ("images-idx3", "labels-idx1"):
            (tmp_path / f"{part}-{name}-ubyte.gz").write_bytes(bomb)
    with pytest.raises(ValueError, match="train-images-idx3-ubyte.gz"):
        mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "out")).transform()
    assert not list(tmp_path.glob("out*"))


def test_arrays_of_strings_and_their_dtypes_come_back():
    data = ds.NumpySlicesDataset({"a": np.array(["x", "yz"]), "b": np.array([1.5, np.inf])}, shuffle=False)
    assert ds.compare(data, ds.deserialize(ds.serialize(data)))


@pytest.mark.parametrize(
    "line",
    [
        {"source": 3, "annotation": [{"name": "a"}]},
        {"source": ["a"], "annotation": [{"name": "a"}]},
        {"source": "a", "annotation": [{"name": 3}]},
        {"source": "a", "annotation": [{"name": ["a"]}]},
        {"source": "a", "annotation": [{"name": None}, {"name": "a"}]},
        {"source": "a", "annotation": "a"},
    ],
)
def test_values_of_a_manifest_are_texts(tmp_path, line):
    (tmp_path / "a.manifest").write_text(json.dumps(line | {"usage": "train"}))
    data = ds.ManifestDataset(str(tmp_path / "a.manifest"), shuffle=False)
    with pytest.raises(RuntimeError, match="For 'ManifestDataset', line 1"):
        data.get_class_indexing()


def test_a_name_with_a_zero_byte_is_no_file(tmp_path):
    line = {"source": "a\0.jpg", "usage": "train", "annotation": [{"name": "cat"}]}
    (tmp_path / "a.manifest").write_text(json.dumps(line))
    with pytest.raises(RuntimeError, match="the image must be readable"):
        list(ds.ManifestDataset(str(tmp_path / "a.manifest"), shuffle=False))


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
def test_packed_records_of_a_usual_size_are_read(tmp_path, pack):
    rows = [{"a": [b"x" * 100_000 + bytes([number])]} for number in range(30)]
    (tmp_path / "a.tfrecord").write_bytes(pack(tfrecord(rows)))
    data = ds.TFRecordDataset(str(tmp_path / "a.tfrecord"), shuffle=False, compression_type=pack.__module__.upper())
    found = [row[0].asnumpy().tobytes() for row in data.create_tuple_iterator(num_epochs=1)]
    assert found == [row["a"][0] for row in rows]
