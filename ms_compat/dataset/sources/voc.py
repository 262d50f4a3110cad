"""`VOCDataset`: Pascal VOC, images with boxes or with a segmentation."""

import os
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.sources.files import check_folder
from ms_compat.dataset.sources.images import AnnotatedImages, check_classes

_TASKS = {
    "Detection": ("Main", ("image", "bbox", "label", "difficult", "truncate")),
    "Segmentation": ("Segmentation", ("image", "target")),
}


@faces("dataset")
class VOCDataset(AnnotatedImages):
    """Reads Pascal VOC: "image" and "target", or "image", "bbox" (left, top, width, height), "label" and two flags.

    Args:
        dataset_dir: the folder with `ImageSets`, `JPEGImages`, and `Annotations` or `SegmentationClass`.
        task: "Segmentation" or "Detection".
        usage: the list of images: `ImageSets/Segmentation/<usage>.txt` or `ImageSets/Main/<usage>.txt`.
        class_indexing: class name to label, for "Detection"; objects of other classes are left out. None numbers the
            classes in alphabetical order.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        decode: whether images are decoded.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
        extra_metadata: whether a column "_meta-filename" with the image's name, without ending, is added.
        decrypt: a function of the file's path that returns its bytes.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder, task or list.
        RuntimeError: while iterating, if an annotation is missing or invalid.
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Segmentation",
        usage: str = "train",
        class_indexing: dict[str, int] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ) -> None:
        api = "VOCDataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        check_type(api, "usage", usage, str)
        check_choice(api, "task", check_type(api, "task", task, str), _TASKS)
        if task == "Segmentation" and class_indexing is not None:
            raise value_error(api, "class_indexing", "None for the task 'Segmentation'", class_indexing)
        self.task, self.usage = task, usage
        kind, self._names = _TASKS[task]
        self._list = os.path.join(dataset_dir, "ImageSets", kind, f"{usage}.txt")
        if not os.path.isfile(self._list):
            raise value_error(api, "usage", f"a list that exists ({self._list!r})", usage)
        self.class_indexing = check_classes(api, class_indexing)
        super().__init__(
            decode,
            extra_metadata,
            decrypt,
            num_samples=num_samples,
            sampler=sampler,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            num_parallel_workers=num_parallel_workers,
            cache=cache,
        )
        self._objects: list[tuple[str, list[tuple[str, list[float], int, int]]]] | None = None

    def _ids(self) -> list[str]:
        with reading("VOCDataset", self._list), open(self._list, encoding="utf-8") as file:
            found = [line.split()[0] for line in file if line.strip()]
        if not found:
            raise RuntimeError(f"For 'VOCDataset', {self._list!r} must name images, but it is empty.")
        return found

    def _file(self, folder: str, name: str, ending: str) -> str:
        path = os.path.join(self.dataset_dir, folder, f"{name}.{ending}")
        if not os.path.isfile(path):
            raise RuntimeError(f"For 'VOCDataset', {self._list!r} lists {name!r}, but {path!r} does not exist.")
        return path

    def _annotated(self) -> list[tuple[str, list[tuple[str, list[float], int, int]]]]:
        if self._objects is None:
            self._objects = [(name, _objects(self._file("Annotations", name, "xml"))) for name in self._ids()]
        return self._objects

    def get_class_indexing(self) -> dict[str, int]:
        """The label of each class, for "Detection".

        Raises:
            NotImplementedError: for "Segmentation".
        """
        if self.task != "Detection":
            raise NotImplementedError("VOCDataset has classes for the task 'Detection' only.")
        if self.class_indexing is None:
            names = sorted({one[0] for _, objects in self._annotated() for one in objects})
            self.class_indexing = {name: k for k, name in enumerate(names)}
        return self.class_indexing

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        if self.task == "Segmentation":
            return [
                (self._file("JPEGImages", name, "jpg"), (self._file("SegmentationClass", name, "png"),))
                for name in self._ids()
            ]
        classes, found = self.get_class_indexing(), []
        for name, objects in self._annotated():
            kept = [one for one in objects if one[0] in classes]
            if not kept:
                continue
            boxes = np.array([one[1] for one in kept], np.float32)
            numbers = [[[classes[one[0]]] for one in kept], [[one[3]] for one in kept], [[one[2]] for one in kept]]
            try:
                columns = [np.array(item, np.uint32) for item in numbers]
            except OverflowError as error:
                raise RuntimeError(f"For 'VOCDataset', the annotation {name!r} must hold flags: {error}.") from error
            found.append((self._file("JPEGImages", name, "jpg"), (boxes, *columns)))
        return found

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        if self.task == "Segmentation":
            return self._image(path), self._image(others[0])
        return super()._row(path, others)


def _objects(path: str) -> list[tuple[str, list[float], int, int]]:
    """The objects of an annotation: (class, [left, top, width, height], truncated, difficult)."""
    try:
        found = []
        for item in ElementTree.parse(path).getroot().iter("object"):
            box = item.find("bndbox")
            if box is None:
                raise ValueError("an object without 'bndbox'")
            left, top, right, bottom = (float(box.findtext(key, "")) for key in ("xmin", "ymin", "xmax", "ymax"))
            if not (0 < left <= right and 0 < top <= bottom):
                raise ValueError(f"the box {[left, top, right, bottom]}")
            flags = (int(item.findtext(key, "0") or 0) for key in ("truncated", "difficult"))
            found.append((item.findtext("name", ""), [left, top, right - left, bottom - top], *flags))
    except (ElementTree.ParseError, ValueError, LookupError, OSError) as error:
        raise RuntimeError(f"For 'VOCDataset', {path!r} must be an annotation, but gave: {error}") from error
    return found  # type: ignore[return-value]
