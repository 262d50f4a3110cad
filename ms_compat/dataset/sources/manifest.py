"""`ManifestDataset`: images that a ModelArts manifest lists, a JSON object a line."""

import os
from typing import Any

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json, reading
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.sources.images import AnnotatedImages, check_classes


@faces("dataset")
class ManifestDataset(AnnotatedImages):
    """Reads the images of a manifest: columns "image" and "label" of int32, of shape (1,) or more for several labels.

    Args:
        dataset_file: the manifest.
        usage: "train", "eval" or "inference": the lines that say so, in whatever case.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        class_indexing: class name to label; labels of other classes are left out. None numbers the classes in
            alphabetical order.
        decode: whether images are decoded.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such file.
        RuntimeError: while iterating, for another `usage`, if a line is not a manifest object, or if no line has this
            usage and these classes.
    """

    _names = ("image", "label")

    def __init__(
        self,
        dataset_file: str,
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "ManifestDataset"
        if not os.path.isfile(check_type(api, "dataset_file", dataset_file, str)):
            raise value_error(api, "dataset_file", "a file that exists", dataset_file)
        self.dataset_file, self.usage = dataset_file, check_type(api, "usage", usage, str)
        self.class_indexing = check_classes(api, class_indexing)
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
        self._listed: list[tuple[str, list[str]]] | None = None

    def _lines(self) -> list[tuple[str, list[str]]]:
        """(path, class names) of each line with this usage."""
        if self._listed is None:
            if self.usage not in ("train", "eval", "inference"):
                raise RuntimeError(
                    f"For 'ManifestDataset', the 'usage' must be train, eval or inference, but got {self.usage!r}."
                )
            found = []
            with reading("ManifestDataset", self.dataset_file), open(self.dataset_file, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    if not line.strip():
                        continue
                    try:
                        one = parse_json(line)
                        if one["usage"].lower() == self.usage:
                            texts = [one["source"], *(label["name"] for label in one["annotation"])]
                            if not all(isinstance(text, str) for text in texts):
                                raise TypeError("its 'source' and the 'name' of each annotation must be str")
                            found.append((texts[0], texts[1:]))
                    except (ValueError, KeyError, TypeError, AttributeError) as error:
                        raise RuntimeError(
                            f"For 'ManifestDataset', line {number} of {self.dataset_file!r} must be an object with "
                            f"'source', 'usage' and 'annotation', but gave: {error!r}"
                        ) from error
            if not found:
                raise RuntimeError(
                    f"For 'ManifestDataset', {self.dataset_file!r} must have lines of usage {self.usage!r}."
                )
            self._listed = found
        return self._listed

    def get_class_indexing(self) -> dict[str, int]:
        """The label of each class."""
        if self.class_indexing is None:
            names = sorted({name for _, labels in self._lines() for name in labels})
            self.class_indexing = {name: k for k, name in enumerate(names)}
        return self.class_indexing

    def num_classes(self) -> int:
        """The number of classes that images have (and `class_indexing` names)."""
        return len({name for _, names in self._lines() for name in names} & set(self.get_class_indexing()))

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        classes, found = self.get_class_indexing(), []
        for path, labels in self._lines():
            numbers = [classes[name] for name in labels if name in classes]
            if numbers:
                label = np.array(numbers if len(numbers) > 1 else numbers[0], np.int32)
                found.append((path.removeprefix("file://"), (label,)))
        if not found:
            raise RuntimeError(f"For 'ManifestDataset', {self.dataset_file!r} must have lines of {list(classes)}.")
        return found
