"""Pooling of regions of interest."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops.arrays import close, generator

random = generator()


def test_roi_align_compiles_and_needs_a_number_of_points_then():
    x, rois = Tensor(random(2, 3, 6, 7)), Tensor(np.array([[0, 1, 1, 5.5, 4], [1, 0, 2, 3, 6.5]], np.float32))
    fixed, free = ops.ROIAlign(2, 2, 1.0), ops.ROIAlign(2, 2, 1.0, 0)
    close(ms.jit(lambda a, b: fixed(a, b))(x, rois), fixed(x, rois))
    assert free(x, rois).shape == (2, 3, 2, 2)
    with pytest.raises(ms.UnsupportedError, match="sample_num"):
        ms.jit(lambda a, b: free(a, b), fullgraph=True)(x, rois)
    close(ms.jit(lambda a, b: free(a, b))(x, rois), free(x, rois))
