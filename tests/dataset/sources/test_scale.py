"""Shards and large files: each process reads its own rows, at bounded memory."""

import struct
import sys
import tracemalloc

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat._core.crc32c import masked_crc
from ms_compat.dataset.sources import streams
from ms_compat.dataset.sources.mindrecord_format import Shard
from tests.conformance.dataset_tfrecord import tfrecord
from tests.dataset import large


def numbers(data, column=0):
    return [row[column].item() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.mark.parametrize("shuffle", [True, False])
def test_four_shards_read_each_row_once(shuffle):
    read = []

    class Source:
        def __len__(self):
            return 40

        def __getitem__(self, k):
            read.append(k)
            return k

    ds.config.set_seed(1)
    shards = [ds.GeneratorDataset(Source(), ["x"], shuffle=shuffle, num_shards=4, shard_id=k) for k in range(4)]
    rows = [numbers(shard) for shard in shards]
    assert sorted(read) == sorted(sum(rows, [])) == list(range(40)) and {len(part) for part in rows} == {10}


def test_a_shard_of_a_mindrecord_file_reads_its_own_rows(tmp_path, monkeypatch):
    writer = mindrecord.FileWriter(str(tmp_path / "f"))
    writer.add_schema({"x": {"type": "int64"}, "data": {"type": "bytes"}})
    writer.write_raw_data([{"x": k, "data": bytes([k]) * 100} for k in range(40)])
    writer.commit()
    read, original = [], Shard.read

    def counted(self, file, place, names):
        read.append(place.blob)
        return original(self, file, place, names)

    monkeypatch.setattr(Shard, "read", counted)
    rows = []
    for k in range(4):
        data = ds.MindDataset(str(tmp_path / "f"), ["x"], shuffle=False, num_shards=4, shard_id=k)
        rows.append(numbers(data))
        assert len(read) == 10 * (k + 1)
    assert sorted(sum(rows, [])) == list(range(40)) and len(set(read)) == 40


def test_shards_of_stream_files_open_and_parse_only_their_rows(tmp_path, monkeypatch):
    for k in range(4):
        (tmp_path / f"{k}.txt").write_text("".join(f"{10 * k + j}\n" for j in range(10)))
    opened, original = [], streams.TextFileDataset._read

    def counted(self, path):
        opened.append(path)
        return original(self, path)

    for k in range(4):
        data = ds.TextFileDataset(str(tmp_path / "*.txt"), shuffle=False, num_shards=4, shard_id=k)
        data.get_dataset_size()
        monkeypatch.setattr(streams.TextFileDataset, "_read", counted)
        del opened[:]
        assert [int(str(row[0])) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == list(
            range(10 * k, 10 * k + 10)
        )
        monkeypatch.undo()
        assert opened == [str(tmp_path / f"{k}.txt")]


def test_ten_gigabytes_of_tfrecord_are_skipped_without_being_read(tmp_path):
    """The second half of the file is a hole on the disk: reading it would take its size in memory, or minutes."""
    path, hole = tmp_path / "f.tfrecord", 10 << 30
    with open(path, "wb") as file:
        file.write(tfrecord([{"x": [k]} for k in range(3)]))
        file.write(_head(hole))
        file.seek(hole + 4, 1)
        file.write(tfrecord([{"x": [k]} for k in range(4, 8)]))
    assert path.stat().st_size > hole
    tracemalloc.start()
    shards = [
        ds.TFRecordDataset(str(path), shuffle=False, num_shards=4, shard_id=k, shard_equal_rows=True) for k in (0, 2, 3)
    ]
    assert [shard.get_dataset_size() for shard in shards] == [2, 2, 2]
    assert [numbers(shard) for shard in shards] == [[0, 1], [4, 5], [6, 7]]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


def _head(size):
    length = struct.pack("<Q", size)
    return length + struct.pack("<I", masked_crc(length))


def test_iterating_files_takes_the_memory_of_a_few_rows(tmp_path):
    writer = mindrecord.FileWriter(str(tmp_path / "f"))
    writer.set_page_size(1 << 20)
    writer.add_schema({"x": {"type": "int32", "shape": [-1]}})
    for _ in range(8):
        writer.write_raw_data([{"x": np.zeros(50_000, np.int32)} for _ in range(20)])
    writer.commit()
    with open(tmp_path / "t", "wb") as file:
        record = tfrecord([{"x": [bytes(20_000)]}])
        for _ in range(1600):
            file.write(record)
    records = ds.TFRecordDataset(str(tmp_path / "t"), shuffle=False)
    for data in (ds.MindDataset(str(tmp_path / "f"), shuffle=False), records):
        rows = data.get_dataset_size()
        tracemalloc.start()
        assert sum(1 for _ in data.create_tuple_iterator(num_epochs=1, output_numpy=True)) == rows
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 12 << 20  # the files have 32 MB


def test_the_place_of_a_row_takes_forty_bytes(tmp_path):
    writer = mindrecord.FileWriter(str(tmp_path / "f"))
    writer.add_schema({"x": {"type": "int64"}})
    writer.write_raw_data([{"x": k} for k in range(500)])
    writer.commit()
    data = ds.MindDataset(str(tmp_path / "f"), shuffle=False)
    assert data._open()[1].nbytes == 500 * 40 and numbers(data) == list(range(500))


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of resident memory is read from /proc")
@pytest.mark.parametrize("kind", large.FORMATS)
def test_the_resident_memory_does_not_grow_with_the_file(kind, tmp_path):
    """`python -m tests.dataset.large --gigabytes 10` measures large files."""
    small, wide = (large.measured(kind, tmp_path, megabytes << 20, large.LARGE) for megabytes in (32, 256))
    assert wide["rows"] == 8 * small["rows"] and wide["bytes"] >= 256 << 20
    assert wide["peak"] - small["peak"] < 0.1 * (256 - 32)
