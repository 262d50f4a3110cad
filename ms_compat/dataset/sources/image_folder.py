"""`ImageFolderDataset`, a folder of classes, each a folder of images; and `FakeImageDataset`, images without files."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._base.mappable import ArrayDataset, MappableDataset
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_bool, check_int, check_type
from ms_compat.dataset.sources.files import check_folder, missing


@faces("dataset")
class ImageFolderDataset(MappableDataset):
    """Reads `dataset_dir/class/image`: columns "image" (the file's bytes, or RGB with `decode`) and "label" of int32.

    Args:
        dataset_dir: the folder of the class folders.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        extensions: a list of file endings to read; None reads every file.
        class_indexing: class name to label; only these classes are read. None numbers the classes in alphabetical
            order.
        decode: whether images are decoded.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
        decrypt: a function of the file's path that returns its bytes.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder.
        RuntimeError: while iterating, if there is no image, or one that cannot be decoded.

    >>> import os
    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> for name in ("cat", "dog"):
    ...     os.makedirs(f"pictures/{name}")
    ...     ds.vision.write_png(f"pictures/{name}/0.png", np.zeros((2, 2, 3), np.uint8))
    >>> data = ds.ImageFolderDataset("pictures", shuffle=False, decode=True)
    >>> [(image.shape, label.item()) for image, label in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    [((2, 2, 3), 0), ((2, 2, 3), 1)]
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        extensions: list[str] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Callable[[str], bytes] | None = None,
    ) -> None:
        api = "ImageFolderDataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        check_type(api, "extensions", extensions, (list, type(None)))
        for k, extension in enumerate(extensions or ()):
            check_type(api, f"extensions[{k}]", extension, str)
        for name, label in (check_type(api, "class_indexing", class_indexing, (dict, type(None))) or {}).items():
            check_type(api, "class_indexing", name, str)
            check_int(api, f"class_indexing[{name!r}]", label)
        if decrypt is not None and not callable(decrypt):
            raise type_error(api, "decrypt", "a function", decrypt)
        self.extensions = tuple(extensions or ())
        self.class_indexing = class_indexing or None
        self.decode, self.decrypt = check_bool(api, "decode", decode), decrypt
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self._found: tuple[list[str], np.ndarray] | None = None

    def _columns(self) -> list[str]:
        return ["image", "label"]

    def get_class_indexing(self) -> dict[str, int]:
        """The label of each class."""
        if self.class_indexing is None:
            with os.scandir(self.dataset_dir) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir())
            self.class_indexing = {name: k for k, name in enumerate(names)}
        return self.class_indexing

    def num_classes(self) -> int:
        """The number of classes.

        Raises:
            RuntimeError: if `class_indexing` names one that has no folder.
        """
        classes = self.get_class_indexing()
        for name in classes:
            if not os.path.isdir(os.path.join(self.dataset_dir, name)):
                raise RuntimeError(
                    f"For 'ImageFolderDataset', 'class_indexing' must name folders of {self.dataset_dir!r}, but got "
                    f"{name!r}."
                )
        return len(classes)

    def _files(self) -> tuple[list[str], np.ndarray]:
        if self._found is None:
            paths, labels = [], []
            for name, label in sorted(self.get_class_indexing().items()):
                for parent, folders, files in os.walk(os.path.join(self.dataset_dir, name)):
                    folders.sort()
                    chosen = [os.path.join(parent, file) for file in sorted(files) if self._wanted(file)]
                    paths += chosen
                    labels += [label] * len(chosen)
            if not paths:
                endings = f" with the endings {list(self.extensions)}" if self.extensions else ""
                raise missing("ImageFolderDataset", self.dataset_dir, f"images{endings} in a folder for each class")
            self._found = paths, np.array(labels, np.int32)
        return self._found

    def _wanted(self, file: str) -> bool:
        return not self.extensions or os.path.splitext(file)[1] in self.extensions

    def _length(self) -> int:
        return len(self._files()[0])

    def _labels(self) -> Any:
        return lambda: self._files()[1]

    def _bytes(self, path: str) -> np.ndarray:
        if self.decrypt is not None:
            return np.frombuffer(rows.call(self.decrypt, (path,), "decrypt"), np.uint8).copy()
        return np.fromfile(path, np.uint8)

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        from ms_compat.dataset.vision.files import Decode

        paths, labels = self._files()
        decode = Decode() if self.decode else None
        for k in indices.tolist():
            data = self._bytes(paths[k])
            if decode is not None:
                try:
                    data = decode(data)
                except RuntimeError as error:
                    raise RuntimeError(f"For 'ImageFolderDataset', {paths[k]!r} cannot be decoded: {error}") from error
            yield data, labels[k : k + 1].reshape(())


@faces("dataset")
class FakeImageDataset(ArrayDataset):
    """Random images: columns "image" of uint8 and "label" of uint32; the same for one `base_seed`.

    Args:
        num_images: how many.
        image_size: their shape, (H, W, C).
        num_classes: labels are drawn below it.
        base_seed: the seed.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    >>> import ms_compat.dataset as ds
    >>> data = ds.FakeImageDataset(num_images=4, image_size=(2, 2, 3), num_classes=10)
    >>> data.get_dataset_size(), data.get_col_names(), data.output_shapes()
    (4, ['image', 'label'], [[2, 2, 3], []])
    """

    def __init__(
        self,
        num_images: int = 1000,
        image_size: Any = (224, 224, 3),
        num_classes: int = 10,
        base_seed: int = 0,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "FakeImageDataset"
        for name, value, low in (
            ("num_images", num_images, 1),
            ("num_classes", num_classes, 1),
            ("base_seed", base_seed, 0),
        ):
            if check_int(api, name, value) < low:
                raise value_error(api, name, f"int and >= {low}", value)
        check_type(api, "image_size", image_size, (list, tuple))
        if len(image_size) != 3:
            raise value_error(api, "image_size", "(H, W, C)", image_size)
        for size in image_size:
            if check_int(api, "image_size", size) < 1:
                raise value_error(api, "image_size", "sizes > 0", image_size)
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self.num_images, self.image_size, self._classes, self.base_seed = (
            num_images,
            tuple(image_size),
            num_classes,
            base_seed,
        )

    def _columns(self) -> list[str]:
        return ["image", "label"]

    def _length(self) -> int:
        return self.num_images

    def _labels(self) -> Any:
        return lambda: self._drawn(np.arange(self.num_images))

    def _drawn(self, indices: np.ndarray) -> np.ndarray:
        return np.array(
            [np.random.default_rng((self.base_seed, k)).integers(self._classes) for k in indices], np.uint32
        )

    def _indices(self, streams: Any, epoch: int) -> np.ndarray:
        return self._order(streams, epoch)

    def _gather(self, indices: np.ndarray) -> rows.Row:
        images = [
            np.random.default_rng((self.base_seed, k, 1)).integers(256, size=self.image_size, dtype=np.uint8)
            for k in indices
        ]
        return np.stack(images) if len(images) else np.zeros((0, *self.image_size), np.uint8), self._drawn(indices)

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        for k in range(len(indices)):
            image, label = self._gather(indices[k : k + 1])
            yield image[0], label[0, ...]
