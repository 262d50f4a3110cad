"""Recorded programs for layers, losses, optimizers and training: `replay` cases that share helper functions.

A file holds `prelude` (source every case starts with) and `cases`; a case has `id`, `setup`, `expr`, `modes` (those
that gave this outcome) and an outcome in the form of `replay`. `load` unfolds it into one replay case a mode, `check`
compares with a `Tolerance` that fits sums of products, which are added up in another order than MindSpore's: an array
may differ by a part of its largest value (a case's own `rtol`, or that of its dtype). Imports neither MindSpore nor
ms_compat.

For a test module::

    @pytest.mark.parametrize("case", programs.load("nn_layers.json"), ids=programs.case_id)
    def test_layer(case):
        programs.check(case, ms_compat)
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from tests.conformance import departures, replay


class Tolerance(NamedTuple):
    """How far an array of numbers may be from the recorded one.

    Attributes:
        rtol: the part of the largest value by dtype; what is not named must be equal.
        least: what counts as the largest value where all are smaller. Gradients that are zero but for rounding (a
            normalised batch) are compared with the size of their addends, one.
        unpacked: whether a gradient in a tuple of one counts as that gradient; `grad` itself is tested elsewhere.
    """

    rtol: dict[str, float]
    least: float = 0.0
    unpacked: bool = False


# Recordings hold eight digits, so float64 is compared no closer than that.
STEPS = Tolerance({"float16": 4e-3, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-7, "float": 1e-5})
# half precision is compared as float16 rounds
LAYERS = Tolerance({"float16": 2e-3, "bfloat16": 2e-2, "float32": 5e-6, "float64": 1e-12}, 0.2, True)


def load(name: str) -> list[dict]:
    """The cases of a recording, one a mode, each complete in itself."""
    body = json.loads((replay.DATA / name).read_text(encoding="utf-8"))
    return [
        {
            **case,
            "id": f"{case['id']}[{mode}]",
            "setup": join(body.get("prelude", ""), case.get("setup", "")),
            "graph": mode == "graph",
        }
        for case in body["cases"]
        for mode in case.get("modes", ["pynative"])
    ]


def join(prelude: str, setup: str) -> str:
    return f"{prelude}\n\n{setup}"


def case_id(case: dict) -> str:
    return case["id"]


def check(case: dict, ms, tolerance: Tolerance = STEPS) -> None:
    """Fail with the differences between the recording and what the module `ms` does now."""
    found = differences(case, replay.evaluate(case, ms), tolerance)
    if found:
        own = case["setup"].split("\n\n\n")[-1].strip()
        raise AssertionError(f"{case['id']}\n{own}\n{case['expr']}\n  " + "\n  ".join(found))


def judge(case: dict, ms, table: Mapping[str, str], tolerance: Tolerance = STEPS) -> None:
    """As `check`, where a table says which cases depart from MindSpore."""
    departures.judge(case["id"], differences(case, replay.evaluate(case, ms), tolerance), table)


def differences(case: dict, outcome: dict, tolerance: Tolerance = STEPS) -> list[str]:
    """Where `outcome` departs from what `case` records; an empty list is agreement."""
    if "error" in case or "error" in outcome:
        return replay.differences(case, outcome)
    return list(_differ(case["result"], outcome["result"], case.get("rtol"), "", tolerance))


def _differ(wanted: dict, got: dict, rtol, where: str, tolerance: Tolerance):
    if tolerance.unpacked and wanted["type"] == "Tensor" and got["type"] == "tuple" and len(got["items"]) == 1:
        got = got["items"][0]
    for key in ("type", "dtype", "shape", "keys"):
        if wanted.get(key) != got.get(key):
            yield f"{where}{key}: expected {wanted.get(key)}; got {got.get(key)}"
            return
    if "items" in wanted:
        if len(wanted["items"]) != len(got["items"]):
            yield f"{where}length: expected {len(wanted['items'])}; got {len(got['items'])}"
            return
        names = wanted.get("keys") or range(len(wanted["items"]))
        for name, one, other in zip(names, wanted["items"], got["items"], strict=True):
            yield from _differ(one, other, rtol, f"{where}[{name}] ", tolerance)
    elif "value" in wanted and not _close(wanted, got, rtol, tolerance):
        yield f"{where}value: expected {_short(wanted['value'])}; got {_short(got.get('value'))}"


def _close(wanted: dict, got: dict, rtol, tolerance: Tolerance) -> bool:
    kind = wanted.get("dtype", wanted["type"]).lower()
    if kind not in tolerance.rtol:
        return not list(replay._differ(wanted, got, rtol, ""))
    one, two = np.asarray(wanted["value"], np.float64), np.asarray(got["value"], np.float64)
    rtol = tolerance.rtol[kind] if rtol is None else rtol
    largest = np.max(np.abs(one[np.isfinite(one)]), initial=tolerance.least)
    return np.allclose(two, one, rtol=0, atol=rtol * largest, equal_nan=True)


def _short(value) -> str:
    text = json.dumps(value)
    return text if len(text) < 300 else text[:297] + "..."
