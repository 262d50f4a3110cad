"""`PhotoTourDataset`: patches of photographs, 256 to a sheet."""

import os
from collections import OrderedDict
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.sources.files import choice, missing
from ms_compat.dataset.sources.pictures.base import Collection, with_shared_arguments
from ms_compat.dataset.vision.opencv import opencv

_NAMES = tuple(name + end for end in ("", "_harris") for name in ("notredame", "yosemite", "liberty"))
_PAIRS = "m50_100000_100000_0.txt"
_SIDE, _PATCH = 16, 64  # patches in a row and in a column of a sheet, and their pixels
_SHEETS = 128  # sheets in memory, of 1 MiB each


@with_shared_arguments
@faces("dataset")
class PhotoTourDataset(Collection):
    """Reads PhotoTour: "image" (64, 64, 1) of uint8, or pairs "image1", "image2" and "matches" of uint32.

    Args:
        dataset_dir: the folder.
        name: "notredame", "yosemite", "liberty", or one of these with "_harris": the folder.
        usage: "train" for patches or "test" for pairs of them, with 1 for two patches of one point; None is "train".
    """

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check_choice("PhotoTourDataset", "name", check_type("PhotoTourDataset", "name", name, str), _NAMES)
        self.name = name
        self.usage = choice("PhotoTourDataset", "usage", usage, ("train", "test"), "train")
        self._names = ("image",) if self.usage == "train" else ("image1", "image2", "matches")
        self._sheets: OrderedDict[int, np.ndarray] = OrderedDict()
        super().__init__(
            dataset_dir,
            False,
            num_samples=num_samples,
            sampler=sampler,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            num_parallel_workers=num_parallel_workers,
            cache=cache,
        )

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        self._folder(self.name)
        count = len(self._lines(self.name, "info.txt"))
        if self.usage == "train":
            return [(self.name, (k,)) for k in range(count)]
        found: list[tuple[str, tuple[Any, ...]]] = []
        for line in self._lines(self.name, _PAIRS):
            fields = line.split()
            if len(fields) != 7 or not all(is_whole(field) for field in fields):
                raise self._bad_line(os.path.join(self.name, _PAIRS), line, "seven whole numbers")
            first, second = int(fields[0]), int(fields[3])
            if max(first, second) >= count:
                raise self._bad_line(os.path.join(self.name, _PAIRS), line, f"patches below {count}")
            found.append((self.name, (first, second, np.array(fields[1] == fields[4], np.uint32))))
        return found

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        return tuple(self._patch(item) if isinstance(item, int) else item for item in others)

    def _patch(self, k: int) -> np.ndarray:
        sheet, place = divmod(k, _SIDE * _SIDE)
        row, column = (_PATCH * part for part in divmod(place, _SIDE))
        return self._sheet(sheet)[row : row + _PATCH, column : column + _PATCH, None].copy()

    def _sheet(self, k: int) -> np.ndarray:
        """A sheet; the latest ones stay in memory."""
        if k not in self._sheets:
            path = self._path(self.name, f"patches{k:04}.bmp")
            cv2 = opencv()
            sheet = cv2.imread(path, cv2.IMREAD_GRAYSCALE) if os.path.isfile(path) else None
            if sheet is None or sheet.shape != (_SIDE * _PATCH, _SIDE * _PATCH):
                raise missing("PhotoTourDataset", self.dataset_dir, f"{path!r}, a picture of 1024 x 1024 pixels")
            self._sheets[k] = sheet
            if len(self._sheets) > _SHEETS:
                self._sheets.popitem(last=False)
        self._sheets.move_to_end(k)
        return self._sheets[k]
