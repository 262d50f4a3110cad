"""The samples of network_samples.py answer as MindSpore did, and the differentiable ones the same when compiled."""

import numpy as np
import pytest

import ms_compat
from tests.conformance import departures, replay
from tests.ops import network_samples

RTOL = 2e-4  # MindSpore's kernels sum in other orders and approximate exp, tanh and the like


def cases():
    return replay.params("ops_network_{}.json", network_samples.TOPICS)


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
    replay.check_stated(case, outcome, departures.OPS_NETWORK)


def test_the_recording_holds_the_samples():
    for topic in network_samples.TOPICS:
        assert [c["expr"] for c in replay.load(f"ops_network_{topic}.json")] == network_samples.samples(topic)
