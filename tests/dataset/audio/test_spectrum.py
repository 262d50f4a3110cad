"""Spectrograms and their inverses."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from tests.conformance import dataset_names
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_spectrogram_comes_back():
    waveform = dataset_names.wave(2, 64)
    for onesided in (True, False):
        pairs = audio.Spectrogram(16, hop_length=4, power=0, normalized=True, onesided=onesided)(waveform)
        inverse = audio.InverseSpectrogram(64, 16, hop_length=4, normalized=True, onesided=onesided)
        np.testing.assert_allclose(inverse(pairs), waveform, atol=1e-12)


def test_griffin_lim_keeps_the_spectrogram():
    spectrogram = audio.Spectrogram(64, hop_length=16)(dataset_names.wave(2, 640))
    made = audio.GriffinLim(64, 60, hop_length=16)(spectrogram)
    again = audio.Spectrogram(64, hop_length=16)(made)
    assert made.shape == (2, 640)
    assert np.linalg.norm(again**0.5 - spectrogram**0.5) < 0.2 * np.linalg.norm(spectrogram**0.5)
    assert audio.GriffinLim(64, 2, hop_length=16, length=500)(spectrogram).shape == (2, 500)
