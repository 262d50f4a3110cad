"""Imports every module of a package and prints how many came in, and why the others did not, as JSON."""

import collections
import importlib
import importlib.util
import json
import pathlib
import sys


def modules(package: str) -> list[str]:
    """The names of a package's modules; files that are no modules by name are left out."""
    (folder,) = importlib.util.find_spec(package).submodule_search_locations
    names = []
    for file in sorted(pathlib.Path(folder).rglob("*.py")):
        parts = file.relative_to(pathlib.Path(folder).parent).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts[-1] != "__main__" and all(part.isidentifier() for part in parts):
            names.append(".".join(parts))
    return names


def without_pytest() -> None:
    """Let this process have no pytest: mindnlp asks one that is there for names that only those before 8 have."""
    sys.modules["pytest"] = None  # type: ignore[assignment]


if __name__ == "__main__":
    package, sys.argv[1:] = sys.argv[1], []
    if package == "mindnlp":
        without_pytest()
    names, reasons = modules(package), collections.Counter()
    for name in names:
        try:
            importlib.import_module(name)
        except (Exception, SystemExit) as error:
            reasons[f"{type(error).__name__}: {error}"[:200]] += 1
    print(json.dumps({"modules": len(names), "failed": reasons}))
