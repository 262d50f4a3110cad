"""Recorded samples of no module in particular, such as operators; and every recording holds its samples."""

import importlib

import pytest

from tests.conformance import departures
from tests.ops import recorded

SAMPLES = {
    "ops": "samples",
    "arguments": "argument_samples",
    "science": "science_samples",
    "counting": "counting_samples",
    "face": "face_samples",
    "member": "member_samples",
    "network": "network_samples",
    "numpy": "numpy_samples",
}


@pytest.mark.parametrize("case", recorded.rest())
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("family", SAMPLES)
def test_the_recordings_hold_the_samples(family):
    module = importlib.import_module(f"tests.ops.{SAMPLES[family]}")
    wanted = [(topic, expression) for topic in module.TOPICS for expression in module.samples(topic)]
    assert sorted((topic, case["expr"]) for topic, case in recorded.recordings(family)) == sorted(wanted)


def test_the_recording_of_primitives_holds_the_samples():
    module = importlib.import_module("tests.ops.primitive_samples")
    assert [case["expr"] for _, case in recorded.recordings("primitives")] == module.EXPRESSIONS


def test_departures_are_of_recorded_samples():
    known = {case["expr"] for family in ("face", "member") for _, case in recorded.recordings(family)}
    assert not set(departures.FACES) - known
    assert not [part for part in departures.FACES_WIDER if not any(part in expression for expression in known)]
