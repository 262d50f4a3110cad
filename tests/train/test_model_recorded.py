"""`Model` and its callbacks against what MindSpore printed, called and left behind, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import programs

# Where we depart, and why.
SCALED = "MindSpore refuses loss scaling on its CPU backend only; here it runs everywhere"
DEPARTURES = {
    "loss_scale/train.FixedLossScaleManager(8.0)[": (SCALED, ("pynative", "graph")),
    "loss_scale/train.DynamicLossScaleManager(": (SCALED, ("pynative", "graph")),
    "amp/O2[": (SCALED, ("pynative", "graph")),
    "Top5CategoricalAccuracy()/np.concatenate": ("of equal scores numpy's unstable sort picks any", ("pynative",)),
}
CASES = [*programs.load("train_model.json"), *programs.load("train_metrics.json")]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def agrees(case):
    for start, (reason, modes) in DEPARTURES.items():
        if case["id"].startswith(start) and case["id"].endswith(tuple(f"{m}]" for m in modes)):
            pytest.skip(reason)
    programs.check({"rtol": 1e-7 if "float64" in str(case.get("result")) else None, **case}, ms)


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_training_agrees_with_mindspore(case):
    agrees(case)
