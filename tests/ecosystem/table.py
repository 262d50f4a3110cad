"""The table of packages in the README, made from `ms_compat/cli/packages.json`: `python -m tests.ecosystem.table`."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
README = ROOT / "README.md"
PACKAGES = json.loads((ROOT / "ms_compat" / "cli" / "packages.json").read_text(encoding="utf-8"))
COLUMNS = ("version", "imports", "builds", "equal", "trains", "own tests")
_BETWEEN = re.compile(r"(?<=<!-- packages -->\n).*?(?=<!-- /packages -->)", re.S)


def table() -> str:
    """The rows as Markdown."""
    rows = [("package", *COLUMNS), ("---",) * (len(COLUMNS) + 1)]
    rows += [(name, *(row[column] for column in COLUMNS)) for name, row in PACKAGES.items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def shown() -> str:
    """The table in the README."""
    return _BETWEEN.search(README.read_text(encoding="utf-8")).group()


if __name__ == "__main__":
    README.write_text(_BETWEEN.sub(lambda _: table(), README.read_text(encoding="utf-8")), encoding="utf-8")
