"""Transforms of strings element by element, and of token vectors as a whole."""

import enum
import re
import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np

from ms_compat._core.checks import check_callable
from ms_compat._core.dtype import Type, number_type
from ms_compat._core.errors import type_error, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_bool,
    check_int,
    check_int_range,
    check_type,
    interval_error,
)
from ms_compat.dataset._support.init_args import Remembered
from ms_compat.dataset.text.patterns import Replacement, compiled
from ms_compat.dataset.transforms.base import Transform, to_array, to_dtype


@faces("dataset.text")
class NormalizeForm(enum.IntEnum):
    r"""Unicode normalisation forms.

    >>> from ms_compat.dataset import text
    >>> text.NormalizeUTF8(text.NormalizeForm.NFD)("\u00e4").item() == "a\u0308"
    True
    """

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


def need_strings(api: str, array: np.ndarray) -> np.ndarray:
    """Returns the array if it holds strings; `RuntimeError` if not."""
    if array.dtype.kind != "U":
        raise RuntimeError(f"For '{api}', the input must be strings, but got {array.dtype}.")
    return array


def normalized(text: str, form: NormalizeForm) -> str:
    """The text in a normal form."""
    return text if form is NormalizeForm.NONE else unicodedata.normalize(form.name, text)  # type: ignore[arg-type]


_IGNORED = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def folded(text: str) -> str:
    """The text in Unicode's NFKC_Casefold: case and compatibility forms folded, without invisible characters."""
    text = unicodedata.normalize("NFKC", _IGNORED.sub("", text).casefold())
    return unicodedata.normalize("NFKC", _IGNORED.sub("", text).casefold())


class _Each(Transform):
    """A transform of every string in an array."""

    def _apply(self, array: np.ndarray) -> np.ndarray:
        texts = need_strings(type(self).__name__, array).reshape(-1).tolist()
        return np.array([self._text(text) for text in texts], dtype=np.str_).reshape(array.shape)

    def _text(self, text: str) -> str:
        raise NotImplementedError(f"{type(self).__name__} does nothing.")


@faces("dataset.text")
class CaseFold(_Each):
    """Folds the case and compatibility forms (Unicode's NFKC_Casefold): "ß" becomes "ss", "①" becomes "1".

    >>> CaseFold()("ABC").item()
    'abc'
    """

    def _text(self, text: str) -> str:
        return folded(text)


@faces("dataset.text")
class NormalizeUTF8(_Each):
    r"""Brings strings to a Unicode normal form.

    Args:
        normalize_form: a `NormalizeForm`.

    >>> from ms_compat.dataset import text
    >>> text.NormalizeUTF8()("\ufb01").item()
    'fi'
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC) -> None:
        self.form = check_type("NormalizeUTF8", "normalize_form", normalize_form, NormalizeForm)

    def _text(self, text: str) -> str:
        return normalized(text, self.form)


@faces("dataset.text")
class RegexReplace(_Each):
    """Replaces what a regular expression (in ICU's syntax, see `patterns`) finds; `$1` stands for a group.

    Args:
        pattern: the expression.
        replace: the replacement.
        replace_all: every match; otherwise the first of each string.

    >>> from ms_compat.dataset import text
    >>> text.RegexReplace("[0-9]+", "#")("room 12, floor 3").item()
    'room #, floor #'
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        self.pattern = compiled("RegexReplace", "pattern", pattern)
        self.replace = Replacement("RegexReplace", check_type("RegexReplace", "replace", replace, str), self.pattern)
        self.count = 0 if check_bool("RegexReplace", "replace_all", replace_all) else 1

    def _text(self, text: str) -> str:
        return self.pattern.sub(self.replace, text, count=self.count)


_DIGITS = dict(zip("0123456789", "zero one two three four five six seven eight nine".split(), strict=True))


@faces("dataset.text")
class FilterWikipediaXML(_Each):
    """Reduces Wikipedia's XML to lower-case words a to z; digits are spelled.

    >>> from ms_compat.dataset import text
    >>> text.FilterWikipediaXML()("The <b>7</b> Hills").item().strip()
    'the hills'
    """

    def _text(self, text: str) -> str:
        text = re.sub(r"<.*>", "", text)
        for entity, plain in (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, plain)
        text = re.sub(r"&[^;]*;|<[^>]*>", " ", text).lower()
        text = re.sub(r"\d", lambda found: f" {_DIGITS.get(found.group(), '')} ", text)
        return " ".join(re.sub(r"[^a-z]+", " ", text).split())


_WHOLE = re.compile(r"\s*[+-]?\d+", re.ASCII)
_REAL = re.compile(
    r"\s*[+-]?(?:0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)",
    re.ASCII | re.IGNORECASE,
)


@faces("dataset.text")
class ToNumber(Transform):
    """Reads strings as numbers; it ignores text after a number, as C's functions do ("12a" is 12).

    Args:
        data_type: a numeric dtype of MindSpore.

    Raises:
        TypeError: if it is not a numeric dtype of MindSpore.
        KeyError: for bfloat16 and complex numbers, which no column holds.
        RuntimeError: when called with a string that is not a number of the dtype, or too large or small for it.

    >>> from ms_compat._core.dtype import int8
    >>> ToNumber(int8)(["1", "2"]).tolist()
    [1, 2]
    """

    def __init__(self, data_type: Any) -> None:
        check_type("ToNumber", "data_type", data_type, Type)
        if data_type not in number_type:
            raise TypeError(f"For 'ToNumber': data_type: {data_type} is not numeric data type.")
        self.data_type = to_dtype("ToNumber", "data_type", data_type)

    def _number(self, text: str) -> Any:
        whole = self.data_type.kind in "iu"
        found = (_WHOLE if whole else _REAL).match(text)
        if found is None:
            raise RuntimeError(f"For 'ToNumber': it is invalid to convert \"{text}\" to a number.")
        if whole:
            limits = np.iinfo(self.data_type)
            value = int(found[0])
            if not limits.min <= value <= limits.max:
                raise RuntimeError(
                    f"For 'ToNumber': string input {text} will be out of bounds if cast to {self.data_type}. "
                    f"The valid range is: [{limits.min}, {limits.max}]."
                )
            return value
        number = found[0].lower()
        real = float.fromhex(number) if "x" in number else float(number)
        read = np.finfo(np.float64 if self.data_type == np.float64 else np.float32)
        largest = float(np.finfo(self.data_type).max)
        vanished = real == 0 and re.search("[1-9]", number.partition("e")[0])
        if abs(real) > largest or 0 < abs(real) < float(read.smallest_normal) or vanished:
            if self.data_type == np.float16:
                raise RuntimeError(
                    f"For 'ToNumber': the value of the string {text} is outside of valid float16 range "
                    f"[{-largest}, {largest}]."
                )
            raise RuntimeError(
                f"For 'ToNumber': string input {text} will be out of bounds if cast to {self.data_type}. "
                f"The valid range is: [{-largest}, {largest}]."
            )
        return real

    def _apply(self, array: np.ndarray) -> np.ndarray:
        texts = need_strings("ToNumber", array).reshape(-1).tolist()
        return np.array([self._number(text) for text in texts], self.data_type).reshape(array.shape)


@faces("dataset.text")
class AddToken(Transform):
    """Puts a token before or after a vector of tokens, or before or after each row of a token matrix.

    Args:
        token: the token.
        begin: before; otherwise after.

    >>> from ms_compat.dataset import text
    >>> text.AddToken("[CLS]", begin=True)(["a", "b"]).tolist()
    ['[CLS]', 'a', 'b']
    """

    def __init__(self, token: str, begin: bool = True) -> None:
        self.token = check_type("AddToken", "token", token, str)
        self.begin = check_bool("AddToken", "begin", begin)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if need_strings("AddToken", array).ndim not in (1, 2):
            raise RuntimeError(f"For 'AddToken', the input must have rank 1 or 2, but got shape {array.shape}.")
        added = np.full((*array.shape[:-1], 1), self.token)
        return np.concatenate([added, array] if self.begin else [array, added], axis=-1)


@faces("dataset.text")
class Ngram(Transform):
    """Joins n tokens in a row.

    Args:
        n: an int, or a list of them; their results follow each other.
        left_pad: (token, width) put before, at most n - 1 of them.
        right_pad: (token, width) put after.
        separator: the text between joined tokens.

    >>> from ms_compat.dataset import text
    >>> text.Ngram(2)(["a", "b", "c"]).tolist()
    ['a b', 'b c']
    """

    def __init__(
        self, n: Any, left_pad: tuple[str, int] = ("", 0), right_pad: tuple[str, int] = ("", 0), separator: str = " "
    ) -> None:
        if not isinstance(n, (int, list)) or n == []:
            raise argument_error(ValueError, "Ngram", "n needs to be a non-empty list of positive integers.", n)
        self.n = n if isinstance(n, list) else [n]
        for k, size in enumerate(self.n):
            if check_int("Ngram", f"n[{k}]", size) < 1:
                raise argument_error(ValueError, "Ngram", f"n[{k}] with value {size} must be a positive integer.", n)
        for name, padding in (("left_pad", left_pad), ("right_pad", right_pad)):
            if not isinstance(padding, tuple) or [type(part) for part in padding] != [str, int]:
                raise argument_error(
                    ValueError, "Ngram",
                    f"{name} needs to be a tuple of (str, int) str is pad token and int is pad_width.", padding,
                )  # fmt: skip
            if padding[1] < 0:
                raise argument_error(ValueError, "Ngram", "padding width need to be positive numbers.", padding)
        self.left_pad, self.right_pad = left_pad, right_pad
        self.separator = check_type("Ngram", "separator", separator, str)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if need_strings("Ngram", array).ndim != 1:
            raise RuntimeError(f"For 'Ngram', the input must be a vector, but got shape {array.shape}.")
        made = []
        for n in self.n:
            left, right = ([token] * min(width, n - 1) for token, width in (self.left_pad, self.right_pad))
            tokens = [*left, *array.tolist(), *right]
            joined = [self.separator.join(tokens[k : k + n]) for k in range(len(tokens) - n + 1)]
            made += joined or [""]
        return np.array(made)


@faces("dataset.text")
class SlidingWindow(Transform):
    """Makes windows of a vector's consecutive elements.

    Args:
        width: elements in a window.
        axis: 0 or -1, the vector's only axis.

    >>> SlidingWindow(2)(np.array([1, 2, 3])).tolist()
    [[1, 2], [2, 3]]
    """

    def __init__(self, width: int, axis: int = 0) -> None:
        if not 1 <= check_type("SlidingWindow", "width", width, int) <= INT32_MAX:
            raise interval_error("SlidingWindow", "width", 1, INT32_MAX, width)
        self.width, self.axis = width, check_type("SlidingWindow", "axis", axis, int)

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.ndim != 1 or self.axis not in (0, -1):
            raise RuntimeError(
                f"For 'SlidingWindow', the input must be a vector and the 'axis' 0 or -1, but got shape {array.shape} "
                f"and axis {self.axis}."
            )
        if self.width > len(array):
            return np.empty((0,), array.dtype)
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


@faces("dataset.text")
class Truncate(Transform):
    """Keeps the first elements of a vector, or of each row if it is a matrix.

    Args:
        max_seq_len: how many.

    >>> from ms_compat.dataset import text
    >>> text.Truncate(2)(["a", "b", "c"]).tolist()
    ['a', 'b']
    """

    def __init__(self, max_seq_len: int) -> None:
        if not 1 <= check_type("Truncate", "max_seq_len", max_seq_len, int) <= INT32_MAX:
            raise interval_error("Truncate", "max_seq_len", 1, INT32_MAX, max_seq_len)
        self.max_seq_len = max_seq_len

    def _apply(self, array: np.ndarray) -> np.ndarray:
        if array.ndim not in (1, 2):
            raise RuntimeError(f"For 'Truncate', the input must have rank 1 or 2, but got shape {array.shape}.")
        return array[..., : self.max_seq_len].copy()


@faces("dataset.text")
class TruncateSequencePair(Remembered):
    """Shortens two vectors together: one element at a time from the longer one, from the second if they are equal.

    Args:
        max_length: the sum of their lengths to reach.

    >>> from ms_compat.dataset import text
    >>> first, second = text.TruncateSequencePair(3)([1, 2, 3], [4, 5])
    >>> first.tolist(), second.tolist()
    ([1, 2], [4])
    """

    def __init__(self, max_length: int) -> None:
        check_int_range("TruncateSequencePair", "max_length", max_length, 0, INT32_MAX)
        self.max_length = max_length

    def __call__(self, *items: Any) -> tuple[np.ndarray, np.ndarray]:
        if len(items) != 2:
            raise RuntimeError(f"For 'TruncateSequencePair', two columns must be given, but got {len(items)}.")
        first, second = (to_array(item, "TruncateSequencePair") for item in items)
        if first.ndim != 1 or second.ndim != 1:
            raise RuntimeError(
                f"For 'TruncateSequencePair', vectors are needed, but got {first.shape} and {second.shape}."
            )
        one, two = len(first), len(second)
        while one + two > self.max_length:
            one, two = (one - 1, two) if one > two else (one, two - 1)
        return first[:one].copy(), second[:two].copy()


@faces("dataset.text")
class PythonTokenizer(Remembered):
    """Tokenizes with a Python function of a str.

    Args:
        tokenizer: the function; it returns a list of tokens.

    >>> import numpy as np
    >>> from ms_compat.dataset import text
    >>> text.PythonTokenizer(str.split)(np.array("two words")).tolist()
    ['two', 'words']
    """

    def __init__(self, tokenizer: Callable[[str], Any]) -> None:
        check_callable("PythonTokenizer", "tokenizer", tokenizer)
        self.tokenizer = tokenizer

    def __call__(self, text: Any) -> np.ndarray:
        check_type("PythonTokenizer", "input", text, np.ndarray)
        if text.dtype.kind == "S":
            text = to_str(text)
        if text.dtype.kind != "U" or text.ndim:
            raise TypeError(
                f"For 'PythonTokenizer', the input must be one string, but got {text.dtype} of shape {text.shape}."
            )
        return np.array(self.tokenizer(text.item()))


@faces("dataset.text")
def to_str(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Decodes an array of bytes to strings.

    Raises:
        TypeError: if it is not an array of bytes.

    >>> to_str(np.array([b"ab"])).tolist()
    ['ab']
    """
    if not isinstance(array, np.ndarray) or array.dtype.kind != "S":
        raise type_error("to_str", "array", "a numpy array of bytes", array)
    return np.char.decode(array, encoding)


@faces("dataset.text")
def to_bytes(array: np.ndarray, encoding: str = "utf8") -> np.ndarray:
    """Encodes an array of strings to bytes.

    Raises:
        TypeError: if it holds no strings.
        ValueError: if it is not an array.

    >>> to_bytes(np.array(["ab"])).tolist()
    [b'ab']
    """
    if not isinstance(array, np.ndarray):
        raise value_error("to_bytes", "array", "a numpy array", array)
    if array.dtype.kind != "U":
        raise type_error("to_bytes", "array", "a numpy array of str", array)
    return np.char.encode(array, encoding)
