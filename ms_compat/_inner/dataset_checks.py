"""Checks of arguments that the `utils` modules of MindSpore's `dataset` have, and records of its decoders."""

from __future__ import annotations

import functools
import inspect
import numbers
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat.dataset.text.subwords import SentencePieceModel, SentencePieceVocab
from ms_compat.dataset.text.vocab import Vocab

_INT32_MAX, _UINT32_MAX = 2**31 - 1, 2**32 - 1
_FORBIDDEN = re.compile(r"[:*?\"<>|`&;']")


# -- mindspore.dataset.vision.utils -----------------------------------------------------------------------------------
class DecodeParams:
    """What a decoder of videos reads.

    Args:
        container: the open file.
        start_offset: where to begin.
        end_offset: where to end.
        stream: the stream of the file.
    """

    def __init__(self, container: Any, start_offset: Any, end_offset: Any, stream: Any) -> None:
        self.container, self.start_offset, self.end_offset, self.stream = container, start_offset, end_offset, stream


class VideoFrameDvpp:
    """A frame of a video with its times.

    Args:
        dts (int): the time at which it is decoded.
        pts (int): the time at which it is shown.
    """

    dts: int
    pts: int
    positions: int
    frame: np.ndarray

    def __init__(self, dts: int = 0, pts: int = 0) -> None:
        self.pts, self.dts = pts, dts


def type_check(arg: Any, types: tuple[type, ...], arg_name: Any) -> None:
    """Check the type of an argument; a bool is an int only where bool is allowed.

    Raises:
        TypeError: it has another type.

    >>> type_check(True, (int,), "size")
    Traceback (most recent call last):
    TypeError: Argument size with value True is not of type (<class 'int'>,), but got <class 'bool'>.
    """
    shown = '""' if repr(arg) == "''" else arg
    is_other_int = isinstance(arg, bool) and int in types and bool not in types
    if is_other_int or not isinstance(arg, types):
        allowed = types if is_other_int else list(types)
        raise TypeError(f"Argument {arg_name} with value {shown} is not of type {allowed}, but got {type(arg)}.")


def type_check_list(args: Any, types: tuple[type, ...], arg_names: Any) -> None:
    """Check the types of several arguments.

    Args:
        args (Union[list, tuple]): the arguments.
        types (tuple[type]): what they may be.
        arg_names (Union[str, list[str]]): the name of the list, or of each.

    Raises:
        TypeError: one has another type.
        ValueError: there are not as many names.
    """
    type_check(args, (list, tuple), arg_names)
    if isinstance(arg_names, str):
        arg_names = [f"{arg_names}[{index}]" for index in range(len(args))]
    if len(args) != len(arg_names):
        raise ValueError("List of arguments is not the same length as argument_names.")
    for arg, name in zip(args, arg_names, strict=True):
        type_check(arg, types, name)


def check_value(
    value: Any,
    valid_range: Sequence[Any],
    arg_name: str = "",
    left_open_interval: bool = False,
    right_open_interval: bool = False,
) -> None:
    """Check that a value is in an interval.

    Raises:
        ValueError: it is outside.

    >>> check_value(1, (0, 1), "size", right_open_interval=True)
    Traceback (most recent call last):
    ValueError: Input size is not within the required interval of [0, 1).
    """
    low, high = valid_range[0], valid_range[1]
    below = value <= low if left_open_interval else value < low
    above = value >= high if right_open_interval else value > high
    if below or above:
        interval = f"{'(' if left_open_interval else '['}{low}, {high}{')' if right_open_interval else ']'}"
        name = f"{arg_name} " if arg_name else ""
        raise ValueError(f"Input {name}is not within the required interval of {interval}.")


def _check_filename(path: Any) -> None:
    if not isinstance(path, str):
        raise TypeError(f"path: {path} is not string")
    if _FORBIDDEN.search(path):
        raise ValueError("filename should not contain any of :*?\"<>|`&;'")


def check_file(dataset_file: Any) -> None:
    """Check that there is a file that may be read.

    Raises:
        TypeError: the path is not a str.
        ValueError: the file does not exist, or a shell gives characters of its name a meaning.
    """
    _check_filename(dataset_file)
    path = os.path.realpath(dataset_file)
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise ValueError(f"The file {path} does not exist or permission denied!")


def parse_padding(padding: Any) -> Any:
    """Return the padding as (left, top, right, bottom): one number is all four, two are horizontal and vertical.

    >>> parse_padding(3), parse_padding((1, 2))
    ((3, 3, 3, 3), (1, 2, 1, 2))
    """
    if isinstance(padding, numbers.Number):
        return (padding,) * 4
    return tuple(padding) * 2 if len(padding) == 2 else tuple(padding)


# -- mindspore.dataset.text.utils: decorators of methods --------------------------------------------------------------
def _checked(method: Callable, check: Callable[..., None]) -> Callable:
    """The method, whose arguments are checked at each call, those with defaults included."""
    signature = inspect.signature(method)

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        check(*list(bound.arguments.values())[1:])
        return method(self, *args, **kwargs)

    return call


def _check_positive(value: Any, name: str) -> None:
    if value <= 0:
        raise ValueError(f"Input {name} must be greater than 0.")


def _unique(words: Any, name: str) -> set[str]:
    type_check(words, (list,), name)
    found: set[str] = set()
    for word in words:
        type_check(word, (str,), name)
        if word in found:
            raise ValueError(f"{name} contains duplicate word: {word}.")
        found.add(word)
    return found


def _from_file(file_path, delimiter, vocab_size, special_tokens, special_first):
    if special_tokens is not None:
        _unique(special_tokens, "special_tokens")
    type_check_list([file_path, delimiter], (str,), ["file_path", "delimiter"])
    if vocab_size is not None:
        _check_positive(vocab_size, "vocab_size")
    type_check(special_first, (bool,), "special_first")


def check_from_file(method: Callable) -> Callable:
    """Check the arguments of a method `from_file(file_path, delimiter, vocab_size, special_tokens, special_first)`."""
    return _checked(method, _from_file)


def check_vocab(c_vocab: Any) -> None:
    """Check that there is a vocabulary.

    Raises:
        RuntimeError: it is something else.
    """
    if not isinstance(c_vocab, Vocab):
        raise RuntimeError(
            f"The Vocab has not built yet, got type {type(c_vocab)}. Use Vocab.from_dataset(), Vocab.from_list(), "
            "Vocab.from_file() or Vocab.from_dict() to build a Vocab."
        )


def _tokens_to_ids(tokens):
    type_check(tokens, (str, list, np.ndarray), "tokens")
    if isinstance(tokens, list):
        type_check_list(tokens, (str, np.str_), "tokens")


def check_tokens_to_ids(method: Callable) -> Callable:
    """Check the argument of a method `tokens_to_ids(tokens)`."""
    return _checked(method, _tokens_to_ids)


def _ids_to_tokens(ids):
    type_check(ids, (int, list, np.ndarray), "ids")
    numbered = {"ids": ids} if isinstance(ids, int) else {}
    if isinstance(ids, list):
        numbered = {f"ids[{index}]": number for index, number in enumerate(ids)}
    for name, number in numbered.items():
        type_check(number, (int, np.int_), name)
        check_value(number, (0, _INT32_MAX), name)


def check_ids_to_tokens(method: Callable) -> Callable:
    """Check the argument of a method `ids_to_tokens(ids)`."""
    return _checked(method, _ids_to_tokens)


def _from_list(word_list, special_tokens, special_first):
    words = _unique(word_list, "word_list")
    if special_tokens is not None:
        both = words & _unique(special_tokens, "special_tokens")
        if both:
            raise ValueError(f"special_tokens and word_list contain duplicate word :{both}.")
    type_check(special_first, (bool,), "special_first")


def check_from_list(method: Callable) -> Callable:
    """Check the arguments of a method `from_list(word_list, special_tokens, special_first)`."""
    return _checked(method, _from_list)


def _from_dict(word_dict):
    type_check(word_dict, (dict,), "word_dict")
    for word, number in word_dict.items():
        type_check(word, (str,), "word")
        type_check(number, (int,), "word_id")
        check_value(number, (0, _INT32_MAX), "word_id")


def check_from_dict(method: Callable) -> Callable:
    """Check the argument of a method `from_dict(word_dict)`."""
    return _checked(method, _from_dict)


def _from_dataset(dataset, columns, freq_range, top_k, special_tokens, special_first):
    del dataset  # any
    if columns is not None and not isinstance(columns, list):
        type_check_list([columns], (str,), "col")
    if freq_range is not None:
        type_check(freq_range, (tuple,), "freq_range")
        if len(freq_range) != 2:
            raise ValueError("freq_range needs to be a tuple of 2 element.")
        if not all(number is None or isinstance(number, int) for number in freq_range):
            raise ValueError("freq_range needs to be either None or a tuple of 2 integers or an int and a None.")
        if None not in freq_range and not 0 <= freq_range[0] <= freq_range[1]:
            raise ValueError("frequency range [a,b] should be 0 <= a <= b (a,b are inclusive).")
    type_check(top_k, (int, type(None)), "top_k")
    if isinstance(top_k, int):
        _check_positive(top_k, "top_k")
    type_check(special_first, (bool,), "special_first")
    if special_tokens is not None:
        _unique(special_tokens, "special_tokens")


def check_from_dataset(method: Callable) -> Callable:
    """Check `from_dataset(dataset, columns, freq_range, top_k, special_tokens, special_first)`."""
    return _checked(method, _from_dataset)


def _pieces(vocab_size, character_coverage, model_type, params):
    if vocab_size is not None:
        type_check(vocab_size, (int,), "vocab_size")
        check_value(vocab_size, (0, _UINT32_MAX), "vocab_size")
    if character_coverage is not None:
        type_check(character_coverage, (float,), "character_coverage")
    if model_type is not None:
        type_check(model_type, (str, SentencePieceModel), "model_type")
    if params is not None:
        type_check(params, (dict,), "params")


def _pieces_of_dataset(dataset, col_names, vocab_size, *others):
    del dataset  # any
    if col_names is not None:
        type_check_list(col_names, (str,), "col_names")
    if vocab_size is None:
        raise TypeError("vocab_size must be provided.")
    _pieces(vocab_size, *others)


def check_from_dataset_sentencepiece(method: Callable) -> Callable:
    """Check `from_dataset(dataset, col_names, vocab_size, character_coverage, model_type, params)`."""
    return _checked(method, _pieces_of_dataset)


def _pieces_of_file(file_path, *others):
    if file_path is not None:
        type_check(file_path, (list,), "file_path")
    _pieces(*others)


def check_from_file_sentencepiece(method: Callable) -> Callable:
    """Check `from_file(file_path, vocab_size, character_coverage, model_type, params)`."""
    return _checked(method, _pieces_of_file)


def _save_model(vocab, path, filename):
    for value, kind, name in ((vocab, SentencePieceVocab, "vocab"), (path, str, "path"), (filename, str, "filename")):
        if value is not None:
            type_check(value, (kind,), name)


def check_save_model(method: Callable) -> Callable:
    """Check the arguments of a method `save_model(vocab, path, filename)`."""
    return _checked(method, _save_model)


def _vectors(file_path, max_vectors):
    type_check(file_path, (str,), "file_path")
    _check_filename(file_path)
    if max_vectors is not None:
        type_check(max_vectors, (int,), "max_vectors")
        check_value(max_vectors, (0, _INT32_MAX), "max_vectors")


def check_from_file_vectors(method: Callable) -> Callable:
    """Check the arguments of a method `from_file(file_path, max_vectors)`."""
    return _checked(method, _vectors)
