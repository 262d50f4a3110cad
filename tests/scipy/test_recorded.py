"""Every recorded case of `mindspore.scipy` is run, and the recordings hold the samples."""

from tests.conformance import replay
from tests.scipy import recorded, scipy_samples

FUNCTIONS = ("minimize(", "line_search(", "linear_sum_assignment(")


def test_every_case_of_optimize_is_of_one_function():
    counts = [
        sum(f"optimize.{name}" in param.values[0]["expr"] for name in FUNCTIONS) for param in recorded.cases("optimize")
    ]
    assert set(counts) == {1}


def test_the_recordings_hold_the_samples():
    for topic in scipy_samples.TOPICS:
        assert [case["expr"] for case in replay.load(f"scipy_{topic}.json")] == scipy_samples.samples(topic)
