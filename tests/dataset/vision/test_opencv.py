"""How transforms call OpenCV: when it is imported, with which settings, and on which arrays.

What they answer is in test_recorded.py, the topics `vision` and `vision_exact`.
"""

import subprocess
import sys
import threading

import cv2
import numpy as np
import pytest

import ms_compat.dataset.vision as V
from ms_compat.dataset.vision import opencv

IMAGE = np.random.RandomState(0).randint(0, 256, (24, 30, 3)).astype(np.uint8)
WIDE = IMAGE.astype(np.uint16) * 257
TRANSFORMS = [
    V.Resize((9, 11), V.Inter.BICUBIC),
    V.Rotate(33, V.Inter.BILINEAR),
    V.Rotate(33, V.Inter.BICUBIC),
    V.GaussianBlur(5),
    V.AdjustSharpness(1.7),
    V.AdjustSaturation(1.7),
]


def test_opencv_is_imported_by_the_first_image():
    script = (
        "import sys, numpy as np, ms_compat.dataset.vision as V, ms_compat.train\n"
        "resize = V.Resize((2, 2))\n"
        "print('cv2' in sys.modules, 'google_crc32c' in sys.modules, 'google.protobuf' in sys.modules)\n"
        "resize(np.zeros((4, 4, 3), np.uint8))\n"
        "print('cv2' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False", "False", "True"]


@pytest.mark.parametrize("before", [True, False])
def test_the_switch_of_ipp_is_as_the_program_left_it(before):
    found = []

    def work():
        cv2.ipp.setUseIPP(before)
        kept = cv2.ipp.useIPP()
        V.Resize((9, 11), V.Inter.BICUBIC)(IMAGE)
        with pytest.raises(RuntimeError):
            V.Resize((9, 11))(np.zeros((0, 5, 3), np.uint8))
        found.append(cv2.ipp.useIPP() == kept)

    thread = threading.Thread(target=work)  # the switch is a thread's own
    thread.start()
    thread.join()
    assert found == [True]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda one: type(one).__name__)
def test_any_layout_of_an_array_gives_the_same_image(transform):
    for array in (IMAGE, WIDE):
        wanted = transform(array)
        backwards = np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
        planes = np.ascontiguousarray(array.transpose(2, 0, 1)).transpose(1, 2, 0)
        sealed = array.copy()
        sealed.setflags(write=False)
        for other in (backwards, planes, sealed, array.astype(array.dtype.newbyteorder(">"))):
            made = transform(other)
            assert made.dtype == wanted.dtype
            np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda one: type(one).__name__)
def test_the_image_given_is_not_changed(transform):
    given = IMAGE.copy()
    transform(given)
    np.testing.assert_array_equal(given, IMAGE)


@pytest.mark.parametrize(
    "transform", [V.Resize((3, 3)), V.Rotate(30), V.GaussianBlur(3), V.Affine(3, [0, 0], 1.0, 0), V.AdjustHue(0.1)]
)
def test_an_image_without_pixels_is_refused(transform):
    with pytest.raises(RuntimeError, match=f"For '{type(transform).__name__}'"):
        transform(np.zeros((0, 5, 3), np.uint8))


def test_a_missing_opencv_is_named(monkeypatch):
    opencv.opencv.cache_clear()
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(ImportError, match="pip install opencv-python-headless"):
        V.Resize((2, 2))(IMAGE)
    monkeypatch.undo()
    assert V.Resize((2, 2))(IMAGE).shape == (2, 2, 3)
