"""Filters of waveforms."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_designs_are_filters():
    """The designs as `LFilter` and `Biquad` see them, against the gain they promise."""
    hertz = np.array([50.0, 1000.0, 15000.0])
    delay = np.exp(-2j * np.pi * np.outer(hertz, np.arange(3)) / 44100)

    def gain(made):
        return np.abs(delay @ np.array(made.b_coeffs)) / np.abs(delay @ np.array(made.a_coeffs))

    np.testing.assert_allclose(gain(audio.AllpassBiquad(44100, 1000.0)), 1.0)
    np.testing.assert_allclose(gain(audio.RiaaBiquad(44100))[1], 1.0)
    np.testing.assert_allclose(gain(audio.EqualizerBiquad(44100, 1000.0, 20.0))[1], 10.0)
    assert gain(audio.LowpassBiquad(44100, 1000.0))[2] < 0.01 < 0.9 < gain(audio.LowpassBiquad(44100, 1000.0))[0]
    assert gain(audio.HighpassBiquad(44100, 1000.0))[0] < 0.01 < 0.9 < gain(audio.HighpassBiquad(44100, 1000.0))[2]
    np.testing.assert_allclose(gain(audio.BassBiquad(44100, 20.0, 500.0))[0], 10.0, rtol=0.1)
    np.testing.assert_allclose(gain(audio.TrebleBiquad(44100, 20.0, 5000.0))[2], 10.0, rtol=0.1)
    np.testing.assert_allclose(gain(audio.BandpassBiquad(44100, 1000.0))[1], 1.0)
    np.testing.assert_allclose(gain(audio.BandrejectBiquad(44100, 1000.0))[1], 0.0, atol=1e-9)
    assert gain(audio.DeemphBiquad(44100))[2] < 0.5
    assert gain(audio.BandBiquad(44100, 1000.0, 0.5))[1] > gain(audio.BandBiquad(44100, 1000.0, 0.5))[2]
