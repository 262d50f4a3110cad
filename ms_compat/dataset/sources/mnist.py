"""The datasets in MNIST's files: `MnistDataset`, `FashionMnistDataset`, `KMnistDataset`, EMNIST and QMNIST."""

import os
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.sources.files import ArchiveDataset, check_folder, missing, read_idx


@faces("dataset")
class MnistDataset(ArchiveDataset):
    """Reads MNIST: columns "image" (28, 28, 1) of uint8 and "label" of uint32.

    The folder holds `train-images-idx3-ubyte`, `train-labels-idx1-ubyte` and the same for `t10k`. The arguments are
    `ArchiveDataset`'s.

    >>> import struct
    >>> import ms_compat.dataset as ds
    >>> with open("train-images-idx3-ubyte", "wb") as file:  # one black picture
    ...     _ = file.write(struct.pack(">iiii", 2051, 1, 28, 28) + bytes(28 * 28))
    >>> with open("train-labels-idx1-ubyte", "wb") as file:
    ...     _ = file.write(struct.pack(">ii", 2049, 1) + bytes([7]))
    >>> image, label = next(ds.MnistDataset(".", usage="train").create_tuple_iterator(output_numpy=True))
    >>> image.shape, label.item()
    ((28, 28, 1), 7)
    """

    # (the usages that read it, how its images' and labels' files are called)
    _parts: tuple[tuple[tuple[str, ...], str], ...] = ((("test",), "t10k-{}-ubyte"), (("train",), "train-{}-ubyte"))

    def _load(self) -> list[np.ndarray]:
        wanted = [name for uses, name in self._parts if self.usage in uses or self.usage == "all"]
        found = [part for part in map(self._part, wanted) if part is not None]
        if not found:
            raise missing(
                type(self).__name__, self.dataset_dir, f"images and labels such as {wanted[0].format('images-idx3')!r}"
            )
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _part(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        api = type(self).__name__
        paths = [os.path.join(self.dataset_dir, file) for file in self._pair(name)]
        if not all(os.path.isfile(path) for path in paths):
            return None
        images, labels = read_idx(api, paths[0], 3), self._read_labels(paths[1])
        if len(images) != len(labels):
            raise RuntimeError(
                f"For '{api}', {paths[0]!r} and {paths[1]!r} must have one length, but got "
                f"{len(images)} and {len(labels)}."
            )
        return images[..., None], labels.astype(np.uint32)

    def _pair(self, name: str) -> tuple[str, str]:
        return name.format("images-idx3"), name.format("labels-idx1")

    def _read_labels(self, path: str) -> np.ndarray:
        return read_idx(type(self).__name__, path, 1)


@faces("dataset")
class FashionMnistDataset(MnistDataset):
    """Reads Fashion-MNIST, whose files are MNIST's; see `MnistDataset`."""


@faces("dataset")
class KMnistDataset(MnistDataset):
    """Reads Kuzushiji-MNIST, whose files are MNIST's; see `MnistDataset`."""


@faces("dataset")
class EMnistDataset(MnistDataset):
    """Reads one of EMNIST's splits, from `emnist-<name>-train-images-idx3-ubyte` and so on.

    Args:
        dataset_dir: the folder.
        name: "byclass", "bymerge", "balanced", "letters", "digits" or "mnist".
        usage: "train", "test" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    _splits = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")

    def __init__(self, dataset_dir: str, name: str, usage: str | None = None, *args: Any, **kwargs: Any) -> None:
        check_folder("EMnistDataset", dataset_dir)
        check_choice("EMnistDataset", "name", check_type("EMnistDataset", "name", name, str), self._splits)
        self.name = name
        self._parts = tuple(((use,), f"emnist-{name}-{use}-{{}}-ubyte") for use in ("test", "train"))
        super().__init__(dataset_dir, usage, *args, **kwargs)


_TEN_THOUSAND = 10000


@faces("dataset")
class QMnistDataset(MnistDataset):
    """Reads QMNIST, from `qmnist-train-images-idx3-ubyte`, `qmnist-train-labels-idx2-int` and so on.

    Args:
        dataset_dir: the folder.
        usage: "train", "test", "test10k", "test50k" (the first 10,000 of the test images, and the others), "nist" or
            "all"; None is all.
        compat: whether a label is the digit; otherwise all eight numbers that QMNIST tells of an image.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    _usages = ("train", "test", "test10k", "test50k", "nist", "all")
    _parts = (
        (("test", "test10k", "test50k"), "qmnist-test-{}"),
        (("train",), "qmnist-train-{}"),
        (("nist",), "xnist-{}"),
    )

    def __init__(self, dataset_dir: str, usage: str | None = None, compat: bool = True, *args: Any, **kwargs: Any):
        self.compat = check_bool("QMnistDataset", "compat", compat)
        super().__init__(dataset_dir, usage, *args, **kwargs)

    def _pair(self, name: str) -> tuple[str, str]:
        return name.format("images-idx3-ubyte"), name.format("labels-idx2-int")

    def _read_labels(self, path: str) -> np.ndarray:
        labels = read_idx("QMnistDataset", path, 2, 12)
        if labels.shape[1] != 8:
            raise RuntimeError(f"For 'QMnistDataset', {path!r} must hold 8 numbers a label, but holds {labels.shape}.")
        return labels[:, 0] if self.compat else labels

    def _part(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        part = super()._part(name)
        cuts = {"test10k": slice(_TEN_THOUSAND), "test50k": slice(_TEN_THOUSAND, None)}
        if part is None or self.usage not in cuts:
            return part
        return part[0][cuts[self.usage]], part[1][cuts[self.usage]]
