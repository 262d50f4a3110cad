"""Files of TFRecord."""

import gzip
import zlib

import pytest

import ms_compat.dataset as ds
from tests.conformance.dataset_tfrecord import tfrecord
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_broken_compression_is_told(tmp_path):
    examples = tfrecord([{"a": [1, 2]} for _ in range(50)])
    for kind, whole in (("GZIP", gzip.compress(examples)), ("ZLIB", zlib.compress(examples))):
        for data in (whole[:-20] + b"x" * 20, whole[: len(whole) // 2], b"\x1f\x8b" + b"x" * 50, b"x" * 50):
            path = tmp_path / f"{kind}.tfrecord"
            path.write_bytes(data)
            with pytest.raises(RuntimeError, match="For 'TFRecordDataset'.*tfrecord"):
                list(ds.TFRecordDataset(str(path), compression_type=kind, shuffle=False))


@pytest.mark.parametrize("pack", [zlib.compress, gzip.compress])
def test_packed_records_of_a_usual_size_are_read(tmp_path, pack):
    rows = [{"a": [b"x" * 100_000 + bytes([number])]} for number in range(30)]
    (tmp_path / "a.tfrecord").write_bytes(pack(tfrecord(rows)))
    data = ds.TFRecordDataset(str(tmp_path / "a.tfrecord"), shuffle=False, compression_type=pack.__module__.upper())
    found = [row[0].asnumpy().tobytes() for row in data.create_tuple_iterator(num_epochs=1)]
    assert found == [row["a"][0] for row in rows]
