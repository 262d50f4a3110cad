"""Deformable convolution."""

import pytest

from ms_compat import Tensor, ops
from tests.ops import recorded
from tests.ops.arrays import close, generator


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


random = generator()


def test_deformable_offsets_are_what_the_convolution_multiplies():
    x, offsets, weight = random(1, 2, 5, 4), random(1, 12, 4, 3), random(3, 2, 2, 2)
    samples = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(Tensor(x), Tensor(offsets))
    out = ops.conv2d(samples, Tensor(weight), stride=2)
    wanted = ops.deformable_conv2d(*map(Tensor, (x, weight, offsets)), (2, 2), (1, 1, 1, 1), (0, 0, 0, 0))
    close(out, wanted, 1e-4)
