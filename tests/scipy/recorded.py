"""The recorded cases of `mindspore.scipy`, and how close the answers have to be."""

import pytest

import ms_compat as ms
from tests.conformance import departures, programs, replay
from tests.scipy import scipy_samples as samples


def cases(topic: str, name: str = "") -> list:
    """The cases of a topic, or those that name a function of it."""
    return [
        pytest.param(case, id=f"{topic}: {case['expr']}")
        for case in replay.load(f"scipy_{topic}.json")
        if name in case["expr"]
    ]


def check(case: dict) -> None:
    """Fail where ms_compat answers otherwise than recorded, and where a stated departure is none."""
    outcome = replay.evaluate({**case, "setup": samples.SETUP}, ms)
    if case["expr"] in departures.SCIPY_WIDER:
        assert "error" in case and "error" not in outcome
    elif case.get("kernel"):
        assert outcome.get("error") in (None, case["error"])
    else:  # relative to the largest of an array: what should be zero is rounding
        how = replay if "Complex" in str(case.get("result")) else programs
        assert not how.differences({**case, "rtol": 1e-4}, outcome)
