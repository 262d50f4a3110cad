"""What `Compose` returns when it is called by hand: arrays, or tuples where MindSpore computes in Python."""

import numpy as np
import pytest
from PIL import Image

from ms_compat.dataset import vision
from ms_compat.dataset.transforms import Compose, RandomApply, RandomChoice, RandomOrder
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


ARRAY = np.random.RandomState(0).randint(0, 255, (8, 8, 3)).astype(np.uint8)
PICTURE = Image.fromarray(ARRAY)
IN_PYTHON = [
    [vision.ToPIL()],
    [vision.HorizontalFlip(), vision.ToPIL()],
    [vision.ToPIL(), vision.ToTensor()],
    [vision.ToPIL(), vision.RandomGrayscale(0.2)],
    [Compose([vision.ToPIL()]), vision.HorizontalFlip()],
    [RandomApply([vision.ToPIL()], 1.0)],
]


@pytest.mark.parametrize("transforms", IN_PYTHON)
def test_a_tuple_with_transforms_in_python(transforms):
    out = Compose(transforms)(ARRAY)
    assert type(out) is tuple and len(out) == 1


@pytest.mark.parametrize("transforms", [[vision.HorizontalFlip()], [lambda x: x], [vision.ToTensor()]])
def test_an_array_of_an_array_and_a_tuple_of_a_picture(transforms):
    assert type(Compose(transforms)(ARRAY)) is np.ndarray
    out = Compose(transforms)(PICTURE)
    assert type(out) is tuple and len(out) == 1


def test_a_function_of_two_columns_gives_two():
    assert len(Compose([lambda a, b: (a, b)])(ARRAY, ARRAY)) == 2


# What a function that makes an image hands to the next transform, and what is returned, as MindSpore 2.10 does.
IMAGES_BETWEEN = [
    (lambda made: Compose([Image.fromarray, made]), np.ndarray, np.ndarray),
    (lambda made: RandomApply([Image.fromarray, made], 1.0), np.ndarray, np.ndarray),
    (lambda made: RandomChoice([lambda array: made(Image.fromarray(array))]), Image.Image, np.ndarray),
    (lambda made: RandomOrder([lambda array: made(Image.fromarray(array))]), Image.Image, Image.Image),
    (lambda made: Compose([vision.ToPIL(), made]), Image.Image, tuple),
    (lambda made: RandomApply([vision.ToPIL(), made], 1.0), np.ndarray, np.ndarray),
    (lambda made: Compose([RandomApply([vision.ToPIL()], 1.0), made]), Image.Image, tuple),
    (lambda made: Compose([RandomOrder([vision.HorizontalFlip()]), made]), np.ndarray, tuple),
]


@pytest.mark.parametrize("make, between, returned", IMAGES_BETWEEN)
def test_images_stay_images_where_mindspore_computes_in_python(make, between, returned):
    seen = []

    def made(item):
        seen.append(item)
        return item

    out = make(made)(ARRAY)
    assert isinstance(seen[0], between) and isinstance(out, returned)


def test_pictures_stay_pictures_between_transforms():
    seen = []
    out = Compose([lambda item: seen.append(item) or item, lambda item: item])(PICTURE)
    assert isinstance(seen[0], Image.Image) and isinstance(out[0], Image.Image)
