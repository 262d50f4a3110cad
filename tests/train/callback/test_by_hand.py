"""Callbacks whose hooks a program calls itself, against MindSpore's."""

import json
import pathlib

import numpy as np
import pytest

import ms_compat as ms
from tests.train.callback import by_hand_samples

DATA = pathlib.Path(__file__).parents[2] / "conformance/data/callbacks_by_hand.json"
RECORDED = json.loads(DATA.read_text("utf-8"))["cases"]


def equal(ours, theirs):
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict) and ours.keys() == theirs.keys() and all(equal(ours[k], theirs[k]) for k in theirs)
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(equal, ours, theirs))
    if isinstance(theirs, float):
        return bool(np.isclose(ours, theirs, rtol=1e-6))
    return ours == theirs


@pytest.mark.parametrize("name", by_hand_samples.CASES)
def test_the_callback_does_what_mindspores_does(name, mode):
    result, printed = by_hand_samples.run(ms, name)
    assert printed == RECORDED[name][1]
    assert equal(result, RECORDED[name][0]), (result, RECORDED[name][0])
