"""MindRecord files: without their index, broken, encrypted; what MindSpore reads of them is in test_recorded.py."""

import base64
import json
import os
import sqlite3
import zlib
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import mindrecord
from tests.conformance import replay
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


PACKED = json.loads((replay.DATA / "dataset_mindrecord_files.json").read_text())["files"]
NAMES = [name for name in PACKED if not name.endswith(".db")]


@pytest.fixture
def folder(tmp_path):
    for name, text in PACKED.items():
        (tmp_path / name).write_bytes(zlib.decompress(base64.b64decode(text)))
    return tmp_path


def rows(path, **options):
    data = ds.MindDataset(str(path), shuffle=False, **options)
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


@pytest.mark.parametrize("name", NAMES)
def test_the_index_is_not_needed(name, folder):
    with_index = rows(folder / name)
    for path in folder.glob("*.db"):
        path.unlink()
    without = rows(folder / name)
    assert len(with_index) == len(without) > 0
    for one, other in zip(with_index, without, strict=True):
        assert list(one) == list(other)
        assert all(np.array_equal(one[column], other[column]) for column in one)


def test_files_are_closed_when_the_iterator_is_left(folder):
    iterator = ds.MindDataset(str(folder / "mixed.mindrecord")).create_dict_iterator(num_epochs=1, output_numpy=True)
    next(iterator)
    iterator.stop()  # an open file would be a ResourceWarning, which is an error here


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("length", [0, 7, 8, 100, 16383, 16384, 16500, 30000])
def test_a_cut_file_is_refused(length, index, folder):
    path = folder / "mixed.mindrecord"
    path.write_bytes(path.read_bytes()[:length])
    if not index:
        (folder / "mixed.mindrecord.db").unlink()
    with pytest.raises(RuntimeError, match="MindDataset.*mixed.mindrecord"):
        rows(path)


@pytest.mark.parametrize("index", [True, False])
def test_changed_bytes_give_rows_or_a_refusal_but_nothing_else(index, folder):
    path = folder / "mixed.mindrecord"
    good = path.read_bytes()
    if not index:
        (folder / "mixed.mindrecord.db").unlink()
    generator = np.random.default_rng(0)
    used = [*range(1500), *range(16384, 16384 + 700), *range(49152, len(good))]
    for _ in range(150):
        data = bytearray(good)
        for place in generator.choice(used, 3):
            data[place] = generator.integers(256)
        path.write_bytes(bytes(data))
        try:
            rows(path)
        except (RuntimeError, ms.UnsupportedError):
            continue


def test_an_encrypted_file_needs_its_key(folder):
    path = folder / "bytes.mindrecord"
    path.write_bytes(path.read_bytes() + b"ENCRYPT")
    with pytest.raises(RuntimeError, match="is encrypted: call 'mindspore.mindrecord.set_enc_key'"):
        rows(path)


def test_a_missing_shard_is_named(folder):
    (folder / "shards.mindrecord1").unlink()
    with pytest.raises(RuntimeError, match="shards.mindrecord1"):
        rows(folder / "shards.mindrecord0")


def test_files_of_different_schemas_are_refused(folder):
    with pytest.raises(RuntimeError, match="one schema"):
        files = [str(folder / name) for name in ("bytes.mindrecord", "plain.mindrecord")]
        ds.MindDataset(files).get_dataset_size()


def test_an_image_in_a_bytes_column_is_decoded(folder):
    image = np.arange(48).reshape(4, 4, 3).astype(np.uint8)
    encoded = np.array([ds.vision.encode_png(image).tobytes() + b"\0"])
    assert np.array_equal(ds.vision.Decode()(encoded), image)


def test_a_pk_sampler_reads_the_class_column(folder):
    data = ds.MindDataset(str(folder / "mixed.mindrecord"), ["label"], sampler=ds.PKSampler(2))
    labels = [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert labels == [-1, -1, 0, 0, 1, 1]


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
