"""MindRecord files: without their index, broken, encrypted; what MindSpore reads of them is in test_recorded.py."""

import base64
import json
import zlib

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from tests.conformance import replay

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


def test_an_encrypted_file_is_not_supported(folder):
    path = folder / "bytes.mindrecord"
    path.write_bytes(path.read_bytes() + b"ENCRYPT")
    with pytest.raises(ms.UnsupportedError, match="encrypted"):
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
