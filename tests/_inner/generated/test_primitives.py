"""Inner primitives of quantization and caches, against NumPy and the operations they belong to."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor
from ms_compat._inner.generated import primitives as generated
from ms_compat._names import resolve

RNG = np.random.default_rng(5)


def rand(*shape):
    return Tensor(RNG.normal(size=shape).astype(np.float32))


def test_quantization_rounds_and_saturates():
    quantize = resolve.inner_module("mindspore.ops.operations._infer_ops").QuantV2()
    x, scale, offset = Tensor([100.0, 0.6, -3.0]), Tensor([80.0, 1.0, 50.0]), Tensor([0.0, 2.0, 1.0])
    out = quantize(x, scale, offset, False, "Round", ms.int8)
    assert out.dtype is ms.int8 and out.asnumpy().tolist() == [127, 3, -128]
    with pytest.raises(ValueError, match="sizes"):
        quantize(x, scale[:1], offset)
    with pytest.raises(ValueError, match="sqrt_mode"):
        quantize(x, scale, offset, True)


@pytest.mark.parametrize("kind", [ms.int8, ms.qint4x2])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("group", [0, 4])
def test_products_with_quantized_weights(kind, transposed, group):
    draw = np.random.RandomState(0)
    x, weight = draw.rand(2, 3, 8).astype(np.float32), draw.randint(-8, 8, (8, 5)).astype(np.int8)
    scale, offset = (
        draw.rand(8 // (group or 8), 5).astype(np.float32),
        draw.rand(8 // (group or 8), 5).astype(np.float32),
    )
    full = np.repeat(scale, group or 8, 0), np.repeat(offset, group or 8, 0)
    bias = draw.rand(5).astype(np.float32)
    expected = x @ ((weight + full[1]) * full[0]) + bias
    product = generated.WeightQuantBatchMatmul(False, transposed, group)
    flip = (lambda a: a.T) if transposed else (lambda a: a)
    given = Tensor(flip(weight), dtype=kind), Tensor(flip(scale)), Tensor(flip(offset))
    out = product(Tensor(x), *given, None, None, Tensor(bias))
    assert out.dtype is ms.float32
    np.testing.assert_allclose(out.asnumpy(), expected, rtol=1e-5)
    small = product(Tensor(x), *given, Tensor(np.float32([0.5])), Tensor(np.float32([3])), Tensor(bias))
    assert small.dtype is ms.int8
    np.testing.assert_array_equal(small.asnumpy(), np.clip(np.round(expected * 0.5 + 3), -128, 127))


def test_what_a_product_with_quantized_weights_refuses():
    product, scale = generated.WeightQuantBatchMatmul(), Tensor(np.float16([1]))
    x, weight = Tensor(np.ones((2, 3), np.float16)), Tensor(np.ones((3, 4)), dtype=ms.qint4x2)
    assert product(x, weight, scale).asnumpy().tolist() == [[3.0] * 4] * 2
    with pytest.raises(ValueError, match="2 dimensions"):
        product(x, weight[0], scale)
    with pytest.raises(ValueError, match="do not fit"):
        product(x, Tensor(np.ones((2, 4)), dtype=ms.qint4x2), scale)
    with pytest.raises(TypeError, match="Int8 or Int4"):
        product(x, weight.astype(ms.float16), scale)
    with pytest.raises(TypeError, match="transpose_x"):
        generated.WeightQuantBatchMatmul(1)


def test_values_of_four_bits_are_int8_in_numpy():
    array = Tensor(np.float16([-8, 0, 7]), dtype=ms.qint4x2).asnumpy()
    assert array.dtype == np.int8 and array.tolist() == [-8, 0, 7]


def test_dynamic_quantization_takes_a_step_for_each_row():
    x = np.float16([[1, -2, 0.5], [0, 0, 0], [300, 4, -30]])
    values, steps = generated.DynamicQuantExt()(Tensor(x))
    assert values.dtype is ms.int8 and steps.dtype is ms.float32
    np.testing.assert_allclose(steps.asnumpy(), np.abs(x.astype(np.float32)).max(-1) / 127, rtol=1e-6)
    assert values.asnumpy().tolist() == [[64, -127, 32], [0, 0, 0], [127, 2, -13]]
    smooth = Tensor(np.float16([2, 0, 1]))
    assert generated.DynamicQuantExt()(Tensor(x), smooth)[0].asnumpy()[0].tolist() == [127, 0, 32]


def test_products_of_groups_are_added_in_place():
    x, w, out = rand(7, 3), rand(7, 2), Tensor(np.ones((3, 3, 2), np.float32))
    ends = [2, 2, 6]
    expected = np.ones((3, 3, 2), np.float32)
    for group, (a, b) in enumerate(zip([0, *ends], ends, strict=False)):
        expected[group] += x.asnumpy()[a:b].T @ w.asnumpy()[a:b]
    assert generated.InplaceGroupedMatmulAdd()(x, w, Tensor(ends), out) is out
    np.testing.assert_allclose(out.asnumpy(), expected, rtol=1e-5)
    flat = Tensor(np.zeros((9, 2), np.float32))
    generated.InplaceGroupedMatmulAdd()(x, w, Tensor(ends), flat)
    np.testing.assert_allclose(flat.asnumpy(), expected.reshape(9, 2) - 1, rtol=1e-5, atol=1e-6)
    with pytest.raises(TypeError, match="dtypes"):
        generated.InplaceGroupedMatmulAdd()(x, w.astype(ms.float16), Tensor(ends), out)


@pytest.mark.parametrize("axis", [-1, -2])
def test_a_cache_is_written_at_a_place_for_each_sequence(axis):
    cache = Parameter(Tensor(np.zeros((2, 1, 3, 4), np.float32)), name="c")
    new = rand(2, 1, 3, 1) if axis == -1 else rand(2, 1, 1, 4)
    expected = np.zeros((2, 1, 3, 4), np.float32)
    for b, at in enumerate((2, 0)):
        np.moveaxis(expected[b], axis, 0)[at] = np.moveaxis(new.asnumpy()[b], axis, 0)[0]
    assert generated.KVCacheScatterUpdate()(cache, Tensor([2, 0]), new, axis, "update") is cache
    np.testing.assert_array_equal(cache.asnumpy(), expected)
    with pytest.raises(ValueError, match="axis"):
        generated.KVCacheScatterUpdate()(cache, Tensor([2, 0]), new, 0)
