"""Tokenizers: one string in, a vector of tokens out.

With `with_offsets` they return two more vectors (uint32): where each token begins and ends, in bytes of the UTF-8
text, as in MindSpore.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat.dataset._support.arguments import (
    INT32_MAX,
    argument_error,
    check_kind,
    interval_error,
)
from ms_compat.dataset.text.patterns import WHITE_SPACE, compiled
from ms_compat.dataset.text.strings import NormalizeForm, folded, need_strings, normalized
from ms_compat.dataset.text.vocab import Vocab
from ms_compat.dataset.transforms.base import Transform

Token = tuple[str, int, int]


_SPACES = re.compile(f"([{WHITE_SPACE}]+)")
_SPECIAL = re.compile(r"\[CLS\]|\[SEP\]|\[UNK\]|\[PAD\]|\[MASK\]|\[unused\d+\]")
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _spans(parts: Iterable[str]) -> Iterator[Token]:
    """Parts that make up a text, with their places in bytes."""
    at = 0
    for part in parts:
        end = at + len(part.encode())
        yield part, at, end
        at = end


def _result(tokens: list[Token], with_offsets: bool) -> Any:
    """The vector of tokens (one empty token if there is none), and their places."""
    tokens = tokens or [("", 0, 0)]
    words = np.array([word for word, _, _ in tokens])
    if not with_offsets:
        return words
    return words, *(np.array([token[k] for token in tokens], np.uint32) for k in (1, 2))


class _Tokenizer(Transform):
    """A tokenizer of one string."""

    with_offsets = False

    def _apply(self, array: np.ndarray) -> Any:
        if need_strings(type(self).__name__, array).ndim:
            raise RuntimeError(
                f"For '{type(self).__name__}', the input must be one string, but got shape {array.shape}."
            )
        return _result(list(self._tokens(array.item())), self.with_offsets)

    def _tokens(self, text: str) -> Iterable[Token]:
        raise NotImplementedError(f"{type(self).__name__} does nothing.")


@faces("dataset.text")
class UnicodeCharTokenizer(_Tokenizer):
    """Splits into characters.

    Args:
        with_offsets: returns the places too.

    >>> from ms_compat.dataset import text
    >>> text.UnicodeCharTokenizer()("abc").tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = check_kind("UnicodeCharTokenizer", "with_offsets", with_offsets, bool, "boolean")

    def _tokens(self, text: str) -> Iterable[Token]:
        return _spans(text)


@faces("dataset.text")
class WhitespaceTokenizer(_Tokenizer):
    """Splits at white space.

    Args:
        with_offsets: returns the places too.

    >>> WhitespaceTokenizer()("to be  or").tolist()
    ['to', 'be', 'or']
    """

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = check_kind("WhitespaceTokenizer", "with_offsets", with_offsets, bool, "boolean")

    def _tokens(self, text: str) -> Iterable[Token]:
        return [token for token in _spans(_SPACES.split(text)) if not _SPACES.fullmatch(token[0]) and token[0]]


# Scripts whose characters' names begin differently.
_SCRIPTS = {
    **dict.fromkeys(("CJK", "IDEOGRAPHIC", "HANGZHOU"), "HAN"),
    **dict.fromkeys(("ROMAN", "FEMININE", "MASCULINE", "KELVIN", "ANGSTROM"), "LATIN"),
    **dict.fromkeys(("MICRO", "CARON", "MODIFIER", "MATHEMATICAL", "KATAKANA-HIRAGANA"), "common"),
    "OHM": "GREEK",
}


def _script(char: str) -> str:
    """The script of a character, read off its Unicode name; signs and digits are common to all."""
    if _SPACES.fullmatch(char):
        return "space"
    category = unicodedata.category(char)
    if category[0] not in "LM" and category != "Nl":
        return "common"
    name = unicodedata.name(char, "unknown")
    if name.startswith("COMBINING "):
        second = name.split()[1]
        return second if second in ("CYRILLIC", "GREEK", "DEVANAGARI", "GRANTHA", "GLAGOLITIC") else "inherited"
    first = name.removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split()[0]
    return _SCRIPTS.get(first, first.split("-")[0])


@faces("dataset.text")
class UnicodeScriptTokenizer(_Tokenizer):
    """Splits where the script changes.

    Args:
        keep_whitespace: keeps white space as tokens.
        with_offsets: returns the places too.

    >>> from ms_compat.dataset import text
    >>> text.UnicodeScriptTokenizer()("one two").tolist()
    ['one', 'two']
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False) -> None:
        self.keep_whitespace = check_kind("UnicodeScriptTokenizer", "keep_whitespace", keep_whitespace, bool, "boolean")
        self.with_offsets = check_kind("UnicodeScriptTokenizer", "with_offsets", with_offsets, bool, "boolean")

    def _tokens(self, text: str) -> Iterable[Token]:
        parts: list[str] = []
        last = None
        for char in text:
            script = _script(char)
            if script == last:
                parts[-1] += char
            else:
                parts.append(char)
            last = script
        return [token for token in _spans(parts) if self.keep_whitespace or token[0].strip()]


@faces("dataset.text")
class RegexTokenizer(_Tokenizer):
    """Splits where a regular expression matches, which is in ICU's syntax (see `patterns`).

    Args:
        delim_pattern: what separates tokens.
        keep_delim_pattern: matches that are kept as tokens; "" keeps none.
        with_offsets: returns the places too.

    >>> from ms_compat.dataset import text
    >>> text.RegexTokenizer(",")("a,b,c").tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False) -> None:
        self.delim = compiled("RegexTokenizer", "delim_pattern", delim_pattern)
        self.keep = compiled("RegexTokenizer", "keep_delim_pattern", keep_delim_pattern) if keep_delim_pattern else None
        self.with_offsets = check_kind("RegexTokenizer", "with_offsets", with_offsets, bool, "boolean")

    def _tokens(self, text: str) -> Iterable[Token]:
        parts, kept, at = [], [], 0
        for found in self.delim.finditer(text):
            parts += [text[at : found.start()], found.group()]
            kept += [True, self.keep is not None and bool(self.keep.fullmatch(found.group()))]
            at = found.end()
        parts.append(text[at:])
        kept.append(True)
        return [token for token, keep in zip(_spans(parts), kept, strict=True) if keep and token[0]]


def _is_cjk(char: str) -> bool:
    code = ord(char)
    return code >= 0x3400 and any(low <= code <= high for low, high in _CJK)


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] == "P" or char in "$+<=>^`|~"


@faces("dataset.text")
class BasicTokenizer(_Tokenizer):
    """Splits at white space, signs and CJK characters, as BERT's first step.

    Args:
        lower_case: folds the case and drops accents.
        keep_whitespace: keeps white space as tokens.
        normalization_form: a `NormalizeForm`, used without `lower_case`.
        preserve_unused_token: keeps [CLS], [SEP], [UNK], [PAD], [MASK] and [unused1] whole.
        with_offsets: returns the places too.

    >>> BasicTokenizer()("Welcome to BeiJing!").tolist()
    ['Welcome', 'to', 'BeiJing', '!']
    """

    def __init__(
        self,
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        api = type(self).__name__
        self.lower_case = check_kind(api, "lower_case", lower_case, bool, "boolean")
        self.keep_whitespace = check_kind(api, "keep_whitespace", keep_whitespace, bool, "boolean")
        self.form = check_kind(api, "normalization_form", normalization_form, NormalizeForm, "enum of 'NormalizeForm'")
        self.preserve = check_kind(api, "preserve_unused_token", preserve_unused_token, bool, "boolean")
        self.with_offsets = check_kind(api, "with_offsets", with_offsets, bool, "boolean")

    def _plain(self, text: str) -> str:
        if self.lower_case:
            text = "".join(c for c in unicodedata.normalize("NFD", folded(text)) if unicodedata.category(c) != "Mn")
        else:
            text = normalized(text, self.form)
        return "".join(" " if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)

    def _words(self, text: str) -> list[str]:
        """The parts of a text between special tokens."""
        parts: list[str] = []
        last = None
        for char in self._plain(text):
            kind: str | None = "space" if char.isspace() else "word"
            if kind == "word" and (_is_cjk(char) or _is_sign(char)):
                kind = None
            if kind is not None and kind == last:
                parts[-1] += char
            else:
                parts.append(char)
            last = kind
        return parts

    def _tokens(self, text: str) -> Iterable[Token]:
        parts, at = [], 0
        for found in _SPECIAL.finditer(text) if self.preserve else ():
            parts += [*self._words(text[at : found.start()]), found.group()]
            at = found.end()
        parts += self._words(text[at:])
        return [token for token in _spans(parts) if self.keep_whitespace or token[0].strip()]


@faces("dataset.text")
class WordpieceTokenizer(Transform):
    """Splits tokens into the longest pieces of a vocab, greedily from the left.

    Args:
        vocab: a `Vocab`.
        suffix_indicator: what the pieces after the first begin with in the vocab.
        max_bytes_per_token: longer tokens are unknown.
        unknown_token: what unknown tokens become; "" keeps them.
        with_offsets: returns the places too.

    >>> WordpieceTokenizer(Vocab.from_list(["un", "##want", "##ed"]))("unwanted").tolist()
    ['un', '##want', '##ed']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:
        api = type(self).__name__
        if vocab is None:
            raise argument_error(ValueError, api, "vocab is not provided.", vocab)
        self.vocab = check_kind(api, "vocab", vocab, Vocab, "text.Vocab object")
        self.suffix = check_kind(api, "suffix_indicator", suffix_indicator, str, "string")
        if not 0 <= check_kind(api, "max_bytes_per_token", max_bytes_per_token, int, "int") <= INT32_MAX:
            raise interval_error(api, "max_bytes_per_token", 0, INT32_MAX, max_bytes_per_token)
        self.limit = max_bytes_per_token
        self.unknown = check_kind(api, "unknown_token", unknown_token, str, "string")
        self.with_offsets = check_kind(api, "with_offsets", with_offsets, bool, "boolean")

    def _apply(self, array: np.ndarray) -> Any:
        if need_strings("WordpieceTokenizer", array).ndim > 1:
            raise RuntimeError(
                f"For 'WordpieceTokenizer', the input must be a string or a vector, but got shape {array.shape}."
            )
        pieces = []
        for word in array.reshape(-1).tolist():
            pieces += self.pieces(word, 0)
        return _result(pieces, self.with_offsets)

    def pieces(self, word: str, base: int) -> list[Token]:
        """The pieces of a token that begins at a place."""
        size = len(word.encode())
        whole = [(self.unknown or word, base, base + size)]
        if size > self.limit:
            return whole
        numbers, found, at, place = self.vocab._numbers, [], 0, base
        while at < len(word):
            prefix = self.suffix if at else ""
            end = next((k for k in range(len(word), at, -1) if prefix + word[at:k] in numbers), None)
            if end is None:
                return whole
            stop = place + len(word[at:end].encode())
            found.append((prefix + word[at:end], place, stop))
            at, place = end, stop
        return found


@faces("dataset.text")
class BertTokenizer(_Tokenizer):
    """BERT's tokenizer: `BasicTokenizer`, then `WordpieceTokenizer`; the arguments are theirs.

    Args:
        vocab: a `Vocab`.
        suffix_indicator: what the pieces after the first begin with in the vocab.
        max_bytes_per_token: longer tokens are unknown.
        unknown_token: what unknown tokens become; "" keeps them.
        lower_case: folds the case and drops accents.
        keep_whitespace: keeps white space as tokens.
        normalization_form: a `NormalizeForm`, used without `lower_case`.
        preserve_unused_token: keeps [CLS], [SEP], [UNK], [PAD], [MASK] and [unused1] whole.
        with_offsets: returns the places too.

    >>> from ms_compat.dataset import text
    >>> vocab = text.Vocab.from_list(["play", "##ing", "now", "[UNK]"])
    >>> text.BertTokenizer(vocab)("playing now").tolist()
    ['play', '##ing', 'now']
    """

    def __init__(
        self,
        vocab: Vocab,
        suffix_indicator: str = "##",
        max_bytes_per_token: int = 100,
        unknown_token: str = "[UNK]",
        lower_case: bool = False,
        keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE,
        preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:
        self.basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token)
        self.wordpiece = WordpieceTokenizer(vocab, suffix_indicator, max_bytes_per_token, unknown_token)
        self.with_offsets = check_kind("BertTokenizer", "with_offsets", with_offsets, bool, "boolean")

    def _tokens(self, text: str) -> Iterable[Token]:
        return [piece for word, begin, _ in self.basic._tokens(text) for piece in self.wordpiece.pieces(word, begin)]
