"""Boxes: validity, overlap, codes, crops."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


@pytest.mark.parametrize("dtype", [ms.uint8, ms.int16])
def test_boxes_of_small_integers(mode, dtype):
    found = ops.check_valid(of([[0, 0, 3, 3], [0, 0, 9, 9]], dtype), of([5, 5, 1], dtype))
    assert found.asnumpy().tolist() == [True, False]


def test_overlaps_of_boxes_without_an_area(mode):
    boxes = of([[4, 2, 1, 4], [3, 3, 2, 2]])
    np.testing.assert_array_equal(ops.iou(boxes, boxes).asnumpy(), np.zeros((2, 2)))
    *_, stays = ops.NMSWithMask(0.7)(of([[70, 70, 45, 75, 0.6], [30, 33, 43, 29, 0.1]]))
    assert stays.asnumpy().tolist() == [True, True]
