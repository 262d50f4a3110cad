"""Random crops with boxes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def test_distorted_boxes_keep_their_promises():
    size, boxes = Tensor([60, 80, 3], ms.int32), Tensor(np.array([[[0.2, 0.3, 0.6, 0.7]]], np.float32))
    covered = Tensor(np.array([0.5], np.float32))
    run = ops.SampleDistortedBoundingBoxV2(aspect_ratio_range=(0.8, 1.2), area_range=(0.2, 0.9))
    seen = set()
    for draw in [run] * 5 + [ms.jit(lambda *a: run(*a))] * 5:
        begin, extent, box = (v.asnumpy() for v in draw(size, boxes, covered))
        (y, x, _), (h, w, last) = begin, extent
        assert last == -1 and y + h <= 60 and x + w <= 80
        np.testing.assert_allclose(box.ravel(), [y / 60, x / 80, (y + h) / 60, (x + w) / 80], rtol=1e-6)
        inner = max(min(y + h, 36) - max(y, 12), 0) * max(min(x + w, 56) - max(x, 24), 0)
        assert inner >= 0.5 * 24 * 32 and 0.2 * 4800 <= h * w <= 0.9 * 4800 and 0.75 < w / h < 1.3
        seen.add((y, x, h, w))
    assert len(seen) > 5
    for wrong in (
        (Tensor([0, 8, 3], ms.int32), boxes, covered),
        (size, boxes + 1, covered),
        (size, boxes, covered * 3),
    ):
        with pytest.raises(RuntimeError):
            run(*wrong)
