"""The samples of more_samples.py: answers as MindSpore's, both modes, and gradients against differences."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import more_samples as samples  # noqa: E402
import replay  # noqa: E402

import ms_compat  # noqa: E402

RTOL = 3e-5
# Part of an expression that MindSpore refuses and ms_compat answers -> why it may.
WIDER = {}
COARSE = {}
DIFFERENT = {}


def cases():
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for topic in samples.TOPICS
        for case in replay.load(f"ops_more_{topic}.json")
    ]


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    expression = case["expr"]
    case = {**case, "setup": samples.SETUP + "\nimport ms_compat.numpy as mnp"}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = max([RTOL, *[v for k, v in COARSE.items() if k in expression]])
    outcome = replay.evaluate(case, ms_compat)
    if expression in DIFFERENT:
        assert replay.differences(case, outcome), f"no longer different: {DIFFERENT[expression]}"
    elif case.get("kernel"):  # MindSpore's CPU backend has no kernel: there is an answer, but none to compare with
        assert outcome.get("error") in (None, case["error"])
    elif "error" in case and any(part in expression for part in WIDER):
        assert "error" not in outcome
    else:
        assert not replay.differences(case, outcome)
