"""Whole training programs as public repositories write them: results, weights and printed lines are MindSpore's."""

import json
import re

import pytest

import ms_compat
from tests.conformance import classics_run, programs, replay

RECORDED = json.loads((replay.DATA / "classics.json").read_text(encoding="utf-8"))["programs"]
CASES = [(name, mode) for name in classics_run.NAMES for mode in classics_run.MODES]
# Steps of float32 training lie between the recording and the comparison; the GAN's last bias is a sum that cancels.
RTOL = {"gan": 3e-3, "model_callbacks": 1e-3}
# MindSpore's compiled step leaves the averaging Cell out (its count of updates stays 0); here it runs in both modes.
AS_IN_PYNATIVE = {("moving_average", "graph")}


@pytest.fixture(autouse=True)
def under_the_name_mindspore(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms_compat.install()
    yield
    ms_compat.install.uninstall()


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_a_classic_program(name, mode):
    like = "pynative" if (name, mode) in AS_IN_PYNATIVE else mode
    wanted = RECORDED[name].get(like) or RECORDED[name]["both"]
    found = classics_run.run(name, mode)
    different = programs.differences({"rtol": RTOL.get(name, 2e-4), **wanted}, found)
    assert not different, "\n".join(different)
    for line, other in zip(wanted["printed"], found["printed"], strict=True):
        assert NUMBER.sub("#", line) == NUMBER.sub("#", other)
        assert floats(other) == pytest.approx(floats(line), rel=1e-3, abs=2e-4)


NUMBER = re.compile(r"-?\d+\.\d+")


def floats(line):
    return [float(number) for number in NUMBER.findall(line)]
