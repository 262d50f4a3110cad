"""The samples of network_samples.py answer as MindSpore did, and the differentiable ones the same when compiled."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import network_samples  # noqa: E402
import replay  # noqa: E402

import ms_compat  # noqa: E402

RTOL = 2e-4  # MindSpore's kernels sum in other orders and approximate exp, tanh and the like
_ZEROED = "the loss of labels that do not fit is zero as documented; MindSpore's CPU kernel zeroes the gradient alone"
DIFFERENT = {
    "ops.ROIAlign(3, 2, 0.75, 0, 0)(picture, rois[:1])": "one point in a bin smaller than a pixel instead of NaN",
    "ops.ROIAlign(2, 2, 1.0)(picture[0], rois)": "MindSpore reads beyond an image without a batch",
    'ops.ctc_loss(logp, ops.ones_like(labels), ints(4, 7, 7), counts, 0, "none", True)': _ZEROED,
    'ops.ctc_loss(logp, ops.ones_like(labels), ints(4, 7, 7), counts, 0, "mean", True)': _ZEROED,
    'ops.CTCLossV2(0, "none", True)(logp, ops.ones_like(labels), ints(4, 7, 7), counts)': _ZEROED,
    "ops.LSTM(3, 4, 1, True, False, 0.0)(seq, h0, c0, flat(144))[:3]": "two biases per gate are added, as on GPUs",
    "ops.LSTM(3, 4, 1, True, True, 0.0)(seq, wave(2, 2, 4), wave(2, 2, 4), flat(288))[:3]": "likewise",
    "ops.LSTM(3, 4, 2, False, False, 0.0)(seq, wave(2, 2, 4), wave(2, 2, 4), flat(240))[:3]": "oneDNN has one layer",
    "ops.LSTM(3, 4, 1, False, False, 0.0)(seq, h0, c0, flat(111))": "MindSpore reads beyond the weights",
}


def cases():
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for topic in network_samples.TOPICS
        for case in replay.load(f"ops_network_{topic}.json")
    ]


def rounded(result, half=False):
    """The description with numbers near zero made zero, which a relative tolerance would compare by their noise."""
    if "items" in result:
        return {**result, "items": [rounded(item, half) for item in result["items"]]}
    if str(result.get("dtype", "")).startswith("Float") and isinstance(result.get("value"), list):
        value = np.array(result["value"], dtype=object)
        flat = [0.0 if isinstance(v, float) and abs(v) < (2e-2 if half else 1e-5) else v for v in value.reshape(-1)]
        return {**result, "value": np.array(flat, dtype=object).reshape(value.shape).tolist()}
    return result


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    half = "float16" in case["expr"]
    case = {**case, "setup": network_samples.SETUP}
    if ".dtype for" not in case["expr"]:
        case["rtol"] = 2e-2 if half else RTOL
    outcome = replay.evaluate(case, ms_compat)
    if "result" in case and "result" in outcome:
        case["result"], outcome["result"] = rounded(case["result"], half), rounded(outcome["result"], half)
    replay.check_stated(case, outcome, DIFFERENT)


def test_the_recording_holds_the_samples():
    for topic in network_samples.TOPICS:
        assert [c["expr"] for c in replay.load(f"ops_network_{topic}.json")] == network_samples.samples(topic)
