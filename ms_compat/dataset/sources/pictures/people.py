"""Labeled Faces in the Wild and WIDER FACE."""

import os
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole
from ms_compat.dataset._support import rows
from ms_compat.dataset.sources.files import choice, files_in, subfolders
from ms_compat.dataset.sources.pictures.base import Collection, with_shared_arguments

_FOLDERS = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}
_MOST = 9999  # pictures of a person: their names have four digits
_FACE = ("image", "bbox", "blur", "expression", "illumination", "occlusion", "pose", "invalid")


@with_shared_arguments
@faces("dataset")
class LFWDataset(Collection):
    """Reads Labeled Faces in the Wild: "image" and "label", or "image1", "image2" and "label".

    The label of uint32 is the person's line in `lfw-names.txt`, or 1 for two pictures of one person and 0 for others.

    Args:
        dataset_dir: the folder.
        task: "people" or "pairs"; None is "people".
        usage: "10fold", "train", "test" or "all", which is "train" and "test"; None is all.
        image_set: "original", "funneled" or "deepfunneled"; None is "funneled".
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str | None = None,
        usage: str | None = None,
        image_set: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.task = choice("LFWDataset", "task", task, ("people", "pairs"), "people")
        self.usage = choice("LFWDataset", "usage", usage, ("10fold", "train", "test", "all"), "all")
        self.image_set = choice("LFWDataset", "image_set", image_set, tuple(_FOLDERS), "funneled")
        self._names = ("image", "label") if self.task == "people" else ("image1", "image2", "label")
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _file(self, name: str, number: str, line: str) -> str:
        if not is_whole(number, _MOST):
            raise RuntimeError(f"For 'LFWDataset', a list must hold names and numbers, but got {line!r}.")
        return self._path(_FOLDERS[self.image_set], name, f"{name}_{int(number):04}.jpg")

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        kinds = {"10fold": ("",), "all": ("DevTrain", "DevTest")}.get(self.usage, (f"Dev{self.usage.capitalize()}",))
        lines = [line for kind in kinds for line in self._lines(f"{self.task}{kind}.txt")[1:]]
        return self._people(lines) if self.task == "people" else self._pairs(lines)

    def _people(self, lines: list[str]) -> list[tuple[str, tuple[Any, ...]]]:
        labels = {line.split()[0]: np.array(k, np.uint32) for k, line in enumerate(self._lines("lfw-names.txt"))}
        found: list[tuple[str, tuple[Any, ...]]] = []
        for line in lines:
            name, *count = line.split()
            if not count and name.isdigit():
                continue  # the number of people in a fold
            if len(count) != 1 or not is_whole(count[0], _MOST) or name not in labels:
                raise RuntimeError(f"For 'LFWDataset', a list must hold names and their counts, but got {line!r}.")
            numbers = range(1, int(count[0]) + 1)
            found += [(self._file(name, str(number), line), (labels[name],)) for number in numbers]
        return found

    def _pairs(self, lines: list[str]) -> list[tuple[str, tuple[Any, ...]]]:
        found: list[tuple[str, tuple[Any, ...]]] = []
        for line in lines:
            fields = line.split()
            if len(fields) not in (3, 4):
                raise RuntimeError(f"For 'LFWDataset', a list must hold pairs of pictures, but got {line!r}.")
            first, second = fields[:2], (fields[0], fields[2]) if len(fields) == 3 else fields[2:]
            label = np.array(len(fields) == 3, np.uint32)
            names = [self._file(name, number, line) for name, number in (first, second)]
            found.append((names[0], (names[1], label)))
        return found

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        if self.task == "people":
            return super()._row(path, others)
        return self._image(path), self._image(others[0]), others[1]


@with_shared_arguments
@faces("dataset")
class WIDERFaceDataset(Collection):
    """Reads WIDER FACE: "image", "bbox" (left, top, width, height) and six attributes of each face, of int32.

    The attributes are "blur", "expression", "illumination", "occlusion", "pose" and "invalid"; the usage "test" has
    the image only. A picture without faces has one box of zeros, as in the files.

    Args:
        dataset_dir: the folder.
        usage: "train", "test", "valid" or "all", which is "train" and "valid"; None is all.
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
        self.usage = choice("WIDERFaceDataset", "usage", usage, ("train", "test", "valid", "all"), "all")
        self._names = ("image",) if self.usage == "test" else _FACE
        super().__init__(
            dataset_dir, decode, num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        parts = {"all": ("train", "val"), "valid": ("val",)}.get(self.usage, (self.usage,))
        found: list[tuple[str, tuple[Any, ...]]] = []
        for part in parts:
            images = self._folder(f"WIDER_{part}", "images")
            faces_of = {} if part == "test" else self._faces_of(part)
            for event in subfolders(images):
                for path in files_in(os.path.join(images, event)):
                    boxes = faces_of.get(f"{event}/{os.path.basename(path)}", np.zeros((0, 10), np.int32))
                    found.append((path, () if part == "test" else (boxes[:, :4], *boxes[:, 4:].T)))
        return found

    def _faces_of(self, part: str) -> dict[str, np.ndarray]:
        """The boxes and attributes (faces, 10) by picture; a file has names, counts, and a line for each face."""
        name = f"wider_face_{part}_bbx_gt.txt"
        lines = iter(self._lines("wider_face_split", name))
        found = {}
        for picture in lines:
            try:
                count = int(next(lines))
                boxes = [[int(number) for number in next(lines).split()] for _ in range(max(count, 1))]
                found[picture.strip()] = np.array(boxes, np.int32).reshape(-1, 10)
            except (ValueError, OverflowError, StopIteration) as error:
                raise self._bad_line(f"wider_face_split/{name}", picture, "a picture, a count and its faces") from error
        return found
