"""Regular expressions in ICU's syntax, which MindSpore's text transforms take, translated to Python's `re`.

This module rewrites ICU's own features: properties (`\\p{Han}`, `[[:punct:]]`), sets of sets (`[a-z&&[^b]]`,
`[a-z--[b]]`), `\\h`, `\\v`, `\\R`, `\\x{4e2d}`, `\\Q...\\E` and `(?<name>...)`. Everything else means the same in both.
https://unicode-org.github.io/icu/userguide/strings/regexp.html
"""

import functools
import re
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

from ms_compat.dataset._support.arguments import check_type

WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_PLAIN_SPACE = " \xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
_ESCAPES = {
    "h": rf"[\t{_PLAIN_SPACE}]",
    "H": rf"[^\t{_PLAIN_SPACE}]",
    "v": "[\n-\r\x85\u2028\u2029]",
    "V": "[^\n-\r\x85\u2028\u2029]",
    "R": "(?:\r\n|[\n-\r\x85\u2028\u2029])",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "e": "\x1b",
}
# The long names of the general categories, and the names of POSIX classes, by the categories they hold.
_NAMED = {
    **{"letter": "L", "mark": "M", "number": "N", "punctuation": "P", "symbol": "S", "separator": "Z", "other": "C"},
    **{"uppercaseletter": "Lu", "uppercase": "Lu", "upper": "Lu", "lowercaseletter": "Ll", "lowercase": "Ll"},
    **{"lower": "Ll", "titlecaseletter": "Lt", "modifierletter": "Lm", "otherletter": "Lo", "nonspacingmark": "Mn"},
    **{"decimalnumber": "Nd", "digit": "Nd", "letternumber": "Nl", "othernumber": "No", "punct": "P", "cntrl": "Cc"},
    **{"control": "Cc", "format": "Cf", "mathsymbol": "Sm", "currencysymbol": "Sc", "spaceseparator": "Zs"},
    **{"alphabetic": "L Nl", "alpha": "L Nl", "alnum": "L Nl Nd", "word": "L Nl M Nd Pc", "any": "C L M N P S Z"},
    **{"blank": "Zs", "graph": "L M N P S Cf", "print": "L M N P S Cf Zs"},
}
_SETS = {"whitespace": WHITE_SPACE, "space": WHITE_SPACE, "ascii": "\0-\x7f", "xdigit": "0-9A-Fa-f"}
# The beginnings of its letters' Unicode names identify a script.
_SCRIPTS = {
    "han": ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC ITERATION", "IDEOGRAPHIC NUMBER", "HANGZHOU"),
    "latin": ("LATIN ", "FULLWIDTH LATIN ", "FEMININE ORDINAL", "MASCULINE ORDINAL", "KELVIN", "ANGSTROM"),
    "katakana": ("KATAKANA LETTER", "HALFWIDTH KATAKANA LETTER", "KATAKANA ITERATION", "KATAKANA VOICED ITERATION"),
    "hangul": ("HANGUL ", "HALFWIDTH HANGUL "),
    "greek": ("GREEK ", "OHM SIGN"),
    **{
        script: (f"{script.upper()} ",)
        for script in (
            "arabic armenian bengali cherokee coptic cyrillic devanagari ethiopic georgian gothic gujarati gurmukhi "
            "hebrew hiragana kannada khmer lao malayalam mongolian myanmar oriya sinhala syriac tamil telugu thaana "
            "thai tibetan yi"
        ).split()
    },
}

Ranges = list[tuple[int, int]]
_END = sys.maxunicode


def _joined(ranges: Ranges) -> Ranges:
    """The same code points as sorted ranges with gaps between them."""
    out: Ranges = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(high, out[-1][1]))
        else:
            out.append((low, high))
    return out


def _without(ranges: Ranges) -> Ranges:
    """All other code points."""
    out, at = [], 0
    for low, high in _joined(ranges):
        if low > at:
            out.append((at, low - 1))
        at = high + 1
    return [*out, (at, _END)] if at <= _END else out


def _both(one: Ranges, other: Ranges) -> Ranges:
    return _without([*_without(one), *_without(other)])


def _where(test: Callable[[str], bool]) -> Ranges:
    return _joined([(code, code) for code in range(_END + 1) if test(chr(code))])


@functools.lru_cache(64)
def _property(name: str) -> tuple[tuple[int, int], ...]:
    """The code points of a general category, a script or a POSIX class.

    Raises:
        re.error: if there is no such property.
    """
    plain = re.sub(r"[\s_-]", "", name).lower().rpartition("=")[2].removeprefix("is")
    if plain in _SETS:
        return tuple(_Set(_SETS[plain] + "]", 0).ranges)
    if plain in _SCRIPTS:
        starts = _SCRIPTS[plain]
        return tuple(
            _where(lambda c: unicodedata.category(c)[0] in "LMN" and unicodedata.name(c, "").startswith(starts))
        )
    wanted = tuple(_NAMED.get(plain, plain.capitalize()).split())
    if not plain or not all(re.fullmatch("[CLMNPSZ][a-z]?", one) for one in wanted):
        raise re.error(f"unknown property {name!r}")
    return tuple(_where(lambda c: unicodedata.category(c).startswith(wanted)))


_CODE = re.compile(r"x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")


class _Set:
    """A set read from a pattern: `ranges` and the place after its closing bracket."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at
        negated = text.startswith("^", at)
        self.at += negated
        ranges = self._operands()
        self.ranges = _without(ranges) if negated else _joined(ranges)

    def _operands(self) -> Ranges:
        """Terms up to the bracket; `&&` and `--` combine the terms before and after them."""
        total: Ranges = []
        sign, begin = "", self.at
        part: Ranges = []
        while self.at < len(self.text):
            if self.text[self.at] == "]" and self.at > begin:
                self.at += 1
                return self._combined(total, sign, part)
            operator = self.text[self.at : self.at + 2]
            if operator in ("&&", "--") and self.at > begin:
                total, sign, part = self._combined(total, sign, part), operator, []
                self.at += 2
            else:
                part += self._term()
        raise re.error("unterminated set")

    @staticmethod
    def _combined(total: Ranges, sign: str, part: Ranges) -> Ranges:
        if not sign:
            return part
        return _both(total, part if sign == "&&" else _without(part))

    def _term(self) -> Ranges:
        text = self.text
        posix = re.compile(r"\[:(\^?)([\w ]+):\]").match(text, self.at)
        if posix:
            self.at = posix.end()
            found = list(_property(posix[2]))
            return _without(found) if posix[1] else found
        if text[self.at] == "[":
            inner = _Set(text, self.at + 1)
            self.at = inner.at
            return inner.ranges
        found_class = self._class()
        if found_class is not None:
            return found_class
        low = self._char()
        if text.startswith("-", self.at) and text[self.at + 1 : self.at + 2] not in ("]", "[", "-", ""):
            self.at += 1
            high = self._char()
            if high < low:
                raise re.error("bad character range")
            return [(low, high)]
        return [(low, low)]

    def _class(self) -> Ranges | None:
        """The code points of an escape that stands for several, if one comes next."""
        given = re.compile(r"\\([pP])\{(\^?)([^}]*)\}|\\([dDwWsShHvV])").match(self.text, self.at)
        if given is None:
            return None
        self.at = given.end()
        if given[1]:
            found, negated = list(_property(given[3])), (given[1] == "P") != bool(given[2])
            return _without(found) if negated else found
        letter = given[4]
        if letter in "dD":
            found = list(_property("Nd"))
        elif letter in "wW":
            found = list(_property("word"))
        else:
            found = _Set(
                {"s": WHITE_SPACE, "h": f"\t{_PLAIN_SPACE}", "v": _ESCAPES["v"][1:-1]}[letter.lower()] + "]", 0
            ).ranges
        return _without(found) if letter.isupper() else found

    def _char(self) -> int:
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return ord(char)
        code = re.compile(r"x\{([0-9a-fA-F]+)\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})").match(
            self.text, self.at
        )
        if code:
            self.at = code.end()
            return int(next(group for group in code.groups() if group), 16)
        if self.at >= len(self.text):
            raise re.error("bad escape at the end")
        char = self.text[self.at]
        self.at += 1
        return ord({"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}.get(char, char))


def _written(ranges: Ranges) -> str:
    """A set in the syntax of `re`."""
    return "[" + "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges) + "]" if ranges else r"(?!)"


_ESCAPED = re.compile(
    r"\\Q(.*?)(?:\\E|$)|\\([pP])\{(\^?)([^}]*)\}|\\x\{([0-9a-fA-F]+)\}|\\k<(\w+)>|\\(.)|\(\?<(?![=!])", re.DOTALL
)


def translated(pattern: str) -> str:
    r"""The pattern in the syntax of `re`.

    Raises:
        re.error: for a set that does not end or a property that does not exist.

    >>> translated(r"\h(?<a>b)\x{4e2d}\Q.\E") == "[\\t" + _PLAIN_SPACE + "](?P<a>b)" + "\u4e2d" + r"\."
    True
    """
    out: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern[at] == "[":
            inner = _Set(pattern, at + 1)
            out.append(_written(inner.ranges))
            at = inner.at
            continue
        found = _ESCAPED.match(pattern, at)
        if found is None:
            out.append(pattern[at])
            at += 1
            continue
        at = found.end()
        quoted, kind, negated, name, code, group, letter = found.groups()
        if quoted is not None:
            out.append(re.escape(quoted))
        elif kind:
            ranges = list(_property(name))
            out.append(_written(_without(ranges) if (kind == "P") != bool(negated) else ranges))
        elif code:
            out.append(re.escape(chr(int(code, 16))))
        elif group:
            out.append(f"(?P={group})")
        elif letter:
            out.append(_ESCAPES.get(letter, found[0]))
        else:
            out.append("(?P<")
    return "".join(out)


class Replacement:
    """ICU's replacement for a match: `$1` and `${name}` are groups, a backslash makes a character literal.

    Args:
        api: the transform, for messages.
        text: the replacement.
        pattern: the expression whose groups it names.
    """

    def __init__(self, api: str, text: str, pattern: re.Pattern[str]) -> None:
        self.api, self.text = api, text
        self._parts: list[str | int] = []
        self._wrong = ""
        at = 0
        while at < len(text):
            if text[at] == "\\" and at + 1 < len(text):
                self._parts.append(text[at + 1])
                at += 2
            elif text[at] == "$":
                at = self._group(at + 1, pattern)
            else:
                self._parts.append(text[at])
                at += 1

    def _group(self, at: int, pattern: re.Pattern[str]) -> int:
        named = re.compile(r"\{(\w+)\}").match(self.text, at)
        if named:
            number = pattern.groupindex.get(named[1])
            self._parts.append(0 if number is None else number)
            self._wrong = self._wrong or ("" if number is not None else named[0])
            return named.end()
        end = at
        # As many digits as name a group there is.
        while end < len(self.text) and self.text[end].isdigit() and int(self.text[at : end + 1]) <= pattern.groups:
            end += 1
        if end == at:
            self._wrong = self._wrong or self.text[at - 1 : at + 1]
            return at + 1
        self._parts.append(int(self.text[at:end]))
        return end

    def __call__(self, found: re.Match[str]) -> str:
        """The text for a match.

        Raises:
            RuntimeError: if the replacement names a group that the expression does not have.
        """
        if self._wrong:
            raise RuntimeError(
                f"For '{self.api}', the 'replace' must name groups of the pattern after '$', but got "
                f"{self._wrong!r} in {self.text!r}."
            )
        return "".join(part if isinstance(part, str) else found[part] or "" for part in self._parts)


def compiled(api: str, argument: str, pattern: Any) -> re.Pattern[str]:
    """Compiles a regular expression; `RuntimeError` if it is invalid."""
    try:
        return re.compile(translated(check_type(api, argument, pattern, str)))
    except re.error as error:
        raise RuntimeError(
            f"For '{api}', the '{argument}' must be a regular expression, but {pattern!r} gave: {error}"
        ) from error
