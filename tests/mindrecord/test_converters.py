"""The converters of public datasets: what `MindDataset` reads from what they wrote."""

import gzip
import io
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat import mindrecord
from tests.conformance import dataset_archives
from tests.conformance.dataset_tfrecord import tfrecord


def rows(path):
    data = ds.MindDataset(str(path), shuffle=False)
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


def decoded(data):
    from PIL import Image

    return np.array(Image.open(io.BytesIO(data.tobytes())))


def smooth(count, *shape):
    return (np.linspace(0, 200, count * int(np.prod(shape))).reshape(count, *shape)).astype(np.uint8)


@pytest.mark.parametrize("labels", [("labels",), ("fine_labels", "coarse_labels")])
def test_cifar(tmp_path, labels):
    kind = mindrecord.Cifar10ToMR if len(labels) == 1 else mindrecord.Cifar100ToMR
    names = ("data_batch_1", "data_batch_2", "test_batch") if len(labels) == 1 else ("train", "test")
    images = smooth(2, 3, 32, 32)
    for k, name in enumerate(names):
        held = {b"data": images.reshape(2, -1), **{label.encode(): [k, k + 1] for label in labels}}
        (tmp_path / name).write_bytes(pickle.dumps(held))
    kind(str(tmp_path), str(tmp_path / "out")).transform(["id"])
    found = rows(tmp_path / "out")
    assert [int(row["id"]) for row in found] == list(range(2 * len(names) - 2))
    columns = {"label"} if len(labels) == 1 else {"fine_label", "coarse_label"}
    assert set(found[0]) == {"id", "data"} | columns
    assert int(found[1][max(columns)]) == 1 and found[0]["id"].dtype == np.int64
    assert np.abs(decoded(found[1]["data"]).astype(int) - images[1].transpose(1, 2, 0)).max() < 12
    assert len(rows(tmp_path / "out_test")) == 2


def test_a_pickle_that_calls_something_is_refused(tmp_path):
    class Call:
        def __reduce__(self):
            return (Path.touch, (tmp_path / "touched",))

    for name in ("data_batch_1", "test_batch"):
        (tmp_path / name).write_bytes(pickle.dumps({b"data": Call()}))
    with pytest.raises(ValueError, match="names 'pathlib"):
        mindrecord.Cifar10ToMR(str(tmp_path), str(tmp_path / "out")).transform()
    assert not (tmp_path / "touched").exists() and not (tmp_path / "out").exists()


def test_mnist(tmp_path):
    images = smooth(3, 28, 28)
    for part, count in (("train", 3), ("t10k", 1)):
        labels = np.arange(count, dtype=np.uint8)
        for name, array in (("images-idx3", images[:count]), ("labels-idx1", labels)):
            path = tmp_path / f"{part}-{name}-ubyte.gz"
            path.write_bytes(gzip.compress(dataset_archives.idx(array)))
    converter = mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "out"))
    converter.transform()
    found = rows(tmp_path / "out_train.mindrecord")
    assert [int(row["label"]) for row in found] == [0, 1, 2]
    assert np.abs(decoded(found[2]["data"]).astype(int) - images[2]).max() < 6
    assert len(rows(tmp_path / "out_test.mindrecord")) == 1
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(b"no gzip")
    with pytest.raises(ValueError, match="train-labels"):
        mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "other")).transform()


def test_imagenet(tmp_path):
    for name in ("cat/1.jpg", "cat/2.JPEG", "cat/note.txt", "dog/3.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "map").write_text("dog 4\ncat 7\nbird 9\n")
    mindrecord.ImageNetToMR(str(tmp_path / "map"), str(tmp_path), str(tmp_path / "out"), 1).transform()
    found = {str(row["file_name"])[-8:]: row for row in rows(tmp_path / "out")}
    assert sorted(found) == ["at/1.jpg", "og/3.jpg", "t/2.JPEG"]
    assert int(found["og/3.jpg"]["label"]) == 4 and found["og/3.jpg"]["image"].tobytes() == b"dog/3.jpg"
    with pytest.raises(ValueError, match="has none"):
        mindrecord.ImageNetToMR(str(tmp_path / "map"), str(tmp_path / "cat"), str(tmp_path / "x")).transform()


def test_csv(tmp_path):
    source = tmp_path / "a.csv"
    source.write_text('n,x,flag,text\n1,0.5,True,"a, b"\n2,,False,c\n')
    mindrecord.CsvToMR(str(source), str(tmp_path / "out")).transform()
    one, two = rows(tmp_path / "out")
    assert (int(one["n"]), float(one["x"]), int(one["flag"]), str(one["text"])) == (1, 0.5, 1, "a, b")
    assert one["n"].dtype == np.int64 and one["x"].dtype == np.float64 and one["flag"].dtype == np.int32
    assert np.isnan(two["x"])
    mindrecord.CsvToMR(str(source), str(tmp_path / "few"), ["text"]).transform()
    assert list(rows(tmp_path / "few")[0]) == ["text"]
    with pytest.raises(RuntimeError, match="'missing'"):
        mindrecord.CsvToMR(str(source), str(tmp_path / "x"), ["missing"]).transform()
    with pytest.raises(OSError):
        mindrecord.CsvToMR(str(tmp_path / "none"), str(tmp_path / "x")).transform()


def test_tfrecord(tmp_path):
    source = tmp_path / "a.tfrecord"
    source.write_bytes(tfrecord([{"a b": [k], "x": [0.5, k], "s": [b"n%d" % k], "raw": [b"\0\1"]} for k in (3, 4)]))
    features = {
        "a b": SimpleNamespace(shape=[], dtype="int64"),
        "x": SimpleNamespace(shape=[2], dtype=np.dtype("float32")),
        "s": SimpleNamespace(shape=[], dtype="string"),
        "raw": SimpleNamespace(shape=[], dtype="string"),
    }
    mindrecord.TFRecordToMR(str(source), str(tmp_path / "out"), features, ["raw"]).transform()
    one, two = rows(tmp_path / "out")
    assert (int(one["a_b"]), str(two["s"]), two["x"].tolist(), one["raw"].tobytes()) == (3, "n4", [0.5, 4.0], b"\0\1")
    features["x"].shape = [3]
    with pytest.raises(ValueError, match="3 values"):
        mindrecord.TFRecordToMR(str(source), str(tmp_path / "x"), features).transform()
    features["s"].shape = [1]
    with pytest.raises(ValueError, match="'s' has"):
        mindrecord.TFRecordToMR(str(source), str(tmp_path / "x"), features)


@pytest.mark.parametrize(
    "make",
    [
        lambda root: mindrecord.Cifar10ToMR(root, root + "/out"),
        lambda root: mindrecord.Cifar100ToMR(root + "/none", root + "/out"),
        lambda root: mindrecord.MnistToMR(root, 3),
        lambda root: mindrecord.MnistToMR(root, root + "/out", "1"),
        lambda root: mindrecord.ImageNetToMR(3, root, root + "/out"),
        lambda root: mindrecord.CsvToMR(root, root + "/out", "a"),
        lambda root: mindrecord.CsvToMR(root, root + "/out", ["a"], None),
        lambda root: mindrecord.TFRecordToMR(root, root + "/out", None),
        lambda root: mindrecord.TFRecordToMR(root, root + "/out", {}, ["a"]),
    ],
)
def test_arguments_are_checked(tmp_path, make):
    with pytest.raises(ValueError):
        make(str(tmp_path))
