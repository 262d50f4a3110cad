"""`Cifar10Dataset` and `Cifar100Dataset`: the binary version of CIFAR."""

import os

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset.sources.files import ArchiveDataset, missing, read_records

_PIXELS = 3 * 32 * 32


@faces("dataset")
class Cifar10Dataset(ArchiveDataset):
    """Reads CIFAR-10: columns "image" (32, 32, 3) of uint8 and "label" of uint32.

    The folder holds `data_batch_1.bin` to `data_batch_5.bin` and `test_batch.bin`: records of a label byte (two for
    CIFAR-100), then 3 x 32 x 32 bytes of pixels. The arguments are `ArchiveDataset`'s.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> np.zeros((2, 1 + 3 * 32 * 32), np.uint8).tofile("data_batch_1.bin")  # two black pictures of class 0
    >>> data = ds.Cifar10Dataset(".", usage="train")
    >>> data.get_dataset_size(), data.output_shapes()
    (2, [[32, 32, 3], []])
    """

    _files = {"train": tuple(f"data_batch_{k}.bin" for k in range(1, 6)), "test": ("test_batch.bin",)}

    def _load(self) -> list[np.ndarray]:
        api, labels = type(self).__name__, len(self._names) - 1
        names = [name for use, files in self._files.items() if self.usage in (use, "all") for name in files]
        paths = [os.path.join(self.dataset_dir, name) for name in names]
        records = [read_records(api, path, labels + _PIXELS) for path in paths if os.path.isfile(path)]
        if not records:
            raise missing(api, self.dataset_dir, f"files such as {names[0]}")
        data = np.concatenate(records)
        images = np.ascontiguousarray(data[:, labels:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        return [images, *(data[:, k].astype(np.uint32) for k in range(labels))]


@faces("dataset")
class Cifar100Dataset(Cifar10Dataset):
    """Reads CIFAR-100: columns "image" (32, 32, 3) of uint8, "coarse_label" and "fine_label" of uint32.

    The folder holds `train.bin` and `test.bin`; the arguments are `ArchiveDataset`'s.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> np.zeros((2, 2 + 3 * 32 * 32), np.uint8).tofile("train.bin")
    >>> ds.Cifar100Dataset(".", usage="train").get_col_names()
    ['image', 'coarse_label', 'fine_label']
    """

    _files = {"train": ("train.bin",), "test": ("test.bin",)}
    _names = ("image", "coarse_label", "fine_label")
