"""Shared by the sources that read files: folders, checks, untrusted binary headers."""

import os
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat.dataset._base.mappable import ArrayDataset
from ms_compat.dataset._support.arguments import check_type


def check_folder(api: str, dataset_dir: Any) -> str:
    """Checks a folder.

    Raises:
        TypeError: if it is not a str.
        ValueError: if there is no such folder.
    """
    check_type(api, "dataset_dir", dataset_dir, str)
    if not os.path.isdir(dataset_dir):
        raise value_error(api, "dataset_dir", "a folder that exists", dataset_dir)
    return dataset_dir


def check_usage(api: str, usage: Any, choices: tuple[str, ...]) -> str:
    """Checks the requested part of a dataset; None is "all"."""
    return choice(api, "usage", usage, choices, "all")


def choice(api: str, argument: str, value: Any, choices: tuple[str, ...], default: str) -> str:
    """Checks an argument that is one of several str; None is the default."""
    if value is None:
        return default
    check_choice(api, argument, check_type(api, argument, value, str), choices)
    return value


def missing(api: str, folder: str, wanted: str) -> RuntimeError:
    """The error for a folder without the files of the dataset."""
    return RuntimeError(f"For '{api}', the folder {folder!r} must hold {wanted}, but there is none.")


def subfolders(path: str) -> list[str]:
    """The names of the folders in a folder, sorted."""
    return [name for name in sorted(os.listdir(path)) if os.path.isdir(os.path.join(path, name))]


def files_in(path: str, endings: tuple[str, ...] = ("",)) -> list[str]:
    """The paths of the files in a folder whose names have one of the endings, sorted by name."""
    paths = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(endings)]
    return [path for path in paths if os.path.isfile(path)]


# IDX names its dtypes by a number; these two are in use.
_IDX_KINDS: dict[int, np.dtype[Any]] = {8: np.dtype(np.uint8), 12: np.dtype(">i4")}


def read_idx(api: str, path: str, axes: int, kind: int = 8) -> np.ndarray:
    """Reads a file of MNIST's IDX format: big-endian sizes, checked against the file's length, then the values.

    Args:
        api: the dataset, for messages.
        path: the file.
        axes: how many axes it must have.
        kind: 8 for uint8, 12 for int32.

    Raises:
        RuntimeError: if it is not such a file.
    """
    length, dtype = os.path.getsize(path), _IDX_KINDS[kind]
    with open(path, "rb") as file:
        header = file.read(4 + 4 * axes)
        if len(header) != 4 + 4 * axes or header[:4] != bytes([0, 0, kind, axes]):
            raise RuntimeError(
                f"For '{api}', {path!r} must be an IDX file of {dtype.name} with {axes} axes, but its header "
                f"is {header[:4]!r}."
            )
        shape = [int(size) for size in np.frombuffer(header[4:], ">u4")]
        count = dtype.itemsize
        for size in shape:
            count *= size
        if count != length - len(header):
            raise RuntimeError(
                f"For '{api}', {path!r} must hold {count} bytes for shape {shape}, but it holds {length - len(header)}."
            )
        return np.fromfile(file, dtype).reshape(shape)


def read_records(api: str, path: str, width: int) -> np.ndarray:
    """Reads a file of `width`-byte records: uint8 (records, width).

    Raises:
        RuntimeError: if its length is not a multiple of that.
    """
    size = os.path.getsize(path)
    if size % width or not size:
        raise RuntimeError(f"For '{api}', {path!r} must hold records of {width} bytes, but it has {size} bytes.")
    return np.fromfile(path, np.uint8).reshape(-1, width)


class ArchiveDataset(ArrayDataset):
    """A dataset that reads its files into memory for the first row.

    A subclass defines `_load`; `_usages` are the parts it has, `_names` its columns.

    Args:
        dataset_dir: the folder.
        usage: "train", "test" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder or usage.
        RuntimeError: while iterating, if the files are missing or are not the dataset's.
    """

    _usages: tuple[str, ...] = ("train", "test", "all")
    _names: tuple[str, ...] = ("image", "label")

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
        self.usage = check_usage(api, usage, self._usages)
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self._held: list[np.ndarray] | None = None

    def _columns(self) -> list[str]:
        return list(self._names)

    def _load(self) -> list[np.ndarray]:
        raise NotImplementedError(f"{type(self).__name__} loads nothing.")

    def _arrays(self) -> list[np.ndarray]:
        if self._held is None:
            self._held = self._load()
        return self._held

    def _labels(self) -> Any:
        return lambda: self._arrays()[1]
