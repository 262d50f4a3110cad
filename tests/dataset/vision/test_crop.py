"""Crops and flips of images."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


V, T = ds.vision, ds.transforms


def test_a_crop_is_a_part_of_the_image():
    image = np.arange(100).reshape(10, 10).astype(np.uint8)
    places = set()
    for _ in range(200):
        part = V.RandomCrop((3, 4))(image)
        top, left = divmod(int(part[0, 0]), 10)
        assert (part == image[top : top + 3, left : left + 4]).all()
        places.add((top, left))
    assert len(places) > 40


@pytest.mark.parametrize("prob", [0.0, 0.25, 1.0])
def test_a_flip_comes_with_its_probability(prob):
    image = np.arange(4).reshape(2, 2).astype(np.uint8)
    flips = sum(V.RandomHorizontalFlip(prob)(image)[0, 0] == 1 for _ in range(400))
    assert abs(flips - 400 * prob) < (1 if prob in (0.0, 1.0) else 60)
