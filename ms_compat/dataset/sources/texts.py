"""Public collections of text: CLUE, classified texts in CSV files, plain lines, SST-2 and IMDB.

Most differ only in the names of their files and columns, so they are made from tables.
"""

import csv
import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import parse_json, reading
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._support import rows
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.files import ArchiveDataset, missing
from ms_compat.dataset.sources.streams import PartedDataset, StreamDataset

# task: (columns to train and evaluate with, columns to test with); a slash leads into an object, "#" marks uint32.
_PAIR = ("sentence1 sentence2 label", "#id sentence1 sentence2")
_SPANS = "#target/span1_index #target/span2_index target/span1_text target/span2_text #idx text"
_CLUE = {
    "AFQMC": _PAIR,
    "CMNLI": _PAIR,
    "CSL": ("#id abst keyword label", "#id abst keyword"),
    "IFLYTEK": ("label label_des sentence", "#id sentence"),
    "TNEWS": ("label label_desc sentence keywords", "#id keywords sentence"),
    "WSC": (f"{_SPANS} label", _SPANS),
}


@faces("dataset")
class CLUEDataset(StreamDataset):
    """Reads a task of CLUE (Chinese Language Understanding Evaluation): a JSON object a line; columns by their names.

    Args:
        dataset_files: a file, a pattern or a list of them.
        task: "AFQMC", "TNEWS", "IFLYTEK", "CMNLI", "WSC" or "CSL".
        usage: "train", "test" or "eval", which tells the columns.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such task, usage or file.
        RuntimeError: while iterating, for a line that is not such an object.
    """

    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        if task not in _CLUE:
            raise value_error("CLUEDataset", "task", f"one of {sorted(_CLUE)}", task)
        check_choice("CLUEDataset", "usage", usage, ("train", "test", "eval"))
        self.task, self.usage = task, usage
        fields = [field.lstrip("#") for field in _CLUE[task][usage == "test"].split()]
        self._numbers = {field[1:] for field in _CLUE[task][usage == "test"].split() if field.startswith("#")}
        self._fields = sorted(fields, key=lambda field: field.split("/")[-1])
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _columns(self) -> list[str]:
        return [field.split("/")[-1] for field in self._fields]

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading(type(self).__name__, path), open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    held = parse_json(line)
                    row = tuple([self._value(held, field) for field in self._fields])
                except (ValueError, KeyError, TypeError, OverflowError) as error:
                    raise RuntimeError(
                        f"For 'CLUEDataset', line {number} of {path!r} must be an object with {self._fields}, but "
                        f"gave: {error!r}"
                    ) from error
                yield row

    def _value(self, held: Any, field: str) -> np.ndarray:
        for key in field.split("/"):
            held = held[key]
        if field in self._numbers:
            return np.array(int(held), np.uint32)
        items = held if isinstance(held, list) else []
        texts = [item if isinstance(item, str) else json.dumps(item) for item in items]
        return np.array(texts or (held if isinstance(held, str) else json.dumps(held)))


class _Table(PartedDataset):
    """Rows from a table of strings."""

    def _table(self, path: str, separator: str, quoted: bool) -> Iterator[list[str]]:
        dialect: dict[str, Any] = {} if quoted else {"quoting": csv.QUOTE_NONE}
        with reading(type(self).__name__, path), open(path, encoding="utf-8", newline="") as file:
            yield from (line for line in csv.reader(file, delimiter=separator, **dialect) if line)

    def _strings(self, path: str, number: int, line: list[str]) -> rows.Row:
        if len(line) != len(self._columns()):
            raise RuntimeError(
                f"For '{type(self).__name__}', row {number} of {path!r} must have {len(self._columns())} fields, "
                f"but has {len(line)}."
            )
        return tuple([np.array(text) for text in line])


class _Classified(_Table):
    """Classified texts: comma-separated files without a line of names."""

    def _read(self, path: str) -> Iterator[rows.Row]:
        for number, line in enumerate(self._table(path, ",", True), 1):
            yield self._strings(path, number, line)


class _Lines(PartedDataset):
    """Plain text: a row is a line; empty lines are left out."""

    _fields = ("text",)
    _empty = False

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading(type(self).__name__, path), open(path, encoding="utf-8") as file:
            for line in file:
                text = line.rstrip("\n")
                if text or self._empty:
                    yield (np.array(text),)


def _variant(name: str, base: type[PartedDataset], what: str, **body: Any) -> type[PartedDataset]:
    """Makes one of the classes below; its docstring continues with the text of `PartedDataset`."""
    _, _, arguments = (PartedDataset.__doc__ or "").partition("    Args:")
    body |= {"__doc__": f"{what}\n\n    Args:{arguments}", "__module__": __name__}
    return faces("dataset")(type(name, (base,), body))


def _classified(name: str, fields: str) -> type[PartedDataset]:
    columns = tuple(fields.split())
    what = f"Reads `train.csv` and `test.csv` without a line of names: string columns {', '.join(columns)}."
    return _variant(name, _Classified, what, _fields=columns)


AGNewsDataset = _classified("AGNewsDataset", "index title description")
AmazonReviewDataset = _classified("AmazonReviewDataset", "label title content")
DBpediaDataset = _classified("DBpediaDataset", "class title content")
SogouNewsDataset = _classified("SogouNewsDataset", "index title content")
YahooAnswersDataset = _classified("YahooAnswersDataset", "class title content answer")
YelpReviewDataset = _classified("YelpReviewDataset", "label text")

PennTreebankDataset = _variant(
    "PennTreebankDataset",
    _Lines,
    "Reads `ptb.train.txt`, `ptb.valid.txt` and `ptb.test.txt`: column text.",
    _names={use: f"ptb.{use}.txt" for use in ("train", "valid", "test")},
)
WikiTextDataset = _variant(
    "WikiTextDataset",
    _Lines,
    "Reads `wiki.train.tokens`, `wiki.valid.tokens` and `wiki.test.tokens`: column text.",
    _names={use: f"wiki.{use}.tokens" for use in ("train", "valid", "test")},
)


@faces("dataset")
class EnWik9Dataset(_Lines):
    """Reads the file `enwik9`: column "text", a row for each line, empty ones too.

    Args:
        dataset_dir: the folder.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    _names = {"all": "enwik9"}
    _empty = True

    def __init__(self, dataset_dir: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(dataset_dir, None, *args, **kwargs)


@faces("dataset")
class SST2Dataset(_Table):
    """Reads SST-2's `train.tsv`, `dev.tsv` (columns "sentence" and "label") and `test.tsv` ("sentence").

    The arguments match the other text datasets'; `usage` is "train", "dev" or "test", None is "train".
    """

    _names = {"train": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}
    _all = False

    def _columns(self) -> list[str]:
        return ["sentence"] if self.usage == "test" else ["sentence", "label"]

    def _read(self, path: str) -> Iterator[rows.Row]:
        for number, line in enumerate(self._table(path, "\t", False), 0):
            if number:  # the first line holds names
                yield self._strings(path, number, line[1:] if self.usage == "test" else line)


@faces("dataset")
class IMDBDataset(ArchiveDataset):
    """Reads IMDB's reviews, a file each in `train/pos`, `train/neg` and the same for `test`: "text" and "label".

    The label is 1 for `pos`, 0 for `neg`, of int32. The arguments are `ArchiveDataset`'s.
    """

    _names = ("text", "label")

    def _load(self) -> list[Any]:
        paths, labels = [], []
        for part in ("train", "test"):
            if self.usage not in (part, "all"):
                continue
            for label, kind in ((1, "pos"), (0, "neg")):
                folder = os.path.join(self.dataset_dir, part, kind)
                if not os.path.isdir(folder):
                    raise missing("IMDBDataset", self.dataset_dir, f"the folder {folder!r}")
                found = sorted(os.listdir(folder))
                paths += [os.path.join(folder, name) for name in found]
                labels += [label] * len(found)
        return [paths, np.array(labels, np.int32)]

    def _indices(self, streams: Any, epoch: int) -> None:
        return None  # files are read row by row

    _rows = MappableDataset._rows

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        paths, labels = self._arrays()
        for k in indices.tolist():
            with reading(type(self).__name__, paths[k]), open(paths[k], encoding="utf-8") as file:
                text = file.read()
            yield np.array(text), labels[k, ...]
