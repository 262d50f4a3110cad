"""Transformers, against recordings of MindSpore and in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_attention_without_masked_positions_equals_shorter_sequence():
    net = nn.MultiheadAttention(4, 2)
    x, memory = ops.randn(3, 2, 4), ops.randn(5, 2, 4)
    padding = Tensor(np.arange(5)[None].repeat(2, 0) >= 3)
    masked = net(x, memory, memory, key_padding_mask=padding, attn_mask=ops.zeros((3, 5)))[0]
    short = net(x, memory[:3], memory[:3])[0]
    np.testing.assert_allclose(masked.asnumpy(), short.asnumpy(), rtol=1e-5, atol=1e-6)


def test_attention_drops_in_training_only():
    net = nn.MultiheadAttention(4, 2, dropout=0.9)
    x = ops.ones((6, 2, 4))
    assert (net(x, x, x)[1].asnumpy() > 0).all()
    net.set_train()
    assert (net(x, x, x)[1].asnumpy() == 0).any()


def test_clip_by_norm_along_an_axis():
    x = np.random.RandomState(0).randn(3, 4).astype(np.float32)
    out = nn.ClipByNorm(axis=1)(Tensor(x), Tensor(1.0)).asnumpy()
    np.testing.assert_allclose(out, x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1), rtol=1e-6)


def test_clip_by_norm_of_zeros_has_a_gradient():
    grad = ms.grad(lambda x: nn.ClipByNorm()(x, Tensor(1.0)).sum())(ops.zeros(3))
    np.testing.assert_allclose(grad.asnumpy(), 1)


def test_ctc_of_an_impossible_alignment():
    log_probs = ops.log_softmax(ops.zeros((3, 1, 4)))
    args = (log_probs, Tensor([[1, 1, 1]], ms.int32), Tensor([3]), Tensor([3]))
    assert np.isinf(nn.CTCLoss()(*args).asnumpy())
    assert nn.CTCLoss(zero_infinity=True)(*args).asnumpy() == 0
    gradient = ms.grad(lambda x: nn.CTCLoss()(x, *args[1:]))(log_probs)
    assert np.isnan(gradient.asnumpy()).all()  # as MindSpore's
    gradient = ms.grad(lambda x: nn.CTCLoss(zero_infinity=True)(x, *args[1:]))(log_probs)
    assert (gradient.asnumpy() == 0).all()


def test_sampled_softmax_without_accidental_hits():
    weights, biases, x = ops.randn(7, 5), ops.randn(7), ops.randn(2, 5)
    labels, ones = Tensor([0, 3], ms.int32), ops.ones(6)
    every = (Tensor([0, 1, 2, 4, 5, 6], ms.int32), ops.ones(2), ones)
    found = nn.SampledSoftmaxLoss(6, 7, sampled_values=every)(weights, biases, labels, x)[0]
    logits = x @ weights.T + biases
    expected = ops.cross_entropy(logits[:1, [0, 1, 2, 4, 5, 6]], Tensor([0], ms.int32))
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5)


def test_fractional_pooling_draws_anew():
    ms.set_seed(1)
    x, net = ops.randn(1, 1, 30, 30), nn.FractionalMaxPool2d(2, output_size=7, return_indices=True)
    assert (net(x)[1].asnumpy() != net(x)[1].asnumpy()).any()


def test_unfold_puts_windows_into_channels():
    x = Tensor(np.arange(2 * 9, dtype=np.float32).reshape(1, 2, 3, 3))
    out = nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])(x).asnumpy()
    assert out.shape == (1, 8, 2, 2)
    assert out[0, :, 0, 0].tolist() == [0, 9, 1, 10, 3, 12, 4, 13]


def test_reducer_on_one_device_is_the_identity():
    grads = (ops.ones(2), ops.ones(3))
    reducer = nn.DistributedGradReducer(nn.Dense(2, 3).trainable_params(), True, 1)
    assert all(a is b for a, b in zip(reducer(grads), grads, strict=True))


# -- Tensors as initial weights of 1-D convolutions --------------------------------------------------------------------
@pytest.mark.parametrize(
    ("layer", "shape", "total"), [(nn.Conv1d, (5, 3, 2), 31020.0), (nn.Conv1dTranspose, (3, 5, 2), 46420.0)]
)
def test_weights_of_1d_convolutions_have_three_dimensions(layer, shape, total, mode):
    weight = Tensor(np.arange(30, dtype=np.float32).reshape(shape))
    x = Tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    net = layer(3, 5, 2, pad_mode="valid", weight_init=weight)
    assert net(x).sum() == total
    assert (net.weight.asnumpy()[:, :, 0] == weight.asnumpy()).all()
    with pytest.raises(ValueError, match="'weight_init' must have 3 dimensions"):
        layer(3, 5, 2, weight_init=weight.expand_dims(2))
