"""Shared by the datasets of annotated images: `CocoDataset`, `VOCDataset` and `ManifestDataset` read files by path."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_bool, check_type


class AnnotatedImages(MappableDataset):
    """A row is an image and its annotations; a subclass defines `_load()`.

    `_load` returns a list of (path, other columns): the images in order. The first row triggers the call.

    Args:
        decode: whether images are decoded.
        extra_metadata: whether a column "_meta-filename" with the image's name is added, as `_name` gives it.
        decrypt: a function of the file's path that returns its bytes.
        choices: the arguments of `MappableDataset`.
    """

    _names: tuple[str, ...] = ("image",)

    def __init__(
        self,
        decode: bool | None,
        extra_metadata: bool = False,
        decrypt: Callable[[str], bytes] | None = None,
        **choices: Any,
    ) -> None:
        api = type(self).__name__
        self.decode = check_bool(api, "decode", False if decode is None else decode)
        self.extra_metadata = check_bool(api, "extra_metadata", extra_metadata)
        if decrypt is not None and not callable(decrypt):
            raise type_error(api, "decrypt", "a function", decrypt)
        self.decrypt = decrypt
        super().__init__(**choices)
        self._held: list[tuple[str, tuple[Any, ...]]] | None = None

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        raise NotImplementedError(f"{type(self).__name__} loads nothing.")

    def _rows_held(self) -> list[tuple[str, tuple[Any, ...]]]:
        if self._held is None:
            self._held = self._load()
        return self._held

    def _columns(self) -> list[str]:
        return [*self._names, *(["_meta-filename"] if self.extra_metadata else [])]

    def _length(self) -> int:
        return len(self._rows_held())

    def _image(self, path: str) -> np.ndarray:
        api = type(self).__name__
        try:
            if self.decrypt is not None:
                data = np.frombuffer(rows.call(self.decrypt, (path,), "decrypt"), np.uint8).copy()
            else:
                data = np.fromfile(path, np.uint8)
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
            raise RuntimeError(f"For '{api}', the image must be readable, but {path!r} gave: {error}") from error
        if not self.decode:
            return data
        from ms_compat.dataset.vision.files import Decode

        try:
            return Decode()(data)
        except RuntimeError as error:
            raise RuntimeError(f"For '{api}', {path!r} cannot be decoded: {error}") from error

    def _row(self, path: str, others: tuple[Any, ...]) -> rows.Row:
        return (self._image(path), *others)

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        held = self._rows_held()
        for k in indices.tolist():
            path, others = held[k]
            row = self._row(path, others)
            yield (*row, np.array(self._name(path))) if self.extra_metadata else row

    def _name(self, path: str) -> str:
        return os.path.splitext(os.path.basename(path))[0]


def check_classes(api: str, class_indexing: Any) -> dict[str, int] | None:
    """Checks a mapping from class names to numbers; None and {} number the classes in alphabetical order."""
    for name, number in (check_type(api, "class_indexing", class_indexing, (dict, type(None))) or {}).items():
        check_type(api, "class_indexing", name, str)
        check_type(api, f"class_indexing[{name!r}]", number, int)
    return dict(class_indexing) if class_indexing else None
