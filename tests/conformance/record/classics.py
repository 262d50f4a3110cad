"""Records classics.json: what the programs of `../classics` return and print under MindSpore, in both modes.

Run with an interpreter that has MindSpore; arguments choose programs, the others stay as they are in the file.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import mindspore as ms

from tests.conformance import classics_run
from tests.conformance.record import tensor_runner as runner

DATA = Path(__file__).resolve().parents[1] / "data" / "classics.json"


def rounded(value):
    """Eight digits, which is what float32 distinguishes."""
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return {key: rounded(item) for key, item in value.items()} if isinstance(value, dict) else value


known = json.loads(DATA.read_text())["programs"] if DATA.exists() else {}


def outcome(name, mode):
    """In a folder of its own, as a program may look at the files in it."""
    os.chdir(tempfile.mkdtemp())
    return rounded(classics_run.run(name, mode))


for name in sys.argv[1:] or classics_run.NAMES:
    found = {mode: outcome(name, mode) for mode in classics_run.MODES}
    if found["graph"] == found["pynative"]:
        found = {"both": found["graph"]}
    known[name] = found
    errors = {mode: (one["error"], one["message"]) for mode, one in found.items() if "error" in one}
    print(name, list(found), errors)
programs = {name: known[name] for name in sorted(known) if name in classics_run.NAMES}
runner.write(DATA, {"mindspore": ms.__version__, "programs": programs})
