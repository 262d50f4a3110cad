"""Masks over spectrograms."""

import numpy as np
import pytest

import ms_compat
import ms_compat.dataset
from ms_compat.dataset import audio
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_random_masks_stay_within_their_width():
    ones = np.ones((2, 9, 20))
    for axis, made in (
        (1, audio.MaskAlongAxisIID(4, 0.0, 1)),
        (2, audio.MaskAlongAxisIID(4, 0.0, 2)),
        (1, audio.FrequencyMasking(True, 4)),
        (2, audio.TimeMasking(True, 4)),
    ):
        out = np.concatenate([made(ones) for _ in range(25)])
        lines = (out == 0).all(axis=3 - axis)
        assert np.array_equal(lines[::2], lines[1::2])  # one mask for the whole batch
        widths = lines.sum(axis=1)
        assert np.array_equal((out == 0).sum(axis=(1, 2)), widths * out.shape[3 - axis])
        assert widths.max() <= 4 and len(set(widths.tolist())) > 1


def test_random_transforms_repeat_under_a_seed():
    def run():
        ms_compat.dataset.config.set_seed(3)
        data = ms_compat.dataset.NumpySlicesDataset(np.ones((4, 6, 8)), ["a"], shuffle=False)
        data = data.map([audio.TimeMasking(True, 5), audio.Dither()], ["a"])
        return np.stack([row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)])

    np.testing.assert_array_equal(run(), run())
