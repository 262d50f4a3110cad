"""Slopes at kinks, values of NaN and roundings of halves as MindSpore has them."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops

NAN = float("nan")
GRAPH, PYNATIVE = ms.GRAPH_MODE, ms.PYNATIVE_MODE


@pytest.fixture(autouse=True)
def pynative_afterwards():
    yield
    ms.set_context(mode=PYNATIVE)


def floats(*values, dtype=ms.float32):
    return Tensor(list(values), dtype)


# MindSpore 2.10.0, 2026-11-22: (function, its input, the gradient)
SLOPES = {
    "abs": (ops.abs, [NAN, -1, 1, 0, -0.0], [0, -1, 1, 0, 0]),
    "mint.abs": (mint.abs, [-1, 1, 0], [-1, 1, 0]),
    "absolute": (ms.numpy.absolute, [0, 1, -1], [0, 1, -1]),
    "l1_loss": (lambda x: ops.l1_loss(x, floats(1, 2, 5)), [1, 3, 4], [0, 1 / 3, -1 / 3]),
    "L1Loss": (lambda x: nn.L1Loss("sum")(x, floats(1, 2, 5)), [1, 3, 4], [0, 1, -1]),
    "MAELoss": (lambda x: nn.MAELoss()(x, floats(1, 2, 5)), [1, 3, 4], [0, 1 / 3, -1 / 3]),
    "norm": (lambda x: ops.norm(x, 1), [1, 0, -3], [1, 0, -1]),
    "Tensor.norm": (lambda x: x.norm(1), [1, 0, -3], [1, 0, -1]),
    "vector_norm": (lambda x: ops.vector_norm(x, 1), [1, 0, -3], [1, 0, -1]),
    "smallest": (lambda x: ops.vector_norm(x, -float("inf")), [1, 0, -3], [0, 0, 0]),
    "cdist": (lambda x: ops.cdist(x, Tensor([[1.0, 1.0]]), 1.0), [[1, 0], [0, 0]], [[0, -1], [-1, -1]]),
    "pdist": (lambda x: ops.pdist(x, 1.0), [[1, 0], [0, 0]], [[1, 0], [-1, 0]]),
    "L1Regularizer": (nn.L1Regularizer(0.5), [0, 1, -1], [0, 0.5, -0.5]),
    "xlogy": (lambda x: ops.xlogy(x, floats(0, 1, 2)), [0, 0, 1], [0, 0, 0.6931472]),
    "margin": (lambda x: ops.margin_ranking_loss(x, floats(1, 1), floats(1, -1)), [1, 1], [-0.5, 0.5]),
    "clamp": (lambda x: ops.clamp(x, 0.5, 1.5), [0.5, 1, 1.5, 2, 0, NAN], [1, 1, 1, 0, 0, 0]),
    "clamp below": (lambda x: ops.clamp(x, 1, None), [0.5, 1, 2, NAN], [0, 1, 1, 0]),
    "clamp above": (lambda x: ops.clamp(x, None, 1), [0.5, 1, 2, NAN], [1, 1, 0, 0]),
    "Tensor.clip": (lambda x: x.clip(0.5, 1.5), [0.5, 1.5, 2], [1, 1, 0]),
    "mint.clamp": (lambda x: mint.clamp(x, floats(0.5), floats(1.5)), [0.5, 1.5, 2], [1, 1, 0]),
    "relu": (ops.relu, [NAN, -1, 0, 2], [0, 0, 0, 1]),
    "relu6": (ops.relu6, [NAN, -1, 0, 2, 6, 7], [0, 0, 0, 1, 1, 0]),
}  # fmt: skip


@pytest.mark.parametrize("mode", [GRAPH, PYNATIVE], ids=["GRAPH", "PYNATIVE"])
@pytest.mark.parametrize("name", SLOPES)
def test_slopes(name, mode):
    function, at, slope = SLOPES[name]
    ms.set_context(mode=mode)
    found = ms.grad(function)(Tensor(at, ms.float32))
    assert found.dtype == ms.float32
    np.testing.assert_allclose(found.asnumpy(), slope, rtol=1e-6)


def test_slopes_of_limits_that_are_tensors():
    found = ms.grad(lambda x, low: ops.clamp(x, low), (0, 1))(floats(0.5, 1, 1.5, 2, 0), floats(1.5))
    np.testing.assert_array_equal(found[0].asnumpy(), [0, 0, 1, 1, 0])
    np.testing.assert_array_equal(found[1].asnumpy(), [3])


def test_values_at_zero_keep_their_sign():
    assert np.signbit(ops.abs(floats(-0.0, 0.0)).asnumpy()).tolist() == [False, False]


# MindSpore 2.10.0, 2026-11-22: (result, expected values, dtype)
VALUES = {
    "relu": (lambda: ops.relu(floats(NAN, -1, 2)), [0, 0, 2], ms.float32),
    "relu half": (lambda: nn.ReLU()(floats(NAN, -1, 2, dtype=ms.float16)), [0, 0, 2], ms.float16),
    "relu6": (lambda: ops.relu6(floats(NAN, -1, 2, 9)), [0, 0, 2, 6], ms.float32),
    "softshrink": (lambda: ops.softshrink(floats(NAN, -1, 2)), [0, -0.5, 1.5], ms.float32),
    "softshrink True": (lambda: ops.softshrink(floats(1, 2, -3), True), [0, 1, -2], ms.float32),
    "softshrink False": (lambda: ops.softshrink(floats(1, 2, -3), False), [1, 2, -3], ms.float32),
    "SoftShrink True": (lambda: nn.SoftShrink(True)(floats(1, 2, -3)), [0, 1, -2], ms.float32),
    "hardshrink True": (lambda: ops.hardshrink(floats(1, 2, -3), True), [0, 2, -3], ms.float32),
    "HShrink True": (lambda: nn.HShrink(True)(floats(1, 2, -3)), [0, 2, -3], ms.float32),
    "clamp": (lambda: ops.clamp(floats(0.5, 1, 2, NAN), floats(1.5), floats(0.7)), [0.7] * 4, ms.float32),
    "clamp from NaN": (lambda: ops.clamp(floats(0.5, 1, NAN), floats(NAN), floats(0.7)), [0.7] * 3, ms.float32),
    "mint.clamp": (lambda: mint.clamp(floats(0.5, 1, 2, NAN), 0.7, 1.5), [0.7, 1, 1.5, 0.7], ms.float32),
    "tanhshrink": (
        lambda: ops.tanhshrink(floats(1, 2, -3, 0.1, dtype=ms.float16)),
        [0.2383, 1.036, -2.004, 0.0003052], ms.float16,
    ),
    "binary_cross_entropy": (
        lambda: ops.binary_cross_entropy(
            floats(0.2, 0.7, 0.9, dtype=ms.float16), floats(0, 1, 1, dtype=ms.float16), reduction="none"
        ),
        [0.2234, 0.3564, 0.10547], ms.float16,
    ),
    "AvgPool3d": (
        lambda: nn.AvgPool3d(2, 2, "same")(Tensor(np.arange(12.0).reshape(1, 1, 1, 3, 4), ms.float32)),
        [[[[[1.25, 2.25], [2.125, 2.625]]]]], ms.float32,
    ),
    "dropout2d": (lambda: ops.dropout2d(Tensor([[[[1, 2]]]], ms.int8), 0.0), [[[[1, 2]]]], ms.int8),
    "dropout3d": (lambda: ops.dropout3d(Tensor([[[[[1, 2]]]]], ms.int64), 1.0), [[[[[0, 0]]]]], ms.int64),
    "Dropout2D": (lambda: ops.Dropout2D(1.0)(Tensor([[[[1, 2]]]], ms.int16))[0], [[[[1, 2]]]], ms.int16),
    "Dropout1d": (lambda: nn.Dropout1d(0.0).set_train()(Tensor([[[1, 2]]], ms.int32)), [[[1, 2]]], ms.int32),
    "cummin": (lambda: ops.cummin(floats(2, NAN, 1, NAN, 0), 0)[1], [0, 1, 1, 3, 3], ms.int32),
    "cummax": (lambda: ops.cummax(floats(NAN, NAN, 3, 3, 1), 0)[1], [0, 1, 1, 1, 1], ms.int64),
}  # fmt: skip


@pytest.mark.parametrize("mode", [GRAPH, PYNATIVE], ids=["GRAPH", "PYNATIVE"])
@pytest.mark.parametrize("name", VALUES)
def test_values(name, mode):
    call, expected, dtype = VALUES[name]
    ms.set_context(mode=mode)
    found = call()
    assert found.dtype == dtype
    np.testing.assert_array_equal(found.asnumpy(), np.array(expected, found.asnumpy().dtype))


def test_integers_dropped_by_channels_are_rounded_towards_zero():
    ms.set_seed(1)
    out, mask = ops.Dropout2D(0.7)(Tensor(np.arange(1, 81).reshape(1, 20, 2, 2), ms.int32))
    expected = np.where(mask.asnumpy(), np.trunc(np.arange(1, 81).reshape(1, 20, 2, 2) / 0.7), 0)
    assert out.dtype == ms.int32
    np.testing.assert_array_equal(out.asnumpy(), expected)


@pytest.mark.parametrize("dtype", [ms.uint8, ms.bool_, ms.complex64], ids=str)
def test_other_channels_cannot_be_dropped(dtype):
    with pytest.raises(TypeError, match="must be a Tensor"):
        ops.dropout2d(Tensor(np.ones((1, 1, 2, 2)), dtype))


def test_averages_are_quotients():
    x = Tensor(np.arange(36).reshape(1, 1, 6, 6) + 0.5, ms.float32)
    edge = ops.avg_pool2d(x, 3, 2, 1, True).asnumpy()[0, 0, 0, 3]
    assert edge == np.float32(17) / np.float32(6)
