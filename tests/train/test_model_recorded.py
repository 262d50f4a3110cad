"""`Model` and its callbacks against what MindSpore printed, called and left behind, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import programs

# Where we depart, and why.
META = "MindSpore also leaves a -graph.meta file under GRAPH_MODE: a MindIR graph, which is not written"
SCALED = "MindSpore refuses loss scaling on its CPU backend only; here it runs everywhere"
DEPARTURES = {
    "checkpoint/": (META, ("graph",)),
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
    if case["id"].startswith("checkpoint/") and case["graph"] and "items" in case.get("result", {}):
        drop_meta(case["result"])
    for start, (reason, modes) in DEPARTURES.items():
        if (
            start != "checkpoint/"
            and case["id"].startswith(start)
            and case["id"].endswith(tuple(f"{m}]" for m in modes))
        ):
            pytest.skip(reason)
    programs.check({"rtol": 1e-7 if "float64" in str(case.get("result")) else None, **case}, ms)


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_training_agrees_with_mindspore(case):
    agrees(case)


def drop_meta(result):
    """Take the names of graph files out of a recorded listing."""
    result["items"] = [i for i in result["items"] if not str(i.get("value", "")).endswith("-graph.meta")]
    for item in result["items"]:
        if "items" in item:
            drop_meta(item)
