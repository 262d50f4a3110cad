"""Sources that read files: broken files are refused by name, before memory is taken."""

from pathlib import Path

import numpy as np
import pytest

import ms_compat.dataset as ds


def mnist(folder, images=b"", labels=b""):
    (folder / "train-images-idx3-ubyte").write_bytes(images)
    (folder / "train-labels-idx1-ubyte").write_bytes(labels)
    return str(folder)


def head(*sizes):
    return bytes([0, 0, 8, len(sizes)]) + b"".join(size.to_bytes(4, "big") for size in sizes)


LABELS = head(2) + bytes(2)
BROKEN = {
    "empty": (b"", LABELS),
    "magic": (b"\x00\x00\x09\x03" + head(2, 2, 2)[4:] + bytes(8), LABELS),
    "short": (head(2, 2, 2) + bytes(7), LABELS),
    "long": (head(2, 2, 2) + bytes(9), LABELS),
    "huge": (head(2**32 - 1, 2**32 - 1, 2**32 - 1) + bytes(8), LABELS),
    "lengths": (head(3, 2, 2) + bytes(12), LABELS),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_mnist_file_is_refused(name, tmp_path):
    data = ds.MnistDataset(mnist(tmp_path, *BROKEN[name]))
    with pytest.raises(RuntimeError, match="idx3-ubyte"):
        next(iter(data))


def test_a_cifar_file_of_another_length_is_refused(tmp_path):
    (tmp_path / "data_batch_1.bin").write_bytes(bytes(3074))
    with pytest.raises(RuntimeError, match="records of 3073 bytes, but it has 3074"):
        next(iter(ds.Cifar10Dataset(str(tmp_path))))


def test_cifar_reads_channels_last(tmp_path):
    record = np.arange(3072) % 251
    (tmp_path / "test.bin").write_bytes(bytes([3, 7]) + record.astype(np.uint8).tobytes())
    (row,) = ds.Cifar100Dataset(str(tmp_path), "test").create_dict_iterator(num_epochs=1, output_numpy=True)
    assert row["image"].shape == (32, 32, 3)
    assert row["image"][0, 1].tolist() == [1, 1025 % 251, 2049 % 251]
    assert (row["coarse_label"].item(), row["fine_label"].item()) == (3, 7)


def test_labelled_sources_take_a_pk_sampler(tmp_path):
    labels = bytes([2, 0, 2, 1, 0, 1])
    folder = mnist(tmp_path, head(6, 1, 1) + bytes(6), head(6) + labels)
    data = ds.MnistDataset(folder, sampler=ds.PKSampler(2)).project("label")
    assert [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [0, 0, 1, 1, 2, 2]


def test_batches_of_files_are_sliced_without_rows(tmp_path):
    folder = mnist(tmp_path, head(6, 2, 2) + bytes(range(24)), head(6) + bytes(6))
    data = ds.MnistDataset(folder, shuffle=False).map(ds.vision.ToTensor(), "image")
    rows = [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    batch = next(data.batch(6).create_tuple_iterator(num_epochs=1, output_numpy=True))[0]
    assert np.array_equal(batch, np.stack(rows))


def test_fake_images_repeat_for_one_seed():
    one, two = (ds.FakeImageDataset(3, (2, 2, 3), 5, 7, shuffle=False) for _ in range(2))
    for a, b in zip(
        one.create_tuple_iterator(num_epochs=1, output_numpy=True),
        two.batch(1).create_tuple_iterator(num_epochs=1, output_numpy=True),
        strict=True,
    ):
        assert np.array_equal(a[0], b[0][0]) and a[1] == b[1][0]


def test_an_image_that_cannot_be_decoded_is_named(tmp_path):
    (tmp_path / "cat").mkdir()
    (tmp_path / "cat" / "broken.png").write_bytes(b"no image")
    with pytest.raises(RuntimeError, match="broken.png"):
        next(iter(ds.ImageFolderDataset(str(tmp_path), decode=True)))


def test_decrypt_is_called_with_the_path(tmp_path):
    (tmp_path / "cat").mkdir()
    (tmp_path / "cat" / "a.bin").write_bytes(b"abc")
    data = ds.ImageFolderDataset(str(tmp_path), decrypt=lambda path: Path(path).read_bytes()[::-1])
    assert bytes(next(data.create_tuple_iterator(num_epochs=1, output_numpy=True))[0]) == b"cba"


def test_files_are_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.bin"
    ds.vision.write_file(str(path), np.arange(5, dtype=np.uint8))
    assert path.read_bytes() == bytes(range(5))
    with pytest.raises(RuntimeError, match="writable"):
        ds.vision.write_file(str(tmp_path / "none" / "a.bin"), np.arange(5, dtype=np.uint8))
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.bin"]
