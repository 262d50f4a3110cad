"""Records what MindSpore gives: `python -m tests.conformance.record NAME [ARGUMENTS]`, NAME a module of this folder.

Run it in the root of the repository with a Python that has MindSpore 2.10 and NumPy 1; this package is not needed. Each
recorder says in its own docstring what it writes and which arguments it takes. Without a NAME it lists them all.
"""

import ast
import os
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run the recorder named by the first argument as a program of its own, or list all."""
    if len(sys.argv) < 2:
        print(__doc__)
        for path in sorted(HERE.glob("*.py")):
            told = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n")[0]
            if path != Path(__file__).resolve() and told.startswith(("Records", "Makes", "Writes")):
                print(f"  {path.stem:20}{told[:100]}")
        return
    os.environ.setdefault("GLOG_v", "4")  # MindSpore's log: errors of single cases are what is recorded
    name = sys.argv.pop(1)
    if not (HERE / f"{name}.py").is_file():
        raise SystemExit(f"There is no recorder '{name}'; without a name they are listed.")
    runpy.run_module(f"{__package__}.{name}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
