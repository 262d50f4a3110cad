"""The table of packages in the guide, made from `ms_compat/cli/packages.json`: `python -m tests.ecosystem.table`.

The figures that the marked suite tries are counted from its cases and written into that file first.
"""

import json
import pathlib
import re

from tests.ecosystem.figures import counted

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "notebooks" / "guide" / "packages.md"
TOLD = ROOT / "ms_compat" / "cli" / "packages.json"
PACKAGES = json.loads(TOLD.read_text(encoding="utf-8"))
COLUMNS = ("version", "imports", "builds", "equal", "trains", "own tests")
_BETWEEN = re.compile(r"(?<=<!-- packages -->\n).*?(?=<!-- /packages -->)", re.S)


def table() -> str:
    """The rows as Markdown."""
    rows = [("package", *COLUMNS), ("---",) * (len(COLUMNS) + 1)]
    rows += [(name, *(row[column] for column in COLUMNS)) for name, row in PACKAGES.items()]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def shown() -> str:
    """The table in the guide."""
    return _BETWEEN.search(PAGE.read_text(encoding="utf-8")).group()


if __name__ == "__main__":
    for name, figures in counted().items():
        PACKAGES[name].update(figures)
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in PACKAGES.items())
    TOLD.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
    PAGE.write_text(_BETWEEN.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
