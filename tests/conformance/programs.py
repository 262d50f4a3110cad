"""Recorded programs for layers, losses, optimizers and training: `replay` cases that share helper functions.

A file holds `prelude` (source every case starts with) and `cases`; a case has `id`, `setup`, `expr`, `modes` (those
that gave this outcome) and an outcome in the form of `replay`. `load` unfolds it into one replay case a mode, `check`
compares with tolerances that fit sums of products: an array may differ by `rtol` of its largest value (a case's own
`rtol`, or that of its dtype). Imports neither MindSpore nor ms_compat.

For a test module::

    @pytest.mark.parametrize("case", programs.load("nn_layers.json"), ids=programs.case_id)
    def test_layer(case):
        programs.check(case, ms_compat)
"""

import json

import numpy as np

from tests.conformance import replay

# Recordings hold eight digits, so float64 is compared no closer than that.
RTOL = {"Float16": 4e-3, "BFloat16": 2e-2, "Float64": 1e-7, "float64": 1e-7, "float": 1e-5}
DEFAULT_RTOL = 2e-5


def load(name: str) -> list[dict]:
    """The cases of a recording, one a mode, each complete in itself."""
    body = json.loads((replay.DATA / name).read_text(encoding="utf-8"))
    return [
        {
            **case,
            "id": f"{case['id']}[{mode}]",
            "setup": join(body["prelude"], case.get("setup", "")),
            "graph": mode == "graph",
        }
        for case in body["cases"]
        for mode in case["modes"]
    ]


def join(prelude: str, setup: str) -> str:
    return f"{prelude}\n\n{setup}"


def case_id(case: dict) -> str:
    return case["id"]


def check(case: dict, ms) -> None:
    """Fail with the differences between the recording and what the module `ms` does now."""
    found = differences(case, replay.evaluate(case, ms))
    if found:
        own = case["setup"].split("\n\n\n")[-1].strip()
        raise AssertionError(f"{case['id']}\n{own}\n{case['expr']}\n  " + "\n  ".join(found))


def differences(case: dict, outcome: dict) -> list[str]:
    """Where `outcome` departs from what `case` records; an empty list is agreement."""
    if "error" in case or "error" in outcome:
        return replay.differences(case, outcome)
    return list(_differ(case["result"], outcome["result"], case.get("rtol"), ""))


def _differ(wanted: dict, got: dict, rtol, where: str):
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
            yield from _differ(one, other, rtol, f"{where}[{name}] ")
    elif "value" in wanted and not _close(wanted, got, rtol):
        yield f"{where}value: expected {_short(wanted['value'])}; got {_short(got.get('value'))}"


def _close(wanted: dict, got: dict, rtol) -> bool:
    kind = wanted.get("dtype", wanted["type"])
    if "float" not in kind.lower():
        return wanted["value"] == got.get("value")
    one, two = np.asarray(wanted["value"], np.float64), np.asarray(got["value"], np.float64)
    rtol = RTOL.get(kind, DEFAULT_RTOL) if rtol is None else rtol
    finite = np.abs(one[np.isfinite(one)])
    return np.allclose(two, one, rtol=rtol, atol=rtol * (finite.max() if finite.size else 0.0), equal_nan=True)


def _short(value) -> str:
    text = json.dumps(value)
    return text if len(text) < 300 else text[:297] + "..."
