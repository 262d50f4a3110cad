"""Attention by fused kernels: where they are called, with what, and that they compute the formula.

Programs for accelerators are lowered, which needs neither an accelerator nor its compiler; the TPU's kernel is run as
operations of JAX.
"""

import json
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat._core.settings import device
from ms_compat._core.tensor import wrap
from ms_compat.ops.function.attention import kernels
from ms_compat.ops.function.attention import scaled_dot_product as core
from ms_compat.ops.function.attention.bands import Band, band_of

LATER = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))
KERNELS = {"gpu": "__cudnn$fmhaSoftmax", "tpu": "tpu_custom_call"}


def program(
    platform, length=512, dtype=ms.bfloat16, size=64, sums=False, devices=1, keys=None, gradient=False, **given
):  # fmt: skip
    """The StableHLO of attention with 8 heads, of which two share a head of the keys, for a platform."""
    settings = {"attn_mask": LATER, "sparse_mode": 2, "input_layout": "BNSD", **given}
    shapes = [(1, 8, length, size), *[(1, 4, keys or length, size)] * 2]

    def attention(*qkv):
        tensors = list(map(wrap, qkv))
        if sums:
            masks = {"attn_mask": settings["attn_mask"]}
            return ops.FlashAttentionScore(8, 1.0, 0.125, input_layout="BNSD", sparse_mode=2)(*tensors, **masks)[3]._v
        return ops.flash_attention_score(*tensors, 8, scalar_value=0.125, **settings)._v

    def step(*qkv):
        out, pull = jax.vjp(attention, *qkv)
        return pull(out) if gradient else out

    with device.planned(platform, (None,) * devices):
        traced = jax.jit(step).trace(*[jax.ShapeDtypeStruct(s, dtype.np_dtype) for s in shapes])
        return traced.lower(lowering_platforms=("cuda" if platform == "gpu" else platform,)).as_text()


def calls(text, platform):
    return text.count("custom_call @" + KERNELS[platform])


# for several devices the backward pass names the forward kernel again, which XLA leaves out
@pytest.mark.parametrize(("platform", "devices", "count"), [("gpu", 1, 2), ("gpu", 8, 3), ("tpu", 1, 3)])
def test_forward_and_backward(platform, devices, count):
    assert calls(program(platform, gradient=True, devices=devices), platform) == count


def others(platform, name, **given):
    """The StableHLO of other attentions of 8 heads, in BFloat16."""
    x = jax.ShapeDtypeStruct((512, 1, 512), jnp.bfloat16)

    def run(array):
        tensor, flat = wrap(array), wrap(array.transpose(1, 0, 2))
        if name == "MultiheadAttention":
            layer = ms.nn.MultiheadAttention(512, 8, given.pop("rate", 0.0), dtype=ms.bfloat16).set_train()
            return layer(tensor, tensor, tensor, **{"need_weights": False, **given})[0]._v
        if name == "TransformerEncoderLayer":
            layer = ms.nn.TransformerEncoderLayer(512, 8, 64, dtype=ms.bfloat16).set_train(False)
            return layer(tensor, **given)._v
        if name == "fused_infer_attention_score":
            return ops.fused_infer_attention_score(flat, flat, flat, num_heads=8, **given)[0]._v
        return getattr(ops, name)(flat, flat, flat, num_heads=8, **given)._v

    with device.planned(platform, (None,)):
        traced = jax.jit(run).trace(x)
        return traced.lower(lowering_platforms=("cuda" if platform == "gpu" else platform,)).as_text()


@pytest.mark.parametrize("platform", KERNELS)
@pytest.mark.parametrize(
    ("name", "given", "elsewhere"),
    [
        ("MultiheadAttention", {}, {"need_weights": True}),
        ("MultiheadAttention", {}, {"key_padding_mask": Tensor(np.zeros((1, 512), bool))}),
        ("MultiheadAttention", {}, {"rate": 0.1}),
        ("TransformerEncoderLayer", {}, {"src_mask": Tensor(np.zeros((512, 512), bool))}),
        ("prompt_flash_attention", {"sparse_mode": 2}, {"actual_seq_lengths_kv": [100]}),
        ("fused_infer_attention_score", {}, {"softmax_lse_flag": True}),
    ],
)
def test_other_attentions(platform, name, given, elsewhere):
    assert calls(others(platform, name, **given), platform) == 1
    assert calls(others(platform, name, **elsewhere), platform) == 0


def cudnn(**given):
    """What cuDNN's call says."""
    text = program("gpu", **given)
    config = re.search(r'backend_config = "((?:[^"\\]|\\.)*fmha(?:[^"\\]|\\.)*)"', text).group(1)
    found = json.loads(config.replace("\\22", '"'))["cudnn_fmha_backend_config"]
    return found["mask_type"], found["fmha_scale"], found["sliding_window_length"], found["dropout_rate"]


def test_what_cudnn_is_asked():
    assert cudnn() == ("CAUSAL", 0.125, 0, 0.0)
    assert cudnn(sparse_mode=0, attn_mask=None) == ("NO_MASK", 0.125, 0, 0.0)
    assert cudnn(sparse_mode=4, pre_tokens=100, next_tokens=0) == ("CAUSAL", 0.125, 101, 0.0)  # the query's own, too


MASK = Tensor(np.zeros((512, 512), bool))
ELSE = {
    "gpu": [
        {"dtype": ms.float32}, {"length": 128}, {"size": 60}, {"size": 256}, {"keys": 1024},
        {"sparse_mode": 4, "next_tokens": 3}, {"sparse_mode": 1, "attn_mask": MASK}, {"keep_prob": 0.5},
        {"real_shift": Tensor(np.zeros((1, 8, 512, 512), np.float32)).astype(ms.bfloat16)},
    ],
    "tpu": [
        {"dtype": ms.float16}, {"length": 500}, {"size": 72}, {"devices": 4},
        {"sparse_mode": 0, "attn_mask": MASK}, {"sparse_mode": 3, "keys": 256}, {"keep_prob": 0.5},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("platform", "given"), [(p, given) for p, every in ELSE.items() for given in every], ids=str)
def test_what_no_kernel_serves(platform, given):
    assert calls(program(platform, **given), platform) == 0


@pytest.mark.parametrize(("platform", "count"), [("gpu", 2), ("tpu", 3)])
def test_a_program_that_reads_no_sums_calls_a_kernel(platform, count):
    assert calls(program(platform, sums=True, gradient=True), platform) == count


def test_the_sums_of_a_compiled_program_are_the_formula_s():
    draw = np.random.default_rng(0).standard_normal
    qkv = [Tensor(draw((1, 8, 64, 16)).astype(np.float32)) for _ in range(3)]
    score = ops.FlashAttentionScore(8, 1.0, 0.125, input_layout="BNSD", sparse_mode=2)
    compiled = ms.jit(lambda *x: score(*x, attn_mask=LATER))
    for one, other in zip(compiled(*qkv), score(*qkv, attn_mask=LATER), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_without_kernels(monkeypatch):
    monkeypatch.setenv("MS_COMPAT_FUSED_ATTENTION", "0")
    assert calls(program("gpu"), "gpu") == calls(program("tpu"), "tpu") == 0


def test_a_refused_mask_is_refused_by_all():
    with pytest.raises(TypeError, match="attn_mask"):
        program("gpu", attn_mask=Tensor(np.zeros((512, 512), np.float32)))


@pytest.mark.parametrize("platform", KERNELS)
def test_forward_mode_takes_the_formula(platform):
    x = Tensor(np.zeros((1, 8, 512, 64), np.float32)).astype(ms.bfloat16)

    def derivative(array):
        def of(q):
            return ops.flash_attention_score(q, x, x, 8, attn_mask=LATER, sparse_mode=2, input_layout="BNSD")

        return ms.jvp(of, wrap(array), x)[1]._v

    with device.planned(platform, (None,)):
        text = str(jax.make_jaxpr(derivative)(x._v))
    assert "pallas_call" not in text and "dot_product_attention_fwd" not in text


@pytest.mark.parametrize("mode", [0, 2, 3, 4])
@pytest.mark.parametrize("sizes", [(5, 5), (3, 7), (7, 3)])
def test_bands_are_what_the_modes_see(mode, sizes):
    band = band_of(mode, None, 2, 1, sizes)
    expected = core.visible("attend", core.plain_places(*sizes), None, mode, 2, 1)
    rows = band.rows(0, *sizes)
    assert (rows is None) == (expected is None)
    if rows is not None:
        np.testing.assert_array_equal(rows, expected)
        assert band.sees_some(*sizes) == bool(np.asarray(rows).any(1).all())


def arrays(rows, keys, dtype=jnp.float32):
    draw = np.random.default_rng(0).standard_normal
    shapes = ((1, 2, rows, 64), (1, 1, keys, 64), (1, 1, keys, 64))
    return [jnp.asarray(draw(shape), dtype) for shape in shapes]


def by_formula(query, key, value, band):
    seen = None if band == Band() else lambda start, count: band.rows(start, count, key.shape[2])
    return core.attend(query, key, value, 0.125, seen).out


@pytest.mark.parametrize(
    ("band", "rows", "keys"),
    [
        (Band(128, None, 0), 128, 256),
        pytest.param(Band(), 128, 256, marks=pytest.mark.accelerators),
        pytest.param(Band(-128, 200, 140), 256, 128, marks=pytest.mark.accelerators),
    ],
    ids=str,
)
def test_the_kernel_of_tpus_computes_the_formula(band, rows, keys):
    def both(attention):
        def run(*qkv):
            out, pull = jax.vjp(lambda *args: attention(*args, band), *qkv)
            return out, *pull(jnp.cos(out))

        return jax.jit(run)(*arrays(rows, keys))

    kernel = both(lambda q, k, v, band: kernels.attend("splash", q, k, v, 0.125, band, interpreted=True))
    for found, expected in zip(kernel, both(by_formula), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.accelerators
def test_the_kernel_of_several_devices_under_vmap():
    """Other queries, one set of keys, values mapped along another axis; `tests/parallel/devices.py` cuts the kernel."""
    query, key, value = arrays(128, 128)
    queries, values = jnp.stack([query, query + 1, -query]), jnp.stack([value, -value, value * 2], 2)

    def mapped(attention):
        def run(*qkv):
            out, pull = jax.vjp(attention, *qkv)
            return out, *pull(jnp.cos(out))

        return jax.jit(jax.vmap(run, (0, None, 2)))(queries, key, values)

    with device.planned("tpu", (None, None)):
        found = mapped(lambda q, k, v: kernels.attend("splash", q, k, v, 0.125, Band(0, None, 0), interpreted=True))
    for a, b in zip(found, mapped(lambda q, k, v: by_formula(q, k, v, Band(0, None, 0))), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


@pytest.mark.accelerators
def test_gradients_of_gradients():
    query, key, value = arrays(128, 128)

    def second(attention):
        def first(q):
            return (jax.grad(lambda q: (attention(q, key, value, Band(0, None, 0)) ** 2).sum())(q) ** 2).sum()

        return jax.jit(jax.grad(first))(query)

    kernel = second(lambda q, k, v, band: kernels.attend("splash", q, k, v, 0.125, band, interpreted=True))
    expected = second(by_formula)
    np.testing.assert_allclose(kernel, expected, rtol=1e-4, atol=1e-5 * float(jnp.abs(expected).max()))
