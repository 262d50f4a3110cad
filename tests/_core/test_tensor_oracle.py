"""Tensor, Parameter and dtypes answer 2500 expressions as MindSpore did when they were recorded.

The recordings are tests/conformance/data/tensor_<topic>.json and the `values` of promotion.json; their format and the
comparison are those of tests/conformance/replay.py. Where ms_compat answers otherwise on purpose, the case stands in
`DIFFERENT` with the reason, and the test makes sure that it still is different.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))
import replay  # noqa: E402

import ms_compat  # noqa: E402

TOPICS = ("construct", "dtype", "repr", "protocol", "attribute", "alias", "getitem", "setitem", "parameter", "graph")
# Case id -> why ms_compat departs from MindSpore.
DIFFERENT: dict[str, str] = {}


def _cases():
    for topic in TOPICS:
        for case in replay.load(f"tensor_{topic}.json"):
            yield pytest.param(case, id=f"{topic}: {replay.case_id(case)}")
    for case in replay.load("promotion.json", "values"):
        yield pytest.param(case, id=f"values: {replay.case_id(case)}")


@pytest.mark.parametrize("case", _cases())
def test_answers_as_recorded(case):
    reason = DIFFERENT.get(replay.case_id(case))
    if reason is None:
        replay.check(case, ms_compat)
    else:
        assert replay.differences(case, replay.evaluate(case, ms_compat)), f"no longer different: {reason}"
