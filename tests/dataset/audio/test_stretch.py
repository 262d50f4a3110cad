"""Changes of tempo and pitch."""

import numpy as np
import pytest

from ms_compat.dataset import audio
from ms_compat.dataset.audio import stretch
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("method", list(audio.ResampleMethod))
@pytest.mark.parametrize(("old", "new"), [(7, 5), (44, 48), (48, 44), (101, 103)])
@pytest.mark.parametrize("shape", [(2, 300), (50,), (1,), (0,)])
def test_filters_without_their_zeros_give_the_same(method, old, new, shape, monkeypatch):
    waveform, rest = np.random.RandomState(0).randn(*shape), (method, 6, 0.99, 14.77)
    found = []
    for limit in (0, old * new):
        monkeypatch.setattr(stretch, "_WHOLE_PERIODS", limit)
        stretch._kernels.cache_clear()
        found.append(stretch.resampled(waveform, old, new, *rest))
    stretch._kernels.cache_clear()
    assert found[0].shape == found[1].shape and found[0].dtype == found[1].dtype
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


def test_filters_of_rates_without_a_common_divisor_are_small():
    stretch._kernels.cache_clear()
    kernels, _, periods = stretch._kernels(10079, 8000, audio.ResampleMethod.SINC_INTERPOLATION, 6, 0.99, 14.77)
    stretch._kernels.cache_clear()
    assert kernels.shape == (8000, 18) and not periods
