"""The beginning of speech."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from tests.conformance import dataset_names
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_vad_finds_the_beginning():
    rate = 8000
    noise = np.random.default_rng(0).normal(size=2 * rate) * 1e-4
    times = np.arange(rate) / rate
    voice = sum(np.sin(2 * np.pi * hertz * times) / (k + 1) for k, hertz in enumerate(range(200, 1400, 200)))
    noise[rate:] += 0.4 * voice
    for level, high in ((7.0, 1.0), (3.0, 1.0)):
        found = audio.Vad(rate, trigger_level=level)(noise)
        assert rate * (1 - 0.2) <= len(found) <= rate * (1 + 0.2) * high
        np.testing.assert_array_equal(found, noise[-len(found) :])
    stereo = audio.Vad(rate)(np.stack([noise, noise]))
    np.testing.assert_array_equal(stereo[0], audio.Vad(rate)(noise))
    assert len(audio.Vad(rate, pre_trigger_time=0.1)(noise)) == len(audio.Vad(rate)(noise)) + rate // 10
    assert audio.Vad(600)(dataset_names.wave(100)).shape == (100,)
