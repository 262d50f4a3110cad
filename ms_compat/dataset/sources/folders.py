"""Images labelled by folders or lists: `Caltech256Dataset`, `CelebADataset`, `CityscapesDataset`."""

import json
import os
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json, reading
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.sources.files import check_folder, check_usage, missing
from ms_compat.dataset.sources.images import AnnotatedImages

IMAGES = (".jpg", ".jpeg", ".png", ".bmp", ".JPG", ".JPEG", ".PNG", ".BMP")


@faces("dataset")
class Caltech256Dataset(AnnotatedImages):
    """Reads a folder for each class, such as `001.ak47`: "image" and "label" of int32, in the order of the names.

    Args:
        dataset_dir: the folder.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        decode: whether images are decoded.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder.
        RuntimeError: while iterating, if there are no images.
    """

    _names = ("image", "label")

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_dir = check_folder("Caltech256Dataset", dataset_dir)
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

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        folders = [os.path.join(self.dataset_dir, name) for name in sorted(os.listdir(self.dataset_dir))]
        found: list[tuple[str, tuple[Any, ...]]] = []
        for label, folder in enumerate(path for path in folders if os.path.isdir(path)):
            names = [name for name in sorted(os.listdir(folder)) if name.endswith(IMAGES)]
            found += [(os.path.join(folder, name), (np.array(label, np.int32),)) for name in names]
        if not found:
            raise missing("Caltech256Dataset", self.dataset_dir, "folders of images")
        return found


@faces("dataset")
class CelebADataset(AnnotatedImages):
    """Reads CelebA: "image" and "attr", forty uint32 of 0 and 1.

    Args:
        dataset_dir: the folder of the images, `list_attr_celeba.txt` and, unless all are wanted,
            `list_eval_partition.txt`.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        usage: "train", "valid", "test" or "all".
        sampler: a sampler or an iterable of row numbers.
        decode: whether images are decoded.
        extensions: file name endings to read; None takes all.
        num_samples: rows at most.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
        decrypt: a function of the file's path that returns its bytes.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder or usage.
        RuntimeError: while iterating, if a list is missing or invalid.
    """

    _names = ("image", "attr")
    _parts = {"train": "0", "valid": "1", "test": "2"}

    def __init__(
        self,
        dataset_dir: str,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        usage: str = "all",
        sampler: Any = None,
        decode: bool = False,
        extensions: list[str] | None = None,
        num_samples: int | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ) -> None:
        api = "CelebADataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        self.usage = check_usage(api, usage, (*self._parts, "all"))
        for k, ending in enumerate(check_type(api, "extensions", extensions, (list, type(None))) or ()):
            check_type(api, f"extensions[{k}]", ending, str)
        self.extensions = tuple(extensions) if extensions else ("",)
        super().__init__(
            decode,
            decrypt=decrypt,
            num_samples=num_samples,
            sampler=sampler,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            num_parallel_workers=num_parallel_workers,
            cache=cache,
        )

    def _lines(self, name: str) -> list[list[str]]:
        path = os.path.join(self.dataset_dir, name)
        if not os.path.isfile(path):
            raise missing("CelebADataset", self.dataset_dir, f"the list {name!r}")
        with reading("CelebADataset", path), open(path, encoding="utf-8") as file:
            return [line.split() for line in file if line.strip()]

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        wanted = None
        if self.usage != "all":
            parts = self._lines("list_eval_partition.txt")
            wanted = {line[0] for line in parts if line[1:] == [self._parts[self.usage]]}
        found: list[tuple[str, tuple[Any, ...]]] = []
        for line in self._lines("list_attr_celeba.txt")[2:]:
            if len(line) != 41 or not set(line[1:]) <= {"1", "-1"}:
                raise RuntimeError(
                    "For 'CelebADataset', the lines of 'list_attr_celeba.txt' must be a name and 40 numbers 1 or -1, "
                    f"but one begins with {line[:3]}."
                )
            if line[0].endswith(self.extensions) and (wanted is None or line[0] in wanted):
                attributes = np.array([number == "1" for number in line[1:]], np.uint32)
                found.append((os.path.join(self.dataset_dir, line[0]), (attributes,)))
        if not found:
            raise missing("CelebADataset", self.dataset_dir, f"images of usage {self.usage!r}")
        return found


@faces("dataset")
class CityscapesDataset(AnnotatedImages):
    """Reads Cityscapes: "image" and "task", an image of instances, labels or colours, or the text of the polygons.

    Args:
        dataset_dir: the folder of `leftImg8bit` and `gtFine` or `gtCoarse`.
        usage: "train", "test", "val" or "all"; for coarse annotations "train_extra" instead of "test".
        quality_mode: "fine" or "coarse".
        task: "instance", "semantic", "polygon" or "color".
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        decode: whether images are decoded.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder, usage, mode or task.
        RuntimeError: while iterating, if a folder or an annotation is missing.
    """

    _names = ("image", "task")
    _usages = {"fine": ("train", "test", "val", "all"), "coarse": ("train", "train_extra", "val", "all")}
    _endings = {
        "instance": "instanceIds.png",
        "semantic": "labelIds.png",
        "polygon": "polygons.json",
        "color": "color.png",
    }

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        quality_mode: str = "fine",
        task: str = "instance",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "CityscapesDataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        for name, value, choices in (("quality_mode", quality_mode, self._usages), ("task", task, self._endings)):
            check_type(api, name, value, str)
            check_choice(api, name, value, choices)
        self.usage = check_usage(api, usage, self._usages[quality_mode])
        self.quality_mode, self.task = quality_mode, task
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

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        truth = f"gt{self.quality_mode.capitalize()}"
        parts = self._usages[self.quality_mode][:-1] if self.usage == "all" else (self.usage,)
        found: list[tuple[str, tuple[Any, ...]]] = []
        for part in parts:
            images = os.path.join(self.dataset_dir, "leftImg8bit", part)
            if not os.path.isdir(images):
                raise missing("CityscapesDataset", self.dataset_dir, f"the folder {images!r}")
            for city in sorted(os.listdir(images)):
                for name in sorted(os.listdir(os.path.join(images, city))):
                    stem = name.removesuffix("leftImg8bit.png")
                    target = os.path.join(
                        self.dataset_dir, truth, part, city, f"{stem}{truth}_{self._endings[self.task]}"
                    )
                    if not os.path.isfile(target):
                        raise RuntimeError(f"For 'CityscapesDataset', the image {name!r} must have {target!r}.")
                    found.append((os.path.join(images, city, name), (target,)))
        if not found:
            raise missing("CityscapesDataset", self.dataset_dir, "images")
        return found

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        if self.task != "polygon":
            return self._image(path), self._image(others[0])
        try:
            with open(others[0], encoding="utf-8") as file:
                text = json.dumps(parse_json(file.read()), separators=(",", ":"))
        except ValueError as error:
            raise RuntimeError(f"For 'CityscapesDataset', {others[0]!r} must be JSON, but gave: {error}") from error
        return self._image(path), np.array(text)
