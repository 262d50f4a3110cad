"""The public datasets with files that are not theirs, and `DatasetCache`; what they read is in test_recorded.py."""

from pathlib import Path

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.conformance import dataset_archives


def folder(root, files):
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return str(root)


def archive(root, name):
    return folder(root, dataset_archives.FILES[name]())


BROKEN = {
    "labels of QMNIST": ("qmnist", {"qmnist-train-labels-idx2-int": b"\0\0\x0c\2\0\0\0\3"}, ds.QMnistDataset, "train"),
    "images of EMNIST": ("kmnist", {"train-images-idx3-ubyte": b"\0\0\x08\3"}, ds.KMnistDataset, "train"),
    "a part of a record": ("stl10", {"train_X.bin": b"123"}, ds.STL10Dataset, "train"),
    "too many labels": ("stl10", {"train_y.bin": b"123"}, ds.STL10Dataset, "train"),
    "no MATLAB file": ("svhn", {"test_32x32.mat": b"123"}, ds.SVHNDataset, "test"),
    "a label without pixels": ("usps", {"usps": b"3\n"}, ds.USPSDataset, "train"),
    "a negative label": ("usps", {"usps": b"-3 1:2\n"}, ds.USPSDataset, "train"),
    "a field too few": ("news", {"train.csv": b'"1"\n'}, ds.AGNewsDataset, "train"),
    "a column too few": ("lines", {"train.tsv": b"sentence\tlabel\nalone\n"}, ds.SST2Dataset, "train"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused(tmp_path, name):
    kind, files, dataset, usage = BROKEN[name]
    root = folder(tmp_path, dataset_archives.FILES[kind]() | files)
    with pytest.raises(RuntimeError, match=dataset.__name__):
        list(dataset(root, usage).create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_a_broken_waveform_or_list_is_refused(tmp_path):
    root = Path(archive(tmp_path, "speech"))
    (root / "yesno/0_1_1_0_1_0_1_1.wav").write_bytes(b"RIFFxxxx")
    (root / "lj/metadata.csv").write_bytes(b"LJ001-0001|alone\n")
    (root / "commands/testing_list.txt").unlink()
    for data in (
        ds.YesNoDataset(str(root / "yesno"), shuffle=False),
        ds.LJSpeechDataset(str(root / "lj")),
        ds.SpeechCommandsDataset(str(root / "commands"), "train"),
    ):
        with pytest.raises(RuntimeError, match=type(data).__name__):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_wide_samples_are_read(tmp_path):
    import wave

    for width, values, expected in ((1, b"\0\x80\xff", [-128 / 127, 0, 1]), (4, b"\xff\xff\xff\x7f", [1.0])):
        with wave.open(str(tmp_path / "0_1_1_0_1_0_1_1.wav"), "wb") as file:
            file.setparams((1, width, 8000, 0, "NONE", "NONE"))
            file.writeframes(values)
        (row,) = ds.YesNoDataset(str(tmp_path)).create_dict_iterator(num_epochs=1, output_numpy=True)
        np.testing.assert_allclose(row["waveform"], [expected], rtol=1e-6)


def test_lists_of_images_are_checked(tmp_path):
    root = Path(archive(tmp_path, "folders"))
    assert len(ds.CelebADataset(str(root / "celeba"), extensions=[".jpg"])) == 3
    with pytest.raises(RuntimeError, match="must hold images"):
        len(ds.CelebADataset(str(root / "celeba"), extensions=[".png"]))
    (root / "celeba/list_attr_celeba.txt").write_text("1\nnames\n000001.jpg 1 2\n")
    (root / "city/gtFine/train/bonn/bonn_0_1_gtFine_polygons.json").write_text("{")
    (root / "city/gtFine/train/bonn/bonn_0_1_gtFine_color.png").unlink()
    for data in (
        ds.CelebADataset(str(root / "celeba")),
        ds.CityscapesDataset(str(root / "city"), task="polygon"),
        ds.CityscapesDataset(str(root / "city"), task="color"),
        ds.Caltech256Dataset(str(root / "celeba")),
    ):
        with pytest.raises(RuntimeError, match=type(data).__name__):
            list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    for arguments in ((3,), ("train", 3), ("train", "fine", 3)):
        with pytest.raises(TypeError):
            ds.CityscapesDataset(str(root / "city"), *arguments)


@pytest.mark.parametrize(
    "xml",
    [
        b"<annotation>",
        b"<annotation><object><name>dog</name></object></annotation>",
        b"<annotation><object><name>dog</name><bndbox><xmin>3</xmin><ymin>1</ymin><xmax>2</xmax><ymax>5</ymax>"
        b"</bndbox></object></annotation>",
    ],
)
def test_a_broken_annotation_is_refused(tmp_path, xml):
    root = folder(tmp_path, dataset_archives.voc() | {"Annotations/1.xml": xml})
    with pytest.raises(RuntimeError, match="1.xml"):
        len(ds.VOCDataset(root, "Detection"))


def test_images_that_are_missing_are_named(tmp_path):
    root = archive(tmp_path, "voc")
    (tmp_path / "JPEGImages/1.jpg").unlink()
    with pytest.raises(RuntimeError, match="1.jpg"):
        len(ds.VOCDataset(root))
    coco = archive(tmp_path, "coco")
    (tmp_path / "images/7.jpg").unlink()
    data = ds.CocoDataset(coco + "/images", coco + "/instances.json", shuffle=False)
    with pytest.raises(RuntimeError, match="7.jpg"):
        next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_shards_and_samplers_choose_rows(tmp_path):
    root = archive(tmp_path, "coco")
    arguments = (root + "/images", root + "/captions.json", "Captioning")
    everything = [str(row[0][0, 0]) for row in ds.CocoDataset(*arguments, shuffle=False).project("captions")]
    shards = [
        [
            str(row[0][0, 0])
            for row in ds.CocoDataset(*arguments, shuffle=False, num_shards=2, shard_id=k).project("captions")
        ]
        for k in range(2)
    ]
    assert shards == [everything[::2], [everything[1], everything[0]]]
    reviews = archive(tmp_path, "lines")
    chosen = ds.IMDBDataset(reviews, sampler=ds.PKSampler(2)).project("label")
    assert sorted(int(row[0]) for row in chosen) == [0, 0, 1, 1]


def test_random_rows_repeat_and_follow_the_schema():
    schema = ds.Schema()
    for name, kind, shape in (("a", "int8", [2]), ("b", "bool", []), ("c", "string", []), ("d", "float16", [3])):
        schema.add_column(name, kind, shape)
    data = ds.RandomDataset(5, schema, shuffle=False)
    first, second = ([list(row) for row in data.create_tuple_iterator(None, 1, True)] for _ in range(2))
    assert [item.dtype.kind for item in first[0]] == ["i", "b", "U", "f"]
    assert all(
        np.array_equal(a, b) for one, other in zip(first, second, strict=True) for a, b in zip(one, other, strict=True)
    )
    assert len(ds.RandomDataset(5, schema, num_samples=3)) == 3
    with pytest.raises(RuntimeError, match="Did you mean"):
        ds.RandomDataset(5, schema, ["aa"])


def test_a_cache_reads_every_file_once(tmp_path):
    reads = []

    def opened(path):
        reads.append(path)
        return Path(path).read_bytes()

    cache = ds.DatasetCache(session_id=1)
    root = archive(tmp_path, "voc")
    data = ds.VOCDataset(root, "Detection", decode=True, decrypt=opened, cache=cache).project("image")
    data = data.map(lambda image: np.multiply(image, 0, out=image), cache=cache)
    for _ in range(3):
        assert all(not row[0].any() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert len(reads) == 2
    statistics = cache.get_stat()
    assert (statistics.num_mem_cached, statistics.num_disk_cached) == (2, 0)
    assert statistics.avg_cache_sz > 5 * 6 * 3
    plain = ds.VOCDataset(root, "Detection", decode=True, cache=cache, shuffle=False)
    assert len(list(plain)) == 2 and cache.get_stat().num_mem_cached == 4


def test_a_cache_has_a_limit():
    cache = ds.DatasetCache(1, size=1)
    rows = [np.zeros(2**19, np.uint8)] * 3
    list(cache.through("x", np.arange(3), lambda indices: iter([(rows[k],) for k in indices])))
    assert cache.get_stat().num_mem_cached == 2
