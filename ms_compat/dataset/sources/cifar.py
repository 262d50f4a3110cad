"""`Cifar10Dataset` and `Cifar100Dataset`: the binary version of CIFAR."""

import os

import numpy as np

from ms_compat.dataset.sources.files import ArchiveDataset, missing

_PIXELS = 3 * 32 * 32


class _Cifar(ArchiveDataset):
    """Files of records: one or two label bytes, then 3 x 32 x 32 bytes of pixels."""

    _files: dict[str, tuple[str, ...]] = {}
    _label_names: tuple[str, ...] = ()

    def _columns(self) -> list[str]:
        return ["image", *self._label_names]

    def _load(self) -> list[np.ndarray]:
        api, width = type(self).__name__, len(self._label_names) + _PIXELS
        records = []
        for use, names in self._files.items():
            for name in names if self.usage in (use, "all") else ():
                path = os.path.join(self.dataset_dir, name)
                if not os.path.isfile(path):
                    continue
                size = os.path.getsize(path)
                if size % width or not size:
                    raise RuntimeError(
                        f"For '{api}', {path!r} must hold records of {width} bytes, but it has {size} bytes."
                    )
                records.append(np.fromfile(path, np.uint8).reshape(-1, width))
        if not records:
            raise missing(api, self.dataset_dir, f"files such as {self._files['train'][0]}")
        data = np.concatenate(records)
        labels = len(self._label_names)
        images = np.ascontiguousarray(data[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        return [images, *(data[:, k].astype(np.uint32) for k in range(labels))]


class Cifar10Dataset(_Cifar):
    """Reads CIFAR-10: columns "image" (32, 32, 3) of uint8 and "label" of uint32.

    The folder holds `data_batch_1.bin` to `data_batch_5.bin` and `test_batch.bin`.

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
        RuntimeError: while iterating, if the files are missing or are not CIFAR's.
    """

    _files = {"train": tuple(f"data_batch_{k}.bin" for k in range(1, 6)), "test": ("test_batch.bin",)}
    _label_names = ("label",)


class Cifar100Dataset(_Cifar):
    """Reads CIFAR-100: columns "image" (32, 32, 3) of uint8, "coarse_label" and "fine_label" of uint32.

    The folder holds `train.bin` and `test.bin`; the arguments are `Cifar10Dataset`'s.
    """

    _files = {"train": ("train.bin",), "test": ("test.bin",)}
    _label_names = ("coarse_label", "fine_label")
