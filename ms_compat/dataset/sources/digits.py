"""Small images in files of their own: `STL10Dataset`, `SVHNDataset`, `SemeionDataset`, `USPSDataset`."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.matlab_files import read_variables
from ms_compat.dataset.sources.files import ArchiveDataset, missing, read_records
from ms_compat.dataset.sources.streams import PartedDataset


@faces("dataset")
class STL10Dataset(ArchiveDataset):
    """Reads STL-10: columns "image" (96, 96, 3) of uint8 and "label" of int32, -1 for images without one.

    The folder holds `train_X.bin`, `train_y.bin`, the same for `test`, and `unlabeled_X.bin`. The arguments are
    `ArchiveDataset`'s; `usage` may be "train", "test", "unlabeled", "train+unlabeled" or "all".
    """

    _usages = ("train", "test", "unlabeled", "train+unlabeled", "all")

    def __init__(self, dataset_dir: str, usage: str | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset_dir, usage, *args, **kwargs)
        for part in self._wanted() if usage is not None else ():
            for name in self._files_of(part):
                if not os.path.isfile(name):
                    raise value_error("STL10Dataset", "dataset_dir", f"a folder with {name!r}", dataset_dir)

    def _wanted(self) -> list[str]:
        parts = ("test", "train", "unlabeled")
        return [part for part in parts if self.usage == "all" or part in self.usage.split("+")]

    def _files_of(self, part: str) -> list[str]:
        kinds = "X" if part == "unlabeled" else "Xy"
        return [os.path.join(self.dataset_dir, f"{part}_{kind}.bin") for kind in kinds]

    def _load(self) -> list[np.ndarray]:
        found = []
        for part in self._wanted():
            paths = self._files_of(part)
            if not all(os.path.isfile(path) for path in paths):
                raise missing("STL10Dataset", self.dataset_dir, f"the files {paths}")
            images = read_records("STL10Dataset", paths[0], 3 * 96 * 96).reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1)
            labels = np.full(len(images), -1, np.int32)
            if len(paths) == 2:
                labels = np.fromfile(paths[1], np.uint8).astype(np.int32) - 1
            if len(labels) != len(images):
                raise RuntimeError(
                    f"For 'STL10Dataset', {paths} must have one length, but got {len(images)} and {len(labels)}."
                )
            found.append((images, labels))
        return [np.ascontiguousarray(np.concatenate(column)) for column in zip(*found, strict=True)]


@faces("dataset")
class SVHNDataset(ArchiveDataset):
    """Reads SVHN's cropped digits: columns "image" (32, 32, 3) of uint8 and "label" of uint32.

    The folder holds `train_32x32.mat`, `test_32x32.mat` and `extra_32x32.mat`. The arguments are `ArchiveDataset`'s;
    `usage` may be "train", "test", "extra" or "all".
    """

    _usages = ("train", "test", "extra", "all")

    def _load(self) -> list[np.ndarray]:
        found = []
        for part in ("train", "test", "extra"):
            path = os.path.join(self.dataset_dir, f"{part}_32x32.mat")
            if self.usage not in (part, "all"):
                continue
            held = read_variables("SVHNDataset", path, ["X", "y"])
            with reading("SVHNDataset", path):
                images, labels = held["X"].transpose(3, 0, 1, 2), held["y"].reshape(-1).astype(np.uint32)
            labels[labels == 10] = 0
            found.append((images, labels))
        return [np.ascontiguousarray(np.concatenate(column)) for column in zip(*found, strict=True)]


@faces("dataset")
class SemeionDataset(ArchiveDataset):
    """Reads Semeion's handwritten digits: columns "image" (16, 16) of uint8, 0 or 1, and "label" of uint32.

    Args:
        dataset_dir: the folder with `semeion.data`.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    def __init__(self, dataset_dir: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset_dir, None, *args, **kwargs)

    def _load(self) -> list[np.ndarray]:
        path = os.path.join(self.dataset_dir, "semeion.data")
        if not os.path.isfile(path):
            raise missing("SemeionDataset", self.dataset_dir, "'semeion.data'")
        try:
            table = np.loadtxt(path, dtype=np.float32, ndmin=2)
        except ValueError as error:
            raise RuntimeError(f"For 'SemeionDataset', {path!r} must hold numbers, but gave: {error}") from error
        if table.shape[1] != 266:
            raise RuntimeError(f"For 'SemeionDataset', {path!r} must hold 266 numbers a line, not {table.shape[1]}.")
        return [table[:, :256].astype(np.uint8).reshape(-1, 16, 16), table[:, 256:].argmax(axis=1).astype(np.uint32)]


@faces("dataset")
class USPSDataset(PartedDataset):
    """Reads USPS in LIBSVM's text form: columns "image" (16, 16, 1) of uint8 and "label" of uint32.

    The folder holds `usps` and `usps.t`, uncompressed. The arguments are `PartedDataset`'s.
    """

    _names = {"train": "usps", "test": "usps.t"}
    _fields = ("image", "label")

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading("USPSDataset", path), open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                label, *pixels = line.split() or ("",)
                try:
                    values = np.array([float(pixel.split(":")[1]) for pixel in pixels], np.float32).astype(np.float64)
                    digit = np.array(int(label) - 1, np.uint32)
                    image = ((values + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
                except (ValueError, IndexError, OverflowError) as error:
                    raise RuntimeError(
                        f"For 'USPSDataset', line {number} of {path!r} must hold a label and 256 values: {error}"
                    ) from error
                yield image, digit
