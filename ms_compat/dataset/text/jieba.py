"""Segmentation of Chinese text into words, equal to the C++ library cppjieba, which MindSpore uses.

The Python package `jieba` is another program: it weighs unknown characters otherwise, cannot read a Markov model from a
file, and removes no separators, so its words differ. `Dictionary` finds the most probable words, `Model` groups
characters by a hidden Markov model, and `JiebaTokenizer` uses one of the two, or the model where the dictionary has
single characters only.
"""

import enum
import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import check_int_range, check_kind, check_type
from ms_compat.dataset._support.init_args import forget
from ms_compat.dataset.text.tokenizers import _spans, _Tokenizer

_LONGEST = 512  # characters in a word
_IMPOSSIBLE = -3.14e100  # the logarithm that cppjieba gives to a probability of 0
_STATES = 4  # a character is the begin (0), the end (1) or a middle (2) of a word, or a word (3)
_END, _SINGLE = 1, 3
_SEPARATORS = re.compile("([ \t\n，。])")
_ASCII_OR_OTHER = re.compile(r"[A-Za-z][A-Za-z0-9]*|[0-9][0-9.]*|[\x00-\x7f]|[^\x00-\x7f]+")
_LEADING_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_USER_WORD = re.compile(r"\s*([^\s*]+?)\s*([0-9]+)?\s*")


@faces("dataset.text")
class JiebaMode(enum.IntEnum):
    """How a `JiebaTokenizer` finds words: by the dictionary (MP), by the hidden Markov model (HMM), or by both (MIX).

    >>> JiebaMode.MP.value
    1
    """

    MIX = 0
    MP = 1
    HMM = 2


def _number(text: str) -> float:
    """The number that a text begins with, or 0, as C's `atof`."""
    found = _LEADING_NUMBER.match(text)
    return float(found[1]) if found else 0.0


def _lines(name: str, path: str) -> list[str]:
    """The lines of a file, without the spaces around them."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuntimeError(f"For 'JiebaTokenizer', the file '{name}' cannot be read: {error}") from error
    return text.split("\n")


def _wrong(name: str, path: str, what: str) -> RuntimeError:
    return RuntimeError(f"For 'JiebaTokenizer', the file '{name}' {what}: '{path}'.")


class Dictionary:
    """Words and their weights, which are logarithms of relative frequencies.

    Args:
        path: a file with a line "word frequency tag" for each word.

    Raises:
        RuntimeError: if the file cannot be read, or a line is of another form.
    """

    def __init__(self, path: str) -> None:
        lines = _lines("mp_path", path)
        if not lines[-1]:
            lines.pop()
        pairs = []
        for line in lines:
            fields = line.removesuffix(" ").split(" ")
            if len(fields) != 3:
                raise _wrong("mp_path", path, f"must have lines 'word frequency tag', but has the line {line!r}")
            pairs.append((fields[0], _number(fields[1])))
        if not pairs or min(frequency for _, frequency in pairs) <= 0:
            raise _wrong("mp_path", path, "must have words, each with a frequency above 0")
        self.total = sum(frequency for _, frequency in pairs)
        self.weights: dict[str, float] = {}
        self.longest: dict[str, int] = {}  # by first character
        for word, frequency in pairs:
            self._insert(word, math.log(frequency / self.total))
        ordered = sorted(math.log(frequency / self.total) for _, frequency in pairs)
        self.least, self.median = ordered[0], ordered[len(ordered) // 2]

    def _insert(self, word: str, weight: float) -> None:
        if word:
            self.weights[word] = weight
            self.longest[word[0]] = max(self.longest.get(word[0], 1), min(len(word), _LONGEST))

    def add(self, word: str, frequency: int) -> None:
        """Adds a word of a user; 0 stands for the median of the file's frequencies."""
        self._insert(word, math.log(frequency / self.total) if frequency else self.median)

    def cut(self, text: str) -> list[str]:
        """Returns the words whose frequencies have the greatest product; the shorter first word where two are equal."""
        count = len(text)
        best, ends = [0.0] * (count + 1), [0] * count
        for begin in range(count - 1, -1, -1):
            top = best[begin + 1] + self.weights.get(text[begin], self.least)
            ends[begin] = begin + 1
            for end in range(begin + 2, min(begin + self.longest.get(text[begin], 1), count) + 1):
                weight = self.weights.get(text[begin:end])
                if weight is not None and best[end] + weight > top:
                    top, ends[begin] = best[end] + weight, end
            best[begin] = top
        words, at = [], 0
        while at < count:
            words.append(text[at : ends[at]])
            at = ends[at]
        return words


class Model:
    """A hidden Markov model: where characters stand in words.

    Args:
        path: a file with nine lines of logarithms: one for the first state, four for the state after each state, and
            four lines "character:logarithm,..." for each state's characters. Lines that are empty or begin with "#" are
            skipped.

    Raises:
        RuntimeError: if the file cannot be read, or a line is of another form.
    """

    def __init__(self, path: str) -> None:
        stripped = [line.strip() for line in _lines("hmm_path", path)]
        lines = [line for line in stripped if line and not line.startswith("#")][: 1 + 2 * _STATES]
        if len(lines) < 1 + 2 * _STATES:
            raise _wrong("hmm_path", path, f"must have {1 + 2 * _STATES} lines of probabilities, but has {len(lines)}")
        rows = [line.split(" ") for line in lines[: 1 + _STATES]]
        if any(len(row) != _STATES for row in rows):
            raise _wrong("hmm_path", path, f"must begin with {1 + _STATES} lines of {_STATES} numbers")
        self.first, *self.after = [[_number(field) for field in row] for row in rows]
        self.characters: list[dict[str, float]] = []
        for line in lines[1 + _STATES :]:
            pairs = [item.split(":") for item in line.removesuffix(",").split(",")]
            if any(len(pair) != 2 or len(pair[0]) != 1 for pair in pairs):
                raise _wrong("hmm_path", path, "must end with lines 'character:number,...'")
            self.characters.append({character: _number(number) for character, number in pairs})

    def _states(self, text: str) -> list[int]:
        """The most probable states (Viterbi's algorithm).

        A sum that is not above `_IMPOSSIBLE` counts as none, and then the state before is the end of a word.
        """
        emitted = [known.get(text[0], _IMPOSSIBLE) for known in self.characters]
        weights = [first + own for first, own in zip(self.first, emitted, strict=True)]
        before: list[list[int]] = []
        for character in text[1:]:
            old, weights, came = weights, [], []
            for state, known in enumerate(self.characters):
                own = known.get(character, _IMPOSSIBLE)
                top, source = _IMPOSSIBLE, _END
                for last in range(_STATES):
                    sum_ = old[last] + self.after[last][state] + own
                    if sum_ > top:
                        top, source = sum_, last
                weights.append(top)
                came.append(source)
            before.append(came)
        state = _END if weights[_END] >= weights[_SINGLE] else _SINGLE
        states = [state]
        for came in reversed(before):
            state = came[state]
            states.append(state)
        return states[::-1]

    def cut(self, text: str) -> list[str]:
        """Returns the words of a text; letters and numbers of ASCII are not left to the model."""
        words = []
        for part in _ASCII_OR_OTHER.findall(text):
            if part[0] < "\x80":
                words.append(part)
                continue
            begin, last = 0, len(part) - 1
            for at, state in enumerate(self._states(part)):
                if state in (_END, _SINGLE) or at == last:
                    words.append(part[begin : at + 1])
                    begin = at + 1
        return words


def _user_words(path: str) -> Iterator[tuple[str, int]]:
    """The words of a user's file, with frequencies (0 where there is none). Lines of another form are skipped."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            if found := _USER_WORD.fullmatch(line):
                yield found[1], int(found[2] or 0)


def _existing(name: str, path: Any) -> str:
    if path is None:
        raise value_error("JiebaTokenizer", name, "a path", path)
    if check_kind("JiebaTokenizer", name, path, str, "string") and not os.path.exists(path):
        raise value_error("JiebaTokenizer", name, "a file that exists", path)
    return path


@faces("dataset.text")
class JiebaTokenizer(_Tokenizer):
    """Splits Chinese text into words, by a dictionary and a hidden Markov model.

    The two files are in the format of the C++ library cppjieba, and can be had from its repository. A space, a tab, a
    newline and the signs "，" and "。" are words.

    Args:
        hmm_path: the file of the hidden Markov model (`hmm_model.utf8`).
        mp_path: the dictionary (`jieba.dict.utf8`): lines "word frequency tag".
        mode: `JiebaMode.MP` takes the most probable words of the dictionary, `JiebaMode.HMM` the model's, and
            `JiebaMode.MIX` splits sequences of single characters that the dictionary leaves by the model.
        with_offsets: returns the places too.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a file does not exist.
        RuntimeError: when called, if a file is of another format, or if the input is not one string.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     words, model = pathlib.Path(folder, "words"), pathlib.Path(folder, "model")
    ...     _ = words.write_text("今天 9 t\\n天气 5 n\\n好 7 a\\n", "utf-8")
    ...     lines = ["-0.3 -9 -9 -1.4", *["-1 -1 -1 -1"] * 4, *["天:-1"] * 4]
    ...     _ = model.write_text("\\n".join(lines), "utf-8")
    ...     tokenizer = JiebaTokenizer(str(model), str(words), JiebaMode.MP)
    ...     tokenizer("今天天气好").tolist()
    ['今天', '天气', '好']
    """

    def __init__(
        self, hmm_path: str, mp_path: str, mode: JiebaMode = JiebaMode.MIX, with_offsets: bool = False
    ) -> None:
        self.mode = check_type("JiebaTokenizer", "mode", mode, JiebaMode)
        self.hmm_path = _existing("hmm_path", hmm_path)
        self.mp_path = _existing("mp_path", mp_path)
        self.with_offsets = check_kind("JiebaTokenizer", "with_offsets", with_offsets, bool, "boolean")
        self.words: list[tuple[str, int]] = []
        self._files: tuple[Model, Dictionary] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_files": None}  # which are read again where they are needed

    def add_word(self, word: str, freq: int | None = None) -> None:
        """Adds a word to the dictionary.

        Args:
            word: the word.
            freq: its frequency, in [0, 2**32). The greater it is, the more often the word is found. None and 0 stand
                for the median of the dictionary.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if `word` is None, or `freq` is out of range.
        """
        if word is None:
            raise value_error("JiebaTokenizer.add_word", "word", "a str", word)
        check_type("JiebaTokenizer.add_word", "word", word, str)
        frequency = 0 if freq is None else check_int_range("JiebaTokenizer.add_word", "freq", freq, 0, 2**32 - 1, "[]")
        self.words.append((word, frequency))
        forget(self)  # the arguments of the constructor no longer describe it
        if self._files:
            self._files[1].add(word, frequency)

    def add_dict(self, user_dict: str | Mapping[str, int]) -> None:
        """Adds words to the dictionary.

        Args:
            user_dict: frequencies by word, or the path of a file with a word a line and, after a space, its frequency,
                if it has one. Lines of another form are skipped.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if the file does not exist, or a frequency is not in [0, 2**32).
        """
        if isinstance(user_dict, str):
            if not os.path.exists(user_dict):
                raise value_error("JiebaTokenizer.add_dict", "user_dict", "a file that exists", user_dict)
            pairs: list[tuple[str, int]] = list(_user_words(user_dict))
        elif isinstance(user_dict, dict):
            pairs = list(user_dict.items())
        else:
            raise type_error("JiebaTokenizer.add_dict", "user_dict", "str or dict", user_dict)
        for word, frequency in pairs:
            self.add_word(word, frequency)

    def _load(self) -> tuple[Model, Dictionary]:
        if self._files is None:
            model, dictionary = Model(self.hmm_path), Dictionary(self.mp_path)
            for word, frequency in self.words:
                dictionary.add(word, frequency)
            self._files = model, dictionary
        return self._files

    def _cut(self, text: str) -> list[str]:
        """The words of a text between separators."""
        model, dictionary = self._load()
        if self.mode is JiebaMode.HMM:
            return model.cut(text)
        if self.mode is JiebaMode.MP:
            return dictionary.cut(text)
        words, singles = [], ""
        for word in [*dictionary.cut(text), ""]:
            if len(word) == 1:
                singles += word
            else:
                words += [*model.cut(singles), word]
                singles = ""
        return words[:-1]

    def _tokens(self, text: str) -> list[tuple[str, int, int]]:
        self._load()
        parts = _SEPARATORS.split(text)
        return list(
            _spans(
                word
                for k, part in enumerate(parts)
                for word in ([part] if k % 2 else self._cut(part))  # the odd ones are the separators
            )
        )

    def _apply(self, array: np.ndarray) -> Any:
        result = super()._apply(array)
        if self.with_offsets and not array.item():
            return result[0], np.empty(0, np.uint32), np.empty(0, np.uint32)  # the one empty token has no place
        return result
