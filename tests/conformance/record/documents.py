"""Records what MindSpore shows of the programs in README.md and the guides that are written for it.

Each is run from a file of its own, as `ms.jit` reads its text.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import mindspore

from tests.conformance.documents import RECORDS, programs


def shown(text: str) -> list[str]:
    """The lines that a program prints, without MindSpore's log."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "program.py").write_text(text, "utf-8")
        done = subprocess.run([sys.executable, "program.py"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [line for line in done.stdout.splitlines() if not line.startswith("[WARNING]")]


if __name__ == "__main__":
    found = [{"text": program.text, "shown": shown(program.text)} for program in programs() if program.for_mindspore]
    told = {"mindspore": mindspore.__version__, "programs": found}
    RECORDS.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", "utf-8")
