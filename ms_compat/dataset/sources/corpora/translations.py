"""Sentences and their translations: IWSLT 2016 and 2017, Multi30k. The columns "text" and "translation" are str."""

import os
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.files import check_folder, choice, missing
from ms_compat.dataset.sources.streams import StreamDataset

_USAGES = ("train", "test", "valid", "all")
_SETS = ("dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014")
_PAIRS_2016 = {("en", other) for other in ("ar", "de", "fr", "cs")} | {
    (other, "en") for other in ("ar", "de", "fr", "cs")
}
_LANGUAGES_2017 = ("en", "nl", "de", "it", "ro")
_PAIRS_2017 = {(a, b) for a in _LANGUAGES_2017 for b in _LANGUAGES_2017 if a != b}


class Translations(StreamDataset):
    """The base: pairs of files with a text for each row."""

    def __init__(self, dataset_dir: str, pairs: list[tuple[str, str]], *choices: Any) -> None:
        api = type(self).__name__
        for path in (path for pair in pairs for path in pair):
            if not os.path.isfile(path):
                raise missing(api, dataset_dir, f"the file {path!r}")
        self._translation = dict(pairs)
        super().__init__(list(self._translation), *choices)

    def _columns(self) -> list[str]:
        return ["text", "translation"]

    def _texts(self, path: str) -> list[str]:
        """The texts of a file, in order; a subclass knows the format."""
        raise NotImplementedError(f"{type(self).__name__} must define `_texts`.")

    def _read(self, path: str) -> Iterator[rows.Row]:
        with reading(type(self).__name__, path):
            pair = self._texts(path), self._texts(self._translation[path])
            if len(pair[0]) != len(pair[1]):
                raise ValueError(f"it has {len(pair[0])} texts, and {self._translation[path]!r} {len(pair[1])}")
        for text, translation in zip(*pair, strict=True):
            yield np.array(text), np.array(translation)


def _language_pair(api: str, value: Any, known: set[tuple[str, str]], default: tuple[str, str]) -> tuple[str, str]:
    """Checks a pair of languages; None is the default."""
    if value is None:
        return default
    check_type(api, "language_pair", value, (list, tuple))
    if len(value) != 2:
        raise value_error(api, "language_pair", "two languages", value)
    if api != "Multi30kDataset":  # which compares whole pairs, so that any other value is a ValueError
        for k, language in enumerate(value):
            check_type(api, f"language_pair[{k}]", language, str)
    if tuple(value) not in known:
        raise value_error(api, "language_pair", f"one of {sorted(known)}", value)
    return tuple(value)


class _Talks(Translations):
    """IWSLT's files: lines between lines of tags for training, XML with a segment for each text otherwise."""

    def _texts(self, path: str) -> list[str]:
        if path.endswith(".xml"):
            found = [segment.text or "" for segment in ElementTree.parse(path).getroot().iter("seg")]
            return [text.strip() for text in found]
        with open(path, encoding="utf-8") as file:
            texts = [line.strip() for line in file]
        return [text for text in texts if text and not text.startswith("<")]


def _talk_files(folder: str, year: int, pair: tuple[str, str], sets: list[str | None]) -> list[tuple[str, str]]:
    """The pairs of files; the set None is the one for training."""
    between = "-".join(pair)
    found = []
    for name in sets:
        stem = f"train.tags.{between}.{{}}" if name is None else f"IWSLT{year}.TED.{name}.{between}.{{}}.xml"
        first, second = (os.path.join(folder, stem.format(language)) for language in pair)
        found.append((first, second))
    return found


def _sets(usage: str, valid: str, test: str) -> list[str | None]:
    sets: dict[str, list[str | None]] = {"train": [None], "valid": [valid], "test": [test], "all": [None, valid, test]}
    return sets[usage]


@faces("dataset")
class IWSLT2016Dataset(_Talks):
    """Reads IWSLT 2016's translated talks: "text" and "translation".

    Args:
        dataset_dir: the folder of `texts/de/en/de-en` and so on.
        usage: "train", "valid", "test" or "all"; None is all.
        language_pair: the languages of texts and translations, a list or tuple of two; None is ["de", "en"].
        valid_set: "dev2010", or "tst2010" to "tst2014"; None is "tst2013".
        test_set: the same; None is "tst2014".
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
        language_pair: Any = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "IWSLT2016Dataset"
        check_folder(api, dataset_dir)
        self.usage = choice(api, "usage", usage, _USAGES, "all")
        self.language_pair = _language_pair(api, language_pair, _PAIRS_2016, ("de", "en"))
        self.valid_set = choice(api, "valid_set", valid_set, _SETS, "tst2013")
        self.test_set = choice(api, "test_set", test_set, _SETS, "tst2014")
        folder = os.path.join(dataset_dir, "texts", *self.language_pair, "-".join(self.language_pair))
        sets = _sets(self.usage, self.valid_set, self.test_set)
        pairs = _talk_files(folder, 16, self.language_pair, sets)
        super().__init__(dataset_dir, pairs, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


@faces("dataset")
class IWSLT2017Dataset(_Talks):
    """Reads IWSLT 2017's translated talks: "text" and "translation"; "dev2010" is validated, "tst2010" tested with.

    Args:
        dataset_dir: the folder of `texts/DeEnItNlRo/DeEnItNlRo/DeEnItNlRo-DeEnItNlRo`.
        usage: "train", "valid", "test" or "all"; None is all.
        language_pair: the languages of texts and translations, a list or tuple of two; None is ["de", "en"].
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
        language_pair: Any = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "IWSLT2017Dataset"
        check_folder(api, dataset_dir)
        self.usage = choice(api, "usage", usage, _USAGES, "all")
        self.language_pair = _language_pair(api, language_pair, _PAIRS_2017, ("de", "en"))
        folder = os.path.join(dataset_dir, "texts", "DeEnItNlRo", "DeEnItNlRo", "DeEnItNlRo-DeEnItNlRo")
        pairs = _talk_files(folder, 17, self.language_pair, _sets(self.usage, "dev2010", "tst2010"))
        super().__init__(dataset_dir, pairs, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


@faces("dataset")
class Multi30kDataset(Translations):
    """Reads Multi30k's image captions: "text" and "translation". Empty lines are left out.

    Args:
        dataset_dir: the folder of `training`, `validation` and `mmt16_task1_test`.
        usage: "train", "valid", "test" or "all"; None is all.
        language_pair: the languages of texts and translations, a list or tuple of two; None is ["en", "de"].
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

    _stems = {"train": "training/train", "valid": "validation/val", "test": "mmt16_task1_test/test"}

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "Multi30kDataset"
        check_folder(api, dataset_dir)
        self.usage = choice(api, "usage", usage, _USAGES, "all")
        self.language_pair = _language_pair(api, language_pair, {("en", "de"), ("de", "en")}, ("en", "de"))
        stems = [stem for use, stem in self._stems.items() if self.usage in (use, "all")]
        first, second = self.language_pair
        paths = [os.path.join(dataset_dir, stem) for stem in stems]
        pairs = [(f"{path}.{first}", f"{path}.{second}") for path in paths]
        super().__init__(dataset_dir, pairs, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _texts(self, path: str) -> list[str]:
        with open(path, encoding="utf-8") as file:
            return [text for line in file if (text := line.rstrip("\r\n"))]
