"""Optimizers and learning rates against MindSpore's recorded steps, state, names and errors, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import departures, programs, replay

CASES = [case for name in ("steps", "rates", "half") for case in programs.load(f"optim_{name}.json")]


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_optimizer_agrees_with_mindspore(case):
    case = {"rtol": 1e-6 if "'float'" in str(case.get("result")) else None, **case}
    departures.judge(case["id"], programs.differences(case, replay.evaluate(case, ms)), departures.OPTIMIZERS)
