"""Sentences with a tag for each word: CoNLL-2000 and UDPOS."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support import rows
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.streams import PartedDataset


class _Tagged(PartedDataset):
    """A row is a sentence: an array of its words, and one for each kind of tag.

    A line holds a word and its tags, an empty line ends a sentence. As in MindSpore, a last sentence without an empty
    line after it is left out.
    """

    _separator = " "

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _read(self, path: str) -> Iterator[rows.Row]:
        count = len(self._fields)
        with reading(type(self).__name__, path), open(path, encoding="utf-8") as file:
            words: list[list[str]] = []
            for number, line in enumerate(file, 1):
                fields = line.rstrip("\r\n").split(self._separator)[:count]
                if len(fields) == count:
                    words.append(fields)
                elif fields != [""]:
                    raise ValueError(f"line {number} must hold a word and {count - 1} tags, but got {line[:60]!r}")
                elif words:
                    yield tuple([np.array(column) for column in zip(*words, strict=True)])
                    words = []


@faces("dataset")
class CoNLL2000Dataset(_Tagged):
    """Reads CoNLL-2000's chunks: "word", "pos_tag" and "chunk_tag", arrays of str with an item for each word.

    A last sentence without an empty line after it is left out, as in MindSpore.

    Args:
        dataset_dir: the folder of `train.txt` and `test.txt`.
        usage: "train", "test" or "all"; None is all.
        num_samples: rows at most.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        num_parallel_workers: accepted.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: if files are missing or are not the dataset's.
    """

    _names = {"train": "train.txt", "test": "test.txt"}
    _fields = ("word", "pos_tag", "chunk_tag")


@faces("dataset")
class UDPOSDataset(_Tagged):
    """Reads UDPOS: "word", "universal" and "stanford", arrays of str with an item for each word.

    A last sentence without an empty line after it is left out, as in MindSpore.

    Args:
        dataset_dir: the folder of `en-ud-tag.v2.train.txt` and the same for `dev` and `test`.
        usage: "train", "valid", "test" or "all"; None is all.
        num_samples: rows at most.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        num_parallel_workers: accepted.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: if files are missing or are not the dataset's.
    """

    _names = {
        "train": "en-ud-tag.v2.train.txt",
        "valid": "en-ud-tag.v2.dev.txt",
        "test": "en-ud-tag.v2.test.txt",
    }
    _fields = ("word", "universal", "stanford")
    _separator = "\t"
