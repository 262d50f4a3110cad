"""Primitives take and refuse constructor arguments as MindSpore's do: no value, a TypeError or a ValueError."""

import json

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.conformance import departures, replay
from tests.conformance.record import primitive_constructors as recorder

NAMES = {"ms": ms, "np": np, "Tensor": Tensor, "ops": ops}
STATED = [tuple(place.split(".")) for places in departures.PRIMITIVE_CONSTRUCTORS.values() for place in places.split()]
ROWS = json.loads((replay.DATA / "primitive_constructors.json").read_text())["rows"]


def _letters(name, parameter):
    given = ROWS[name][0]
    return "".join(recorder.outcome(name, {**given, parameter: value}, NAMES) for value in recorder.VALUES)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_takes_and_refuses_as_recorded(name):
    recorded = ROWS[name][1]
    found = {parameter: _letters(name, parameter) for parameter in recorded}
    different = {parameter for parameter in recorded if found[parameter] != recorded[parameter]}
    stated = {parameter for primitive, parameter in STATED if primitive == name}
    assert different == stated, {p: (found[p], recorded[p]) for p in different ^ stated}


def test_every_departure_names_a_parameter():
    for name, parameter in STATED:
        assert parameter in ROWS[name][1]
