"""Pictures with boxes; compared with MindSpore 2.10's to the last bit."""

import os

import cv2
import numpy as np
import pytest

from ms_compat.dataset.utils import imshow_det_bbox
from tests.conformance import dataset_names

PICTURE = dataset_names.photo(60, 80)
BOXES, LABELS = np.array([[5.0, 6, 30, 20], [40, 10, 25, 30]]), np.array([[0], [7]])
MASKS = np.zeros((2, 60, 80), np.uint8)
MASKS[0, 10:20, 10:30] = MASKS[1, 30:40, 50:70] = 1
CASES = {
    "boxes": ((PICTURE, BOXES, LABELS), {}),
    "planes": ((PICTURE.transpose(2, 0, 1), BOXES, LABELS), {}),
    "masks": ((PICTURE, BOXES, LABELS, MASKS), {}),
    "masks alone": ((PICTURE, None, None, MASKS), {}),
    "scores": ((PICTURE, np.c_[BOXES, [0.25, 0.75]], LABELS, MASKS), {"score_threshold": 0.5}),
    "colours": ((PICTURE, BOXES, LABELS, MASKS), {"bbox_color": (1, 2, 3), "text_color": (4, 5, 6), "thickness": 1}),
}


def drawn(name, folder):
    given, options = CASES[name]
    out = os.path.join(folder, "drawn.png")
    return imshow_det_bbox(*given, class_names={0: "cat"}, show=False, out_file=out, **options)


# Recorded with MindSpore 2.10.0 beside OpenCV 4.11 and 5.0, which draw letters differently.
DIGESTS = {
    "4": {"boxes": "56559b223ff64c33", "planes": "56559b223ff64c33", "masks": "f9d0a2fd5bc4515a",
          "masks alone": "b25df94fd7eacd54", "scores": "ce51fe5e043d4f63", "colours": "e76675e37bf2b278"},
    "5": {"boxes": "c74f90baa0a715e2", "planes": "c74f90baa0a715e2", "masks": "21b6f14a54966390",
          "masks alone": "b25df94fd7eacd54", "scores": "45295cd7f6b0ddc4", "colours": "367f1139c3c65441"},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_pictures_are_drawn_as_mindspore_draws_them(name, tmp_path):
    before = PICTURE.copy()
    made = drawn(name, tmp_path)
    assert dataset_names.digest(made) == f"uint8(60, 80, 3) {DIGESTS[cv2.__version__.split('.')[0]][name]}"
    assert (PICTURE == before).all()
    assert (tmp_path / "drawn.png").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("given", "options", "what"),
    [
        ((PICTURE[:, :, 0], BOXES, LABELS), {}, "'image'"),
        ((PICTURE, BOXES[:, :3], LABELS), {}, "'bboxes'"),
        ((PICTURE, BOXES, LABELS[:1]), {}, "'labels'"),
        ((PICTURE, BOXES, LABELS, MASKS[:, :9]), {}, "'segm'"),
        ((PICTURE, BOXES, LABELS, MASKS[:1]), {}, "a mask for each box"),
        ((PICTURE, BOXES, LABELS), {"class_names": None}, "'class_names'"),
        ((PICTURE, BOXES, LABELS), {"bbox_color": [1, 2, 3]}, "'bbox_color'"),
        ((PICTURE, BOXES, LABELS), {"thickness": 1.5}, "'thickness'"),
        ((PICTURE, BOXES, LABELS), {"wait_time": -1}, "must be >= 0"),
        ((PICTURE, BOXES, LABELS), {"score_threshold": 0.5}, "'score_threshold'"),
        ((PICTURE, BOXES, LABELS), {"out_file": None}, "'out_file'"),
    ],
)
def test_arguments_are_checked_as_by_mindspore(given, options, what):
    with pytest.raises(AssertionError, match=what):
        imshow_det_bbox(*given, **{"class_names": ["cat"], "show": False, "out_file": "x.png", **options})
