"""`ms-compat port`: a copy of a program with today's names, or with ms_compat's."""

import argparse
import json
import pathlib
import re
import shutil
import sys

from ms_compat.cli import _porting
from ms_compat.cli._output import about_file, counted, print_json, print_table
from ms_compat.cli._porting import Change
from ms_compat.cli._sources import RUNS_PYTHON, Unreadable, cells, in_folder

NAME = "port"
HELP = "copy a program with its MindSpore names rewritten to today's, or to ms_compat's; layout and comments stay"
EXAMPLES = """\
  ms-compat port old.py new.py              earlier and inner names become MindSpore 2.10's
  ms-compat port src ported --to ms_compat  'import ms_compat as ms': the program needs no import hook
  ms-compat port tutorial.ipynb new.ipynb --json
"""
_MARK = "# ms-compat: cell {}"
_MAGIC = "pass  # ms-compat: magic {}"
_IGNORED = shutil.ignore_patterns(".*", "__pycache__", "site-packages", "node_modules")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("source", type=pathlib.Path, help="a script, a notebook, or a folder, of which all is copied")
    parser.add_argument("target", type=pathlib.Path, help="the file or folder to write")
    parser.add_argument("--to", choices=_porting.TARGETS, default="mindspore", help="whose names the copy has")
    parser.add_argument("--force", action="store_true", help="replace a file that exists, write into such a folder")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Writes the copy and prints what changed; returns 1 if names are left for a person, 2 if a file cannot be read."""
    problem = _problem(args)
    if problem is not None:
        print(f"ms-compat port: {problem}", file=sys.stderr)
        return 2
    files = [(args.source, args.target)]
    if args.source.is_dir():
        try:
            files = _copied(args.source, args.target)
        except OSError as error:  # copytree collects its errors: the first one is shown
            place, _, reason = error.args[0][0] if isinstance(error, shutil.Error) else (error.filename, "", "")
            problem = f"can't copy '{place}': {reason}" if reason else about_file("write", args.target, error)
            print(f"ms-compat port: {problem}", file=sys.stderr)
            return 2
    told: list[tuple[str, Change]] = []
    unreadable: list[str] = []
    for source, target in files:
        try:
            made, changes = _ported(source, args.to)
        except Unreadable as error:
            unreadable.append(f"can't read {error}")
            continue
        except OSError as error:
            unreadable.append(about_file("read", source, error))
            continue
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(made)
        except OSError as error:
            unreadable.append(about_file("write", target, error))
            continue
        told += changes
    _report(args, len(files) - len(unreadable), told, unreadable)
    return 2 if unreadable else int(any(change.by_hand for _, change in told))


def _problem(args: argparse.Namespace) -> str | None:
    source, target = args.source, args.target
    if not source.exists():
        return f"can't open file '{source}'"
    if source.is_dir() != target.is_dir() and target.exists():
        return f"'{source}' and '{target}' must both be files, or both folders"
    if target.exists() and not args.force:
        return f"the target '{target}' exists; --force replaces it"
    if source.resolve() == target.resolve() or source.resolve() in target.resolve().parents:
        return f"the target '{target}' must be outside the source"
    return None


def _copied(source: pathlib.Path, target: pathlib.Path) -> list[tuple[pathlib.Path, pathlib.Path]]:
    """Copies a folder unchanged; returns its programs, each with its path in the copy."""
    shutil.copytree(source, target, ignore=_IGNORED, dirs_exist_ok=True)
    return [(path, target / path.relative_to(source)) for path in in_folder(source)]


def _ported(source: pathlib.Path, to: str) -> tuple[bytes, list[tuple[str, Change]]]:
    data = source.read_bytes()
    if source.suffix == ".ipynb":
        return _ported_notebook(source, data, to)
    try:
        made, changes = _porting.port(data, to)
    except SyntaxError as error:
        place = f"{source}:{error.lineno}" if error.lineno else source
        raise Unreadable(f"{place}: {error.msg}") from error
    return made, [(f"{source}:{change.line}", change) for change in changes]


def _ported_notebook(source: pathlib.Path, data: bytes, to: str) -> tuple[bytes, list[tuple[str, Change]]]:
    """All code cells as one program, since later cells use a cell's imports; its magics are set aside meanwhile."""
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    magics: list[str] = []
    codes = cells(data, str(source))
    for number, code in enumerate(codes, 1):
        kept = _without_magics(code, magics)
        lines += [_MARK.format(number), *kept]
        places += [(number, 0), *((number, line) for line in range(1, len(kept) + 1))]
    try:
        made, changes = _porting.port("\n".join(lines) + "\n", to)
    except SyntaxError as error:
        cell, line = places[(error.lineno or 1) - 1]
        raise Unreadable(f"{source}, cell {cell}:{line}: {error.msg}") from error
    text = re.sub(re.escape(_MAGIC).replace(r"\{\}", r"(\d+)"), lambda found: magics[int(found[1])], made.decode())
    pieces = re.split(re.escape(_MARK).replace(r"\{\}", r"\d+") + r"\n", text)[1:]
    book = json.loads(data)
    held = book["cells"] if "cells" in book else book["worksheets"][0]["cells"]
    of_code = [cell for cell in held if cell["cell_type"] == "code"]
    for cell, piece, code in zip(of_code, pieces, codes, strict=True):
        if piece.removesuffix("\n") != code.removesuffix("\n"):
            cell["source" if "source" in cell else "input"] = piece.removesuffix("\n").splitlines(keepends=True)
    whole = json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    return whole.encode(), [
        (f"{source}, cell {places[change.line - 1][0]}:{places[change.line - 1][1]}", change) for change in changes
    ]


def _without_magics(code: str, magics: list[str]) -> list[str]:
    """A cell's lines; lines in IPython's syntax move to `magics`, and a Python placeholder replaces each."""
    lines = code.splitlines()
    first = next((line for line in lines if line.strip()), "").split()
    if first and first[0].startswith("%%") and first[0] not in RUNS_PYTHON:
        return [_aside(line, magics) for line in lines]
    try:
        compile(code, "cell", "exec", dont_inherit=True)
        return lines
    except SyntaxError:
        return [_aside(line, magics) if re.match(r"\s*[%!?]|\s*[\w.]+\?", line) else line for line in lines]


def _aside(line: str, magics: list[str]) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    magics.append(line.lstrip())
    return indent + _MAGIC.format(len(magics) - 1)


def _report(args: argparse.Namespace, count: int, told: list[tuple[str, Change]], unreadable: list[str]) -> None:
    done = [(where, change.old, change.new) for where, change in told if not change.by_hand]
    left = [(where, change.old, change.new) for where, change in told if change.by_hand]
    if args.json:
        keys = ("where", "old", "new")
        print_json(
            {
                "files": count,
                "rewritten": [dict(zip(keys, row, strict=True)) for row in done],
                "by_hand": [dict(zip(keys, row, strict=True)) for row in left],
                "unreadable": unreadable,
            }
        )
    else:
        if done:
            print_table(f"{counted(len(done), 'name')} rewritten", ("where", "was", "is"), done)
        if left:
            title = f"{counted(len(left), 'name')} left for you"
            print_table(title, ("where", "name", "what comes near"), left, prose=("what comes near",))
        if count or not unreadable:
            print(f"{args.target}: {counted(count, 'program')} written")
    for reason in unreadable:
        print(f"ms-compat port: {reason}", file=sys.stderr)
