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


@pytest.mark.parametrize(
    ("primitive", "name", "shown"),
    [
        (ops.Softmax(), "axis", (-1,)),
        (ops.Softmax(1), "axis", (1,)),
        (ops.Squeeze(0), "axis", (0,)),
        (ops.ReverseV2([0]), "axis", (0,)),
        (ops.L2Normalize(1), "axis", [1]),
        (ops.LpNorm(-1), "axis", [-1]),
        (ops.Roll(1, 0), "dims", (0,)),
        (ops.Col2Im(2), "kernel_size", (2, 2)),
        (ops.Im2Col(2, 1), "strides", (1, 1)),
        (ops.LogSoftmax(1), "axis", 1),
    ],
    ids=str,
)
def test_attributes_hold_what_mindspores_do(primitive, name, shown):
    assert getattr(primitive, name) == primitive.attrs[name] == shown
    assert type(getattr(primitive, name)) is type(shown)


def test_the_text_of_a_primitive_shows_its_attributes():
    assert repr(ops.Softmax(1)) == "Prim[Softmax]<axis=(1,)>"
    assert ops.Softmax(1).add_prim_attr("axis", (0,))(Tensor([[0.0], [0.0]])).asnumpy().tolist() == [[0.5], [0.5]]
