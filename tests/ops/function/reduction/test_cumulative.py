"""Running sums, products and extremes."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_trapz_is_float32_but_of_float16_without_places():
    """As MindSpore gives it."""
    for dtype in (ms.float16, ms.float32, ms.float64, ms.bfloat16, ms.complex64):
        x = Tensor([[1.0, 2.0, -0.5]]).astype(dtype)
        assert ops.trapz(x).dtype == (ms.float16 if dtype == ms.float16 else ms.float32)
        out = ops.trapz(x, x)
        assert (out.dtype, out.asnumpy().tolist()) == (ms.float32, [-0.375])
