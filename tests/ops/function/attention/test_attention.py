"""Attention and its relatives against NumPy from the documented formulas: MindSpore has kernels on Ascend alone."""

import math

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, nn, ops
from ms_compat.nn.layer.flash_attention import FlashAttention

FlashAttentionScore = ops.operations.nn_ops.FlashAttentionScore
RNG = np.random.RandomState(0)
B, N, G, S, T, D = 2, 4, 2, 3, 5, 8  # batch, heads, heads of keys, queries, keys, size of a head
Q, K, V = (RNG.randn(B, n, s, D).astype(np.float32) for n, s in ((N, S), (G, T), (G, T)))
SCALE = 0.3


def by_hand(q, k, v, seen, scale=SCALE, early=0.0, late=0.0):
    """[B, N, S, D] of Float64, maxima and sums; `seen` broadcasts to [B, N, S, T]."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = (q @ k.swapaxes(-1, -2) + early) * scale + late
    scores = np.where(np.broadcast_to(seen, scores.shape), scores, -np.inf)
    high = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(high), high, 0))
    total = weights.sum(-1, keepdims=True)
    return weights / np.where(total > 0, total, 1) @ v, high, total


def shaped(x, layout):
    """A layout from [B, N, S, D]."""
    swapped = x.transpose(0, 2, 1, 3)
    flat = swapped.reshape(*swapped.shape[:2], -1)
    return {"BNSD": x, "BSND": swapped, "BSH": flat, "SBH": flat.transpose(1, 0, 2)}[layout]


def close(got, wanted, tolerance=1e-5):
    assert tuple(got.shape) == wanted.shape
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=tolerance, atol=tolerance)


def both(fn, *args, **kwargs):
    """The result of PYNATIVE, after a look that compiled code has the same."""
    out, compiled = fn(*args, **kwargs), ms.jit(lambda *a: fn(*a, **kwargs))(*args)
    for a, b in zip(*[x if isinstance(x, tuple) else (x,) for x in (out, compiled)], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-5, atol=1e-6)
    return out


ROWS, COLUMNS = np.arange(S)[:, None], np.arange(T)
MASK = np.random.RandomState(1).rand(S, T) > 0.6
MODES = {
    0: np.ones((S, T), bool),
    2: COLUMNS <= ROWS,
    3: COLUMNS <= ROWS + T - S,
    4: (COLUMNS - ROWS - (T - S) <= 0) & (COLUMNS - ROWS - (T - S) >= -1),
}


@pytest.mark.parametrize("layout", ["BNSD", "BSND", "BSH", "SBH"])
@pytest.mark.parametrize("mode", MODES)
def test_layouts_and_modes(layout, mode):
    tensors = [Tensor(shaped(x, layout)) for x in (Q, K, V)]
    out = both(ops.flash_attention_score, *tensors, head_num=N, input_layout=layout, scalar_value=SCALE,
               sparse_mode=mode, pre_tokens=1, next_tokens=0)  # fmt: skip
    close(out, shaped(by_hand(Q, K, V, MODES[mode])[0], layout))


def test_masks_position_encodings_and_statistics():
    tensors = [Tensor(x) for x in (Q, K, V)]
    shift = RNG.randn(1, N, S, T).astype(np.float32)
    wanted = by_hand(Q, K, V, ~MASK, early=shift)
    high, total, _, out = FlashAttentionScore(N, scale_value=SCALE, input_layout="BNSD", sparse_mode=1)(
        *tensors, Tensor(shift), None, None, Tensor(MASK)
    )
    close(out, wanted[0])
    close(high, np.repeat(wanted[1], 8, -1)), close(total, np.repeat(wanted[2], 8, -1))
    band = (ROWS - COLUMNS <= 1) & (COLUMNS - ROWS <= 2) & ~MASK
    out = ops.flash_attention_score(
        *tensors, N, attn_mask=Tensor(MASK.astype(np.uint8)), scalar_value=SCALE, pre_tokens=1, next_tokens=2,
        input_layout="BNSD",
    )  # fmt: skip
    close(out, by_hand(Q, K, V, band)[0])
    batches = np.stack([MASK, ~MASK])[:, None]
    out = ops.flash_attention_score(*tensors, N, attn_mask=Tensor(batches), scalar_value=SCALE, input_layout="BNSD")
    close(out, by_hand(Q, K, V, ~batches)[0])
    prefix = MODES[3] | (COLUMNS < np.array([1, 4]).reshape(2, 1, 1, 1))
    out = ops.flash_attention_score(*tensors, N, prefix=(1, 4), scalar_value=SCALE, input_layout="BNSD", sparse_mode=5)
    close(out, by_hand(Q, K, V, prefix)[0])
    nothing = ops.flash_attention_score(*tensors, N, attn_mask=Tensor(np.ones((S, T), bool)), input_layout="BNSD")
    assert not nothing.asnumpy().any()


@pytest.mark.parametrize("mode", [0, 2, 3])
def test_packed_sequences(mode):
    ends, key_ends = [2, 5], [3, 8]
    q, k, v = (RNG.randn(n, h, D).astype(np.float32) for n, h in ((5, N), (8, G), (8, G)))
    parts = []
    for a, b, c, d in ((0, 2, 0, 3), (2, 5, 3, 8)):
        rows, columns = np.arange(b - a)[:, None], np.arange(d - c)
        seen = {0: rows >= 0, 2: columns <= rows, 3: columns <= rows + (d - c) - (b - a)}[mode]
        one = [x[None].swapaxes(1, 2) for x in (q[a:b], k[c:d], v[c:d])]
        parts.append(by_hand(*one, seen)[0][0].swapaxes(0, 1))
    run = FlashAttentionScore(N, scale_value=SCALE, input_layout="TND", sparse_mode=mode)
    _, total, _, out = run(*map(Tensor, (q, k, v)), actual_seq_qlen=ends, actual_seq_kvlen=Tensor(key_ends))
    close(out, np.concatenate(parts))
    assert total.shape == (5, N, 8)


def test_the_gradient_is_that_of_plain_attention():
    weights = np.cos(np.arange(B * N * S * D)).reshape(B, N, S, D).astype(np.float32)

    def loss(q, k, v):
        out = ops.flash_attention_score(q, k, v, N, scalar_value=SCALE, input_layout="BNSD", sparse_mode=3)
        return (out * Tensor(weights)).sum()

    def plain(q, k, v):
        import jax.numpy as jnp

        k, v = (jnp.repeat(x, N // G, 1) for x in (k, v))
        scores = jnp.where(MODES[3], q @ k.swapaxes(-1, -2) * SCALE, -1e30)
        return (jax.nn.softmax(scores, -1) @ v * weights).sum()

    wanted = jax.grad(plain, (0, 1, 2))(Q, K, V)
    got = ms.grad(loss, (0, 1, 2))(*map(Tensor, (Q, K, V)))
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b, rtol=1e-4, atol=1e-5)


def test_dropout_keeps_the_bits_of_a_mask_or_a_share():
    keys, values = RNG.randn(B, N, 8, D).astype(np.float32), np.eye(8, D, dtype=np.float32)
    values = np.broadcast_to(values, (B, N, 8, D)).copy()  # the output shows the weights
    bits = RNG.randint(0, 256, (B, N, S, 1)).astype(np.uint8)
    kept = np.unpackbits(bits, -1, bitorder="little").astype(bool)
    tensors = [Tensor(x) for x in (Q, keys, values)]
    full = ops.flash_attention_score(*tensors, N, input_layout="BNSD").asnumpy()
    out = ops.flash_attention_score(*tensors, N, drop_mask=Tensor(bits), keep_prob=0.5, input_layout="BNSD")
    close(out, np.where(kept, full * 2, 0))
    ms.set_seed(1)
    first, second = (ops.flash_attention_score(*tensors, N, keep_prob=0.5, input_layout="BNSD") for _ in range(2))
    ms.set_seed(1)
    again = ops.flash_attention_score(*tensors, N, keep_prob=0.5, input_layout="BNSD")
    np.testing.assert_array_equal(first.asnumpy(), again.asnumpy())
    assert (first.asnumpy() != second.asnumpy()).any()
    shown = first.asnumpy()
    np.testing.assert_allclose(shown[shown != 0], (full * 2)[shown != 0], rtol=1e-5)
    assert 0.2 < (shown != 0).mean() < 0.8


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_half_precision_sums_in_float32(dtype):
    out = ops.flash_attention_score(*[Tensor(x).astype(dtype) for x in (Q, K, V)], N, scalar_value=SCALE,
                                    input_layout="BNSD")  # fmt: skip
    assert out.dtype is dtype
    np.testing.assert_allclose(out.astype(ms.float32).asnumpy(), by_hand(Q, K, V, MODES[0])[0], rtol=0.1, atol=0.03)


def test_speed_fusion_attention():
    tensors = [Tensor(x) for x in (Q, K, V)]
    late = RNG.randn(B, N, S, T).astype(np.float32)
    slopes = RNG.rand(N).astype(np.float32)
    distance = np.abs(ROWS + 2 - COLUMNS - 1)
    for kind, pse, place in (
        (0, late, {"late": late}), (1, late, {"early": late}), (2, slopes, {"late": -slopes[:, None, None] * distance}),
        (3, slopes, {"late": -slopes[:, None, None] * np.sqrt(distance)}),
    ):  # fmt: skip
        out = ops.speed_fusion_attention(
            *tensors, N, "BNSD", pse=Tensor(pse), scale=SCALE, pse_type=kind, q_start_idx=(2,), kv_start_idx=(1,)
        )
        wanted = by_hand(Q, K, V, MODES[0], **place)
        close(out[0], wanted[0]), close(out[1], np.repeat(wanted[1], 8, -1)), close(out[2], np.repeat(wanted[2], 8, -1))
        assert len(out) == 7 and [int(n) for n in out[4:]] == [0, 0, 0]


def test_ring_attention_update_joins_parts_of_the_keys():
    run = FlashAttentionScore(N, scale_value=SCALE, input_layout="SBH")
    q, k, v = (shaped(x, "SBH") for x in (Q, K, V))
    parts = [run(Tensor(q), Tensor(k[at]), Tensor(v[at])) for at in (slice(0, 2), slice(2, None))]
    arguments = [x for high, total, _, out in parts for x in (out, high, total)]
    out, high, total = both(ops.ring_attention_update, *arguments)
    wanted = run(Tensor(q), Tensor(k), Tensor(v))
    close(out, wanted[3].asnumpy()), close(high, wanted[0].asnumpy()), close(total, wanted[1].asnumpy())
    with pytest.raises(RuntimeError, match="actual_seq_qlen"):
        ops.ring_attention_update(*arguments, layout="TND")


def test_prompt_flash_attention():
    tensors = [Tensor(shaped(x, "BSH")) for x in (Q, K, V)]
    shift = RNG.randn(1, N, S, T).astype(np.float32)
    out = both(ops.prompt_flash_attention, *tensors, num_heads=N, num_key_value_heads=G, scale_value=SCALE,
               attn_mask=Tensor(MASK), actual_seq_lengths=[3, 2], actual_seq_lengths_kv=[5, 4],
               next_tokens=2147483647, pse_shift=Tensor(shift))  # fmt: skip
    seen = ~MASK & (COLUMNS < np.array([5, 4]).reshape(2, 1, 1, 1)) & (ROWS < np.array([3, 2]).reshape(2, 1, 1, 1))
    close(out, shaped(by_hand(Q, K, V, seen, late=shift)[0], "BSH"))
    with pytest.raises(ms.UnsupportedError, match="quant_scale2"):
        ops.prompt_flash_attention(*tensors, num_heads=N, quant_scale2=Tensor([1.0]))


def test_incre_flash_attention_and_pages():
    q = Q[:, :, :1]
    mask = np.array([[False] * 5, [True, False, False, True, False]])
    out = both(ops.incre_flash_attention, *map(Tensor, (q, K, V)), num_heads=N, num_key_value_heads=G,
               input_layout="BNSD", scale_value=SCALE, attn_mask=Tensor(mask), actual_seq_lengths=(4, 5))  # fmt: skip
    seen = ~mask[:, None, None] & (COLUMNS < np.array([4, 5]).reshape(2, 1, 1, 1))
    wanted = by_hand(q, K, V, seen)[0]
    close(out, wanted)
    listed = [[Tensor(x[i : i + 1]) for i in range(B)] for x in (K, V)]
    again = ops.incre_flash_attention(Tensor(q), *listed, num_heads=N, num_key_value_heads=G, input_layout="BNSD",
                                      scale_value=SCALE, attn_mask=Tensor(mask), actual_seq_lengths=(4, 5))  # fmt: skip
    close(again, wanted)
    scale = np.array([0.5, 0.25], np.float32).reshape(2, 1, 1, 1) * np.ones((2, G, 1, D), np.float32)
    ints = [RNG.randint(-9, 9, (B, G, T, D)).astype(np.int8) for _ in range(2)]
    out = ops.incre_flash_attention(Tensor(q), *map(Tensor, ints), num_heads=N, num_key_value_heads=G,
                                    input_layout="BNSD", antiquant_scale=Tensor(scale))  # fmt: skip
    close(out, by_hand(q, ints[0] * 0.5, ints[1] * 0.25, MODES[0][:1], scale=1.0)[0])


def test_fused_infer_attention_score():
    tensors = [Tensor(x) for x in (Q, K, V)]
    out, lse = ops.fused_infer_attention_score(
        *tensors, num_heads=N, num_key_value_heads=G, scale=SCALE, input_layout="BNSD_BSND", sparse_mode=3,
        softmax_lse_flag=True,
    )  # fmt: skip
    wanted, high, total = by_hand(Q, K, V, MODES[3])
    close(out, shaped(wanted, "BSND")), close(lse, high + np.log(total))
    out, lse = ops.fused_infer_attention_score(Tensor(Q[:, :, :1]), *tensors[1:], num_heads=N, scale=SCALE,
                                               num_key_value_heads=G, input_layout="BNSD", sparse_mode=2)  # fmt: skip
    close(out, by_hand(Q[:, :, :1], K, V, MODES[0][:1])[0])
    assert lse.asnumpy().tolist() == [0.0]


def test_caches_of_pages():
    block, blocks, lengths = 2, 7, [5, 3]
    table = np.array([[3, 0, 5], [6, 1, 2]], np.int32)
    caches = [Parameter(Tensor(np.zeros((blocks, block, G, D), np.float32)), name=name) for name in "kv"]
    slots = np.concatenate(
        [[table[b, t // block] * block + t % block for t in range(n)] for b, n in enumerate(lengths)]
    )
    rows = [np.concatenate([x[b, :, :n].swapaxes(0, 1) for b, n in enumerate(lengths)]) for x in (K, V)]
    rows = [np.concatenate([x, np.full((1, G, D), 9, np.float32)]).reshape(-1, G * D) for x in rows]
    slots = np.append(slots, -1).astype(np.int32)  # the last token is not stored
    ops.ReshapeAndCache()(Tensor(rows[0]), Tensor(rows[1]), *caches, Tensor(slots))
    seen = COLUMNS < np.array(lengths).reshape(2, 1, 1, 1)
    q = Q[:, :, 0]
    wanted = by_hand(q[:, :, None], K, V, seen)[0][:, :, 0]
    tables = (Tensor(table), Tensor(np.array(lengths, np.int32)))
    paged = ops.PagedAttention(N, SCALE, G)
    close(both(paged, Tensor(q), *caches, *tables), wanted)
    close(paged(Tensor(q.reshape(B, 1, -1)), *caches, *tables), wanted.reshape(B, 1, -1))
    alibi = RNG.randn(B, N, 1, 5).astype(np.float32)
    masked = ops.PagedAttentionMask(N, SCALE, G)(Tensor(q), *caches, *tables, alibi_mask=Tensor(alibi))
    close(masked, by_hand(q[:, :, None], K, V, seen, late=alibi)[0][:, :, 0])
    incre = ops.incre_flash_attention(
        Tensor(q.reshape(B, 1, -1)), *[Tensor(c.asnumpy().reshape(blocks, block, -1)) for c in caches], num_heads=N,
        num_key_value_heads=G, scale_value=SCALE, block_table=tables[0], block_size=block, actual_seq_lengths=lengths,
    )  # fmt: skip
    close(incre, wanted.reshape(B, 1, -1))


def test_rotary_embeddings():
    x = RNG.randn(2, 3, 4, 6).astype(np.float32)
    angles = RNG.rand(1, 1, 4, 3).astype(np.float32)
    for mode in (0, 1):
        spread = np.concatenate([angles] * 2, -1) if mode == 0 else np.repeat(angles, 2, -1)
        out = both(ops.rotary_position_embedding, Tensor(x), Tensor(np.cos(spread)), Tensor(np.sin(spread)), mode=mode)
        pairs = x[..., :3] + 1j * x[..., 3:] if mode == 0 else x[..., ::2] + 1j * x[..., 1::2]
        turned = pairs * np.exp(1j * angles)
        parts = [turned.real, turned.imag]
        wanted = np.concatenate(parts, -1) if mode == 0 else np.stack(parts, -1).reshape(x.shape)
        close(out, wanted)
    with pytest.raises(ValueError, match="mode"):
        ops.rotary_position_embedding(Tensor(x), Tensor(x), Tensor(x), 2)
    query = x[0, 0].reshape(2, 12)  # two tokens of two heads of 6
    table = np.concatenate([angles[0, 0]] * 2, -1)
    at = np.array([3, 1], np.int32)
    rotary = ops.ApplyRotaryPosEmb()
    out, _ = rotary(Tensor(query), Tensor(query), Tensor(np.cos(table)), Tensor(np.sin(table)), Tensor(at))
    rows = query.reshape(2, 2, 6)
    turned = (rows[..., :3] + 1j * rows[..., 3:]) * np.exp(1j * angles[0, 0][at])[:, None]
    close(out, np.concatenate([turned.real, turned.imag], -1).reshape(2, 12))


def test_add_rms_norm_is_rms_norm_of_the_sum():
    a, b, gamma = (RNG.randn(*s).astype(np.float32) for s in ((3, 4), (3, 4), (4,)))
    out, root, total = both(ops.add_rms_norm, *map(Tensor, (a, b, gamma)))
    x = a + b
    wanted = 1 / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)
    close(root, wanted), close(total, x), close(out, x * wanted * gamma)
    with pytest.raises(RuntimeError, match="shape"):
        ops.add_rms_norm(Tensor(a), Tensor(b[:2]), Tensor(gamma))


def test_experts_there_and_back():
    tokens = RNG.randn(4, 3).astype(np.float32)
    experts = np.array([[2, 0], [1, 2], [0, 1], [2, 1]], np.int32)
    rows, places = both(ops.moe_token_permute, Tensor(tokens), Tensor(experts))
    order = np.argsort(experts.reshape(-1), kind="stable")
    close(rows, tokens[order // 2])
    assert places.asnumpy().tolist() == np.argsort(order).tolist() and places.dtype is ms.int32
    share = RNG.rand(4, 2).astype(np.float32)
    close(ops.moe_token_unpermute(rows, places, Tensor(share)), tokens * share.sum(-1, keepdims=True))
    fewer, _ = ops.moe_token_permute(Tensor(tokens), Tensor(experts), 5)
    assert fewer.shape == (5, 3)
    printed = Tensor([5, 0, 3, 1, 2, 4], ms.int32)  # the documented example
    out, places = ops.moe_token_permute(Tensor(np.array([[1], [7], [2], [1], [2], [3]], np.float32)), printed)
    assert out.asnumpy().ravel().tolist() == [7, 1, 2, 2, 3, 1] and places.asnumpy().tolist() == [5, 0, 3, 1, 2, 4]
    with pytest.raises(ValueError, match="padded_mode"):
        ops.moe_token_permute(out, printed, padded_mode=True)


def test_moe_init_routing():
    x = Tensor(np.array([[0.1, 0.2, 0.3], [0.2, 0.7, 0.8], [0.3, 0.3, 0.5]], np.float32))
    experts = Tensor(np.array([[0, 1, 1], [2, 1, 1], [0, 0, 0]], np.int32))
    out = ops.moe_init_routing_v2(x, experts, 3, 2, 3, 1, 0, True)
    rows = x.asnumpy()
    close(out[0], np.stack([rows[[0, 2]], rows[[0, 0]], np.stack([rows[1], rows[1] * 0])]))
    assert out[1].asnumpy().tolist() == [0, 2, 3, 4, -1, -1, 1, -1, -1]  # the documented example
    assert out[3].asnumpy().tolist() == [4, 4, 1]
    rows, places, sums, _ = ops.moe_init_routing_v2(x, experts, 4, 0, 3, 0, 1, False)
    assert rows.shape == (4, 3) and sums.asnumpy().tolist() == [4, 8, 9]
    assert sorted(places.asnumpy().tolist()) == list(range(9))


def test_group_topk_leaves_the_best_groups():
    scores = Parameter(Tensor(np.array([[0.1, 0.9, 0.5, 0.6, 0.2, 0.3]], np.float32)), name="scores")
    ops.GroupTopk()(scores, Tensor(np.arange(8, dtype=np.int32)), 3, 1, 2)
    np.testing.assert_allclose(scores.asnumpy(), [[0, 0, 0.5, 0.6, 0, 0]], rtol=1e-6)


def test_deformable_attention_is_grid_sampling_of_each_map():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    sizes = [(3, 4), (2, 2)]
    value = RNG.randn(2, 16, 3, 8).astype(np.float32)
    places = RNG.rand(2, 5, 3, 2, 4, 2).astype(np.float32) * 1.2 - 0.1
    weight = RNG.rand(2, 5, 3, 2, 4).astype(np.float32)
    wanted, start = 0, 0
    for level, (h, w) in enumerate(sizes):
        part = torch.tensor(value[:, start : start + h * w]).permute(0, 2, 3, 1).reshape(6, 8, h, w)
        grid = torch.tensor(places[:, :, :, level] * 2 - 1).permute(0, 2, 1, 3, 4).reshape(6, 5, 4, 2)
        read = torch.nn.functional.grid_sample(part, grid, align_corners=False).reshape(2, 3, 8, 5, 4).numpy()
        wanted = wanted + (read * weight[:, :, :, level].transpose(0, 2, 1, 3)[:, :, None]).sum(-1)
        start += h * w
    arguments = (value, np.array(sizes, np.int32), np.array([0, 12], np.int32), places, weight)
    out = both(ops.multi_scale_deformable_attn_function, *map(Tensor, arguments))
    close(out, wanted.transpose(0, 3, 1, 2).reshape(2, 5, 24), 1e-4)


def test_the_layer_of_earlier_versions():
    x = [Tensor(RNG.randn(2, 2, 4, 8).astype(np.float32)) for _ in range(3)]
    mask = np.triu(np.ones((2, 4, 4), np.uint8), 1)
    out = FlashAttention(8, 2)(*x, Tensor(mask))
    close(out, by_hand(*[v.asnumpy() for v in x], ~mask.astype(bool)[:, None], 1 / math.sqrt(8))[0])


REFUSED = {
    "ops.flash_attention_score(x, x, x.astype(ms.float16), 4)": TypeError,
    "ops.flash_attention_score(x, x, x, 4, input_layout='HSB')": ValueError,
    "ops.flash_attention_score(x, x, x, 5)": ValueError,
    "ops.flash_attention_score(x, x, x, 0)": RuntimeError,
    "ops.flash_attention_score(x, x, x, 4, sparse_mode=9)": RuntimeError,
    "ops.flash_attention_score(x, x, x, 4, sparse_mode=6)": ms.UnsupportedError,
    "ops.flash_attention_score(x, x, x, 4, sparse_mode=1)": RuntimeError,
    "ops.flash_attention_score(x, x, x, 4, attn_mask=x)": TypeError,
    "ops.flash_attention_score(x, x, x, 4, attn_mask=ops.ones((7, 7), ms.bool_))": RuntimeError,
    "ops.flash_attention_score(x, x, x, 4, keep_prob=1.5)": ValueError,
    "ops.flash_attention_score(x, x, x, 4, padding_mask=x)": ValueError,
    "ops.flash_attention_score(x, x, x, 4, input_layout='TND')": ValueError,
    "ops.speed_fusion_attention(x, x, x, 4, 'BSH', pse_type=4)": ValueError,
    "ops.PagedAttention(4, 1.0, 4, mask_mode='TRAPEZOIDAL')(x, x, x, x, x)": ms.UnsupportedError,
    "ops.PagedAttention(4, 1.0, 4, 'PERCHANNEL')(x, x, x, x, x)": ms.UnsupportedError,
    "ops.PagedAttentionMask(4, 1.0, 4, 'PERTOKEN')(x, x, x, x, x)": ms.UnsupportedError,
    "ops.ApplyRotaryPosEmb(3)(x, x, x, x, x)": ms.UnsupportedError,
    "ops.moe_init_routing_v2(x[0], x[0], 0, 0, 0, 2, 0, False)": ValueError,
}


@pytest.mark.parametrize("expression", REFUSED)
def test_refusals(expression):
    with pytest.raises(REFUSED[expression]):
        eval(expression, {"ops": ops, "ms": ms, "x": ops.ones((2, 4, 32))})


def test_layers_with_the_defaults_of_pytorch():
    x = Tensor(RNG.randn(1, 3, 4, 4).astype(np.float32))
    for layer, same in (
        (nn.AvgPool2dExt(2), mint.nn.AvgPool2d(2)), (nn.MaxPool2dExt(2), mint.nn.MaxPool2d(2)),
        (nn.LayerNormExt(4), mint.nn.LayerNorm(4)), (nn.LogSoftmaxExt(1), mint.nn.LogSoftmax(1)),
        (nn.PReLUExt(), mint.nn.PReLU()),
    ):  # fmt: skip
        np.testing.assert_array_equal(layer(x).asnumpy(), same(x).asnumpy())
    assert nn.AvgPool1dExt(2)(x[0]).shape == (3, 4, 2) and nn.AvgPool3dExt(2)(x[None]).shape == (1, 1, 1, 2, 2)
    close(nn.L1LossExt()(x, x * 2), np.abs(x.asnumpy()).mean())
    close(ops.mse_loss_ext(x, x * 2), (x.asnumpy() ** 2).mean())
    assert ops.adaptive_avg_pool2d_ext(x, (2, None)).shape == (1, 3, 2, 4)
    close(ops.LogSoftmaxExt()(x, 1, None), ops.log_softmax(x, 1).asnumpy())
    close(ops.soft_shrink(x), ops.softshrink(x).asnumpy()), close(mint.npu_gelu(x), ops.gelu(x, "none").asnumpy())


def test_conv_tbc_is_conv1d_of_the_transposed():
    x, w, b = (RNG.randn(*s).astype(np.float32) for s in ((6, 2, 3), (3, 3, 4), (4,)))
    out = mint.conv_tbc(*map(Tensor, (x, w, b)), 1)
    other = ops.conv1d(Tensor(x.transpose(1, 2, 0)), Tensor(w.transpose(2, 1, 0)), Tensor(b), 1, "pad", 1)
    close(out, other.asnumpy().transpose(2, 0, 1))
