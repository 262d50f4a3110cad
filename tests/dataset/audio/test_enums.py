"""Choices of audio transforms, and the modules where MindSpore has them."""

import pytest

from ms_compat.dataset import audio
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_modules_of_mindspore():
    from ms_compat.dataset.audio import transforms, utils

    assert utils.WindowType is audio.WindowType
    assert transforms.Spectrogram is audio.Spectrogram
