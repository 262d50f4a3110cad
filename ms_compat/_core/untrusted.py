"""Reading untrusted files: one error class, with file and place, for every defect."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import json
import lzma
import struct
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import ParseError

_WRONG = (
    ValueError, RecursionError, OverflowError, LookupError, TypeError, AttributeError, EOFError, struct.error,
    zlib.error, gzip.BadGzipFile, lzma.LZMAError, csv.Error, ParseError,
)  # fmt: skip
_CHUNK = 1 << 20


def damaged(api: str, path: Any, why: Any) -> RuntimeError:
    """The error for a file that is not what it should be."""
    return RuntimeError(f"For '{api}', the file {str(path)!r} cannot be read: {why}")


def _bad_byte(path: Any) -> int | None:
    """The first place where a file is not UTF-8."""
    decoder, start = codecs.getincrementaldecoder("utf-8")(), 0
    with open(path, "rb") as file:
        while True:
            chunk = file.read(_CHUNK)
            held = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                return start - held + error.start
            if not chunk:
                return None
            start += len(chunk)


@contextlib.contextmanager
def reading(api: str, path: Any) -> Iterator[None]:
    """Turns errors while a file's content is read into RuntimeError with its name, and the place if known.

    System errors (no such file, no permission), and RuntimeErrors, which already name the file, pass through.
    """
    try:
        yield
    except UnicodeDecodeError as error:
        place = None
        with contextlib.suppress(OSError):
            place = _bad_byte(path)
        at = f"byte {place} is" if place is not None else "it is"
        raise damaged(api, path, f"{at} no {error.encoding}.") from error
    except json.JSONDecodeError as error:
        raise damaged(api, path, f"it must be JSON: {error}.") from error
    except RecursionError as error:
        raise damaged(api, path, "it is nested too deeply.") from error
    except _WRONG as error:
        raise damaged(api, path, f"{error} ({type(error).__name__}).") from error


def is_whole(text: str, most: int = 2**32 - 1) -> bool:
    """Whether a text has the digits 0 to 9 only and is at most `most`; `int` reads it then."""
    return text.isascii() and text.isdigit() and len(text) <= len(str(most)) and int(text) <= most


def _no_number(text: str) -> Any:
    raise ValueError(f"it holds {text}, which JSON does not allow")


def parse_json(text: str | bytes, finite: bool = True) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is none, is nested too deeply, or, if it must be `finite`, holds NaN or Infinity.
    """
    try:
        return json.loads(text, parse_constant=_no_number if finite else None)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def read_json(api: str, path: Any) -> Any:
    """The value of a JSON file.

    Raises:
        OSError: there is no such file.
        RuntimeError: it is not a JSON.
    """
    with reading(api, path), open(path, encoding="utf-8") as file:
        return parse_json(file.read())
