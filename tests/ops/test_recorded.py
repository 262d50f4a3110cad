"""Every sample of samples.py answers as MindSpore did: value, dtype, shape, and the class of the exception.

Where ms_compat departs on purpose the sample stands in `departures.OPS_WIDER` (MindSpore refuses, ms_compat answers)
or in `departures.OPS`, with the reason; the tests make sure that it still departs.
"""

import pytest

import ms_compat
from tests.conformance import departures, replay
from tests.ops import samples

SETUP = samples.SETUP + "\nimport ms_compat.numpy as mnp"
RTOL = 2e-5  # kernels differ in the order of summation and in their approximations of exp, log and the like
# The approximations of these functions in MindSpore are coarser than RTOL.
COARSE = {"acosh": 1e-4, "atanh": 1e-4, "log2": 1e-4, "inverse": 1e-3, "pinv": 1e-3, "cholesky": 1e-3, "slogdet": 1e-4}
COARSE |= {"det(": 1e-4, "logdet": 1e-4, "erf": 1e-4, "lgamma": 1e-4, "digamma": 1e-4, "tan(": 1e-4, "sinc": 1e-4}
COARSE |= {"polar": 1e-4, "sin(": 1e-4, "cos(": 1e-4, "log10": 1e-4, "logit": 1e-4, "logaddexp": 1e-4, "renorm": 1e-4}


def cases():
    return replay.params("ops_a_{}.json", samples.TOPICS)


@pytest.mark.parametrize("case", cases())
def test_answers_as_recorded(case):
    expression = case["expr"]
    case = {**case, "setup": SETUP}
    if case.get("result", {}).get("type") != "DType":
        case["rtol"] = max([RTOL, *[v for k, v in COARSE.items() if k in expression]])
    outcome = replay.evaluate(case, ms_compat)
    replay.check_stated(case, outcome, departures.OPS, departures.OPS_WIDER)


def test_the_recording_holds_the_samples():
    for topic in samples.TOPICS:
        assert [case["expr"] for case in replay.load(f"ops_a_{topic}.json")] == samples.samples(topic)
