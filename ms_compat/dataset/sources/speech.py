"""Speech in WAV files: `YesNoDataset`, `SpeechCommandsDataset`, `LJSpeechDataset`.

A waveform is (1, samples) of float32, 16-bit samples divided by 32767 as in MindSpore; several channels are
interleaved sample by sample.
"""

import os
import wave
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole, reading
from ms_compat.dataset._base.mappable import MappableDataset
from ms_compat.dataset._support import rows
from ms_compat.dataset.sources.files import check_folder, check_usage, missing

# Bytes of a sample: (dtype, the value of silence, the largest value).
_SAMPLES = {1: ("u1", 128, 127), 2: ("<i2", 0, 2**15 - 1), 4: ("<i4", 0, 2**31 - 1)}


def read_wav(api: str, path: str) -> tuple[np.ndarray, int]:
    """The samples (1, n) of a PCM file and their rate in Hz.

    Raises:
        RuntimeError: if it is not such a file.
    """
    try:
        with wave.open(path, "rb") as file:
            dtype, zero, top = _SAMPLES[file.getsampwidth()]
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype).astype(np.float64)
            rate = file.getframerate()
            if rate > np.iinfo(np.int32).max:
                raise ValueError(f"a rate of {rate} Hz")
            return ((samples - zero) / top).astype(np.float32)[None], rate
    except (OSError, EOFError, KeyError, ValueError, OverflowError, wave.Error) as error:
        raise RuntimeError(f"For '{api}', {path!r} must be a WAV file of whole numbers, but gave: {error!r}") from error


class SpeechDataset(MappableDataset):
    """The base: a row is a waveform, its rate and its other columns; `_load` returns (path, other columns)."""

    _names: tuple[str, ...] = ()
    _rate: type = np.int32  # the dtype of the rate

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.dataset_dir = check_folder(type(self).__name__, dataset_dir)
        super().__init__(num_samples, sampler, shuffle, num_shards, shard_id, num_parallel_workers, cache)
        self._held: list[tuple[str, tuple[Any, ...]]] | None = None

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        raise NotImplementedError(f"{type(self).__name__} loads nothing.")

    def _rows_held(self) -> list[tuple[str, tuple[Any, ...]]]:
        if self._held is None:
            self._held = self._load()
            if not self._held:
                raise missing(type(self).__name__, self.dataset_dir, "WAV files of this dataset")
        return self._held

    def _columns(self) -> list[str]:
        return ["waveform", "sample_rate", *self._names]

    def _length(self) -> int:
        return len(self._rows_held())

    def _read(self, indices: np.ndarray) -> Iterator[rows.Row]:
        held = self._rows_held()
        for k in indices.tolist():
            path, others = held[k]
            waveform, rate = read_wav(type(self).__name__, path)
            yield (waveform, np.array(rate, self._rate), *(np.array(item) for item in others))


@faces("dataset")
class YesNoDataset(SpeechDataset):
    """Reads YesNo, files such as `0_1_1_0_1_0_1_1.wav`: "waveform", "sample_rate" and "label", eight int32.

    Args:
        dataset_dir: the folder.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order (our own, see `randomness`); None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if there is no such folder.
        RuntimeError: while iterating, if there are no such files.
    """

    _names = ("label",)

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        found: list[tuple[str, tuple[Any, ...]]] = []
        for name in sorted(os.listdir(self.dataset_dir)):
            answers = name.removesuffix(".wav").split("_")
            if name.endswith(".wav") and len(answers) == 8 and set(answers) <= {"0", "1"}:
                label = np.array([int(answer) for answer in answers], np.int32)
                found.append((os.path.join(self.dataset_dir, name), (label,)))
        return found


@faces("dataset")
class SpeechCommandsDataset(SpeechDataset):
    """Reads Speech Commands: "waveform", "sample_rate", "label", "speaker_id" and "utterance_number".

    Args:
        dataset_dir: the folder with a folder for each word, `testing_list.txt` and `validation_list.txt`.
        usage: "train", "test", "valid" or "all"; None is all.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: random order; None means True.
        sampler: a sampler or an iterable of row numbers.
        num_shards: number of shards.
        shard_id: this shard.
        cache: None or a `DatasetCache`.
    """

    _names = ("label", "speaker_id", "utterance_number")
    _lists = {"test": "testing_list.txt", "valid": "validation_list.txt"}

    def __init__(self, dataset_dir: str, usage: str | None = None, *args: Any, **kwargs: Any) -> None:
        self.usage = check_usage("SpeechCommandsDataset", usage, ("train", "test", "valid", "all"))
        super().__init__(dataset_dir, *args, **kwargs)

    def _listed(self, usage: str) -> set[str]:
        path = os.path.join(self.dataset_dir, self._lists[usage])
        if not os.path.isfile(path):
            raise missing("SpeechCommandsDataset", self.dataset_dir, f"the list {self._lists[usage]!r}")
        with reading("SpeechCommandsDataset", path), open(path, encoding="utf-8") as file:
            return {line.strip() for line in file}

    def _wanted(self, name: str, lists: dict[str, set[str]]) -> bool:
        if self.usage == "train":
            return not any(name in listed for listed in lists.values())
        return self.usage == "all" or name in lists[self.usage]

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        needed = {"all": (), "train": tuple(self._lists)}.get(self.usage, (self.usage,))
        lists = {usage: self._listed(usage) for usage in needed}
        found: list[tuple[str, tuple[Any, ...]]] = []
        for word in sorted(os.listdir(self.dataset_dir)):
            folder = os.path.join(self.dataset_dir, word)
            if not os.path.isdir(folder) or word.startswith("_"):
                continue
            for name in sorted(os.listdir(folder)):
                speaker, mark, number = name.removesuffix(".wav").rpartition("_nohash_")
                if mark and is_whole(number, 2**31 - 1) and self._wanted(f"{word}/{name}", lists):
                    found.append((os.path.join(folder, name), (word, speaker, np.int32(number))))
        return found


@faces("dataset")
class LJSpeechDataset(SpeechDataset):
    """Reads LJSpeech: "waveform", "sample_rate", "transcription" and "normalized_transcription".

    The folder holds `wavs` and `metadata.csv`; the arguments are `YesNoDataset`'s.
    """

    _names = ("transcription", "normalized_transcription")

    def _load(self) -> list[tuple[str, tuple[Any, ...]]]:
        path = os.path.join(self.dataset_dir, "metadata.csv")
        if not os.path.isfile(path):
            raise missing("LJSpeechDataset", self.dataset_dir, "'metadata.csv'")
        found: list[tuple[str, tuple[Any, ...]]] = []
        with reading("LJSpeechDataset", path), open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                parts = line.rstrip("\r\n").split("|")
                if len(parts) != 3:
                    raise RuntimeError(f"For 'LJSpeechDataset', line {number} of {path!r} must have three fields.")
                found.append((os.path.join(self.dataset_dir, "wavs", f"{parts[0]}.wav"), (parts[1], parts[2])))
        return found
