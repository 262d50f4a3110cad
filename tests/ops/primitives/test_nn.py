"""Primitives of networks."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_filter_of_a_transposed_convolution_counts(mode):
    """Not `kernel_size`, nor `out_channel`."""
    x, w = Tensor(np.ones((1, 1, 4, 4)), ms.float32), Tensor(np.ones((1, 1, 3, 3)), ms.float32)
    side = np.array([1, 2, 3, 3, 2, 1])
    for kind in (ops.Conv2DBackpropInput, ops.Conv2DTranspose):
        assert kind(4, 1)(x, w, (1, 1, 6, 6)).asnumpy().tolist() == [[np.outer(side, side).tolist()]]
        assert kind(1, 3)(x, w, (1, 1, 6, 6)).asnumpy().tolist() == [[np.outer(side, side).tolist()]]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("kernel", "padding", "stride", "dilation"),
    [(2, (2, 0, 2, 0), 1, 1), (3, (4, 0, 3, 1), 1, 1), (2, (3, 1, 0, 4), 2, 2), (1, (1, 0, 0, 1), 1, 1)],
)
def test_padding_beyond_the_kernels_reach_has_the_gradient_of_an_explicit_one(
    kernel, padding, stride, dilation, compiled
):
    random = np.random.RandomState(0)
    x = ms.Tensor(random.randn(1, 2, 6, 7).astype(np.float32))
    w = ms.Tensor(random.randn(3, 2, kernel, kernel).astype(np.float32))

    settings = {"pad_mode": "pad", "stride": stride, "dilation": dilation}

    def loss(pad):
        def function(x, w):
            explicit = ms.ops.pad(x, (*padding[2:], *padding[:2])) if pad == 0 else x
            return ms.ops.sin(ms.ops.Conv2D(3, kernel, pad=pad, **settings)(explicit, w)).sum()

        return ms.grad(function, (0, 1))

    found, expected = (ms.jit(loss(pad)) if compiled else loss(pad) for pad in (padding, 0))
    for mine, other in zip(found(x, w), expected(x, w), strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-4)
    out = ms.ops.Conv2D(3, kernel, pad=padding, **settings)(x, w)
    g = ms.Tensor(random.randn(*out.shape).astype(np.float32))
    back = ms.ops.Conv2DBackpropInput(3, kernel, pad=padding, **settings)(g, w, x.shape)
    assert float((back * x).sum()) == pytest.approx(float((g * out).sum()), rel=1e-3, abs=1e-3)
