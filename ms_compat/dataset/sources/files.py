"""What the sources that read files share: folders, checks, untrusted binary headers."""

import os
from typing import Any

import numpy as np

from ms_compat._core.errors import check_type, value_error
from ms_compat.dataset.sources.mappable import ArrayDataset


def check_folder(api: str, dataset_dir: Any) -> str:
    """Checks a folder.

    Raises:
        TypeError: if it is no str.
        ValueError: if there is no such folder.
    """
    check_type(api, "dataset_dir", dataset_dir, str)
    if not os.path.isdir(dataset_dir):
        raise value_error(api, "dataset_dir", "a folder that exists", dataset_dir)
    return dataset_dir


def check_usage(api: str, usage: Any, choices: tuple[str, ...]) -> str:
    """Checks which part of a dataset is wanted; None is "all"."""
    if usage is None:
        return "all"
    if check_type(api, "usage", usage, str) not in choices:
        raise value_error(api, "usage", f"one of {list(choices)}", usage)
    return usage


def missing(api: str, folder: str, wanted: str) -> RuntimeError:
    """The error for a folder without the files of the dataset."""
    return RuntimeError(f"For '{api}', the folder {folder!r} must hold {wanted}, but there is none.")


def read_idx(api: str, path: str, axes: int) -> np.ndarray:
    """Reads a file of MNIST's IDX format: uint8 values, big-endian sizes, checked against the file's length.

    Raises:
        RuntimeError: if it is no such file.
    """
    length = os.path.getsize(path)
    with open(path, "rb") as file:
        header = file.read(4 + 4 * axes)
        if len(header) != 4 + 4 * axes or header[:4] != bytes([0, 0, 8, axes]):
            raise RuntimeError(
                f"For '{api}', {path!r} must be an IDX file of uint8 with {axes} axes, but its header "
                f"is {header[:4]!r}."
            )
        shape = [int(size) for size in np.frombuffer(header[4:], ">u4")]
        count = 1
        for size in shape:
            count *= size
        if count != length - len(header):
            raise RuntimeError(
                f"For '{api}', {path!r} must hold {count} bytes for shape {shape}, but it holds {length - len(header)}."
            )
        return np.fromfile(file, np.uint8).reshape(shape)


class ArchiveDataset(ArrayDataset):
    """A dataset whose files are read into memory when the first row is wanted.

    A subclass defines `_columns` and `_load`.

    Args:
        dataset_dir: the folder.
        usage: "train", "test" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: must be None.
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = type(self).__name__
        self.dataset_dir = check_folder(api, dataset_dir)
        self.usage = check_usage(api, usage, ("train", "test", "all"))
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self._held: list[np.ndarray] | None = None

    def _load(self) -> list[np.ndarray]:
        raise NotImplementedError(f"{type(self).__name__} loads nothing.")

    def _arrays(self) -> list[np.ndarray]:
        if self._held is None:
            self._held = self._load()
        return self._held

    def _labels(self) -> Any:
        return lambda: self._arrays()[1]
