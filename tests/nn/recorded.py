"""Replay of the nn recordings: each case in its recorded modes, arrays compared relative to their largest element.

Sums of a convolution or a reduction are added up in another order than MindSpore's, so that an element near zero
differs by the rounding of its large addends; a tolerance per element would compare that rounding.
"""

import json

import numpy as np

from tests.conformance import replay

# of the largest element; half precision is compared as float16 rounds
RTOL = {"float32": 5e-6, "float64": 1e-12, "float16": 2e-3, "bfloat16": 2e-2}


def load(name: str) -> list[dict]:
    """The cases of a recording, one for each mode."""
    body = json.loads((replay.DATA / name).read_text())
    out = []
    for case in body["cases"]:
        for mode in case.get("modes", ["pynative"]):
            setup = f"{body.get('prelude', '')}\n{case.get('setup', '')}"
            out.append({**case, "setup": setup, "graph": mode == "graph", "id": f"{case['id']}-{mode}"})
    return out


def check(case: dict, ms) -> None:
    """Fail with the differences between the recording and what `ms` does now."""
    outcome = replay.evaluate(case, ms)
    found = differences(case, outcome)
    if found:
        raise AssertionError(f"{case['expr']}\n  " + "\n  ".join(found))


def differences(case: dict, outcome: dict) -> list[str]:
    """As `replay.differences`, with the tolerance of this module."""
    if case.get("error") == "ABORT":
        return []
    if "error" in case or "error" in outcome:
        return replay.differences(case, outcome)
    return list(_differ(case["result"], outcome["result"], case.get("rtol"), ""))


def _differ(wanted: dict, got: dict, rtol, where: str):
    # whether the gradient of one input comes in a tuple is tested with `grad` itself; here its value counts
    if wanted["type"] == "Tensor" and got["type"] == "tuple" and len(got["items"]) == 1:
        got = got["items"][0]
    for key in ("type", "dtype", "shape", "keys"):
        if wanted.get(key) != got.get(key):
            yield f"{where}{key}: expected {wanted.get(key)}; got {got.get(key)}"
            return
    if "items" in wanted:
        if len(wanted["items"]) != len(got["items"]):
            yield f"{where}length: expected {len(wanted['items'])}; got {len(got['items'])}"
            return
        for index, (one, other) in enumerate(zip(wanted["items"], got["items"], strict=True)):
            yield from _differ(one, other, rtol, f"{where}[{index}] ")
    elif "value" in wanted and wanted.get("dtype", "").lower() in RTOL:
        a, b = (np.array(v["value"], dtype=np.float64) for v in (wanted, got))
        scale = float(np.max(np.abs(a[np.isfinite(a)]), initial=0.0))
        # gradients that are zero but for rounding (a normalised batch) are compared with the size of their addends, one
        limit = (rtol or RTOL[wanted["dtype"].lower()]) * max(scale, 0.2)
        if not np.allclose(a, b, rtol=0, atol=limit, equal_nan=True):
            worst = float(np.nanmax(np.abs(a - b)))
            yield f"{where}value: differs by {worst:.3g}, allowed {limit:.3g}"
    elif "value" in wanted:
        yield from replay._differ(wanted, got, rtol, where)
