"""Cases whose numbers are held against those of MindSpore 2.10 on a CPU.

A module of cases is a table of functions without arguments, each of which gives named numbers; `MODULE.json` beside it
holds what MindSpore gives. `told(MODULE)` prints the differences as JSON; under MindSpore, `python MODULE.py record
[CASE]` prints what belongs into the file.
"""

import json
import pathlib
import sys

import numpy as np


def file_of(module: str) -> pathlib.Path:
    """Where the numbers of a module of cases are."""
    return pathlib.Path(__file__).with_name(f"{module}.json")


def recorded(module: str) -> dict:
    """What MindSpore gave."""
    return json.loads(file_of(module).read_text(encoding="utf-8")) if file_of(module).exists() else {}


def difference(ours, theirs) -> float | str:
    """How far numbers are apart, relative to the largest."""
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    if ours.shape != theirs.shape:
        return f"{ours.shape} instead of {theirs.shape}"
    if not theirs.size:
        return 0.0
    return float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-30))


def _lists(numbers: dict) -> dict:
    return {what: np.asarray(values, np.float64).tolist() for what, values in numbers.items()}


def compared(case, theirs: dict) -> dict[str, float | str]:
    """The differences of one case, and the error where it fails."""
    try:
        ours = case()
    except Exception as error:  # told as the outcome
        return dict.fromkeys(theirs, f"{type(error).__name__}: {error}"[:300])
    return {what: difference(ours[what], theirs[what]) for what in theirs}


def told(module: str, cases: dict, arguments: list[str]) -> None:
    """Prints the differences of the cases that are named, or of all; `record` first prints the numbers themselves."""
    recording = arguments[:1] == ["record"]
    names, file = arguments[recording:] or list(cases), recorded(module)
    for name in names:
        if recording:
            print(json.dumps({name: _lists(cases[name]())}), flush=True)
    if not recording:
        print(json.dumps({name: compared(cases[name], file[name]) for name in names if name in file}))


def main(module: str, cases: dict) -> None:
    """The command line of a module of cases."""
    told(module, cases, sys.argv[1:])
