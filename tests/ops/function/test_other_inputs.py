"""Integers where floating types are usual, indices as Tensors, cuts out of order: the values are MindSpore's."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops


def of(values, dtype=ms.float32):
    return Tensor(np.array(values)).astype(dtype)


CUBE = np.arange(1, 9).reshape(1, 2, 2, 2)
INTEGERS = [
    (lambda d: ops.adaptive_avg_pool3d(of(CUBE, d), 1), [[[[4]]]], None),
    (lambda d: ops.adaptive_max_pool3d(of(CUBE, d), 1), [[[[8]]]], None),
    (lambda d: ops.lp_pool1d(of([[[1, 2, 3, 4]]], d), 2.0, 2), [[[5**0.5, 5]]], ms.float32),
    (lambda d: ops.lp_pool2d(of([[[[1, 2], [3, 4]]]], d), 2.0, 2), [[[[30**0.5]]]], ms.float32),
    (lambda d: ops.gaussian_nll_loss(of([1, 2], d), of([2, 2], d), of([1, 3], d)), 0.52465308, ms.float32),
    (lambda d: ops.margin_ranking_loss(of([1, 2], d), of([2, 2], d), of([1, 1], d)), 0.5, ms.float32),
    (lambda d: ops.cosine_embedding_loss(of([[1, 2]], d), of([[2, 2]], d), of([1], ms.int32)), 0.05131674, ms.float32),
    (lambda d: ops.bidense(of([[1, 2]], d), of([[2, 2]], d), of([[[1, 2], [3, 4]]], d), of([1], d)), [[35]], None),
    (lambda d: ops.unfold(of([[[[0, 1], [2, 3]]]], d), 2), [[[0], [1], [2], [3]]], None),
]


@pytest.mark.parametrize("dtype", [ms.int8, ms.int32, ms.uint8])
@pytest.mark.parametrize(("run", "value", "result_dtype"), INTEGERS)
def test_integers(mode, run, value, result_dtype, dtype):
    out = run(dtype)
    assert out.dtype == (result_dtype or dtype)
    np.testing.assert_allclose(out.asnumpy(), value, rtol=1e-6)


@pytest.mark.parametrize("dtype", [ms.uint8, ms.int16])
def test_boxes_of_small_integers(mode, dtype):
    found = ops.check_valid(of([[0, 0, 3, 3], [0, 0, 9, 9]], dtype), of([5, 5, 1], dtype))
    assert found.asnumpy().tolist() == [True, False]


def test_counts_of_floats():
    counts = ops.bincount(of([1, 2, 2]))
    assert counts.dtype == ms.float32 and counts.asnumpy().tolist() == [0, 1, 2]
    assert ops.histc(of([1, 2, 2], ms.float16), 3).dtype == ms.float32


def test_targets_of_a_hinge_count_by_their_sign(mode):
    loss = ops.hinge_embedding_loss(of([1, 2, 3]), of([0, 2, -3]), 5.0, "none")
    assert loss.asnumpy().tolist() == [0, 2, 2]


def test_a_scalar_stays_one_under_prelu(mode):
    x, weight = of(-0.8), of([0.6])
    out = ops.prelu(x, weight)
    dx, dw = ms.grad(ops.prelu, (0, 1))(x, weight)
    assert out.shape == dx.shape == () and dw.shape == (1,)
    np.testing.assert_allclose([out.asnumpy(), dx.asnumpy(), dw.asnumpy()[0]], [-0.48, 0.6, -0.8], rtol=1e-6)


def test_overlaps_of_boxes_without_an_area(mode):
    boxes = of([[4, 2, 1, 4], [3, 3, 2, 2]])
    np.testing.assert_array_equal(ops.iou(boxes, boxes).asnumpy(), np.zeros((2, 2)))
    *_, stays = ops.NMSWithMask(0.7)(of([[70, 70, 45, 75, 0.6], [30, 33, 43, 29, 0.1]]))
    assert stays.asnumpy().tolist() == [True, True]


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


def test_cuts_out_of_order(mode):
    pieces = ops.tensor_split(Tensor(np.arange(12)), [-18, -10, -14, 2])
    assert [piece.asnumpy().tolist() for piece in pieces] == [[], [0, 1], [], [0, 1], list(range(2, 12))]


def test_rows_by_a_tensor(mode):
    x, v = of([[1, 2], [3, 4]]), of([[9, 9]])
    for rows in (Tensor([1], ms.int32), Tensor([-1], ms.int64)):
        assert ops.inplace_update(x, v, rows).asnumpy().tolist() == [[1, 2], [9, 9]]
        assert ms.jit(ops.inplace_update)(x, v, rows).asnumpy().tolist() == [[1, 2], [9, 9]]
    for rows in (Tensor([5], ms.int32), Tensor(1, ms.int32)):
        with pytest.raises(RuntimeError):
            ops.inplace_update(x, v, rows)
    with pytest.raises(TypeError):
        ops.inplace_add(x, v, Tensor([1], ms.int32))


def test_gradients_of_an_integer_in_a_product_with_floats(mode):
    x, y = Tensor(np.array([[0, 1]])), of([[0.5], [2.0]])
    by_einsum = ms.grad(lambda x, y: mint.einsum("ij,jk->ik", x, y), (0, 1))(x, y)
    for found, expected in zip(by_einsum, ([[0, 2]], [[0], [1]]), strict=True):
        assert found.asnumpy().tolist() == expected
    assert by_einsum[0].dtype == ms.int64 and by_einsum[1].dtype == ms.float32


def test_sizes_of_adaptive_maxima_as_lists(mode):
    cube = of(CUBE)
    assert nn.AdaptiveMaxPool3d([1, 1, 2])(cube).asnumpy().tolist() == [[[[7, 8]]]]
    assert nn.AdaptiveMaxPool2d([1, 2])(cube).shape == (1, 2, 1, 2)
    with pytest.raises(TypeError):
        nn.AdaptiveAvgPool3d([1, 1, 2])


PADDED = [
    ("ConstantPad2d", ((0, 1), 0.5), (4,), (5,)),
    ("ConstantPad3d", ((1, 0, 0, 1), 0.5), (3, 4), (4, 5)),
    ("ConstantPad3d", ((-1, 0), 0.5), (3, 4), (3, 3)),
    ("ZeroPad2d", ((0, 1),), (2, 3, 4), (2, 3, 5)),
    ("ReflectionPad1d", (1,), (2, 2, 3, 4), (2, 2, 3, 6)),
    ("ReflectionPad1d", ((1, 0, 0, 1),), (3, 4), (4, 5)),
    ("ReflectionPad3d", ((0, 1),), (4,), (5,)),
]


@pytest.mark.parametrize(("layer", "arguments", "shape", "padded"), PADDED)
def test_paddings_of_other_axes_than_the_name_tells(mode, layer, arguments, shape, padded):
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    out = getattr(nn, layer)(*arguments)(Tensor(x))
    assert out.shape == padded
    if layer.startswith("Reflection"):
        pairs = np.array(arguments[0] if isinstance(arguments[0], tuple) else (1, 1)).reshape(-1, 2)[::-1]
        width = [(0, 0)] * (x.ndim - len(pairs)) + [tuple(pair) for pair in pairs]
        np.testing.assert_array_equal(out.asnumpy(), np.pad(x, width, mode="reflect"))


@pytest.mark.parametrize("padding", [(1, 1, 1), (1,), (1, 0, 0, 1, 1, 1)])
def test_paddings_of_too_many_axes_or_an_odd_number(padding):
    with pytest.raises(ValueError):
        nn.ConstantPad2d(padding, 0.5)
    with pytest.raises(TypeError):
        nn.ConstantPad2d((1, "b"), 0.5)


def test_lengths_beyond_the_times_of_a_greedy_decoder():
    scores = of(np.random.RandomState(0).rand(2, 2, 3))
    with pytest.raises(RuntimeError):
        ops.ctc_greedy_decoder(scores, Tensor([5, 2], ms.int32))
    places, values, shape, sums = ops.ctc_greedy_decoder(scores, Tensor([-1, 1], ms.int32))
    assert places.shape == (0, 2) and values.shape == (0,) and shape.asnumpy().tolist() == [2, 0]
    np.testing.assert_allclose(sums.asnumpy(), [[0], [-0.64589411]], rtol=1e-6)


@pytest.mark.parametrize("x", [2, 2.5, True])
def test_what_is_no_tensor_is_not_shuffled(x):
    with pytest.raises(TypeError):
        ops.shuffle(x, seed=3)
