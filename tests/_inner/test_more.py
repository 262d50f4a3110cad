"""Inner primitives of attention, quantization and caches, against NumPy and the operations they belong to."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._inner.generated import primitives as generated
from ms_compat._inner.gradients import primitives as gradients
from ms_compat._names import aliases, resolve

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


def test_formats_and_indices_have_inner_names():
    module = resolve.inner_module("mindspore.ops.auto_generate")
    x = rand(2, 3)
    assert module.format_cast(x, 2) is x
    assert module.str_to_enum("FlashAttentionScore", "input_layout", "BSH") == "BSH"
    assert resolve.inner_module("mindspore.common.tensor")._TensorMeta is type(Tensor)
    assert module.index(x, [Tensor([1]), Tensor([2])]).asnumpy() == x.asnumpy()[1, 2]


def test_listed_cells_compute_in_single_precision():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,)))
    assert aliases.find("mindspore.train.amp._auto_black_list")(net, [nn.LayerNorm], ms.float16) is net
    out = net(rand(3, 2))
    assert out.dtype is ms.float16 and net[0](rand(3, 2)).dtype is ms.float16


def test_the_lists_of_mixed_precision_are_lists_of_classes():
    from ms_compat.train import amp

    assert amp.AMP_WHITE_LIST == ms.amp.get_white_list() and amp.AMP_BLACK_LIST == ms.amp.get_black_list()
    assert amp.AMP_BLACK_LIST is amp.AMP_BLACK_LIST
    rewrite = aliases.find("mindspore.train.amp._auto_mixed_precision_rewrite")
    net = rewrite(nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,))), ms.float16, white_list=[nn.Dense])
    assert net(rand(3, 2)).dtype is ms.float32 and net[0]._backbone(rand(3, 2)).dtype is ms.float16
    with pytest.raises(ValueError, match="one of"):
        rewrite(net, ms.float16)


def test_strategies_of_mixed_precision_are_described():
    amp = resolve.inner_module("mindspore._c_expression.amp")
    strategy = amp.create_amp_strategy(amp.AmpLevel.AmpO1, ms.float16, [("MatMul", [])], [])
    assert (strategy.get_amp_level(), strategy.get_amp_dtype()) == (amp.AmpLevel.AmpO1, ms.float16)
    assert (strategy.get_white_list(), strategy.get_black_list()) == ([("MatMul", [])], [])
    assert [level.name for level in amp.AmpLevel] == ["AmpO0", "AmpO1", "AmpO2", "AmpO3", "AmpAuto"]
    with pytest.raises(TypeError, match="level"):
        amp.create_amp_strategy("O1", ms.float16, [], [])
    with pytest.raises(ms.UnsupportedError, match="custom_mixed_precision"):
        amp.push_amp_strategy(amp.AmpLevel.AmpO1, ms.float16, [], [])
    with pytest.raises(ms.UnsupportedError, match="custom_mixed_precision"):
        amp.pop_amp_strategy()


def test_the_sum_of_local_norms_is_not_kept():
    ask = resolve.inner_module("mindspore.ops._grad_experimental.grad_comm_ops").get_squared_device_local_norm_param
    with pytest.raises(ValueError, match="dump_device_local_norm"):
        ask()
    ms.set_auto_parallel_context(dump_device_local_norm=True)
    try:
        with pytest.raises(ms.UnsupportedError, match="dump_device_local_norm"):
            ask()
    finally:
        ms.reset_auto_parallel_context()


def test_moving_memory_of_ascend_is_imported_and_refused():
    swap_cache = resolve.inner_module("mindspore._c_expression").swap_cache
    with pytest.raises(ms.UnsupportedError, match="swap_cache"):
        swap_cache(1, 2, 3, True)
