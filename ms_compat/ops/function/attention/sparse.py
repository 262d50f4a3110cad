"""Attention to some of the keys: which ones (`lightning_indexer`), and the attention to them.

MindSpore has these for Ascend alone, in half precision and few sizes; here all sizes and floating types work. Hidden
keys are masked, so all keys' scores are held in memory, S1 * S2 for each head. Sources of the formulas: DeepSeek-AI,
"DeepSeek-V3.2" (2025), equation (1), and Yuan et al., "Native Sparse Attention" (2025), equations (5) to (12).
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_int, check_positive_int, check_type, unsupported_argument
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.attention import scaled_dot_product as core
from ms_compat.ops.function.nn.checks import FLOATS

_ALL_TOKENS = 2**63 - 1
_FEW = "Mask keys with 'ops.flash_attention_score' for a band."


def _tensors(api: str, **tensors: Any) -> None:
    for name, x in tensors.items():
        check_type(api, name, x, Tensor)
        if x.dtype.np_dtype not in FLOATS:
            raise TypeError(f"For '{api}', '{name}' must hold floats, but got {x.dtype}.")
    dtypes = {x.dtype._label for x in tensors.values()}
    if len(dtypes) > 1:
        raise TypeError(f"For '{api}', {list(tensors)} must have one dtype, but got {sorted(dtypes)}.")


def _ends(api: str, name: str, value: Any, size: int | None, error: type[Exception] = RuntimeError) -> tuple[int, ...]:
    """Where each sequence ends.

    Raises:
        TypeError: it is not a tuple or list of ints.
        RuntimeError: it is empty, decreases, or does not end with the size; or another `error`.
    """
    check_type(api, name, value, (tuple, list))
    ends = tuple([check_int(api, name, end) for end in value])
    falls = any(b < a for a, b in zip((0, *ends), ends, strict=False))
    if not ends or falls or size is not None and ends[-1] != size:
        raise error(f"For '{api}', the '{name}' must rise to {'its end' if size is None else size}, but got {ends}.")
    return ends


# -- native sparse attention -----------------------------------------------------------------------------------------
@op(static=("starts",))
def _windows(x, weight, starts):
    block = weight.shape[0]
    at = np.array(starts, np.int32).reshape(-1, 1) + np.arange(block, dtype=np.int32)
    wide = jnp.promote_types(x.dtype, jnp.float32)
    return jnp.einsum("wbnd,bn->wnd", x[at].astype(wide), weight.astype(wide)).astype(x.dtype)


@faces("ops")
def nsa_compress(input, weight, compress_block_size, compress_stride, *, actual_seq_len):
    """Weighted sums over windows of keys or values; no window crosses the end of a sequence.

    Args:
        input (Tensor): [T, N, D], sequences behind each other.
        weight (Tensor): [compress_block_size, N], of the same dtype: what each place of a window counts.
        compress_block_size (int): length of a window.
        compress_stride (int): distance between the starts of adjacent windows.
        actual_seq_len (tuple, list): where each sequence ends; the last is T.

    Returns:
        Tensor [T', N, D]: for a sequence of length L the (L - compress_block_size) // compress_stride + 1 windows.

    Raises:
        TypeError: an argument of a wrong type, or unequal dtypes.
        RuntimeError: shapes or sizes that do not fit.

    >>> import ms_compat as ms
    >>> x = ms.ops.arange(6, dtype=ms.float32).reshape(6, 1, 1)
    >>> print(ms.ops.nsa_compress(x, ms.ops.ones((2, 1)), 2, 2, actual_seq_len=(4, 6)).reshape(-1))
    [1. 5. 9.]
    """
    api = "nsa_compress"
    _tensors(api, input=input, weight=weight)
    check_int(api, "compress_block_size", compress_block_size)
    check_int(api, "compress_stride", compress_stride)
    if input.ndim != 3 or weight.shape != (compress_block_size, input.shape[1]):
        raise RuntimeError(
            f"For '{api}', the 'input' must be [T, N, D] and the 'weight' [{compress_block_size}, N], but got "
            f"{input.shape} and {weight.shape}."
        )
    if not 1 <= compress_stride <= compress_block_size:
        raise RuntimeError(f"For '{api}', the 'compress_stride' must be in [1, {compress_block_size}].")
    ends = _ends(api, "actual_seq_len", actual_seq_len, input.shape[0])
    starts = [range(a, b - compress_block_size + 1, compress_stride) for a, b in zip((0, *ends), ends, strict=False)]
    return _windows(input, weight, tuple([at for windows in starts for at in windows]))


def _importance(shares, blocks, compress, stride, select):
    """How important key blocks are for queries, from the compressed keys' shares [..., S1, windows].

    Equation (9) of the paper: block j sums the shares of the windows l'/d * j - m - n. Ascend counts j from 1 and the
    windows from 0, but from 1 where windows do not overlap (l < 2 d); what is out of range counts 0.
    """
    per_block, per_window = select // stride, compress // stride
    last = per_block - (per_window == 1)
    counts = np.zeros((blocks, shares.shape[-1]), np.float32)
    for j in range(blocks):
        for m, n in np.ndindex(per_block, per_window):
            at = per_block * j + last - m - n
            if 0 <= at < shares.shape[-1]:
                counts[j, at] += 1
    return jnp.einsum("...st,jt->...sj", shares, counts.astype(shares.dtype))


@op(static=("scale", "compress", "stride", "select", "count", "ends"))
def _compressed(query, key, value, chosen, hidden, scale, compress, stride, select, count, ends):
    groups, parts = key.shape[1], []
    share = query.shape[1] // groups
    starts = [(0, *part[:-1]) for part in ends]
    for (a, b), (c, d), (e, f) in zip(
        *(zip(*pair, strict=True) for pair in zip(starts, ends, strict=True)), strict=True
    ):
        q, k, v = (x.transpose(1, 0, 2)[None] for x in (query[a:b], key[c:d], value[c:d]))
        seen = None if hidden is None else ~hidden[None, None, : b - a, : d - c]
        out, high, total = core.attend(q, k, v, scale, seen)
        wide = [lax.stop_gradient(x).astype(total.dtype) for x in (q, jnp.repeat(k, share, 1), high, total)]
        shares = jnp.exp(jnp.einsum("bnsd,bntd->bnst", *wide[:2]) * scale - wide[2]) / jnp.where(total == 0, 1, wide[3])
        shares = shares if seen is None else jnp.where(seen, shares, 0)
        scores = _importance(shares, f - e, compress, stride, select)[0]
        scores = scores.reshape(groups, share, b - a, f - e).sum(1)
        if chosen is not None:
            scores = jnp.where(chosen[: b - a, : f - e], jnp.inf, scores)
        best = lax.top_k(scores, count)[1].transpose(1, 0, 2).astype(jnp.int32)
        rows = [x[0].transpose(1, 0, 2) for x in (out, high, total)]
        parts.append((rows[0], best, *[jnp.broadcast_to(x, (*x.shape[:2], 8)) for x in rows[1:]]))
    out, best, high, total = (jnp.concatenate(x) for x in zip(*parts, strict=True))
    return out.astype(query.dtype), best, high, total


def _check_compressed(api, query, key, value, head_num, sizes, masks, ends):
    """
    Raises:
        ValueError: shapes, sizes or masks that do not fit.
    """
    if any(x.ndim != 3 for x in (query, key, value)) or key.shape[:2] != value.shape[:2]:
        raise ValueError(f"For '{api}', got the shapes {query.shape}, {key.shape} and {value.shape}.")
    if query.shape[2] != key.shape[2] or query.shape[1] % key.shape[1] or head_num != query.shape[1]:
        raise ValueError(f"For '{api}', {head_num} heads do not fit {query.shape} and {key.shape}.")
    compress, stride, select, count = sizes
    if not stride <= compress <= select or select % stride:
        raise ValueError(
            f"For '{api}', there must be 'compress_stride' <= 'compress_block_size' <= 'select_block_size', and the "
            f"stride must divide the 'select_block_size', but got {stride}, {compress} and {select}."
        )
    if len({len(part) for part in ends}) > 1:
        raise ValueError(f"For '{api}', the three lists of sequences' ends must have one length, but got {ends}.")
    lengths = [np.diff((0, *part)) for part in ends]
    if count > lengths[2].min():
        raise ValueError(
            f"For '{api}', each sequence must have {count} blocks to select, but one has {lengths[2].min()}."
        )
    for name, mask, columns in zip(("topk_mask", "atten_mask"), masks, (lengths[2], lengths[1]), strict=True):
        if mask is None:
            continue
        check_type(api, name, mask, Tensor)
        if mask.dtype != mstype.bool_:
            raise TypeError(f"For '{api}', the '{name}' must be Bool, but got {mask.dtype}.")
        longest = (int(lengths[0].max()), int(columns.max()))
        if mask.ndim != 2 or any(have < want for have, want in zip(mask.shape, longest, strict=True)):
            raise ValueError(f"For '{api}', the '{name}' must be of the shape {longest}, but got {mask.shape}.")


@faces("ops")
def nsa_compress_attention(
    query, key, value, scale_value, head_num, compress_block_size, compress_stride, select_block_size,
    select_block_count, *, topk_mask=None, atten_mask=None, actual_seq_qlen, actual_cmp_seq_kvlen,
    actual_sel_seq_kvlen,
):  # fmt: skip
    """Attention to compressed keys, and the blocks of keys that it finds the most important.

    The importance of a block sums the shares of the windows that `nsa_compress` made of it, over the query heads of a
    key head: equations (9) to (11) of "Native Sparse Attention", with windows counted as on Ascend. The numbers of the
    blocks have no gradient. A query that sees no key gets zeros.

    Args:
        query (Tensor): [T1, N1, D1], sequences behind each other.
        key (Tensor): [T2, N2, D1], compressed keys, where N2 divides N1.
        value (Tensor): [T2, N2, D2], compressed values.
        scale_value (float): what scores are multiplied with.
        head_num (int): N1.
        compress_block_size, compress_stride (int): as of `nsa_compress`.
        select_block_size (int): length of a block, a multiple of the stride and at least a window.
        select_block_count (int): how many blocks are chosen.
        topk_mask (Tensor): Bool [S1, blocks] for the longest sequence, True for blocks that are chosen in any case.
        atten_mask (Tensor): Bool [S1, S2] for the longest sequence, True for keys that a query does not see.
        actual_seq_qlen (tuple, list): where each query sequence ends.
        actual_cmp_seq_kvlen (tuple, list): where each sequence of compressed keys ends.
        actual_sel_seq_kvlen (tuple, list): sums of the sequences' numbers of blocks.

    Returns:
        The output [T1, N1, D2]; the numbers of the chosen blocks, Int32 [T1, N2, select_block_count], the most
        important first; and the softmax's maxima and sums, [T1, N1, 8] of eight equal numbers, in Float32.

    Raises:
        TypeError: an argument of a wrong type, or unequal dtypes.
        ValueError: shapes or sizes that do not fit.

    >>> import ms_compat as ms
    >>> query, key = ms.ops.ones((1, 1, 1)), ms.Tensor([0.0, 0.0, 3.0, 3.0]).reshape(4, 1, 1)
    >>> out, blocks, _, _ = ms.ops.nsa_compress_attention(
    ...     query, key, key, 1.0, 1, 2, 2, 4, 1,
    ...     actual_seq_qlen=(1,), actual_cmp_seq_kvlen=(4,), actual_sel_seq_kvlen=(2,))
    >>> print(blocks)  # the block of the windows 2 and 3
    [[[1]]]
    """
    api = "nsa_compress_attention"
    _tensors(api, query=query, key=key, value=value)
    check_type(api, "scale_value", scale_value, float)
    sizes = (compress_block_size, compress_stride, select_block_size, select_block_count)
    names = ("compress_block_size", "compress_stride", "select_block_size", "select_block_count")
    for name, size in zip(names, sizes, strict=True):
        check_positive_int(api, name, size)
    check_int(api, "head_num", head_num)
    ends = (
        _ends(api, "actual_seq_qlen", actual_seq_qlen, query.shape[0], ValueError),
        _ends(api, "actual_cmp_seq_kvlen", actual_cmp_seq_kvlen, key.shape[0], ValueError),
        _ends(api, "actual_sel_seq_kvlen", actual_sel_seq_kvlen, None, ValueError),
    )
    _check_compressed(api, query, key, value, head_num, sizes, (topk_mask, atten_mask), ends)
    return _compressed(query, key, value, topk_mask, atten_mask, scale_value, *sizes, ends)


@op(static=("scale", "block", "query_ends", "key_ends"))
def _select(query, key, value, indices, scale, block, query_ends, key_ends):
    places = core.packed_places("nsa_select_attention", query_ends, key_ends, query.shape[0], key.shape[0])
    count = -(-key.shape[0] // block)
    rows, groups = jnp.arange(query.shape[0])[:, None, None], jnp.arange(key.shape[1])[:, None]
    indices = jnp.where(indices < 0, count, indices)
    chosen = jnp.zeros((query.shape[0], key.shape[1], count), bool).at[rows, groups, indices].set(True, mode="drop")
    seen = chosen[..., places.key // block].transpose(1, 0, 2) & places.together()
    seen = jnp.repeat(seen, query.shape[1] // key.shape[1], 0)[None]
    q, k, v = (x.transpose(1, 0, 2)[None] for x in (query, key, value))
    out, *sums = core.attend(q, k, v, scale, seen)
    sums = [jnp.broadcast_to(x[0].transpose(1, 0, 2), (*query.shape[:2], 8)) for x in sums]
    return out[0].transpose(1, 0, 2).astype(query.dtype), *sums


@faces("ops")
def nsa_select_attention(
    query, key, value, topk_indices, scale_value, head_num, select_block_size, select_block_count, *, atten_mask=None,
    actual_seq_qlen, actual_seq_kvlen,
):  # fmt: skip
    """Attention of each query to some blocks of its sequence's keys.

    Args:
        query (Tensor): [T1, N1, D1], sequences behind each other.
        key (Tensor): [T2, N2, D1], where N2 divides N1.
        value (Tensor): [T2, N2, D2].
        topk_indices (Tensor): [T1, N2, select_block_count], Int32: numbers of blocks, counted from the begin of the
            query's sequence. A block counts once; numbers out of range choose none.
        scale_value (float): what scores are multiplied with.
        head_num (int): N1.
        select_block_size (int): length of a block.
        select_block_count (int): how many blocks are chosen.
        atten_mask: None, as in MindSpore.
        actual_seq_qlen, actual_seq_kvlen (tuple, list): where each query and key sequence ends.

    Returns:
        The output [T1, N1, D2], and the softmax's maxima and sums, [T1, N1, 8] of eight equal numbers, in Float32.

    Raises:
        TypeError: an argument of a wrong type, or unequal dtypes.
        RuntimeError: shapes or sizes that do not fit.
    """
    api = "nsa_select_attention"
    _tensors(api, query=query, key=key, value=value)
    check_type(api, "topk_indices", topk_indices, Tensor)
    check_type(api, "scale_value", scale_value, float)
    for name, size in (("head_num", head_num), ("select_block_size", select_block_size)):
        check_positive_int(api, name, size)
    check_int(api, "select_block_count", select_block_count)
    if atten_mask is not None:
        unsupported_argument(api, "atten_mask", atten_mask, "MindSpore does not take one either.")
    if any(x.ndim != 3 for x in (query, key, value)) or key.shape[:2] != value.shape[:2]:
        raise RuntimeError(f"For '{api}', got the shapes {query.shape}, {key.shape} and {value.shape}.")
    if query.shape[2] != key.shape[2] or query.shape[1] % key.shape[1] or head_num != query.shape[1]:
        raise RuntimeError(f"For '{api}', {head_num} heads do not fit {query.shape} and {key.shape}.")
    if topk_indices.shape != (query.shape[0], key.shape[1], select_block_count):
        raise RuntimeError(f"For '{api}', the 'topk_indices' must be [T1, N2, {select_block_count}].")
    ends = (
        _ends(api, "actual_seq_qlen", actual_seq_qlen, query.shape[0]),
        _ends(api, "actual_seq_kvlen", actual_seq_kvlen, key.shape[0]),
    )
    if len(ends[0]) != len(ends[1]):
        raise RuntimeError(f"For '{api}', there are {len(ends[0])} sequences of queries, but {len(ends[1])} of keys.")
    return _select(query, key, value, topk_indices, scale_value, select_block_size, *ends)


# -- sparse attention of single tokens -------------------------------------------------------------------------------
def _heads_first(x: Any, layout: str) -> Any:
    return x.transpose(1, 0, 2)[None] if layout == "TND" else x.transpose(0, 2, 1, 3)


def _laid_out(keys: list[Any], table: Any, layout_query: str, layout_key: str) -> list[Any]:
    """Keys [B, N2, S2, D]; pages are read through their table; concatenated (B = 1) where the queries are."""
    if layout_key != "PA_BSND":
        return [_heads_first(x, layout_key) for x in keys]
    found = [x[jnp.maximum(table, 0)] for x in keys]
    found = [x.reshape(x.shape[0], -1, *x.shape[3:]) for x in found]
    if layout_query == "TND":
        found = [x.reshape(1, -1, *x.shape[2:]) for x in found]
    return [x.transpose(0, 2, 1, 3) for x in found]


def _places(
    api: str, queries: int, keys: int, query_lens: Any, key_lens: Any, layout_query: str, layout_key: str
) -> Any:
    """The queries' and keys' positions in their sequences, and which belong together."""
    if layout_key == "TND":
        return core.packed_places(api, query_lens, key_lens, queries, keys)
    if layout_query == "BSND":
        at, to = jnp.arange(queries)[:, None], jnp.arange(keys)
        lens = [
            jnp.full((1, 1, 1, 1), size) if given is None else given.reshape(-1, 1, 1, 1)
            for given, size in ((query_lens, queries), (key_lens, keys))
        ]
        return core.Places(at, to, lens[1] - lens[0], (at < lens[0]) & (to < lens[1]))
    size = keys // key_lens.shape[0]  # pages for concatenated queries
    starts = jnp.concatenate([jnp.zeros(1, query_lens.dtype), query_lens[:-1]])
    at, to = jnp.arange(queries), jnp.arange(keys)
    part = jnp.minimum(jnp.searchsorted(query_lens, at, side="right"), query_lens.shape[0] - 1)
    same = (part[:, None] == to // size) & (to % size < key_lens[to // size]) & (at < query_lens[-1])[:, None]
    shift = key_lens[part] - (query_lens - starts)[part]
    return core.Places((at - starts[part])[:, None], to % size, shift[:, None], same)


def _check_layouts(api: str, query: Any, key: Any, layouts: tuple[str, str], mode: Any, band: tuple, lens: tuple,
                   table: Any) -> None:  # fmt: skip
    query_layout, key_layout = layouts
    if query_layout not in ("BSND", "TND") or key_layout not in ("BSND", "TND", "PA_BSND"):
        raise RuntimeError(f"For '{api}', there are no layouts {query_layout!r} of queries and {key_layout!r} of keys.")
    if key_layout != "PA_BSND" and key_layout != query_layout:
        raise RuntimeError(f"For '{api}', keys of the layout {key_layout} do not go with queries of {query_layout}.")
    ranks = {"BSND": 4, "TND": 3, "PA_BSND": 4}
    if query.ndim != ranks[query_layout] or key.ndim != ranks[key_layout] or key.shape[-2] != 1:
        raise RuntimeError(
            f"For '{api}', the shapes {query.shape} and {key.shape} do not fit {layouts} with one key head."
        )
    if mode not in (0, 3):
        raise RuntimeError(f"For '{api}', the 'sparse_mode' must be 0 or 3, but got {mode!r}.")
    for name, value in zip(("pre_tokens", "next_tokens"), band, strict=True):
        if value != _ALL_TOKENS:
            unsupported_argument(api, name, value, _FEW)
    if "TND" in layouts and lens[0] is None or key_layout != "BSND" and lens[1] is None:
        raise RuntimeError(f"For '{api}', the layouts {layouts} need the lengths of the sequences.")
    if (table is None) is (key_layout == "PA_BSND"):
        raise RuntimeError(f"For '{api}', a 'block_table' goes with keys of the layout PA_BSND.")


@op(static=("layout_query", "layout_key", "count", "mode"))
def _index(query, key, weights, query_lens, key_lens, table, layout_query, layout_key, count, mode):
    [k] = _laid_out([key], table, layout_query, layout_key)
    q = _heads_first(query, layout_query)
    w = weights.T[None] if layout_query == "TND" else weights.transpose(0, 2, 1)
    wide = jnp.promote_types(q.dtype, jnp.float32)
    scores = jnp.maximum(jnp.einsum("bnsd,btd->bnst", q.astype(wide), k[:, 0].astype(wide)), 0)
    scores = (scores * w[..., None].astype(wide)).sum(1)
    places = _places("lightning_indexer", q.shape[2], k.shape[2], query_lens, key_lens, layout_query, layout_key)
    seen = core.visible("lightning_indexer", places, None, mode, core.EVERYTHING, core.EVERYTHING)
    seen = seen[:, 0] if seen.ndim == 4 else seen
    values, at = lax.top_k(jnp.where(seen, scores, -jnp.inf), min(count, k.shape[2]))
    places_of = jnp.where(values == -jnp.inf, -1, places.key[at])
    rest = [(0, 0), (0, 0), (0, count - at.shape[-1])]
    values = jnp.pad(values, rest, constant_values=-jnp.inf)[..., None, :].astype(query.dtype)
    places_of = jnp.pad(places_of, rest, constant_values=-1)[..., None, :].astype(jnp.int32)
    return (places_of[0], values[0]) if layout_query == "TND" else (places_of, values)


@faces("ops")
def lightning_indexer(
    query, key, weights, *, actual_seq_lengths_query=None, actual_seq_lengths_key=None, block_table=None,
    layout_query="BSND", layout_key="BSND", sparse_count=2048, sparse_mode=3, pre_tokens=_ALL_TOKENS,
    next_tokens=_ALL_TOKENS, return_value=False,
):  # fmt: skip
    """For each query, the keys with the largest sum over heads of `weights * relu(query . key)`.

    Args:
        query (Tensor): [B, S1, N1, D], or with the layout "TND" [T1, N1, D], sequences behind each other.
        key (Tensor): [B, S2, 1, D], [T2, 1, D], or with the layout "PA_BSND" pages [count, size, 1, D].
        weights (Tensor): [B, S1, N1] or [T1, N1].
        actual_seq_lengths_query (Tensor): [B], how many queries count; with "TND" where each sequence ends.
        actual_seq_lengths_key (Tensor): the same of the keys.
        block_table (Tensor): [B, pages], the numbers of each sequence's pages.
        layout_query, layout_key (str): see above.
        sparse_count (int): how many keys are chosen.
        sparse_mode (int): 0 for all keys; 3 for those up to the query's own place, counted from the sequences' ends.
        pre_tokens, next_tokens (int): reserved.
        return_value (bool): the sums are returned in any case.

    Returns:
        The places of the keys in their sequence, the best first, Int32 [B, S1, 1, sparse_count] or
        [T1, 1, sparse_count], and their sums. Where fewer keys are seen, -1 and -inf follow.

    Raises:
        TypeError: an argument of a wrong type, or unequal dtypes.
        RuntimeError: layouts, shapes and lengths that do not fit.

    >>> import ms_compat as ms
    >>> query, key = ms.ops.ones((1, 2, 1, 1)), ms.Tensor([3.0, 1.0, 2.0]).reshape(1, 3, 1, 1)
    >>> print(ms.ops.lightning_indexer(query, key, ms.ops.ones((1, 2, 1)), sparse_count=3)[0].reshape(2, 3))
    [[ 0  1 -1]
     [ 0  2  1]]
    """
    api = "lightning_indexer"
    _tensors(api, query=query, key=key, weights=weights)
    lens, layouts = (actual_seq_lengths_query, actual_seq_lengths_key), (layout_query, layout_key)
    _check_layouts(api, query, key, layouts, sparse_mode, (pre_tokens, next_tokens), lens, block_table)
    if weights.shape != query.shape[:-1]:
        raise RuntimeError(f"For '{api}', the 'weights' must be {query.shape[:-1]}, but got {weights.shape}.")
    check_positive_int(api, "sparse_count", sparse_count)
    no_effect(api, "the sums are returned in any case", return_value=return_value)
    return _index(query, key, weights, *lens, block_table, *layouts, sparse_count, sparse_mode)


@op(static=("scale", "block", "layout_query", "layout_key", "mode"))
def _attend_to(query, key, value, indices, query_rope, key_rope, query_lens, key_lens, table, scale, block,
               layout_query, layout_key, mode):  # fmt: skip
    k, v, *rope = _laid_out([x for x in (key, value, key_rope) if x is not None], table, layout_query, layout_key)
    q, at = _heads_first(query, layout_query), _heads_first(indices, layout_query)[:, 0]
    if rope:
        q, k = jnp.concatenate([q, _heads_first(query_rope, layout_query)], -1), jnp.concatenate([k, rope[0]], -1)
    places = _places("sparse_flash_attention", q.shape[2], k.shape[2], query_lens, key_lens, layout_query, layout_key)
    seen = core.visible("sparse_flash_attention", places, None, mode, core.EVERYTHING, core.EVERYTHING)
    count = -(-k.shape[2] // block)
    batch, rows = jnp.arange(at.shape[0])[:, None, None], jnp.arange(at.shape[1])[:, None]
    chosen = (
        jnp.zeros((*at.shape[:2], count + 1), bool).at[batch, rows, jnp.where(at < 0, count, at)].set(True, mode="drop")
    )
    seen = chosen[..., :count][..., places.key // block][:, None] & seen
    out, *sums = core.attend(q, k, v, scale, seen)
    sums = [x[..., 0].transpose(0, 2, 1)[:, None] for x in sums]  # one key head
    if layout_query == "TND":
        return out[0].transpose(1, 0, 2).astype(query.dtype), *[x[0] for x in sums]
    return out.transpose(0, 2, 1, 3).astype(query.dtype), *sums


@faces("ops")
def sparse_flash_attention(
    query, key, value, sparse_indices, scale_value, *, block_table=None, actual_seq_lengths_query=None,
    actual_seq_lengths_kv=None, query_rope=None, key_rope=None, sparse_block_size=1, layout_query="BSND",
    layout_kv="BSND", sparse_mode=3, pre_tokens=_ALL_TOKENS, next_tokens=_ALL_TOKENS, attention_mode=0,
    return_softmax_lse=False,
):  # fmt: skip
    """Attention of each query to the keys that `lightning_indexer` chose for it.

    Args:
        query (Tensor): [B, S1, N1, D] or [T1, N1, D]; layouts as of `lightning_indexer`.
        key, value (Tensor): [B, S2, 1, D], [T2, 1, D] or pages [count, size, 1, D].
        sparse_indices (Tensor): Int32 [B, S1, 1, K] or [T1, 1, K], places of keys or key blocks in the query's
            sequence. Each counts once, negative ones are left out.
        scale_value (float): what scores are multiplied with.
        block_table, actual_seq_lengths_query, actual_seq_lengths_kv: as of `lightning_indexer`.
        query_rope, key_rope (Tensor): further dimensions of queries and keys, with positions encoded by rotation.
        sparse_block_size (int): length of a block, a power of 2.
        layout_query, layout_kv (str), sparse_mode, pre_tokens, next_tokens (int): as of `lightning_indexer`.
        attention_mode (int): 2 with the further dimensions; 0, which MindSpore has reserved, without.
        return_softmax_lse (bool): maxima and sums are returned in any case.

    Returns:
        The output, of the query's shape, and the softmax's maxima and sums in Float32, [B, 1, S1, N1] or [1, T1, N1].

    Raises:
        TypeError: an argument of a wrong type, or unequal dtypes.
        RuntimeError: layouts, shapes and lengths that do not fit, or another `sparse_block_size` or `attention_mode`.
    """
    api = "sparse_flash_attention"
    rope = {"query_rope": query_rope, "key_rope": key_rope} if attention_mode == 2 else {}
    if attention_mode not in (0, 2) or None in rope.values() or not rope and not query_rope is key_rope is None:
        raise RuntimeError(
            f"For '{api}', 'query_rope' and 'key_rope' go with the 'attention_mode' 2; it has 0 besides."
        )
    _tensors(api, query=query, key=key, value=value, **rope)
    check_type(api, "sparse_indices", sparse_indices, Tensor)
    check_type(api, "scale_value", scale_value, (float, int))
    lens, layouts = (actual_seq_lengths_query, actual_seq_lengths_kv), (layout_query, layout_kv)
    _check_layouts(api, query, key, layouts, sparse_mode, (pre_tokens, next_tokens), lens, block_table)
    check_int(api, "sparse_block_size", sparse_block_size)
    if not 1 <= sparse_block_size <= 128 or sparse_block_size & (sparse_block_size - 1):
        raise RuntimeError(f"For '{api}', the 'sparse_block_size' must be 1, 2, 4, ... 128, not {sparse_block_size}.")
    if sparse_indices.shape[:-1] != (*query.shape[:-2], 1) or key.shape[:-1] != value.shape[:-1]:
        raise RuntimeError(
            f"For '{api}', the shapes {query.shape}, {key.shape}, {value.shape} and {sparse_indices.shape} do not fit."
        )
    no_effect(api, "they are returned in any case", return_softmax_lse=return_softmax_lse)
    tensors = (query, key, value, sparse_indices, query_rope, key_rope, *lens, block_table)
    return _attend_to(*tensors, float(scale_value), sparse_block_size, *layouts, sparse_mode)
