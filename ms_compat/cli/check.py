"""`ms-compat check`: what a program needs that is not there, and what ms_compat covers."""

import argparse
import collections
import pathlib
import sys

from ms_compat.cli._table import print_table

NAME = "check"
HELP = "list the MindSpore names that a script uses and ms_compat does not serve"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scripts", nargs="*", type=pathlib.Path, help="the scripts; local modules they import are read too"
    )
    parser.add_argument("--coverage", action="store_true", help="print how much of MindSpore is served, by module")
    parser.add_argument(
        "--missing", metavar="MODULE", help='print the names of a module, such as "mindspore.nn", that are not'
    )


def run(args: argparse.Namespace) -> int:
    """Prints the tables; returns 1 if a script uses what is not served, 2 if one cannot be read."""
    if not (args.scripts or args.coverage or args.missing):
        print("ms-compat check: name a script, or ask for --coverage", file=sys.stderr)
        return 2
    unreadable = [script for script in args.scripts if not script.is_file()]
    for script in unreadable:
        print(f"ms-compat check: can't open file '{script}'", file=sys.stderr)
    if unreadable:
        return 2
    status = 0
    if args.scripts:
        status = _check(args.scripts)
    if args.coverage:
        _coverage()
    if args.missing:
        _missing(args.missing)
    return status


def _check(scripts: list[pathlib.Path]) -> int:
    from ms_compat.cli._scan import scan

    findings = list(dict.fromkeys(finding for script in scripts for finding in scan(script)))
    if not findings:
        print("All MindSpore names are served.")
        return 0
    rows = [
        (f"{found.file}:{found.line}", found.name, found.nearest or "", "stops there" if found.stops else "if reached")
        for found in findings
    ]
    print_table(f"{len(findings)} uses of names that are not served", ("where", "name", "nearest", "effect"), rows)
    return 1


def _coverage() -> None:
    from ms_compat._core.absent import is_served
    from ms_compat._legacy import census

    rows, total = [], collections.Counter[str]()
    for module, names in census.modules().items():
        served = sum(is_served(f"{module}.{name}") for name in names)
        total.update(served=served, all=len(names))
        rows.append((module, served, len(names), f"{served / len(names):.0%}"))
    rows.append(("all", total["served"], total["all"], f"{total['served'] / total['all']:.0%}"))
    print_table("MindSpore 2.10 names served", ("module", "served", "of", ""), rows)


def _missing(module: str) -> None:
    from ms_compat._core.absent import is_served, nearest
    from ms_compat._legacy import census

    names = sorted(name for name in census.modules().get(module, {}) if not is_served(f"{module}.{name}"))
    print_table(
        f"Names of {module} that are not served",
        ("name", "kind", "nearest"),
        [(name, census.modules()[module][name], nearest(f"{module}.{name}") or "") for name in names],
    )
