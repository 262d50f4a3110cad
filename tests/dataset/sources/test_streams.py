"""TFRecord, text and CSV files: order, shards, broken files.

What MindSpore reads of them is replayed in test_recorded.py.
"""

import gzip
import zlib

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.conformance.dataset_tfrecord import tfrecord
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


ROWS = [{"label": [k], "x": [k * 0.5, 1.0], "s": [b"name%d" % k]} for k in range(7)]


def flat(data):
    return [row[0].reshape(-1)[0].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.fixture
def lines(tmp_path):
    for name, first in (("b.txt", 10), ("a.txt", 0), ("c.txt", 20)):
        (tmp_path / name).write_text("".join(f"{k}\n" for k in range(first, first + 5)))
    return str(tmp_path / "*.txt")


ALL = [str(k) for first in (0, 10, 20) for k in range(first, first + 5)]


def test_files_are_read_by_name(lines):
    assert flat(ds.TextFileDataset(lines, shuffle=False)) == ALL


def test_a_shuffle_keeps_every_row(lines):
    ds.config.set_seed(1)
    data = ds.TextFileDataset(lines)
    first, second = flat(data), flat(data.repeat(2))[15:]
    assert sorted(first) == sorted(second) == sorted(ALL)
    assert first != second and first != ALL


def test_a_shuffle_of_files_keeps_their_rows_together(lines):
    orders = {tuple(flat(ds.TextFileDataset(lines, shuffle=ds.Shuffle.FILES))) for _ in range(20)}
    assert len(orders) > 1
    assert all(sorted(order[k : k + 5]) == list(order[k : k + 5]) for order in orders for k in (0, 5, 10))


@pytest.mark.parametrize("shards", [1, 2, 4, 7])
def test_shards_are_equal_and_cover_all_rows(lines, shards):
    parts = [flat(ds.TextFileDataset(lines, shuffle=False, num_shards=shards, shard_id=k)) for k in range(shards)]
    assert {len(part) for part in parts} == {-(-15 // shards)}
    assert set(sum(parts, [])) == set(ALL)


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_compressed_records(kind, tmp_path):
    pack = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[kind]
    (tmp_path / "f").write_bytes(pack(tfrecord(ROWS)))
    data = ds.TFRecordDataset(str(tmp_path / "f"), shuffle=False, compression_type=kind)
    assert flat(data) == list(range(7))
    assert data.get_dataset_size() == 7 and data.get_col_names() == ["label", "s", "x"]


@pytest.mark.parametrize("length", [1, 11, 12, 20, -1, -5])
def test_a_cut_record_is_refused(length, tmp_path):
    (tmp_path / "f").write_bytes(tfrecord(ROWS)[:length])
    with pytest.raises(RuntimeError, match="TFRecordDataset"):
        flat(ds.TFRecordDataset(str(tmp_path / "f"), shuffle=False))


def test_changed_bytes_give_rows_or_a_refusal_but_nothing_else(tmp_path):
    good = tfrecord(ROWS)
    generator = np.random.default_rng(0)
    for _ in range(400):
        data = bytearray(good)
        for place in generator.integers(len(good), size=3):
            data[place] = generator.integers(256)
        (tmp_path / "f").write_bytes(bytes(data))
        try:
            list(ds.TFRecordDataset(str(tmp_path / "f"), shuffle=False).create_tuple_iterator(output_numpy=True))
        except RuntimeError:
            continue


def test_an_empty_field_takes_the_default(tmp_path):
    (tmp_path / "f").write_text("1,,x\n,2.5,\n")
    data = ds.CSVDataset(str(tmp_path / "f"), ",", [7, 0.5, "none"], ["a", "b", "c"], shuffle=False)
    rows = [[item.item() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert rows == [[1, 0.5, "x"], [7, 2.5, "none"]]


def test_the_place_of_a_byte_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("é".encode() * (1 << 19) + b"ok\xc3\n" + b"x" * 100)
    with pytest.raises(RuntimeError, match=rf"For 'TextFileDataset', the file '{path}' .* byte 1048578 is no utf-8"):
        list(ds.TextFileDataset(str(path), shuffle=False))
