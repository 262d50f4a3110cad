"""Programs as trees: Python files, notebooks with their magics, and folders of both. What cannot be read says why."""

import ast
import json
import os
import pathlib
import re
import tokenize
import warnings
from typing import NamedTuple

SUFFIXES = (".py", ".ipynb")
_LARGEST = 64 << 20  # bytes of a program; a notebook may hold pictures
_LINE_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\?{1,2}\s*$)|.*\s=\s*[%!]")
_TIMED = re.compile(r"(\s*)%(?:time|timeit|prun|memit)\s+(?:-\w\s*\S*\s+)*(.*)")
RUNS_PYTHON = ("%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3", "%%memit")


class Unreadable(Exception):  # it is raised and caught here only
    """A program that cannot be read; the text says where and why."""


class Source(NamedTuple):
    """A program's tree, and for each of its lines the location: the file (with the cell) and the line there."""

    tree: ast.Module
    places: list[tuple[str, int]] | None

    def place(self, shown: str, line: int) -> tuple[str, int]:
        """A line's location."""
        if self.places is None or not 0 < line <= len(self.places):
            return shown, line
        return self.places[line - 1]


def _parsed(text: str, where: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a program's invalid escapes are its own
            return ast.parse(text)
    except SyntaxError as error:
        raise Unreadable(f"{where}:{error.lineno or 1}: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"{where}: {error or 'it is nested too deeply'}") from error


def read(file: pathlib.Path, shown: str) -> Source:
    """The tree of a program.

    Args:
        file: a Python file or a notebook.
        shown: its name in messages.

    Raises:
        Unreadable: it is neither.
    """
    try:
        if file.stat().st_size > _LARGEST:
            raise Unreadable(f"{shown}: it has more than {_LARGEST} bytes")
        if file.suffix == ".ipynb":
            return _notebook(file.read_bytes(), shown)
        with tokenize.open(file) as opened:
            text = opened.read()
    except SyntaxError as error:  # an encoding that is none
        raise Unreadable(f"{shown}: {error.msg}") from error
    except (OSError, ValueError) as error:
        raise Unreadable(f"{shown}: {error}") from error
    return Source(_parsed(text, shown), None)


def cells(data: bytes, shown: str) -> list[str]:
    """The texts of a notebook's code cells, including magics.

    Raises:
        Unreadable: it is not a notebook, or not a Python notebook.
    """
    try:
        held = json.loads(data)
        found = held["cells"] if "cells" in held else held["worksheets"][0]["cells"]
        told = held.get("metadata", {}).get("language_info", {}).get("name", "python")
        codes = [cell.get("source", cell.get("input", "")) for cell in found if cell["cell_type"] == "code"]
        codes = [code if isinstance(code, str) else "".join(code) for code in codes]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise Unreadable(f"{shown}: it is not a notebook ({type(error).__name__}: {error})") from error
    if told not in ("python", "ipython"):
        raise Unreadable(f"{shown}: its language is {told!r:.40}")
    return codes


def _notebook(data: bytes, shown: str) -> Source:
    whole, places = [], []
    for number, code in enumerate(cells(data, shown), 1):
        where = f"{shown}, cell {number}"
        lines = _plain(code, where).splitlines()
        whole += lines
        places += [(where, line) for line in range(1, len(lines) + 1)]
    return Source(_parsed("\n".join(whole), shown), places)


def _plain(code: str, where: str) -> str:
    """A cell as Python, line by line, with its magics left out."""
    code = "\n".join(code.splitlines())
    try:
        _parsed(code, where)
        return code  # without magics, or with something like them in a string
    except Unreadable:
        pass
    lines = code.split("\n")
    first = next((line for line in lines if line.strip()), "").split()
    if first and first[0].startswith("%%"):
        if first[0] not in RUNS_PYTHON:
            return "\n" * (len(lines) - 1)
        lines[[bool(line.strip()) for line in lines].index(True)] = ""
    code = "\n".join(map(_without_magic, lines))
    _parsed(code, where)
    return code


def _without_magic(line: str) -> str:
    timed = _TIMED.fullmatch(line)
    if timed:
        return timed[1] + timed[2]
    if not _LINE_MAGIC.match(line):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    name, equals, _ = line.partition("=")
    return f"{name}= None" if equals and not line.lstrip().startswith(("%", "!", "?")) else f"{indent}pass"


def in_folder(folder: pathlib.Path) -> list[pathlib.Path]:
    """The programs in a folder and below, without environments, caches and hidden folders."""
    found = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in ("__pycache__", "site-packages", "node_modules")
            and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))
        )
        found += [pathlib.Path(place, name) for name in sorted(files) if name.endswith(SUFFIXES)]
    return found
