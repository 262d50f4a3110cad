"""Files of digits."""

import pytest

import ms_compat.dataset as ds
from tests.conformance import dataset_archives
from tests.dataset import recorded
from tests.dataset.sources.folders import folder


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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
