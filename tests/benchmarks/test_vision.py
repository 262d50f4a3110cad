"""Image transforms against the call of OpenCV that they make, with what it needs worked out before."""

import cv2
import numpy as np
import pytest

import ms_compat.dataset.vision as V
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark

IMAGE = np.random.RandomState(0).randint(0, 256, (224, 224, 3)).astype(np.uint8)
TURN = cv2.getRotationMatrix2D((111.5, 111.5), 33, 1.0)
# Rotation works out where to look in numpy, for MindSpore's values; the others add microseconds to OpenCV's.
CASES = {
    "Resize": (V.Resize((256, 256)), lambda: cv2.resize(IMAGE, (256, 256)), 2.0),
    "GaussianBlur": (V.GaussianBlur(5), lambda: cv2.GaussianBlur(IMAGE, (5, 5), 1.1), 2.0),
    "ConvertColor": (
        V.ConvertColor(V.ConvertMode.COLOR_RGB2GRAY),
        lambda: cv2.cvtColor(IMAGE, cv2.COLOR_RGB2GRAY),
        2.0,
    ),
    "Rotate": (V.Rotate(33, V.Inter.BILINEAR), lambda: cv2.warpAffine(IMAGE, TURN, (224, 224)), 5.0),
}


@pytest.mark.parametrize("name", CASES)
def test_a_transform_costs_what_opencv_costs(name):
    transform, by_hand, budget = CASES[name]
    check_ratio(f"{name} / cv2", lambda: transform(IMAGE), by_hand, budget, slack=3e-5)
