"""Slopes at kinks, values of NaN and roundings of halves as MindSpore has them."""

import copy

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from tests.conformance import departures, replay
from tests.ops import kink_samples

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
    "RGBToHSV of grey": (ops.operations.image_ops.RGBToHSV(), [[[[0.5, 0.5, 0.5]]]], [[[[3, 0, -2]]]]),
    "RGBToHSV of two equal channels": (
        lambda x: ops.operations.image_ops.RGBToHSV()(x)[..., 0], [[[[0.5, 0.25, 0.5]]]], [[[[2 / 3, 0, -2 / 3]]]]
    ),
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


@pytest.mark.parametrize("name", SLOPES)
def test_slopes(name, mode):
    function, at, slope = SLOPES[name]
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


@pytest.mark.parametrize("name", VALUES)
def test_values(name, mode):
    call, expected, dtype = VALUES[name]
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


@pytest.mark.parametrize("topic", kink_samples.TOPICS)
def test_gradients_as_recorded(topic, mode):
    wrong = []
    for case in replay.load("kinks.json"):
        reason = departures.reason_of(case["expr"], departures.KINKS)
        if case["topic"] != topic or "error" in case:
            continue
        wanted = np.array([float(v) for v in case["gradient"]])
        found = np.array(kink_samples.gradient(topic, case["expr"], ms))
        agrees = np.isclose(found, wanted, 2e-4, 2e-5, equal_nan=True)
        if reason is None and not agrees.all():
            wrong.append(f"{case['expr']}: {wanted} but {found}")
        elif reason is not None and (agrees.all() or not np.isfinite(found[~agrees]).all()):
            wrong.append(f"{case['expr']} no longer departs: {found}")
    assert not wrong, "\n".join(wrong)


def test_the_recording_holds_the_samples():
    found = [(case["topic"], case["expr"]) for case in replay.load("kinks.json")]
    assert found == [(topic, text) for topic in kink_samples.TOPICS for text in kink_samples.samples(topic)]


# (function of two numbers, pairs of them, slopes by the first, by the second); MindSpore 2.10.0, 2026-11-26
PAIRS = {
    "fmax": (ops.fmax, [(1, 1), (2, 1), (0, 3), (NAN, 1), (1, NAN)], [1, 1, 0, 0, 1], [0, 0, 1, 1, 0]),
    "copysign": (ops.copysign, [(0, 1), (2, -1), (-3, 0), (0, -1)], [0, -1, -1, 0], [0, 0, 0, 0]),
    "nextafter": (ops.nextafter, [(0, 1), (2, -1), (0, 0)], [1, 1, 1], [0, 0, 0]),
    "hypot": (ops.hypot, [(0, 0), (2, 0), (0, 3)], [NAN, 1, 0], [NAN, 0, 1]),
    "xlogy": (ops.xlogy, [(0, 0), (2, 0), (0, 2)], [0, -np.inf, np.log(2)], [NAN, np.inf, 0]),
    "MulNoNan": (ops.MulNoNan(), [(0, 0), (2, 0), (0, 2), (5, 2)], [0, 0, 2, 2], [0, 2, 0, 5]),
    "DivNoNan": (ops.DivNoNan(), [(0, 0), (2, 0), (0, 2)], [0, 0, 0.5], [0, 0, 0]),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_slopes_of_pairs(name, mode):
    function, pairs, *slopes = PAIRS[name]
    found = ms.grad(function, (0, 1))(*[floats(*column) for column in zip(*pairs, strict=True)])
    for got, slope in zip(found, slopes, strict=True):
        np.testing.assert_allclose(got.asnumpy(), slope, rtol=1e-6)


def test_the_finite_of_infinity_and_zero_is_zero():
    x = floats(np.inf, NAN)
    assert ops.MulNoNan()(x, floats(0, 0)).asnumpy().tolist() == [0, 0]


# what MindSpore computes on Ascend alone: the slopes of its formulas there, which are PyTorch's
@pytest.mark.parametrize(
    "function",
    [
        mint.norm, lambda x: mint.norm(x, 2, 1), mint.linalg.vector_norm, mint.linalg.norm, mint.linalg.matrix_norm,
        lambda x: mint.linalg.norm(x, dim=1), mint.std, lambda x: mint.std(x, 1),
    ],
)  # fmt: skip
def test_norms_of_zeros_have_no_slope(function, mode):
    np.testing.assert_array_equal(ms.grad(function)(ops.zeros((2, 2))).asnumpy(), np.zeros((2, 2)))


def test_normalized_zeros_have_a_finite_slope(mode):
    found = ms.grad(lambda x: mint.nn.functional.normalize(x, eps=0.5))(ops.zeros((1, 2)))
    np.testing.assert_array_equal(found.asnumpy(), [[2, 2]])


def test_unique_elements_pass_their_gradient_to_the_first_of_each(mode):
    x = Tensor([[1.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    assert ms.grad(lambda x: mint.unique(x) * floats(1, 2, 3))(x).asnumpy().tolist() == [[1, 2, 0], [3, 0, 0]]
    assert ms.grad(lambda x: mint.unique(x, dim=1))(x).asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize("padding", ["border", "reflection"])
def test_places_on_the_border_of_an_image_have_no_slope(padding):
    image = Tensor(np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3))
    grid = Tensor(np.array([[[[1, 0.5], [0, -1], [0.25, 0.25]]]], np.float32))
    found = ms.grad(lambda g: ops.grid_sample(image, g, padding_mode=padding, align_corners=True))(grid)
    np.testing.assert_allclose(found.asnumpy(), [[[[0, 3], [1, 0], [1, 3]]]])


# MindSpore 2.10.0, 2026-11-26: a function of ones (2, 3), where the gradient goes
EQUAL = {
    "columns": (
        [lambda x: ops.norm(x, 1), lambda x: ops.norm(x, -1, (0, 1)), lambda x: ops.matrix_norm(x, 1)],
        [[1, 0, 0], [1, 0, 0]],
    ),
    "rows": (
        [lambda x: ops.norm(x, np.inf), lambda x: x.norm(-np.inf), lambda x: ops.matrix_norm(x, np.inf)],
        [[1, 1, 1], [0, 0, 0]],
    ),
    "elements": (
        [lambda x: ops.norm(x, np.inf, 1), lambda x: ops.vector_norm(x, np.inf, 1), lambda x: ops.norm(x, -np.inf, 1)],
        [[1, 0, 0], [1, 0, 0]],
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_the_first_of_equal_norms_has_the_gradient(name, mode):
    functions, slope = EQUAL[name]
    for function in functions:
        np.testing.assert_array_equal(ms.grad(function)(ops.ones((2, 3))).asnumpy(), slope)


def test_a_deep_copy_passes_the_gradient(mode):
    found = ms.grad(lambda x: copy.deepcopy([x])[0] * copy.deepcopy(x))(floats(1, 3))
    assert found.asnumpy().tolist() == [2, 6]


def test_equal_elements_share_the_gradient_of_the_nth(mode):
    x = Tensor([[1.0, 1.0, 2.0], [0.0, 3.0, 3.0]])  # MindSpore 2.10.0, 2026-11-26
    assert ops.NthElement()(x, 0).asnumpy().tolist() == [1, 0]
    assert ms.grad(lambda x: ops.NthElement()(x, 0))(x).asnumpy().tolist() == [[0.5, 0.5, 0], [1, 0, 0]]
    assert ms.grad(lambda x: ops.NthElement(True)(x, 0))(x).asnumpy().tolist() == [[0, 0, 1], [0, 0.5, 0.5]]
