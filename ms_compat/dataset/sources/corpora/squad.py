"""`SQuADDataset`: questions about paragraphs, with their answers."""

import glob
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json, reading
from ms_compat.dataset._support import rows
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.files import check_folder, choice, missing
from ms_compat.dataset.sources.streams import StreamDataset

_NO_START = np.iinfo(np.uint32).max  # of a question without an answer, whose text is empty


@faces("dataset")
class SQuADDataset(StreamDataset):
    """Reads SQuAD 1.1 or 2.0: "context", "question", "text" and "answer_start", a row for each question.

    The last two are arrays with an item for each answer, of str and uint32. A question without an answer has the text
    "" and the start 2**32 - 1, as in MindSpore.

    Args:
        dataset_dir: the folder of `train-v1.1.json` and `dev-v1.1.json`, or the same of version 2.0.
        usage: "train", "dev" or "all"; None is all.
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

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "SQuADDataset"
        check_folder(api, dataset_dir)
        self.usage = choice(api, "usage", usage, ("train", "dev", "all"), "all")
        paths = []
        for part in ("train", "dev") if self.usage == "all" else (self.usage,):
            found = sorted(glob.glob(f"{part}-v*.json", root_dir=dataset_dir))
            if not found:
                raise missing(api, dataset_dir, f"a file such as '{part}-v1.1.json'")
            paths += [os.path.join(dataset_dir, name) for name in found]
        super().__init__(paths, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _columns(self) -> list[str]:
        return ["context", "question", "text", "answer_start"]

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading("SQuADDataset", path), open(path, encoding="utf-8") as file:
            for article in parse_json(file.read())["data"]:
                for paragraph in article["paragraphs"]:
                    yield from _questions(paragraph["context"], paragraph["qas"])


def _questions(context: str, questions: Any) -> Iterator[rows.Row]:
    for item in questions:
        answers = [(str(answer["text"]), int(answer["answer_start"])) for answer in item["answers"]]
        texts, starts = zip(*(answers or [("", _NO_START)]), strict=True)
        yield np.array(str(context)), np.array(str(item["question"])), np.array(texts), np.array(starts, np.uint32)
