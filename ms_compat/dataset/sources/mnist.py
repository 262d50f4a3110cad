"""`MnistDataset` and the datasets in the same files: IDX images and labels."""

import os

import numpy as np

from ms_compat.dataset.sources.files import ArchiveDataset, missing, read_idx


class MnistDataset(ArchiveDataset):
    """Reads MNIST: columns "image" (28, 28, 1) of uint8 and "label" of uint32.

    The folder holds `train-images-idx3-ubyte`, `train-labels-idx1-ubyte` and the same for `t10k`.

    Args:
        dataset_dir: the folder.
        usage: "train", "test" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: must be None.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder or usage.
        RuntimeError: while iterating, if the files are missing or are not MNIST's.
    """

    def _columns(self) -> list[str]:
        return ["image", "label"]

    def _load(self) -> list[np.ndarray]:
        parts = [self._part(name) for use, name in (("test", "t10k"), ("train", "train")) if self.usage in (use, "all")]
        found = [part for part in parts if part is not None]
        if not found:
            raise missing(type(self).__name__, self.dataset_dir, "images and labels of MNIST")
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _part(self, name: str) -> tuple[np.ndarray, np.ndarray] | None:
        api = type(self).__name__
        paths = [os.path.join(self.dataset_dir, f"{name}-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1")]
        if not all(os.path.isfile(path) for path in paths):
            return None
        images, labels = read_idx(api, paths[0], 3), read_idx(api, paths[1], 1)
        if len(images) != len(labels):
            raise RuntimeError(
                f"For '{api}', {paths[0]!r} and {paths[1]!r} must have one length, but got "
                f"{len(images)} and {len(labels)}."
            )
        return images[..., None], labels.astype(np.uint32)


class FashionMnistDataset(MnistDataset):
    """Reads Fashion-MNIST, whose files are MNIST's; see `MnistDataset`."""
