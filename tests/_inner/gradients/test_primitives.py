"""Inner primitives of gradients, against the gradients of the operations they belong to."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._inner.generated import primitives as generated
from ms_compat._inner.gradients import primitives as gradients

RNG = np.random.default_rng(5)


def rand(*shape):
    return Tensor(RNG.normal(size=shape).astype(np.float32))


def close(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradients_of_fused_attention_are_those_of_the_forward():
    q, k, v, dy = rand(1, 3, 8), rand(1, 4, 8), rand(1, 4, 8), rand(1, 3, 8)
    shift = rand(1, 2, 3, 4)

    def loss(q, k, v, p):
        return (ops.flash_attention_score(q, k, v, 2, real_shift=p, scalar_value=0.5) * dy).sum()

    expected = ms.grad(loss, (0, 1, 2, 3))(q, k, v, shift)
    found = gradients.FlashAttentionScoreGrad(2, scale_value=0.5)(q, k, v, dy, shift)
    fused = gradients.SpeedFusionAttentionGrad()(q, k, v, dy, 2, "BSH", shift, scale_value=0.5)
    assert len(found) == len(fused) == 4
    for a, b, c in zip(found, fused, expected, strict=True):
        close(a, c)
        close(b, c)
    forward = generated.SpeedFusionAttention()(q, k, v, 2, "BSH", Tensor(0), Tensor(0), shift, scale=0.5)
    close(forward[0], ops.flash_attention_score(q, k, v, 2, real_shift=shift, scalar_value=0.5))
    without = gradients.FlashAttentionScoreGrad(2)(q, k, v, dy)
    assert without[3].shape == (0,) and without[2].shape == v.shape


@pytest.mark.parametrize(
    "call",
    [
        lambda x: gradients.FlashAttentionScoreGrad(2, keep_prob=0.5)(x, x, x, x),
        lambda x: gradients.SpeedFusionAttentionGrad()(x, x, x, x, 2, "BSH", keep_prob=0.5),
        lambda x: gradients.LSTMGrad(4, 4, 2, True, False, 0.5)(*[x] * 11),
    ],
)
def test_masks_of_dropout_stay_with_the_forward(call):
    with pytest.raises(ms.UnsupportedError, match="dropout"):
        call(rand(1, 3, 4))
