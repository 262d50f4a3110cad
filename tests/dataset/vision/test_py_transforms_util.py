"""The functions of `mindspore.dataset.vision.py_transforms_util` are the transforms they are named after."""

import numpy as np
import pytest
from PIL import Image

import ms_compat.dataset as ds
from ms_compat.dataset.vision import py_transforms_util as functions

V = ds.vision
PICTURE = Image.fromarray((np.arange(7 * 9 * 3) * 37 % 256).reshape(7, 9, 3).astype(np.uint8))
FORMS = {
    "adjust_brightness": ((1.5,), V.AdjustBrightness(1.5)),
    "adjust_contrast": ((0.5,), V.AdjustContrast(0.5)),
    "adjust_saturation": ((2.0,), V.AdjustSaturation(2.0)),
    "adjust_hue": ((0.2,), V.AdjustHue(0.2)),
    "adjust_gamma": ((0.7, 1), V.AdjustGamma(0.7, 1)),
    "horizontal_flip": ((), V.HorizontalFlip()),
    "vertical_flip": ((), V.VerticalFlip()),
    "random_horizontal_flip": ((1.0,), V.RandomHorizontalFlip(1.0)),
    "random_vertical_flip": ((0.0,), V.RandomVerticalFlip(0.0)),
    "center_crop": ((4,), V.CenterCrop(4)),
    "pad": (((1, 2), 5, "constant"), V.Pad((1, 2), 5)),
    "resize": (((3, 4), V.Inter.BICUBIC), V.Resize((3, 4), V.Inter.BICUBIC)),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_function_is_its_transform(name):
    arguments, transform = FORMS[name]
    made = getattr(functions, name)(PICTURE, *arguments)
    assert functions.is_pil(made) and np.array_equal(made, np.asarray(transform(PICTURE)))


def test_crops():
    assert np.array_equal(functions.crop(PICTURE, 1, 2, 3, 4), np.asarray(PICTURE)[1:4, 2:6])
    made = functions.random_crop(PICTURE, (3, 4), None, False, [0, 0, 0], "edge")
    assert made.size == (4, 3)
    whole = functions.random_crop(PICTURE, (7, 9), None, False, 0, V.Border.CONSTANT)
    assert np.array_equal(whole, PICTURE)


def test_an_array_is_refused():
    with pytest.raises(TypeError, match="img should be PIL image"):
        functions.resize(np.asarray(PICTURE), (3, 4))
    assert not functions.is_pil(np.asarray(PICTURE))
    assert functions.augment_error_message.format(3).startswith("img should be PIL image. Got 3")
