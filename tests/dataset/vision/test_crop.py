"""Crops and flips of images."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from tests.conformance import dataset_names
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


@pytest.mark.parametrize("dtype", "bool int8 uint8 int16 uint16 int32 float16 float32 float64".split())
def test_flips_reverse_the_columns(dtype):
    for shape in ((5, 7), (5, 7, 1), (5, 7, 2), (5, 7, 3), (5, 7, 4), (5, 7, 6), (1, 1, 3)):
        image = dataset_names.noise(*shape, dtype=dtype).astype(dtype)
        boxes = np.array([[0, 0, 1, 1]], np.float32)
        for given in (image, np.asfortranarray(image), image[::-1], image.astype(image.dtype.newbyteorder())):
            made = [V.HorizontalFlip()(given), V.RandomHorizontalFlip(1.0)(given)]
            if dtype == "uint8" and len(shape) == 3 and shape[2] == 3:
                made.append(V.RandomHorizontalFlipWithBBox(1.0)(given, boxes.copy())[0])
            for flipped in made:
                assert flipped.dtype == dtype and flipped.shape == shape and flipped.flags.c_contiguous
                assert (flipped == given[:, ::-1]).all()
