"""`CocoDataset`: images with the annotations of COCO's JSON files."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.samplers import PKSampler
from ms_compat.dataset.sources.files import check_folder
from ms_compat.dataset.sources.images import AnnotatedImages


def _column(key: str) -> Callable[[list[dict[str, Any]]], np.ndarray]:
    return lambda found: np.array([[int(one[key])] for one in found], np.uint32)


def _boxes(found: list[dict[str, Any]]) -> np.ndarray:
    boxes = np.array([one["bbox"] for one in found], np.float32)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError(f"boxes of shape {boxes.shape}")
    return boxes


def _keypoints(found: list[dict[str, Any]]) -> np.ndarray:
    return np.array([one["keypoints"] for one in found], np.float32)


def _segmentation(found: list[dict[str, Any]]) -> np.ndarray:
    """All polygons, one a row, short ones filled up with -1; for a crowd, its mask's counts."""
    parts: list[list[float]] = []
    for one in found:
        parts += [one["segmentation"]["counts"]] if one["iscrowd"] else one["segmentation"]
    width = max(len(part) for part in parts)
    return np.array([[*part, *[-1] * (width - len(part))] for part in parts], np.float32)


def _captions(found: list[dict[str, Any]]) -> np.ndarray:
    return np.array([[str(one["caption"])] for one in found])


_CROWD = ("iscrowd", _column("iscrowd"))
_CATEGORY = ("category_id", _column("category_id"))
# task: the columns after "image", each with the function that makes it from an image's annotations.
_TASKS: dict[str, tuple[tuple[str, Callable[[list[dict[str, Any]]], np.ndarray]], ...]] = {
    "Detection": (("bbox", _boxes), _CATEGORY, _CROWD),
    "Stuff": (("segmentation", _segmentation), _CROWD),
    "Keypoint": (("keypoints", _keypoints), ("num_keypoints", _column("num_keypoints"))),
    "Panoptic": (("bbox", _boxes), _CATEGORY, _CROWD, ("area", _column("area"))),
    "Captioning": (("captions", _captions),),
}


@faces("dataset")
class CocoDataset(AnnotatedImages):
    """Reads COCO: "image" and its annotations; images without any are left out.

    The columns are, for "Detection": "bbox" (left, top, width, height), "category_id", "iscrowd"; for "Stuff":
    "segmentation", "iscrowd"; for "Keypoint": "keypoints", "num_keypoints"; for "Panoptic": "bbox", "category_id",
    "iscrowd", "area"; for "Captioning": "captions". Each has a line for every object of the image.

    Args:
        dataset_dir: the folder of the images.
        annotation_file: the JSON file.
        task: one of the five above.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        decode: whether images are decoded.
        sampler: a sampler (no `PKSampler`) or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
        extra_metadata: whether a column "_meta-filename" with the image's name, without ending, is added.
        decrypt: a function of the file's path that returns its bytes.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder, file or task.
        RuntimeError: while iterating, if the annotations are not COCO's.
    """

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        task: str = "Detection",
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
        api = "CocoDataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        if not os.path.isfile(check_type(api, "annotation_file", annotation_file, str)):
            raise value_error(api, "annotation_file", "a file that exists", annotation_file)
        check_choice(api, "task", check_type(api, "task", task, str), _TASKS)
        if isinstance(sampler, PKSampler):
            raise value_error(api, "sampler", "no PKSampler: a row has no single class", sampler)
        self.annotation_file, self.task = annotation_file, task
        self._names = ("image", *(name for name, _ in _TASKS[task]))
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
        self._parsed: dict[str, Any] | None = None

    def _json(self) -> dict[str, Any]:
        if self._parsed is None:
            try:
                with open(self.annotation_file, encoding="utf-8") as file:
                    parsed = parse_json(file.read())
            except (OSError, ValueError) as error:
                raise self._refused(f"gave: {error}") from error
            if not isinstance(parsed, dict) or not all(key in parsed for key in ("images", "annotations")):
                raise self._refused("has no 'images' and 'annotations'")
            self._parsed = parsed
        return self._parsed

    def _refused(self, why: str) -> RuntimeError:
        return RuntimeError(f"For 'CocoDataset', the file {self.annotation_file!r} must be COCO's JSON, but {why}.")

    def get_class_indexing(self) -> dict[str, list[int]]:
        """The numbers of each category: its id and, for "Panoptic", whether it is a thing."""
        panoptic = self.task == "Panoptic"
        try:
            return {
                one["name"]: [one["id"], one["isthing"]] if panoptic else [one["id"]]
                for one in self._json()["categories"]
            }
        except (KeyError, TypeError, AttributeError) as error:
            raise self._refused(f"lacks {error} among the categories") from error

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        try:
            return self._grouped(self._json())
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise self._refused(f"an annotation lacks or misuses {error}") from error

    def _grouped(self, parsed: dict[str, Any]) -> list[tuple[str, tuple[Any, ...]]]:
        """The images in the order of the file; for "Panoptic", in the order of the annotations."""
        names = {one["id"]: one["file_name"] for one in parsed["images"]}
        of_image: dict[Any, list[dict[str, Any]]] = {}
        for one in parsed["annotations"]:
            found = one["segments_info"] if self.task == "Panoptic" else [one]
            if one["image_id"] not in names:
                raise KeyError(f"image_id {one['image_id']}")
            of_image.setdefault(one["image_id"], []).extend(found)
        return [
            (os.path.join(self.dataset_dir, names[key]), tuple(make(found) for _, make in _TASKS[self.task]))
            for key, found in of_image.items()
        ]
