"""`ms-compat check`: what a program needs that is not there, and what ms_compat covers."""

import argparse
import collections
import difflib
import importlib.util
import json
import pathlib
import sys
from collections.abc import Mapping
from typing import Any

from ms_compat.cli._output import counted, print_json, print_table

NAME = "check"
_STATUSES = ("works", "differs", "accepted", "absent")
HELP = "list the MindSpore names that programs use and ms_compat does not serve"
EXAMPLES = """\
  ms-compat check train.py                  what it and its local modules need that is not there
  ms-compat check src notebooks --json      folders, for a script of your own
  ms-compat check --coverage                how much of MindSpore is served
  ms-compat check --names mindspore.nn      what becomes of each name
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scripts",
        nargs="*",
        type=pathlib.Path,
        help="scripts, notebooks and folders; local modules that they import are read too",
    )
    parser.add_argument("--coverage", action="store_true", help="print how much of MindSpore is served, by module")
    parser.add_argument("--names", metavar="MODULE", help="print for each name in a module what it is here")
    parser.add_argument(
        "--missing", metavar="MODULE", help='print the names of a module, such as "mindspore.nn", that are not served'
    )
    parser.add_argument(
        "--package",
        metavar="NAME",
        help='print what was tried of a package for MindSpore, such as "mindone", and check it where it is installed',
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _unreadable(args: argparse.Namespace, folder: Any) -> list[str]:
    """The errors in the arguments, a line each."""
    if not (args.scripts or args.coverage or args.names or args.missing or args.package):
        return ["name a script, or pass --coverage"]
    wrong = [f"can't open file '{script}'" for script in args.scripts if not script.exists()]
    wrong += [_unknown(module) for module in (args.names, args.missing) if module and not _is_module(module)]
    if args.package and folder is None and args.package not in _tried():
        wrong.append(f"there is no package '{args.package}' here, and none of that name was tried")
    return wrong


def run(args: argparse.Namespace) -> int:
    """Prints the tables; returns 1 if a program uses unserved names, 2 if a file or a module cannot be read."""
    folder = _folder(args.package) if args.package else None
    wrong = _unreadable(args, folder)
    for text in wrong:
        print(f"ms-compat check: {text}", file=sys.stderr)
    if wrong:
        return 2
    told: dict[str, Any] = {}
    if args.package:
        told["package"] = {"name": args.package, **_tried().get(args.package, {}), "installed": folder is not None}
    if folder is not None:
        args.scripts = [*args.scripts, folder]
    status = _check(args.scripts, told) if args.scripts else 0
    if args.coverage:
        told["coverage"] = _coverage()
    if args.names:
        told["names"] = _names(args.names)
    if args.missing:
        told["missing"] = _missing(args.missing)
    if args.json:
        print_json(told)
    else:
        _print(told, args)
    return status


def _tried() -> dict[str, dict[str, str]]:
    """The results of `tests/ecosystem` for packages, by name."""
    return json.loads((pathlib.Path(__file__).with_name("packages.json")).read_text(encoding="utf-8"))


def _folder(package: str) -> pathlib.Path | None:
    """Where a package is installed, found without importing it; None if it is not."""
    found = importlib.util.find_spec(package) if package.isidentifier() else None
    return (
        pathlib.Path(next(iter(found.submodule_search_locations)))
        if found and found.submodule_search_locations
        else None
    )


def _is_module(module: str) -> bool:
    from ms_compat._names import api_index

    return module in api_index.modules()


def _unknown(module: str) -> str:
    from ms_compat._names import api_index

    close = difflib.get_close_matches(module, api_index.modules(), 1)
    return f"MindSpore 2.10 has no public module '{module}'{f'; the nearest is {close[0]!r}' if close else ''}"


def _check(given: list[pathlib.Path], told: dict[str, Any]) -> int:
    from ms_compat.cli._scan import examine
    from ms_compat.cli._sources import in_folder

    scripts: list[pathlib.Path] = []
    unreadable = []
    for path in given:
        programs = in_folder(path) if path.is_dir() else [path]
        if not programs:
            unreadable.append(f"{path}: there is no Python file or notebook in it")
        scripts += programs
    findings, reasons = examine(scripts)
    unreadable += reasons
    told["files"] = len(scripts)
    told["findings"] = [finding._asdict() for finding in findings]
    told["unreadable"] = unreadable
    return 2 if unreadable else int(bool(findings))


def _coverage() -> dict[str, dict[str, int]]:
    from ms_compat._names import api_index

    table = {}
    for module, names in api_index.coverage().items():
        counts = collections.Counter(found.status for found in names.values())
        table[module] = {status: counts[status] for status in _STATUSES}
    return table


def _names(module: str) -> dict[str, dict[str, str]]:
    from ms_compat._names import api_index

    return {name: found._asdict() for name, found in sorted(api_index.coverage().get(module, {}).items())}


def _missing(module: str) -> dict[str, dict[str, str | None]]:
    from ms_compat._names import api_index
    from ms_compat._names.resolve import is_served, nearest

    return {
        name: {"kind": kind, "nearest": nearest(f"{module}.{name}")}
        for name, kind in sorted(api_index.modules()[module].items())
        if not is_served(f"{module}.{name}")
    }


def _print_findings(findings: list[dict[str, Any]]) -> None:
    rows: list[tuple[object, ...]] = [
        (f"{f['file']}:{f['line']}", f["name"], f["nearest"] or "", "stops there" if f["stops"] else "if reached")
        for f in findings
    ]
    uses = f"{counted(len(findings), 'use')} of names that are not served"
    print_table(uses, ("where", "name", "nearest", "effect"), rows)
    unknown = sorted({f["name"] for f in findings if not f["known"]})
    if unknown:
        print(f"MindSpore 2.10 has no such {'name' if len(unknown) == 1 else 'names'}: {', '.join(unknown)}.")


def _print(told: dict[str, Any], args: argparse.Namespace) -> None:
    if package := told.get("package"):
        tried = [(what, found) for what, found in package.items() if what not in ("name", "installed")]
        print_table(f"What was tried of {package['name']}", ("what", "found"), tried, prose=("found",))
        if not package["installed"]:
            print(f"{package['name']} is not installed here, so that its files were not checked.")
    if findings := told.get("findings"):
        _print_findings(findings)
    elif args.scripts and not told["unreadable"]:
        print("All MindSpore names are served.")
    for reason in told.get("unreadable", ()):
        print(f"ms-compat check: can't read {reason}", file=sys.stderr)
    if "coverage" in told:
        total = collections.Counter[str]()
        for counts in told["coverage"].values():
            total.update(counts)
        rows = [_share(module, counts) for module, counts in (*told["coverage"].items(), ("all", total))]
        columns = ("module", *_STATUSES, "of", "served")
        print_table(
            "Public names of MindSpore 2.10", columns, rows, optional=("accepted", "differs", "works", "of", "absent")
        )
    if "names" in told:
        rows = [(name, found["status"], found["reason"]) for name, found in told["names"].items()]
        print_table(f"Names of {args.names}", ("name", "status", "why"), rows, prose=("why",))
    if "missing" in told:
        rows = [(name, found["kind"], found["nearest"] or "") for name, found in told["missing"].items()]
        print_table(f"Names of {args.missing} that are not served", ("name", "kind", "nearest"), rows)


def _share(module: str, counts: Mapping[str, int]) -> tuple[object, ...]:
    whole = sum(counts.values())
    cells = [counts[status] or "" for status in _STATUSES]
    return (module, *cells, whole, f"{1 - counts['absent'] / whole:.0%}" if whole else "")
