"""`Model` and its callbacks against what MindSpore printed, called and left behind, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import departures, programs, replay

CASES = [*programs.load("train_model.json"), *programs.load("train_metrics.json")]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def agrees(case):
    case = {"rtol": 1e-7 if "float64" in str(case.get("result")) else None, **case}
    departures.judge(case["id"], programs.differences(case, replay.evaluate(case, ms)), departures.TRAINING)


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_training_agrees_with_mindspore(case):
    agrees(case)
