"""Attention to chosen keys, and the choice, against loops in NumPy; MindSpore has them for Ascend alone."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

RNG = np.random.default_rng(3)
BEGIN = RNG.bit_generator.state


@pytest.fixture(autouse=True)
def _same_numbers():
    RNG.bit_generator.state = BEGIN


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def tensors(*arrays):
    return [Tensor(a) for a in arrays]


def softmax_attention(q, keys, values, scale):
    """One query, the keys it sees: output, maximum, sum."""
    if not len(keys):
        return np.zeros(values.shape[-1]), 0, 0
    scores = keys @ q * scale
    weights = np.exp(scores - scores.max())
    return weights @ values / weights.sum(), scores.max(), weights.sum()


@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16])
def test_windows_stay_in_their_sequence(dtype):
    x, w, ends = normal(23, 2, 3), normal(4, 2), (9, 9, 12, 23)
    expected = []
    for a, b in zip((0, *ends), ends, strict=False):
        expected += [np.einsum("bnd,bn->nd", x[at : at + 4], w) for at in range(a, b - 3, 3)]
    x, w = (t.astype(dtype) for t in tensors(x, w))
    out = ops.nsa_compress(x, w, 4, 3, actual_seq_len=ends)
    assert out.dtype == dtype and out.shape == (len(expected), 2, 3)
    np.testing.assert_allclose(
        out.astype(ms.float32).asnumpy(), expected, rtol=0, atol=1e-5 if dtype == ms.float32 else 0.1
    )
    gradient = ms.grad(lambda w: ops.nsa_compress(x, w, 4, 3, actual_seq_len=ends).sum())(w)
    assert gradient.shape == (4, 2) and gradient.dtype == dtype


def test_queries_attend_to_chosen_blocks():
    q, k, v = normal(6, 4, 3), normal(20, 2, 3), normal(20, 2, 2)
    at = RNG.integers(0, 4, (6, 2, 2)).astype(np.int32)
    at[0] = [[-1, 9], [1, 1]]  # no block at all; one twice
    ends = ((2, 6), (9, 20))

    def attend(q, k, v, at):
        return ops.nsa_select_attention(q, k, v, at, 0.5, 4, 3, 2, actual_seq_qlen=ends[0], actual_seq_kvlen=ends[1])

    out, high, total = ms.jit(attend)(*tensors(q, k, v, at))
    for t in range(6):
        begin, end = (0, 9) if t < 2 else (9, 20)
        for head in range(4):
            blocks = at[t, head // 2]
            seen = [p for p in range(begin, end) if (p - begin) // 3 in blocks]
            expected = softmax_attention(q[t, head], k[seen, head // 2], v[seen, head // 2], 0.5)
            np.testing.assert_allclose(out.asnumpy()[t, head], expected[0], rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(high.asnumpy()[t, head], np.full(8, expected[1]), rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(total.asnumpy()[t, head], np.full(8, expected[2]), rtol=1e-5, atol=1e-6)


def indexed(q, k, w, lengths, count, mode):
    """Indices and values for each sequence; lists of q [S1, N, D], k [S2, D], w [S1, N]."""
    out = []
    for q_, k_, w_, (s1, s2) in zip(q, k, w, lengths, strict=True):
        places, values = np.full((len(q_), count), -1), np.full((len(q_), count), -np.inf)
        for i in range(s1):
            scores = (np.maximum(q_[i] @ k_.T, 0) * w_[i][:, None]).sum(0)
            seen = [j for j in range(s2) if mode == 0 or j <= i + s2 - s1]
            best = sorted(seen, key=lambda j: -scores[j])[:count]
            places[i, : len(best)], values[i, : len(best)] = best, scores[best]
        out.append((places, values))
    return [
        np.stack(part) if len({len(p) for p in part}) == 1 else np.concatenate(part) for part in zip(*out, strict=True)
    ]


@pytest.mark.parametrize("mode", [0, 3])
def test_the_indexer_finds_the_largest_sums(mode):
    q, k, w = normal(2, 3, 4, 5), normal(2, 6, 1, 5), normal(2, 3, 4)
    lengths = [(3, 6), (2, 4)]
    counts = [Tensor(np.int32(n)) for n in zip(*lengths, strict=True)]

    def find(q, k, w, a, b):
        lens = {"actual_seq_lengths_query": a, "actual_seq_lengths_key": b}
        return ops.lightning_indexer(q, k, w, **lens, sparse_count=8, sparse_mode=mode)

    places, values = (ms.jit(find) if mode else find)(*tensors(q, k, w), *counts)
    expected = indexed(q, k[:, :, 0], w, lengths, 8, mode)
    assert places.dtype == ms.int32 and places.shape == (2, 3, 1, 8)
    np.testing.assert_array_equal(places.asnumpy()[:, :, 0], expected[0])
    np.testing.assert_allclose(values.asnumpy()[:, :, 0], expected[1], rtol=1e-5, atol=1e-6)


def test_layouts_of_the_indexer_agree():
    q, k, w = normal(2, 3, 4, 5), normal(2, 6, 1, 5), normal(2, 3, 4)
    lens = [Tensor(np.int32(n)) for n in ([3, 3], [6, 4])]
    plain = ops.lightning_indexer(*tensors(q, k, w), actual_seq_lengths_key=lens[1], sparse_count=3)
    pages = np.zeros((7, 2, 1, 5), np.float32)
    table = np.int32([[5, 0, 3], [1, 6, 2]])
    pages[table] = k.reshape(2, 3, 2, 1, 5)
    packed = np.concatenate([k[0], k[1, :4]])
    ends = [Tensor(np.int32(n)) for n in ([3, 6], [6, 10])]
    flat = q.reshape(6, 4, 5), w.reshape(6, 4)
    paged = {"block_table": Tensor(table), "actual_seq_lengths_key": lens[1], "layout_key": "PA_BSND"}
    others = [
        ops.lightning_indexer(*tensors(q, pages, w), sparse_count=3, **paged),
        ops.lightning_indexer(*tensors(flat[0], pages, flat[1]), sparse_count=3, layout_query="TND",
                              actual_seq_lengths_query=ends[0], **paged),
        ops.lightning_indexer(*tensors(flat[0], packed, flat[1]), sparse_count=3, layout_query="TND", layout_key="TND",
                              actual_seq_lengths_query=ends[0], actual_seq_lengths_key=ends[1]),
    ]  # fmt: skip
    for other in others:
        for a, b in zip(plain, other, strict=True):
            np.testing.assert_allclose(b.asnumpy().reshape(a.shape), a.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("block", "rope", "mode"), [(1, False, 3), (2, True, 3), (2, True, 0)])
def test_attention_to_the_indexed_keys(block, rope, mode):
    q, k, v = normal(2, 3, 4, 5), normal(2, 6, 1, 5), normal(2, 6, 1, 7)
    qr, kr = normal(2, 3, 4, 2), normal(2, 6, 1, 2)
    at = np.stack([RNG.permutation(6 // block)[:2] for _ in range(6)]).reshape(2, 3, 1, 2).astype(np.int32)
    at[1, 0] = [[1, -1]]
    more = dict(zip(("query_rope", "key_rope"), tensors(qr, kr), strict=True)) | {"attention_mode": 2} if rope else {}
    lens = Tensor(np.int32([6, 5]))
    settings = {"sparse_block_size": block, "sparse_mode": mode, "actual_seq_lengths_kv": lens}
    out, high, total = ops.sparse_flash_attention(*tensors(q, k, v, at), 0.5, **settings, **more)
    assert out.shape == (2, 3, 4, 7) and high.shape == total.shape == (2, 1, 3, 4)
    if rope:
        q, k = np.concatenate([q, qr], -1), np.concatenate([k, kr], -1)
    for b, i, head in np.ndindex(2, 3, 4):
        seen = [j for j in range((6, 5)[b]) if j // block in at[b, i, 0] and (mode == 0 or j <= i + (6, 5)[b] - 3)]
        expected = softmax_attention(q[b, i, head], k[b, seen, 0], v[b, seen, 0], 0.5)
        np.testing.assert_allclose(out.asnumpy()[b, i, head], expected[0], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(high.asnumpy()[b, 0, i, head], expected[1], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(total.asnumpy()[b, 0, i, head], expected[2], rtol=1e-5, atol=1e-6)


def test_sequences_behind_each_other_attend_alike():
    q, k = normal(2, 3, 4, 5), normal(2, 6, 1, 5)
    at = RNG.integers(0, 6, (2, 3, 1, 3)).astype(np.int32)
    plain = ops.sparse_flash_attention(*tensors(q, k, k, at), 0.5)
    ends = [Tensor(np.int32(n)) for n in ([3, 6], [6, 12])]
    flat = tensors(q.reshape(6, 4, 5), k.reshape(12, 1, 5), k.reshape(12, 1, 5), at.reshape(6, 1, 3))
    packed = ops.sparse_flash_attention(*flat, 0.5, actual_seq_lengths_query=ends[0], actual_seq_lengths_kv=ends[1],
                                        layout_query="TND", layout_kv="TND")  # fmt: skip
    np.testing.assert_allclose(packed[0].asnumpy().reshape(2, 3, 4, 5), plain[0].asnumpy(), rtol=1e-5, atol=1e-6)
    assert packed[1].shape == (1, 6, 4)
    np.testing.assert_allclose(packed[1].asnumpy()[0].reshape(2, 3, 4), plain[1].asnumpy()[:, 0], rtol=1e-5, atol=1e-6)


def importance(shares, blocks, compress, stride, select):
    """[blocks] of shares [windows], as the paper's loops say it; Ascend counts windows from 0 unless l / d is 1."""
    out = np.zeros(blocks)
    for j in range(1, blocks + 1):
        for m, n in np.ndindex(select // stride, compress // stride):
            window = select // stride * j - m - n - (compress // stride == 1)
            out[j - 1] += shares[window] if 0 <= window < len(shares) else 0
    return out


@pytest.mark.parametrize("sizes", [(4, 2, 4, 2), (2, 2, 4, 2), (2, 2, 2, 3), (6, 2, 6, 1), (3, 2, 4, 2)])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_compressed_attention_chooses_the_important_blocks(sizes, mode):
    ms.set_context(mode=mode)
    q, k, v = RNG.normal(size=(9, 4, 3)), RNG.normal(size=(15, 2, 3)), RNG.normal(size=(15, 2, 2))
    ends, blocks = ((4, 9), (7, 15), (3, 7)), (3, 4)
    hidden = np.triu(np.ones((5, 8), bool), 1)
    chosen = np.eye(5, 4, dtype=bool)

    def attend(q, k, v):
        return ops.nsa_compress_attention(
            q, k, v, 0.7, 4, *sizes, topk_mask=Tensor(chosen), atten_mask=Tensor(hidden), actual_seq_qlen=ends[0],
            actual_cmp_seq_kvlen=ends[1], actual_sel_seq_kvlen=ends[2],
        )  # fmt: skip

    try:
        out, best, high, total = attend(*[Tensor(x, ms.float32) for x in (q, k, v)])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert best.dtype == ms.int32 and best.shape == (9, 2, sizes[3]) and out.dtype == high.dtype == ms.float32
    for t in range(9):
        part, begin, first = (0, 0, 0) if t < 4 else (1, 4, 7)
        seen = [j for j in range(first, ends[1][part]) if not hidden[t - begin, j - first]]
        scores = np.zeros((2, blocks[part]))
        for head in range(4):
            expected = softmax_attention(q[t, head], k[seen, head // 2], v[seen, head // 2], 0.7)
            np.testing.assert_allclose(out.asnumpy()[t, head], expected[0], rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(high.asnumpy()[t, head], np.full(8, expected[1]), rtol=1e-4, atol=1e-5)
            np.testing.assert_allclose(total.asnumpy()[t, head], np.full(8, expected[2]), rtol=1e-4, atol=1e-5)
            shares = np.zeros(ends[1][part] - first)
            shares[np.array(seen) - first] = np.exp(k[seen, head // 2] @ q[t, head] * 0.7 - expected[1]) / expected[2]
            scores[head // 2] += importance(shares, blocks[part], *sizes[:3])
        scores[:, chosen[t - begin, : blocks[part]]] = np.inf
        for group in range(2):
            found = scores[group, best.asnumpy()[t, group]]
            np.testing.assert_allclose(found, -np.sort(-scores[group])[: sizes[3]], atol=1e-6)
            assert len(set(best.asnumpy()[t, group])) == sizes[3]


def test_gradient_of_compressed_attention():
    q, k, v = RNG.normal(size=(4, 2, 3)), RNG.normal(size=(6, 1, 3)), RNG.normal(size=(6, 1, 2))
    hidden = np.triu(np.ones((4, 6), bool), 2)

    def loss(q, k, v):
        out = compressed(q, k, v, heads=2, ends=((4,), (6,), (3,)), atten_mask=Tensor(hidden))[0]
        return (out * out).sum()

    def expected(q, k, v):
        rows = [
            softmax_attention(q[t, head], k[~hidden[t], 0], v[~hidden[t], 0], 0.5)[0]
            for t in range(4)
            for head in range(2)
        ]
        return np.sum(np.square(rows))

    step = 1e-5
    for grad in (ms.grad(loss, (0, 1, 2)), ms.jit(ms.grad(loss, (0, 1, 2)))):
        found = grad(*[Tensor(x, ms.float32) for x in (q, k, v)])
        for i, array in enumerate((q, k, v)):
            for at in np.ndindex(array.shape):
                values = []
                for sign in (1, -1):
                    moved = [x.copy() for x in (q, k, v)]
                    moved[i][at] += sign * step
                    values.append(expected(*moved))
                difference = (values[0] - values[1]) / (2 * step)
                np.testing.assert_allclose(found[i].asnumpy()[at], difference, rtol=1e-3, atol=1e-4)


def test_without_masks_and_in_half_precision():
    x = Tensor(normal(6, 1, 2), ms.float16)
    out, best, high, _ = compressed(x)
    assert out.dtype == ms.float16 and best.shape == (6, 1, 1) and high.dtype == ms.float32


def compressed(query, key=None, value=None, scale=0.5, heads=1, sizes=(2, 2, 4, 1), ends=((6,), (6,), (3,)), **masks):
    key = query if key is None else key
    value = key if value is None else value
    names = ("actual_seq_qlen", "actual_cmp_seq_kvlen", "actual_sel_seq_kvlen")
    ends = dict(zip(names, ends, strict=True))
    return ops.nsa_compress_attention(query, key, value, scale, heads, *sizes, **masks, **ends)


X, W = Tensor(np.ones((6, 1, 2), np.float32)), Tensor(np.ones((2, 1), np.float32))
Q, K, AT = (Tensor(np.ones(s, d)) for s, d in (((1, 2, 3, 4), "f4"), ((1, 5, 1, 4), "f4"), ((1, 2, 1, 2), "i4")))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.nsa_compress(1, W, 2, 1, actual_seq_len=(6,)), TypeError),
        (lambda: ops.nsa_compress(X, W.astype(ms.float16), 2, 1, actual_seq_len=(6,)), TypeError),
        (lambda: ops.nsa_compress(X, W, 2.0, 1, actual_seq_len=(6,)), TypeError),
        (lambda: ops.nsa_compress(X, W, 2, 1, actual_seq_len=Tensor([6])), TypeError),
        (lambda: ops.nsa_compress(X, W, 3, 1, actual_seq_len=(6,)), RuntimeError),
        (lambda: ops.nsa_compress(X, W, 2, 3, actual_seq_len=(6,)), RuntimeError),
        (lambda: ops.nsa_compress(X, W, 2, 1, actual_seq_len=()), RuntimeError),
        (lambda: ops.nsa_compress(X, W, 2, 1, actual_seq_len=(5,)), RuntimeError),
        (lambda: ops.nsa_compress(X, W, 2, 1, actual_seq_len=(4, 3, 6)), RuntimeError),
        (lambda: compressed(X, key=1), TypeError),
        (lambda: compressed(X, key=X.astype(ms.float16)), TypeError),
        (lambda: compressed(X, scale=1), TypeError),
        (lambda: compressed(X, topk_mask=Tensor(np.ones((6, 3), np.float32))), TypeError),
        (lambda: compressed(Q[0]), ValueError),
        (lambda: compressed(X, heads=2), ValueError),
        (lambda: compressed(X, sizes=(2, 4, 4, 1)), ValueError),
        (lambda: compressed(X, sizes=(4, 2, 2, 1)), ValueError),
        (lambda: compressed(X, sizes=(2, 2, 4, 0)), ValueError),
        (lambda: compressed(X, sizes=(2, 2, 4, 4)), ValueError),
        (lambda: compressed(X, ends=((6,), (5,), (3,))), ValueError),
        (lambda: compressed(X, ends=((6,), (3, 6), (3,))), ValueError),
        (lambda: compressed(X, atten_mask=Tensor(np.ones((5, 6), bool))), ValueError),
        (lambda: ops.nsa_select_attention(X, X, X, AT[0, 0], 1.0, 2, 2, 2, actual_seq_qlen=[6], actual_seq_kvlen=[6]),
         RuntimeError),
        (lambda: ops.nsa_select_attention(X, X, X, AT, 1, 1, 2, 2, actual_seq_qlen=[6], actual_seq_kvlen=[6]),
         TypeError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0].astype(ms.float16)), TypeError),
        (lambda: ops.lightning_indexer(Q, K, Q), RuntimeError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0], layout_query="x"), RuntimeError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0], layout_key="PA_BSND"), RuntimeError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0], sparse_mode=1), RuntimeError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0], pre_tokens=1), ms.UnsupportedError),
        (lambda: ops.lightning_indexer(Q, K, Q[..., 0], sparse_count=0), ValueError),
        (lambda: ops.sparse_flash_attention(Q, K, K, AT, 1.0, attention_mode=2), RuntimeError),
        (lambda: ops.sparse_flash_attention(Q, K, K, AT, 1.0, attention_mode=1), RuntimeError),
        (lambda: ops.sparse_flash_attention(Q, K, K, AT, 1.0, query_rope=Q), RuntimeError),
        (lambda: ops.sparse_flash_attention(Q, K, K, AT, 1.0, sparse_block_size=3), RuntimeError),
        (lambda: ops.sparse_flash_attention(Q, K, K, AT[:, :1], 1.0), RuntimeError),
        (lambda: ops.sparse_flash_attention(Q, K, 2, AT, 1.0), TypeError),
    ],
)  # fmt: skip
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()
