"""The recorded programs that the test suite replays: their texts, and what MindSpore showed, in one compressed file."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

from tests.conformance import replay

from . import compare, known_faults

PATH = replay.DATA / "random_programs.json.gz"
DIGITS = 6


def record(lines: Iterable[dict], count: int, path: Path = PATH) -> int:
    """Write the first programs about which this package and MindSpore agree.

    Args:
        lines: what `runner.run` wrote.
        count: how many programs to take.
        path: where to write.

    Returns:
        How many were written.
    """
    taken = []
    for line in lines:
        modes = [mode for mode in ("pynative", "graph") if mode in line]
        if any(known_faults.limit_of(line[mode][0], line["text"]) for mode in modes):
            continue  # agrees by chance
        if all(compare.difference(line["text"], *line[mode]) is None for mode in modes):
            outcomes = {mode: _short(line[mode][0]) for mode in modes}
            if "graph" in outcomes and outcomes["graph"] == outcomes["pynative"]:
                outcomes["graph"] = "as in pynative"
            taken.append({"seed": line["seed"], "text": line["text"], **outcomes})
        if len(taken) == count:
            break
    body = json.dumps({"mindspore": "2.10.0", "programs": taken}, separators=(",", ":"))
    path.write_bytes(gzip.compress(body.encode(), 9, mtime=0))
    return len(taken)


def load(path: Path = PATH) -> list[dict]:
    """The recorded programs: `seed`, `text`, `pynative`, and `graph` where that was recorded."""
    programs = json.loads(gzip.decompress(path.read_bytes()))["programs"]
    for program in programs:
        if program.get("graph") == "as in pynative":
            program["graph"] = program["pynative"]
    return programs


def _short(outcome):
    """An outcome with its numbers rounded and without what is not compared."""
    if isinstance(outcome, dict):
        kept = {key: value for key, value in outcome.items() if key not in ("bases", "message")}
        return {key: _short(value) for key, value in kept.items()} | ({"message": ""} if "error" in outcome else {})
    if isinstance(outcome, list):
        return [_short(item) for item in outcome]
    return float(f"{outcome:.{DIGITS}g}") if isinstance(outcome, float) else outcome
