"""`ms-compat check`: what a program needs that is not there, and what ms_compat covers."""

import argparse
import collections
import pathlib
import sys

from ms_compat.cli._table import print_table

NAME = "check"
_STATUSES = ("works", "differs", "accepted", "absent")
HELP = "list the MindSpore names that a script uses and ms_compat does not serve"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scripts",
        nargs="*",
        type=pathlib.Path,
        help="scripts, notebooks and folders; local modules that they import are read too",
    )
    parser.add_argument("--coverage", action="store_true", help="print how much of MindSpore is served, by module")
    parser.add_argument("--names", metavar="MODULE", help="print what becomes of each name of a module")
    parser.add_argument(
        "--missing", metavar="MODULE", help='print the names of a module, such as "mindspore.nn", that are not'
    )


def run(args: argparse.Namespace) -> int:
    """Prints the tables; returns 1 if a script uses what is not served, 2 if a file cannot be read."""
    if not (args.scripts or args.coverage or args.names or args.missing):
        print("ms-compat check: name a script, or ask for --coverage", file=sys.stderr)
        return 2
    unreadable = [script for script in args.scripts if not script.exists()]
    for script in unreadable:
        print(f"ms-compat check: can't open file '{script}'", file=sys.stderr)
    if unreadable:
        return 2
    status = 0
    if args.scripts:
        status = _check(args.scripts)
    if args.coverage:
        _coverage()
    if args.names:
        _names(args.names)
    if args.missing:
        _missing(args.missing)
    return status


def _check(given: list[pathlib.Path]) -> int:
    from ms_compat.cli._scan import examine
    from ms_compat.cli._sources import in_folder

    findings, unreadable, scripts = [], [], []
    for path in given:
        programs = in_folder(path) if path.is_dir() else [path]
        if not programs:
            unreadable.append(f"{path}: there is no Python file or notebook in it")
        scripts += programs
    for script in scripts:
        found, reasons = examine(script)
        findings += found
        unreadable += reasons
    findings, unreadable = list(dict.fromkeys(findings)), list(dict.fromkeys(unreadable))
    if findings:
        rows = [
            (f"{item.file}:{item.line}", item.name, item.nearest or "", "stops there" if item.stops else "if reached")
            for item in findings
        ]
        print_table(f"{len(findings)} uses of names that are not served", ("where", "name", "nearest", "effect"), rows)
    elif not unreadable:
        print("All MindSpore names are served.")
    for reason in unreadable:
        print(f"ms-compat check: can't read {reason}", file=sys.stderr)
    return 2 if unreadable else int(bool(findings))


def _coverage() -> None:
    from ms_compat._names import census

    rows, total = [], collections.Counter[str]()
    for module, names in census.coverage().items():
        counts = collections.Counter(found.status for found in names.values())
        total.update(counts)
        rows.append((module, *[counts[status] or "" for status in _STATUSES], len(names), _share(counts)))
    rows.append(("all", *[total[status] for status in _STATUSES], total.total(), _share(total)))
    print_table("Public names of MindSpore 2.10", ("module", *_STATUSES, "of", "served"), rows)


def _share(counts: collections.Counter[str]) -> str:
    return f"{1 - counts['absent'] / counts.total():.0%}"


def _names(module: str) -> None:
    from ms_compat._names import census

    names = census.coverage().get(module, {})
    print_table(
        f"Names of {module}",
        ("name", "status", "why"),
        [(name, found.status, found.reason) for name, found in sorted(names.items())],
    )


def _missing(module: str) -> None:
    from ms_compat._names import census
    from ms_compat._names.absent import is_served, nearest

    names = sorted(name for name in census.modules().get(module, {}) if not is_served(f"{module}.{name}"))
    print_table(
        f"Names of {module} that are not served",
        ("name", "kind", "nearest"),
        [(name, census.modules()[module][name], nearest(f"{module}.{name}") or "") for name in names],
    )
