"""`Collection`: the base of the datasets that list their pictures when the first row is read."""

import inspect
import os
from typing import Any, TypeVar

import numpy as np

from ms_compat._core.untrusted import reading
from ms_compat.dataset.sources.files import check_folder, missing
from ms_compat.dataset.sources.images import AnnotatedImages

_SHARED = """
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard."""
_CACHE = "\n        cache: None or a `DatasetCache`."
_DECODE = "\n        decode: whether images are decoded to RGB; otherwise the column holds the file's bytes."
_RAISES = """

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: while iterating, if files are missing or are not the dataset's.
    """

T = TypeVar("T", bound=type)


def with_shared_arguments(kind: T) -> T:
    """Complete a class's docstring, which ends with its own arguments, by the arguments that all collections have."""
    names = inspect.signature(kind).parameters
    shared = _DECODE * ("decode" in names) + _SHARED + _CACHE * ("cache" in names)
    kind.__doc__ = (kind.__doc__ or "").rstrip() + shared + _RAISES
    return kind


class Collection(AnnotatedImages):
    """A folder of pictures; a subclass defines `_load()`, see `AnnotatedImages`, and its docstring's first lines.

    Args:
        dataset_dir: the folder.
        decode: whether images are decoded.
        num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache: as `MappableDataset` takes
            them, in its order.
    """

    _label: int | None = None  # which of the other columns holds the classes that a PKSampler chooses from

    def __init__(
        self,
        dataset_dir: str,
        decode: bool | None,
        num_samples: int | None = None,
        sampler: Any = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_dir = check_folder(type(self).__name__, dataset_dir)
        super().__init__(
            decode,
            num_samples=num_samples,
            sampler=sampler,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            num_parallel_workers=num_parallel_workers,
            cache=cache,
        )

    def _rows_held(self) -> list[tuple[str, tuple[Any, ...]]]:
        held = super()._rows_held()
        if not held:
            raise missing(type(self).__name__, self.dataset_dir, "pictures of this dataset in the requested part")
        return held

    def _labels(self) -> Any:
        place = self._label
        return None if place is None else lambda: np.array([others[place] for _, others in self._rows_held()])

    def _path(self, *names: str) -> str:
        return os.path.join(self.dataset_dir, *names)

    def _folder(self, *names: str) -> str:
        """The path of a folder that must exist."""
        path = self._path(*names)
        if not os.path.isdir(path):
            raise missing(type(self).__name__, self.dataset_dir, f"the folder {os.path.join(*names)!r}")
        return path

    def _lines(self, *names: str) -> list[str]:
        """The lines of a file, without their ends; empty lines are left out."""
        path = self._path(*names)
        if not os.path.isfile(path):
            raise missing(type(self).__name__, self.dataset_dir, f"the file {os.path.join(*names)!r}")
        with reading(type(self).__name__, path), open(path, encoding="utf-8") as file:
            return [text for line in file if (text := line.rstrip("\r\n")).strip()]

    def _bad_line(self, name: str, line: str, wanted: str) -> RuntimeError:
        return RuntimeError(
            f"For '{type(self).__name__}', the lines of {self._path(name)!r} must hold {wanted}, but got {line[:60]!r}."
        )
