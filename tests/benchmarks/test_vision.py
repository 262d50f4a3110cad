"""Image transforms against the call of OpenCV that they make, with what it needs worked out before."""

import io

import cv2
import numpy as np
import pytest
from PIL import Image

import ms_compat.dataset.vision as V
from ms_compat.dataset.vision.fusing import row_calls
from tests.benchmarks.measure import check_ratio
from tests.conformance import dataset_names

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


def test_a_jpeg_file_is_decoded_in_less_time_than_by_pillow():
    out = io.BytesIO()
    Image.fromarray(dataset_names.photo(375, 500)).save(out, "JPEG", quality=90)
    data = np.frombuffer(out.getvalue(), np.uint8)

    def by_pillow():
        return np.array(Image.open(io.BytesIO(out.getvalue())))

    check_ratio("Decode / Pillow", lambda: V.Decode()(data), by_pillow, 0.9, calls=10, rounds=20)


def test_a_run_of_transforms_takes_less_time_than_its_parts():
    run = [V.Normalize([120.0, 110.0, 100.0], [58.0, 57.0, 56.0]), V.HWC2CHW()]
    (together,) = row_calls(run)
    check_ratio("Normalize, HWC2CHW / one by one", lambda: together(IMAGE), lambda: run[1](run[0](IMAGE)), 0.9)


def test_a_flip_takes_less_time_than_by_numpy():
    flip = V.HorizontalFlip()
    check_ratio("HorizontalFlip / numpy", lambda: flip(IMAGE), lambda: np.ascontiguousarray(IMAGE[:, ::-1]), 0.5)
