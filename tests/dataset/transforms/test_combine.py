"""What `Compose` returns when it is called by hand: arrays, or tuples where MindSpore computes in Python."""

import numpy as np
import pytest
from PIL import Image

from ms_compat.dataset import vision
from ms_compat.dataset.transforms import Compose, RandomApply

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
