"""Results share storage with operands as in MindSpore 2.10: both ways of writing, and assignments to Parameters."""

import json

import pytest

import ms_compat
from tests.conformance import replay
from tests.conformance.random_programs import evaluate
from tests.ops import shared_samples as samples

RECORDED = json.loads((replay.DATA / "shared_results.json").read_text(encoding="utf-8"))
PARTS = 20


@pytest.fixture(scope="module", autouse=True)
def expressions_find_mindspore():
    evaluate.load("ours")


@pytest.mark.parametrize("part", range(PARTS))
def test_results_share_as_recorded(part):
    for key in list(RECORDED["shared"])[part::PARTS]:
        name, expression = key.split(" in ", 1)
        found = samples.shares(ms_compat, expression, name)
        assert [int(each) for each in found] == RECORDED["shared"][key], key


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize("expression", samples.ASSIGNED)
def test_results_follow_an_assigned_parameter_as_recorded(expression, mode):
    wanted = RECORDED["assigned"][expression][mode == "graph"]
    outcome = evaluate.run(samples.program(expression), ms_compat, mode)
    assert wanted is None or outcome["shown"][0]["value"] == wanted


def test_most_expressions_were_recorded_and_many_share():
    assert len(RECORDED["shared"]) > 500
    assert sum(map(any, RECORDED["shared"].values())) > 200
    assert sum(None not in both for both in RECORDED["assigned"].values()) > 50
