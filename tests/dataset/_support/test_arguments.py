"""Errors of arguments contain the sentence that MindSpore says, and are of its class."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import audio, text, transforms, vision
from ms_compat.dataset._support import arguments
from tests.conformance import replay

NAMES = {"ds": ds, "np": np, "A": audio, "T": transforms, "V": vision, "X": text}


def test_sentences_as_recorded():
    wrong = []
    for case in replay.load("dataset_words.json"):
        expression, kind, sentence = case["expr"], case["raises"], case["says"]
        try:
            eval(expression, dict(NAMES))
        except (TypeError, ValueError, RuntimeError) as error:
            said = " ".join(str(error).split())
            if type(error).__name__ != kind or sentence.rstrip(".") not in said:
                wrong.append(f"{expression}: expected {kind}: {sentence}; got {type(error).__name__}: {said}")
        else:
            wrong.append(f"{expression}: expected {kind}: {sentence}; got no error")
    assert not wrong, "\n".join(wrong)


def test_long_values_are_cut():
    with pytest.raises(TypeError) as caught:
        arguments.check_type("skip", "count", [0] * 1000, int)
    assert len(str(caught.value)) < 250
