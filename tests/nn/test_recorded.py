"""Recorded programs of no module in particular."""

import importlib

import pytest

from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.rest())
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize(("family", "module"), [("face", "layer_samples"), ("probability", "probability_samples")])
def test_the_recordings_hold_the_samples(family, module):
    samples = importlib.import_module(f"tests.nn.{module}")
    wanted = [expression for topic in samples.TOPICS for expression in samples.samples(topic)]
    assert [case["expr"] for case in recorded.recordings(family)] == wanted
