"""Speech and music: CMU Arctic, GTZAN, LibriTTS, TED-LIUM. Their waveforms have the form that `speech` describes."""

import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole, reading
from ms_compat.dataset._support import rows
from ms_compat.dataset._support.arguments import check_type
from ms_compat.dataset.sources.files import check_folder, choice, files_in, missing, subfolders
from ms_compat.dataset.sources.speech import SpeechDataset

_LONGEST = 1e6  # seconds of a talk
_SPEAKERS = "aew ahw aup awb axb bdl clb eey fem gka jmk ksp ljm lnh rms rxr slp slt".split()
_SENTENCE = re.compile(r'\(\s*arctic_(\w+)\s+"(.*)"\s*\)')


@faces("dataset")
class CMUArcticDataset(SpeechDataset):
    """Reads a speaker of CMU Arctic: "waveform", "sample_rate" of uint32, "transcript" and "utterance_id".

    Args:
        dataset_dir: the folder of `cmu_us_aew_arctic` and so on.
        name: the speaker, such as "bdl" or "slt"; None is "aew".
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: while iterating, if files are missing or are not the dataset's.
    """

    _names = ("transcript", "utterance_id")
    _rate = np.uint32

    def __init__(
        self,
        dataset_dir: str,
        name: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.name = choice("CMUArcticDataset", "name", name, tuple(_SPEAKERS), "aew")
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        folder = os.path.join(self.dataset_dir, f"cmu_us_{self.name}_arctic")
        path = os.path.join(folder, "etc", "txt.done.data")
        if not os.path.isfile(path):
            raise missing("CMUArcticDataset", self.dataset_dir, f"the file {path!r}")
        found: list[tuple[str, tuple[Any, ...]]] = []
        with reading("CMUArcticDataset", path), open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = _SENTENCE.fullmatch(line.strip())
                if match is None:
                    raise ValueError(
                        f"line {number} must be such as '( arctic_a0001 \"Text.\" )', but got {line[:60]!r}"
                    )
                name, text = match.groups()
                found.append((os.path.join(folder, "wav", f"arctic_{name}.wav"), (text, name)))
        return found


# The published split without repeated and damaged files: the numbers in each genre, by part.
_SPLIT = {
    "train": """
        blues 29-49 73-97
        classical 30-33 43-48 50-67 80-99
        country 19-26 28-29 65-99
        disco 5 15-20 22-37 39-45 47 49 53-54 56-57 59 61 70 73-74 89
        hiphop 2-25 28-29 31-38 41-42 55-61 77-80
        jazz 0-1 11-24 41 47-72
        metal 2-3 5 21 24 35 46-57 59-66 69 71-72 79-80 84 86 89-99
        pop 2-9 11-12 16-20 23-29 31-36 38-42 44 46 49-50 80 97-99
        reggae 0-2 4 6 9 11-12 14-32 42-45 49-51 54-60 63 69
        rock 0-9 16-26 57-70 91-99
    """,
    "valid": """
        blues 0-11 50-60
        classical 0-10 68-76
        country 0-7 9-18 27 41-42 45 49
        disco 0 2-4 6-14 46 48 52 67-68 72 75 90 95
        hiphop 81-98
        jazz 2-10 25-32
        metal 0-1 6-11 16-20 36-37 68 76-77 81-82
        pop 10 53 55 58-62 81 83-86
        reggae 61-62 70 72 74 76-78 85 92-99
        rock 38 49-56 71-85
    """,
    "test": """
        blues 12-28 61-72 98-99
        classical 11-29 34-41 49 77-79
        country 30-40 43-44 46-48 50-51 53-64
        disco 1 21 58 62-66 69 76-88 91-94 96-97 99
        hiphop 0 26-27 30 40 43-45 51-54 62-75 99
        jazz 73-99
        metal 12-15 22-23 25-33 38-39 67 70 73-75 78 83 85 87-88
        pop 0-1 13-14 43 63-66 69-79 82 88-96
        reggae 34-40 46-48 52-53 64-68 71 79 82-84 87-90
        rock 10-15 27-37 39-48 86-90
    """,
}


def split_names(usage: str) -> set[str]:
    """The file names in a part of GTZAN, without their ending.

    >>> len(split_names("train")), len(split_names("valid")), len(split_names("test"))
    (443, 197, 290)
    """
    found = set()
    for line in _SPLIT[usage].strip().splitlines():
        genre, *spans = line.split()
        for span in spans:
            first, _, last = span.partition("-")
            found |= {f"{genre}.{number:05}" for number in range(int(first), int(last or first) + 1)}
    return found


@faces("dataset")
class GTZANDataset(SpeechDataset):
    """Reads GTZAN's music: "waveform", "sample_rate" of uint32 and "label", the genre as a str.

    Args:
        dataset_dir: the folder with a folder for each genre.
        usage: "train", "valid" or "test" of the published split without repeated and damaged files, or "all"; None
            is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: while iterating, if files are missing or are not the dataset's.
    """

    _names = ("label",)
    _rate = np.uint32

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = choice("GTZANDataset", "usage", usage, ("train", "valid", "test", "all"), "all")
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        chosen = None if self.usage == "all" else split_names(self.usage)
        return [
            (path, (genre,))
            for genre in subfolders(self.dataset_dir)
            for path in files_in(os.path.join(self.dataset_dir, genre), (".wav",))
            if chosen is None or os.path.basename(path).removesuffix(".wav") in chosen
        ]


_PARTS = (
    "dev-clean",
    "dev-other",
    "test-clean",
    "test-other",
    "train-clean-100",
    "train-clean-360",
    "train-other-500",
)


@faces("dataset")
class LibriTTSDataset(SpeechDataset):
    """Reads LibriTTS: "waveform", "sample_rate", two texts, "speaker_id", "chapter_id" and "utterance_id".

    The texts are "original_text" and "normalized_text"; the rate and the first two ids are uint32. Chapters are read in
    the order of their names (MindSpore's order is the file system's).

    Args:
        dataset_dir: the folder of `dev-clean` and so on.
        usage: "dev-clean", "dev-other", "test-clean", "test-other", "train-clean-100", "train-clean-360",
            "train-other-500" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: while iterating, if files are missing or are not the dataset's.
    """

    _names = ("original_text", "normalized_text", "speaker_id", "chapter_id", "utterance_id")
    _rate = np.uint32

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = choice("LibriTTSDataset", "usage", usage, (*_PARTS, "all"), "all")
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        parts = [os.path.join(self.dataset_dir, part) for part in _PARTS if self.usage in (part, "all")]
        speakers = [os.path.join(part, name) for part in parts if os.path.isdir(part) for name in subfolders(part)]
        chapters = [os.path.join(speaker, name) for speaker in speakers for name in subfolders(speaker)]
        lists = [path for chapter in chapters for path in files_in(chapter, (".trans.tsv",))]
        return [row for path in lists for row in self._chapter(path)]

    def _chapter(self, path: str) -> list[tuple[str, tuple[Any, ...]]]:
        found: list[tuple[str, tuple[Any, ...]]] = []
        with reading("LibriTTSDataset", path), open(path, encoding="utf-8") as file:
            for line in file:
                name, original, normalized = line.rstrip("\r\n").split("\t")
                speaker, chapter = (np.uint32(int(part)) for part in name.split("_")[:2])
                wav = os.path.join(os.path.dirname(path), f"{name}.wav")
                found.append((wav, (original, normalized, speaker, chapter, name)))
        return found


def read_sphere(api: str, path: str) -> tuple[np.ndarray, int]:
    """The samples (n,) of a NIST SPHERE file of 16-bit PCM, and their rate in Hz.

    Raises:
        RuntimeError: if it is not such a file.
    """
    with reading(api, path), open(path, "rb") as file:
        if file.readline() != b"NIST_1A\n":
            raise ValueError("it must be a NIST SPHERE file")
        size = int(file.readline())
        if size > os.path.getsize(path):
            raise ValueError(f"its head must have {size} bytes")
        file.seek(0)
        header: dict[str, str] = {}
        for line in file.read(size).decode("latin-1").splitlines()[2:]:
            if line == "end_head":
                break
            name, _, value = (line.split(" ", 2) + ["", ""])[:3]
            header[name] = value
        if header.get("sample_n_bytes", "2") != "2" or not header.get("sample_coding", "pcm").startswith("pcm"):
            raise ValueError("it must hold 16-bit PCM")
        if header.get("channel_count", "1") != "1" or "," in header.get("sample_coding", ""):
            raise ValueError("it must hold one channel without compression")
        data = file.read()
        order = "<i2" if header.get("sample_byte_format", "01") == "01" else ">i2"
        if not is_whole(header["sample_rate"], 2**31 - 1):
            raise ValueError(f"its sample rate must be a whole number, but is {header['sample_rate']!r}")
        return np.frombuffer(data[: len(data) // 2 * 2], order), int(header["sample_rate"])


@faces("dataset")
class TedliumDataset(SpeechDataset):
    """Reads TED-LIUM: "waveform", "sample_rate" of int32, "transcript", "talk_id", "speaker_id" and "identifier".

    A row is a line of a talk's `.stm` file. Rows are sorted by their line in the file, then by talk and part.
    MindSpore 2.10 gives waveforms of zeros, where this class gives the samples.

    Args:
        dataset_dir: the folder of `train`, `test` and `dev`, or of `data` in release 3.
        release: "release1", "release2" or "release3".
        usage: "train", "test", "dev" or "all"; release 3 has "all" only. None is all.
        extensions: the ending of the recordings; None is ".sph".
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if the folder does not exist, or an argument has a value that is not accepted.
        RuntimeError: while iterating, if files are missing or are not the dataset's.
    """

    _names = ("transcript", "talk_id", "speaker_id", "identifier")

    def __init__(
        self,
        dataset_dir: str,
        release: str,
        usage: str | None = None,
        extensions: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        api = "TedliumDataset"
        check_folder(api, dataset_dir)
        check_choice(api, "release", check_type(api, "release", release, str), ("release1", "release2", "release3"))
        usages = ("all",) if release == "release3" else ("train", "test", "dev", "all")
        self.release, self.usage = release, choice(api, "usage", usage, usages, "all")
        self.extensions = check_type(api, "extensions", ".sph" if extensions is None else extensions, str)
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        parts = ("dev", "test", "train") if self.usage == "all" else (self.usage,)
        found = []
        for part in ("data",) if self.release == "release3" else parts:
            folder = os.path.join(self.dataset_dir, part)
            if not os.path.isdir(os.path.join(folder, "stm")):
                raise missing("TedliumDataset", self.dataset_dir, f"the folder {os.path.join(folder, 'stm')!r}")
            for path in files_in(os.path.join(folder, "stm"), (".stm",)):
                stem = os.path.basename(path).removesuffix(".stm")
                recording = os.path.join(folder, "sph", stem + self.extensions)
                rows_ = self._talk(path)
                found += [((number, stem, part), (recording, row)) for number, row in enumerate(rows_)]
        return [row for _, row in sorted(found, key=lambda item: item[0])]

    def _talk(self, path: str) -> list[tuple[Any, ...]]:
        """The lines of a talk: transcript, talk, speaker, identifier, start and end in seconds."""
        with reading("TedliumDataset", path), open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\r\n").split(" ", 6) for line in file if line.strip()]
            found = [
                (text, talk, speaker, identifier, float(start), float(end))
                for talk, _, speaker, start, end, identifier, text in lines
            ]
            if not all(0 <= row[4] <= row[5] < _LONGEST for row in found):
                raise ValueError("its lines must begin before they end")
            return found

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        held = self._rows_held()
        for k in indices.tolist():
            path, (*texts, start, end) = held[k]
            if not os.path.isfile(path):
                raise missing("TedliumDataset", self.dataset_dir, f"the recording {path!r}")
            samples, rate = read_sphere("TedliumDataset", path)
            part = samples[int(start * rate) : int(end * rate)].astype(np.float32) / np.float32(2**15 - 1)
            yield (part[None], np.array(rate, np.int32), *(np.array(text) for text in texts))
