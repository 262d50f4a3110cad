"""`Vocab`: tokens and their numbers; and `Lookup`, which replaces tokens by numbers."""

import collections
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from ms_compat._core.dtype import Type, int32
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_int,
    check_positive_int,
    check_type,
    interval_error,
)
from ms_compat.dataset._support.checks import column_list, positions
from ms_compat.dataset.text.hash_order import MOST, hash_order
from ms_compat.dataset.transforms.base import Transform, to_dtype


def _special(words: Iterable[str], special_tokens: list[str] | None, error: type[Exception]) -> list[str]:
    if special_tokens is None:
        return []
    for k, token in enumerate(check_type("Vocab", "special_tokens", special_tokens, list)):
        check_type("Vocab", f"special_tokens[{k}]", token, str)
    if len(set(special_tokens)) != len(special_tokens):
        raise value_error("Vocab", "special_tokens", "tokens that differ from each other", special_tokens)
    both = set(special_tokens) & set(words)
    if both:
        raise error(f"For 'Vocab', the 'special_tokens' must not be among the words, but {sorted(both)} are.")
    return special_tokens


def _joined(
    words: list[str], special_tokens: list[str] | None, special_first: bool, error: type[Exception] = RuntimeError
) -> dict[str, int]:
    special = _special(words, special_tokens, error)
    check_type("Vocab", "special_first", special_first, bool)
    return {word: k for k, word in enumerate([*special, *words] if special_first else [*words, *special])}


def _frequencies(freq_range: Any) -> tuple[int | None, int | None]:
    """Checks the range of frequencies: None, or a tuple of two numbers (or None) that do not fall."""
    api = "Vocab.from_dataset"
    if freq_range is None:
        return None, None
    if len(check_type(api, "freq_range", freq_range, tuple)) != 2:
        raise argument_error(ValueError, api, "freq_range needs to be a tuple of 2 element.", freq_range)
    low, high = freq_range
    if any(number is not None and type(number) is not int for number in freq_range):
        raise argument_error(
            ValueError,
            api,
            "freq_range needs to be either None or a tuple of 2 integers or an int and a None.",
            freq_range,
        )
    if (low or 0) < 0 or (high is not None and high < (low or 0)):
        raise argument_error(
            ValueError, api, "frequency range [a,b] should be 0 <= a <= b (a,b are inclusive).", freq_range
        )
    return low, high


@faces("dataset.text")
class Vocab:
    """Tokens and their numbers; made by `from_list`, `from_dict`, `from_file` or `from_dataset`.

    >>> Vocab.from_list(["a", "b"], special_tokens=["<unk>"]).vocab()
    {'<unk>': 0, 'b': 2, 'a': 1}
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens: dict[int, str] = {}
        self._is_made = False
        self._of_dict = False
        self._inserted: list[str] = []  # in the order in which MindSpore puts them into its table

    @classmethod
    def _made(cls, numbers: dict[str, int], special: list[str] | None = None, of_dict: bool = False) -> "Vocab":
        made = cls()
        last = set(special or ())
        made._inserted = [word for word in numbers if word not in last] + (special or [])
        made._of_dict = of_dict
        made._is_made = True
        made._numbers = numbers
        made._tokens = {number: token for token, number in numbers.items()}
        return made

    @classmethod
    def from_list(
        cls, word_list: list[str], special_tokens: list[str] | None = None, special_first: bool = True
    ) -> "Vocab":
        """Numbers the words of a list, in order.

        Args:
            word_list: words that differ from each other.
            special_tokens: tokens that are not words.
            special_first: whether they come first or last.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if a word appears twice.
        """
        seen = set()
        for k, word in enumerate(check_type("Vocab.from_list", "word_list", word_list, list)):
            if check_type("Vocab.from_list", f"word_list[{k}]", word, str) in seen:
                raise ValueError(
                    f"For 'Vocab.from_list', the 'word_list' must hold a word once, but {word!r} appears twice."
                )
            seen.add(word)
        return cls._made(_joined(word_list, special_tokens, special_first, ValueError), special_tokens)

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> "Vocab":
        """Takes the numbers of a dict.

        Raises:
            TypeError: for an argument of another type.
            ValueError: for a negative number.
        """
        for word, number in check_type("Vocab.from_dict", "word_dict", word_dict, dict).items():
            check_type("Vocab.from_dict", "word_dict", word, str)
            if not 0 <= check_int("Vocab.from_dict", f"word_dict[{word!r}]", number) <= INT32_MAX:
                raise interval_error("Vocab.from_dict", f"word_dict[{word!r}]", 0, INT32_MAX, number)
        return cls._made(dict(word_dict), of_dict=True)

    @classmethod
    def from_file(
        cls,
        file_path: str,
        delimiter: str = "",
        vocab_size: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> "Vocab":
        """Numbers the words of a file, one a line.

        Args:
            file_path: the file, UTF-8.
            delimiter: what follows the word in a line; "" takes the whole line.
            vocab_size: how many words at most.
            special_tokens: tokens that are not words.
            special_first: whether they come first or last.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if the size is < 1, or a special token appears twice.
            RuntimeError: if the file cannot be read, or a word appears twice or is a special token.
        """
        check_type("Vocab.from_file", "file_path", file_path, str)
        check_type("Vocab.from_file", "delimiter", delimiter, str)
        if vocab_size is not None:
            check_positive_int("Vocab.from_file", "vocab_size", vocab_size)
        if not os.path.isfile(file_path):
            raise RuntimeError(
                f"For 'Vocab.from_file', the 'file_path' must be a file that exists, but got {file_path!r}."
            )
        words: list[str] = []
        with reading("Vocab.from_file", file_path), open(file_path, encoding="utf-8", newline="\n") as file:
            for line in file:
                if vocab_size is not None and len(words) == vocab_size:
                    break
                text = line.rstrip("\n")
                words.append(text.split(delimiter)[0] if delimiter else text)
        twice = [word for word, count in collections.Counter(words).items() if count > 1]
        if twice:
            raise RuntimeError(
                f"For 'Vocab.from_file', the 'file_path' must hold every word once, but {twice[0]!r} is there twice."
            )
        return cls._made(_joined(words, special_tokens, special_first))

    @classmethod
    def from_dataset(
        cls,
        dataset: Any,
        columns: Any = None,
        freq_range: tuple[int | None, int | None] | None = None,
        top_k: int | None = None,
        special_tokens: list[str] | None = None,
        special_first: bool = True,
    ) -> "Vocab":
        """Numbers the words of string columns: the most frequent first, equally frequent ones in alphabetical order.

        Args:
            dataset: the dataset, which is read once.
            columns: a name or a list of names; None or [] takes all columns.
            freq_range: (min, max) of how often a word may occur; None for an open end.
            top_k: how many words at most.
            special_tokens: tokens that are not words.
            special_first: whether they come first or last.

        Raises:
            TypeError: for an argument of another type.
            ValueError: if a number is out of range.
            RuntimeError: if there is no such column, or it holds no strings.
        """
        names = dataset.get_col_names()
        if isinstance(columns, list) and not all(isinstance(name, str) for name in columns):
            raise RuntimeError(f"For 'Vocab.from_dataset', the 'columns' must be names, but got {columns!r}.")
        columns = None if columns == [] else columns
        wanted = column_list("Vocab.from_dataset", "columns", columns, none=True) or names
        places = positions("Vocab.from_dataset", "columns", wanted, names)
        low, high = _frequencies(freq_range)
        if top_k is not None:
            check_type("Vocab.from_dataset", "top_k", top_k, (int, type(None)))
            if top_k <= 0:
                raise argument_error(ValueError, "Vocab.from_dataset", "top_k must be greater than 0.", top_k)
        counts: collections.Counter[str] = collections.Counter()
        for row in dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
            for k in places:
                if row[k].dtype.kind != "U":
                    raise RuntimeError(
                        f"For 'Vocab.from_dataset', column '{names[k]}' must hold strings, but got {row[k].dtype}."
                    )
                counts.update(row[k].reshape(-1).tolist())
        kept = [
            word for word, count in counts.items() if (low is None or count >= low) and (high is None or count <= high)
        ]
        words = sorted(kept, key=lambda word: (-counts[word], word))[:top_k]
        return cls._made(_joined(words, special_tokens, special_first))

    def _built(self) -> "Vocab":
        if not self._is_made:
            raise RuntimeError(
                "For 'Vocab', there are no tokens yet: make it by 'from_list', 'from_dict', 'from_file' or "
                "'from_dataset'."
            )
        return self

    def vocab(self) -> dict[str, int]:
        """The number of every token, in the order of MindSpore's table (see `hash_order`).

        Raises:
            RuntimeError: if it was made by `Vocab()`.
        """
        numbers = self._built()._numbers
        if len(numbers) >= MOST:
            return dict(numbers)
        return {word: numbers[word] for word in hash_order(self._inserted, self._of_dict)}

    def tokens_to_ids(self, tokens: Any) -> Any:
        """The number of a token, or a list of them; -1 for one that is not there. A list of one gives one number.

        Raises:
            TypeError: if it is neither str nor a list or array of str.
            RuntimeError: if it was made by `Vocab()`.
        """
        numbers = self._built()._numbers
        tokens = tokens.tolist() if isinstance(tokens, np.ndarray) else tokens
        check_type("Vocab.tokens_to_ids", "tokens", tokens, (list, str))
        listed = [tokens] if isinstance(tokens, str) else tokens
        found = [numbers.get(check_type("Vocab.tokens_to_ids", "tokens", token, str), -1) for token in listed]
        return found[0] if len(found) == 1 else found

    def ids_to_tokens(self, ids: Any) -> Any:
        """The token of a number, or a list of them; "" for one that is not there. A list of one gives one token.

        Raises:
            TypeError: if it is neither int nor a list or array of int.
            ValueError: for a negative number.
            RuntimeError: if it was made by `Vocab()`.
        """
        tokens = self._built()._tokens
        ids = ids.tolist() if isinstance(ids, np.ndarray) else ids
        check_type("Vocab.ids_to_tokens", "ids", ids, (list, int))
        found = []
        for number in ids if isinstance(ids, list) else [ids]:
            if not 0 <= check_int("Vocab.ids_to_tokens", "ids", number) <= INT32_MAX:
                raise interval_error("Vocab.ids_to_tokens", "ids", 0, INT32_MAX, number)
            found.append(tokens.get(number, ""))
        return found[0] if len(found) == 1 else found


@faces("dataset.text")
class Lookup(Transform):
    """Replaces tokens by their numbers.

    Args:
        vocab: a `Vocab`.
        unknown_token: the token whose number stands for unknown ones; None refuses them.
        data_type: the dtype of the numbers.

    Raises:
        TypeError: for an argument of another type.
        RuntimeError: when called with anything but strings, or an unknown token.

    >>> Lookup(Vocab.from_list(["a", "b"]))(np.array(["b", "a"])).tolist()
    [1, 0]
    """

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = int32) -> None:
        self.vocab = check_type("Lookup", "vocab", vocab, Vocab)
        self.unknown_token = check_type("Lookup", "unknown_token", unknown_token, (str, type(None)))
        self.data_type = to_dtype("Lookup", "data_type", check_type("Lookup", "data_type", data_type, Type))

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.dtype.kind != "U":
            raise RuntimeError(f"For 'Lookup', the input must be strings, but got {array.dtype}.")
        numbers = self.vocab._numbers
        unknown = None if self.unknown_token is None else numbers.get(self.unknown_token)
        if self.unknown_token is not None and unknown is None:
            raise RuntimeError(f"For 'Lookup', the 'unknown_token' {self.unknown_token!r} must be in the vocab.")
        found = [numbers.get(token, unknown) for token in array.reshape(-1).tolist()]
        if None in found:
            token = array.reshape(-1)[found.index(None)]
            raise RuntimeError(
                f"For 'Lookup', the token {str(token)!r} is not in the vocab, and there is no 'unknown_token'."
            )
        return np.array(found, np.int64).astype(self.data_type).reshape(array.shape)

    _stacked = _apply
