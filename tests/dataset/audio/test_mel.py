"""Mel scales and cepstra."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from tests.conformance import dataset_names
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_mel_spectrogram_is_its_two_steps():
    waveform = dataset_names.wave(2, 640)
    steps = audio.MelScale(8, 8000, n_stft=33)(audio.Spectrogram(64)(waveform))
    np.testing.assert_allclose(audio.MelSpectrogram(8000, 64, n_mels=8)(waveform), steps, rtol=1e-12)
    filters = audio.melscale_fbanks(33, 0.0, 4000.0, 8, 8000)
    np.testing.assert_allclose(np.einsum("cft,fm->cmt", audio.Spectrogram(64)(waveform), filters), steps, rtol=1e-5)


def test_float64_cepstra_are_those_of_float32():
    waveform = dataset_names.wave(640)
    for made in (audio.MFCC(8000, 5), audio.LFCC(8000, n_lfcc=5)):
        assert made(waveform).dtype == np.float32
        np.testing.assert_allclose(made(waveform), made(waveform.astype(np.float32)), rtol=1e-3, atol=1e-2)


def test_inverse_mel_scale_fits_the_mels():
    scale = audio.MelScale(8, 8000, n_stft=33)
    mels = scale(np.abs(dataset_names.spec(33, 4)))
    inverse = audio.InverseMelScale(33, 8, 8000, max_iter=2000, sgdargs={"sgd_lr": 0.5, "sgd_momentum": 0.9})
    found = inverse(mels)
    assert found.shape == (1, 33, 4)
    assert (found >= 0).all()
    np.testing.assert_allclose(scale(found)[0], mels, rtol=0.02)
