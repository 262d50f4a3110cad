"""Deformable convolution."""

import numpy as np
import pytest

from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


RNG = np.random.RandomState(0)


def random(*shape):
    return RNG.randn(*shape).astype(np.float32)


def close(got, wanted, tolerance=1e-5):
    wanted = wanted.asnumpy() if isinstance(wanted, Tensor) else np.asarray(wanted)
    assert tuple(got.shape) == wanted.shape
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=tolerance, atol=tolerance)


def test_deformable_offsets_are_what_the_convolution_multiplies():
    x, offsets, weight = random(1, 2, 5, 4), random(1, 12, 4, 3), random(3, 2, 2, 2)
    samples = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(Tensor(x), Tensor(offsets))
    out = ops.conv2d(samples, Tensor(weight), stride=2)
    wanted = ops.deformable_conv2d(*map(Tensor, (x, weight, offsets)), (2, 2), (1, 1, 1, 1), (0, 0, 0, 0))
    close(out, wanted, 1e-4)
