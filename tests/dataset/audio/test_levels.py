"""Levels, gains and dither of waveforms."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from tests.conformance import dataset_names
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("function", list(audio.DensityFunction))
def test_dither_stays_within_steps(function):
    waveform = dataset_names.wave(2, 500)
    made = audio.Dither(function)(waveform)
    assert np.array_equal(made * 2**15, np.round(made * 2**15))
    assert 0 < np.abs(made - waveform).max() < 4 / 2**15
    assert np.abs(audio.Dither(function, True)(waveform) - waveform).max() < 8 / 2**15
