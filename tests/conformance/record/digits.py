"""Records digits_lenet.json: the digits job in every mode and style, run with a Python that has MindSpore.

Two runs each: 20 steps from weights of a fixed numpy generator without shuffling (losses to compare step by step), and
the whole job as a user runs it (accuracy; seconds per epoch on the machine that recorded, of the quietest run so far).
Arguments choose combinations such as `graph-model`; the others stay as they are in the file.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conformance.record import tensor_runner as runner

HERE = Path(__file__).resolve()

SCRIPT = HERE.parents[2] / "scripts" / "digits_lenet.py"
DATA = HERE.parents[1] / "data" / "digits_lenet.json"
COMBINATIONS = ("graph-model", "graph-functional", "pynative-model", "pynative-functional")
STEPS = ["--init-seed", "1", "--no-shuffle", "--limit-steps", "20"]
WHOLE = ["--seed", "1", "--epochs", "5"]


def run(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        command = [sys.executable, str(SCRIPT), "--record", str(path), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **runner.QUIET})
        return json.loads(path.read_text())


def quieter(one, other):
    return min(one, other, key=lambda seconds: sum(seconds) / len(seconds))


def main(wanted):
    known = {}
    if DATA.exists():
        known = {f"{case['mode']}-{case['style']}": case for case in json.loads(DATA.read_text())["cases"]}
    for combination in wanted or COMBINATIONS:
        mode, style = combination.split("-")
        chosen = ["--mode", mode, "--style", style]
        first, whole = run(*chosen, *STEPS), run(*chosen, *WHOLE)
        seconds = [round(second, 2) for second in whole["epoch_seconds"]]
        known[combination] = {
            "mode": mode,
            "style": style,
            "losses": [float(f"{loss:.8g}") for loss in first["losses"]],
            "accuracy": round(whole["accuracy"], 6),
            "epoch_seconds": quieter(seconds, known.get(combination, {}).get("epoch_seconds", seconds)),
        }
        cases = [known[name] for name in COMBINATIONS if name in known]
        body = {"steps_arguments": STEPS, "whole_arguments": WHOLE, "cores": os.cpu_count(), "cases": cases}
        runner.write(DATA, body)
        print(known[combination])


if __name__ == "__main__":
    main(sys.argv[1:])
