"""KITTI, and pictures with other pictures or with sentences: DIV2K, Flickr, SBU."""

import os
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_int, check_type
from ms_compat.dataset.sources.files import check_folder, choice, files_in, missing
from ms_compat.dataset.sources.pictures.base import Collection, with_shared_arguments

_OBJECT = ("image", "label", "truncated", "occluded", "alpha", "bbox", "dimensions", "location", "rotation_y")
_DOWNGRADES = {"bicubic": (2, 3, 4, 8), "unknown": (2, 3, 4), "mild": (4,), "difficult": (4,), "wild": (4,)}
_URLS, _CAPTIONS = (f"SBU_captioned_photo_dataset_{kind}.txt" for kind in ("urls", "captions"))
_FLICKR = "http://static.flickr.com/"


@with_shared_arguments
@faces("dataset")
class KITTIDataset(Collection):
    """Reads KITTI's objects: "image" and eight columns with a row for each object.

    These are "label" (uint32, the class's number among the sorted names), "truncated", "occluded" (uint32), "alpha",
    "bbox", "dimensions", "location" and "rotation_y", float32 where nothing else is said. Pictures without objects are
    left out. The usage "test" has the image only.

    Args:
        dataset_dir: the folder.
        usage: "train" or "test"; None is "train".
    """

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
        self.usage = choice("KITTIDataset", "usage", usage, ("train", "test"), "train")
        self._names = ("image",) if self.usage == "test" else _OBJECT
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        part = "testing" if self.usage == "test" else "training"
        paths = files_in(self._folder("data_object_image_2", part, "image_2"))
        if self.usage == "test":
            return [(path, ()) for path in paths]
        objects = [self._objects(os.path.splitext(os.path.basename(path))[0]) for path in paths]
        classes = {name: k for k, name in enumerate(sorted({name for found in objects for name, _ in found}))}
        return [
            (path, _object_columns([classes[name] for name, _ in found], [numbers for _, numbers in found]))
            for path, found in zip(paths, objects, strict=True)
            if found
        ]

    def _objects(self, stem: str) -> list[tuple[str, list[float]]]:
        """The objects of a picture: the class and fourteen numbers."""
        name, found = os.path.join("data_object_label_2", "training", "label_2", f"{stem}.txt"), []
        for line in self._lines(name):
            kind, *fields = line.split()
            try:
                numbers = [float(field) for field in fields]
                if len(numbers) != 14 or not -1 <= numbers[1] <= 255:
                    raise ValueError("fields are missing")
            except ValueError as error:
                raise self._bad_line(name, line, "a class and fourteen numbers") from error
            found.append((kind, numbers))
        return found


def _object_columns(classes: list[int], numbers: list[list[float]]) -> tuple[np.ndarray, ...]:
    """The columns after the image, (objects, width) each. An `occluded` of -1 becomes 2**32 - 1, as in MindSpore."""
    table = np.array(numbers, np.float32)
    truncated, occluded, alpha, *others = np.split(table, [1, 2, 3, 7, 10, 13], axis=1)
    return (
        np.array(classes, np.uint32)[:, None],
        truncated,
        occluded.astype(np.int64).astype(np.uint32),
        alpha,
        *others,
    )


@with_shared_arguments
@faces("dataset")
class DIV2KDataset(Collection):
    """Reads DIV2K: "hr_image" and "lr_image", each picture in full and in reduced resolution.

    Args:
        dataset_dir: the folder.
        usage: "train", "valid" or "all".
        downgrade: "bicubic", "unknown", "mild", "difficult" or "wild": how pictures were reduced.
        scale: 2, 3, 4 or 8: by which factor. 8 needs "bicubic"; "mild", "difficult" and "wild" need 4.
    """

    _names = ("hr_image", "lr_image")

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        downgrade: str = "bicubic",
        scale: int = 2,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "DIV2KDataset"
        check_choice(api, "usage", check_type(api, "usage", usage, str), ("train", "valid", "all"))
        check_choice(api, "downgrade", check_type(api, "downgrade", downgrade, str), _DOWNGRADES)
        if check_int(api, "scale", scale) not in _DOWNGRADES[downgrade]:
            wanted = f"one of {list(_DOWNGRADES[downgrade])} for the downgrade {downgrade!r}"
            raise value_error(api, "scale", wanted, scale)
        self.usage, self.downgrade, self.scale = usage, downgrade, scale
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _reduced(self, part: str, path: str) -> str:
        """The path of the reduced picture."""
        ending, mark = f"x{self.scale}", ""
        if self.scale == 8:
            names: tuple[str, ...] = (f"DIV2K_{part}_LR_x8",)
        elif self.downgrade in ("bicubic", "unknown"):
            names = (f"DIV2K_{part}_LR_{self.downgrade}", ending.upper())
        else:
            names, mark = (f"DIV2K_{part}_LR_{self.downgrade}",), self.downgrade[0]
        stem, kind = os.path.splitext(os.path.basename(path))
        found = os.path.join(self._folder(*names), f"{stem}{ending}{mark}{kind}")
        if not os.path.isfile(found):
            raise missing("DIV2KDataset", self.dataset_dir, f"the picture {found!r}")
        return found

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        parts = ("train", "valid") if self.usage == "all" else (self.usage,)
        paths = [(part, path) for part in parts for path in files_in(self._folder(f"DIV2K_{part}_HR"))]
        return [(path, (self._reduced(part, path),)) for part, path in paths]

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        return self._image(path), self._image(others[0])


@with_shared_arguments
@faces("dataset")
class FlickrDataset(Collection):
    """Reads Flickr8k or Flickr30k: "image" and "annotation", the sentences about it, in the order of the paths.

    Args:
        dataset_dir: the folder.
        annotation_file: a line for each sentence, such as `1000268201.jpg#0<tab>A child in a pink dress .`
    """

    _names = ("image", "annotation")

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check_type("FlickrDataset", "annotation_file", annotation_file, str)
        if not os.path.isfile(annotation_file):
            raise value_error("FlickrDataset", "annotation_file", "a file that exists", annotation_file)
        self.annotation_file = annotation_file
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        sentences: dict[str, list[str]] = {}
        annotations = os.path.abspath(self.annotation_file)
        for line in self._lines(annotations):
            name, tab, text = line.partition("\t")
            name, mark, _ = name.partition("#")
            if not tab or not mark:
                raise self._bad_line(annotations, line, "a picture, '#', a tab and a sentence")
            sentences.setdefault(self._path(name), []).append(text)
        return [(path, (np.array(sentences[path]),)) for path in sorted(sentences)]


@with_shared_arguments
@faces("dataset")
class SBUDataset(Collection):
    """Reads SBU Captioned Photos: "image" and "caption", of the pictures that `sbu_images` holds.

    Args:
        dataset_dir: the folder.
    """

    _names = ("image", "caption")

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
        check_folder("SBUDataset", dataset_dir)
        for name in (_URLS, _CAPTIONS):
            if not os.path.isfile(os.path.join(dataset_dir, name)):
                raise value_error("SBUDataset", "dataset_dir", f"a folder with the file {name!r}", dataset_dir)
        check_folder("SBUDataset", os.path.join(dataset_dir, "sbu_images"))
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        found: list[tuple[str, tuple[Any, ...]]] = []
        for url, caption in zip(self._lines(_URLS), self._lines(_CAPTIONS), strict=False):
            if not url.startswith(_FLICKR):
                raise self._bad_line(_URLS, url, f"addresses that begin with {_FLICKR!r}")
            path = self._path("sbu_images", "m_" + url.strip().removeprefix(_FLICKR).replace("/", "_"))
            if os.path.isfile(path):
                found.append((path, (np.array(caption.rstrip(" ")),)))
        return found
