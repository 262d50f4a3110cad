"""Pictures labelled by their folder or by a list: Food-101, LSUN, Omniglot, Places365, Rendered SST-2, SUN397."""

import os
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.sources.files import choice, files_in, subfolders
from ms_compat.dataset.sources.folders import IMAGES
from ms_compat.dataset.sources.pictures.base import Collection, with_shared_arguments

_SCENES = (
    "bedroom", "bridge", "church_outdoor", "classroom", "conference_room", "dining_room", "kitchen", "living_room",
    "restaurant", "tower",
)  # fmt: skip


@with_shared_arguments
@faces("dataset")
class Food101Dataset(Collection):
    """Reads Food-101: "image" and "label", a str such as `apple_pie`, in the order of the lists in `meta`.

    Args:
        dataset_dir: the folder.
        usage: "train", "test" or "all"; None is all.
    """

    _names = ("image", "label")

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = choice("Food101Dataset", "usage", usage, ("train", "test", "all"), "all")
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        images = self._folder("images")
        parts = ("train", "test") if self.usage == "all" else (self.usage,)
        names = [name.strip() for part in parts for name in self._lines("meta", f"{part}.txt")]
        return [(os.path.join(images, f"{name}.jpg"), (np.array(name.split("/")[0]),)) for name in names]


@with_shared_arguments
@faces("dataset")
class LSUNDataset(Collection):
    """Reads LSUN, exported to folders such as `bedroom_train`: "image" and "label" of uint32, the folder's number.

    Args:
        dataset_dir: the folder.
        usage: "train", "test", "valid" or "all", which is "train" and "valid"; None is all.
        classes: a list of scenes, such as "bedroom"; None and [] take all.
    """

    _names = ("image", "label")
    _label = 0
    _endings = {"train": ("_train",), "valid": ("_val",), "all": ("_train", "_val")}

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        classes: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "LSUNDataset"
        self.usage = choice(api, "usage", usage, ("train", "test", "valid", "all"), "all")
        for name in check_type(api, "classes", classes, (list, type(None))) or ():
            choice(api, "classes", name, _SCENES, "")
        self.classes = list(classes or ())
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _scenes(self) -> list[tuple[str, str]]:
        """The folders that the arguments choose, with their scenes, by name."""
        found = [name.rpartition("_") for name in subfolders(self.dataset_dir)]
        known = self.classes or _SCENES
        return [
            (scene + mark + part, scene)
            for scene, mark, part in found
            if mark + part in self._endings[self.usage] and scene in known
        ]

    def num_classes(self) -> int:
        """The number of scenes that the folder holds; 0 for the usage "test", which has no labels."""
        return 0 if self.usage == "test" else len({scene for _, scene in self._scenes()})

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        folders = ["test"] if self.usage == "test" else [name for name, _ in self._scenes()]
        return [
            (path, (np.array(label, np.uint32),))
            for label, name in enumerate(folders)
            for path in files_in(self._folder(name))
        ]


@with_shared_arguments
@faces("dataset")
class OmniglotDataset(Collection):
    """Reads Omniglot: "image" and "label" of int32, the character's number across all alphabets.

    Args:
        dataset_dir: the folder.
        background: whether `images_background` is read, otherwise `images_evaluation`; None is True.
    """

    _names = ("image", "label")
    _label = 0

    def __init__(
        self,
        dataset_dir: str,
        background: bool | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.background = check_bool("OmniglotDataset", "background", True if background is None else background)
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _characters(self) -> list[str]:
        part = self._folder("images_background" if self.background else "images_evaluation")
        alphabets = [os.path.join(part, name) for name in subfolders(part)]
        return [os.path.join(alphabet, name) for alphabet in alphabets for name in subfolders(alphabet)]

    def num_classes(self) -> int:
        """The number of characters."""
        return len(self._characters())

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        return [
            (path, (np.array(label, np.int32),))
            for label, folder in enumerate(self._characters())
            for path in files_in(folder)
        ]


@with_shared_arguments
@faces("dataset")
class Places365Dataset(Collection):
    """Reads Places365: "image" and "label" of uint32, in the order of the part's list.

    Args:
        dataset_dir: the folder.
        usage: "train-standard", "train-challenge" or "val"; None is "train-standard".
        small: whether the pictures of 256 x 256 are read, otherwise the large ones.
    """

    _names = ("image", "label")
    _label = 0

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        small: bool = True,
        decode: bool = False,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        parts = ("train-standard", "train-challenge", "val")
        self.usage = choice("Places365Dataset", "usage", usage, parts, parts[0])
        self.small = check_bool("Places365Dataset", "small", small)
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        self._lines("categories_places365.txt")  # which must exist
        part, _, kind = self.usage.partition("-")
        size = "256" if self.small else "large"
        folder = self._folder(f"data_{size}_{kind}" if kind else f"val_{size}")
        name = f"places365_{self.usage.replace('-', '_')}.txt"
        found: list[tuple[str, tuple[Any, ...]]] = []
        for line in self._lines(name):
            path, _, label = line.strip().rpartition(" ")
            if not path or not is_whole(label):
                raise self._bad_line(name, line, "a path and a label")
            found.append((os.path.join(folder, path.strip("/")), (np.array(int(label), np.uint32),)))
        return found


@with_shared_arguments
@faces("dataset")
class RenderedSST2Dataset(Collection):
    """Reads Rendered SST-2: "image" and "label" of uint32, 0 for `negative` and 1 for `positive`.

    Args:
        dataset_dir: the folder.
        usage: "train", "val", "test" or "all"; None is all.
    """

    _names = ("image", "label")
    _label = 0

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = choice("RenderedSST2Dataset", "usage", usage, ("val", "all", "train", "test"), "all")
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _parts(self) -> list[str]:
        wanted = ("test", "train", "valid") if self.usage == "all" else (self.usage.replace("val", "valid"),)
        return [part for part in wanted if os.path.isdir(self._path(part))]

    def num_classes(self) -> int:
        """The number of moods: 2."""
        return max((len(subfolders(self._path(part))) for part in self._parts()), default=0)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        return [
            (path, (np.array(label, np.uint32),))
            for part in self._parts()
            for label, mood in enumerate(subfolders(self._path(part)))
            for path in files_in(self._path(part, mood), IMAGES)
        ]


@with_shared_arguments
@faces("dataset")
class SUN397Dataset(Collection):
    """Reads SUN397: "image" and "label" of uint32, the line of the place in `ClassName.txt`.

    Args:
        dataset_dir: the folder.
    """

    _names = ("image", "label")
    _label = 0

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        labels = {name.strip().strip("/"): label for label, name in enumerate(self._lines("ClassName.txt"))}
        return [
            (path, (np.array(labels[place], np.uint32),))
            for place in sorted(labels)
            for path in files_in(self._folder(*place.split("/")), (".jpg",))
        ]
