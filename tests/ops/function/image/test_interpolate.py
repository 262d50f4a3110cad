"""Resizing of images."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


NEAREST = {
    "interpolate": lambda x, s: mint.nn.functional.interpolate(x, None, s, "nearest"),
    "Upsampling": lambda x, s: mint.nn.UpsamplingNearest2d(None, s)(x),
}


@pytest.mark.parametrize("way", NEAREST)
def test_nearest_elements_by_the_sizes(mode, way):
    x = of([[[[1, 2, 3]]]])
    out = NEAREST[way](x, (1.0, 2.3))
    assert out.asnumpy().tolist() == [[[[1, 1, 2, 2, 3, 3]]]]
    grad = ms.grad(lambda x: NEAREST[way](x, (1.0, 2.3)))(x)
    assert grad.asnumpy().tolist() == [[[[2, 2, 2]]]]


def test_nearest_elements_of_five_dimensions(mode):
    out = ops.interpolate(of([[[[[1, 2, 3]]]]]), None, (1.0, 1.0, 2.3), "nearest")
    assert out.asnumpy().ravel().tolist() == [1, 1, 2, 2, 3, 3]
