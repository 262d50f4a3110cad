"""Attention for inference: whole prompts, single new tokens, and paged caches.

`prompt_flash_attention`, `incre_flash_attention` and `fused_infer_attention_score` differ in their argument names. The
Ascend's int8 inputs and outputs are not supported, except keys and values that are scaled back (`antiquant_scale`).
"""

from __future__ import annotations

import functools
import logging
import operator
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_one_of, unsupported_argument
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.attention import fused
from ms_compat.ops.function.attention import scaled_dot_product as core
from ms_compat.ops.function.attention.bands import band_of
from ms_compat.ops.function.nn.checks import integer
from ms_compat.ops.function.shape.join import concat

_LOG = logging.getLogger("ms_compat")
_QUANTISED = "Give floating tensors; quantise outside."


def _floats_only(api: str, **values: Any) -> None:
    for name, value in values.items():
        if value is not None:
            unsupported_argument(api, name, value, _QUANTISED)


def _numbers(value: Any) -> Any:
    return Tensor(np.array(value, np.int32)) if isinstance(value, (tuple, list)) else value


def _restored(x: Any, scale: Any, offset: Any, part: int, layout: str, like: Any) -> Any:
    """Keys (part 0) or values (part 1) of int8 as floats: (x + offset) * scale, with numbers for each channel."""
    if scale is None:
        return x

    def each(numbers):
        numbers = numbers[part]
        if numbers.ndim > 1:  # [N, 1, D] of BNSD
            return numbers if layout == "BNSD" else numbers.reshape(-1)
        return numbers

    out = x.astype(like.dtype)
    return (out if offset is None else out + each(offset).astype(like.dtype)) * each(scale).astype(like.dtype)


def _pages(cache: Any, table: Any, heads: int) -> Any:
    """[B, N, pages * block, D] of a cache [blocks, block, H] or [blocks, N, block, D] through a table [B, pages]."""
    found = cache[jnp.maximum(table, 0)]
    if cache.ndim == 3:
        found = found.reshape(*found.shape[:3], heads, -1).transpose(0, 3, 1, 2, 4)
    else:
        found = found.transpose(0, 2, 1, 3, 4)
    return found.reshape(found.shape[0], found.shape[1], -1, found.shape[-1])


def _between(count: int, lengths: Any, padding: Any, batch: int) -> Any:
    """Which of `count` places are valid, Bool [B, count]: the first `lengths`, or those before a padding at the end."""
    if lengths is None:
        return None
    lengths = jnp.broadcast_to(lengths.reshape(-1), (batch,))[:, None]
    at = jnp.arange(count)
    if padding is None:
        return at < lengths
    end = count - jnp.maximum(padding.reshape(-1)[:1], 0)
    start = end - lengths
    return (at >= start) & (at < end) & (start >= 0)


_STATIC = ("heads", "groups", "layout", "out_layout", "scale", "before", "behind", "mode", "api", "sums")


@op(static=_STATIC, name="infer_attention")
def _infer(
    query, key, value, mask, pse, lengths, key_lengths, query_padding, key_padding, table, antiquant_scale,
    antiquant_offset, heads, groups, layout, out_layout, scale, before, behind, mode, api, sums,
):  # fmt: skip
    if antiquant_scale is not None:
        key = _restored(key, antiquant_scale, antiquant_offset, 0, layout, query)
        value = _restored(value, antiquant_scale, antiquant_offset, 1, layout, query)
    core.check_inputs(api, query, key, value, heads, layout, ("BSH", "BNSD", "BSND"))
    q = core.split_heads(api, query, layout, heads)
    batch, _, rows, size = q.shape
    if table is not None:
        groups = groups or (key.shape[2] // size if key.ndim == 3 else key.shape[1])
        k, v = (_pages(x, table, groups) for x in (key, value))
    else:
        groups = groups or core.key_heads(api, key, layout, size, heads)
        if heads % groups:
            raise RuntimeError(f"For '{api}', 'num_heads' {heads} must be a multiple of {groups}.")
        k, v = (core.split_heads(api, x, layout, groups) for x in (key, value))
    columns = k.shape[2]
    hidden = core.hidden_by(api, mask)
    if rows > 1 and pse is lengths is key_lengths is None and not sums:
        by_kernel = fused.attend(q, k, v, scale, band_of(mode, mask, before, behind, (rows, columns)))
        if by_kernel is not None:
            return core.join_heads(by_kernel, out_layout), None
    if hidden is not None and rows == 1 and hidden.ndim < 4:
        hidden = hidden.reshape(hidden.shape[0], 1, 1, -1) if hidden.shape[0] == batch else hidden
    hidden = core.grown(api, hidden, (rows, columns)) if mode in (0, 1) or rows == 1 else None
    places = core.plain_places(rows, columns)
    there, used = _between(columns, key_lengths, key_padding, batch), _between(rows, lengths, query_padding, batch)
    limits = [x.reshape(shape) for x, shape in ((there, (batch, 1, 1, -1)), (used, (batch, 1, -1, 1))) if x is not None]

    def seen(start: Any, count: int) -> Any:
        own = core.rows_of(hidden, start, count)
        found = [core.visible(api, places.of_queries(start, count), own, mode, before, behind)]
        found = [x for x in (*found, *[core.rows_of(x, start, count) for x in limits]) if x is not None]
        return functools.reduce(operator.and_, found) if found else None

    if pse is not None:
        pse = pse[:, :, :rows, :columns]
    out, high, total = core.attend(q, k, v, scale, seen, late=pse)
    out = core.join_heads(out, out_layout).astype(query.dtype)
    if not sums:
        return out, None
    return out, jnp.where(total > 0, high + jnp.log(jnp.where(total > 0, total, 1)), -jnp.inf).astype(np.float32)


def _precise(api: str, inner_precise: Any) -> None:
    if integer(api, "inner_precise", inner_precise) != 1:
        _LOG.debug("%s: inner_precise=%s has no effect; sums are Float32", api, inner_precise)


@faces("ops")
def prompt_flash_attention(
    query, key, value, attn_mask=None, actual_seq_lengths=None, actual_seq_lengths_kv=None, pse_shift=None,
    deq_scale1=None, quant_scale1=None, deq_scale2=None, quant_scale2=None, quant_offset2=None, num_heads=1,
    scale_value=1.0, pre_tokens=core.EVERYTHING, next_tokens=0, input_layout="BSH", num_key_value_heads=0,
    sparse_mode=0, inner_precise=1,
):  # fmt: skip
    """Attention of a whole prompt: Softmax(Mask(scale_value * Q K^T + pse_shift)) V.

    Args:
        query (Tensor): [B, S1, H] or [B, N, S1, D], floating type.
        key, value (Tensor): likewise.
        attn_mask (Tensor): True for what is not seen: [S1, S2], [B or 1, S1, S2] or [B or 1, 1, S1, S2].
        actual_seq_lengths, actual_seq_lengths_kv (Union[Tensor, tuple, list]): [B], how many queries and keys are
            meant.
        pse_shift (Tensor): [B or 1, N, at least S1, at least S2].
        deq_scale1, quant_scale1, deq_scale2, quant_scale2, quant_offset2: of int8; must be None.
        num_heads (int): heads of `query`.
        scale_value (float): the scale.
        pre_tokens, next_tokens (int): the band of the modes 0 (with a mask) and 4.
        input_layout (str): "BSH" or "BNSD".
        num_key_value_heads (int): heads of `key`; 0 for as many as `query` has.
        sparse_mode (int): 0 to 4, see `flash_attention_score`.
        inner_precise (int): no effect.

    Returns:
        Tensor of the shape and type of `query`; zeros for queries that are not meant.

    Raises:
        TypeError: types that differ, or a mask of another type.
        ValueError: shapes or a layout that do not fit.
        RuntimeError: numbers of heads or a mode that do not fit.
        UnsupportedError: int8.
    """
    api = "prompt_flash_attention"
    _floats_only(api, deq_scale1=deq_scale1, quant_scale1=quant_scale1, deq_scale2=deq_scale2,
                 quant_scale2=quant_scale2, quant_offset2=quant_offset2)  # fmt: skip
    _precise(api, inner_precise)
    check_one_of(api, "input_layout", input_layout, ("BSH", "BNSD"))
    if integer(api, "sparse_mode", sparse_mode) not in range(5):
        raise RuntimeError(f"For '{api}', the 'sparse_mode' must be in [0, 4], but got {sparse_mode}.")
    groups = integer(api, "num_key_value_heads", num_key_value_heads) or num_heads
    lengths = (_numbers(actual_seq_lengths), _numbers(actual_seq_lengths_kv))
    tensors = (query, key, value, attn_mask, pse_shift, *lengths, None, None, None, None, None)
    how = (num_heads, groups, input_layout, input_layout, float(scale_value), pre_tokens, next_tokens, sparse_mode, api)
    return _infer(*tensors, *how, False)[0]


def _one(api: str, name: str, value: Any) -> Any:
    """A tensor from a sequence of tensors: its only one, or one for each sample, of one length."""
    if isinstance(value, (tuple, list)):
        return value[0] if len(value) == 1 else concat(tuple(value), 0)
    return value


@faces("ops")
def incre_flash_attention(
    query, key, value, attn_mask=None, actual_seq_lengths=None, pse_shift=None, dequant_scale1=None, quant_scale1=None,
    dequant_scale2=None, quant_scale2=None, quant_offset2=None, antiquant_scale=None, antiquant_offset=None,
    block_table=None, num_heads=1, input_layout="BSH", scale_value=1.0, num_key_value_heads=0, block_size=0,
    inner_precise=1, kv_padding_size=None,
):  # fmt: skip
    """Attention of one new token: Softmax(Mask(scale_value * Q K^T + pse_shift)) V.

    Args:
        query (Tensor): [B, 1, H] or [B, N, 1, D], floating type.
        key, value (Union[Tensor, tuple, list]): [B, S, H] or [B, N, S, D]; or one such tensor for each sample; or pages
            [blocks, block_size, H] or [blocks, N, block_size, D] with a `block_table`.
        attn_mask (Tensor): True for what is not seen: [B, S], [B, 1, S] or [B, 1, 1, S].
        actual_seq_lengths (Union[Tensor, tuple, list]): [B] or [1], how many keys are meant.
        pse_shift (Tensor): [B or 1, N, 1, S].
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2: of int8 results; must be None.
        antiquant_scale, antiquant_offset (Tensor): [2, N, 1, D] or [2, H], for Int8 keys and values:
            (x + offset) * scale.
        block_table (Tensor): Int32 [B, pages], the cache's blocks of each sample.
        num_heads (int): heads of `query`.
        input_layout (str): "BSH" or "BNSD".
        scale_value (float): the scale.
        num_key_value_heads (int): heads of `key`; 0 for as many as `query` has.
        block_size (int): tokens of a page; known from the cache's shape.
        inner_precise (int): no effect.
        kv_padding_size (Tensor): how many places at the end of the keys are padding.

    Returns:
        Tensor of the shape and type of `query`.

    Raises:
        TypeError: types that differ, or a mask of another type.
        ValueError: shapes or a layout that do not fit.
        RuntimeError: numbers of heads that do not fit.
        UnsupportedError: int8 results.
    """
    api = "incre_flash_attention"
    _floats_only(api, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2,
                 quant_scale2=quant_scale2, quant_offset2=quant_offset2)  # fmt: skip
    _precise(api, inner_precise)
    integer(api, "block_size", block_size, 0)
    check_one_of(api, "input_layout", input_layout, ("BSH", "BNSD"))
    groups = integer(api, "num_key_value_heads", num_key_value_heads) or num_heads
    tensors = (query, _one(api, "key", key), _one(api, "value", value), attn_mask, pse_shift, None)
    rest = (_numbers(actual_seq_lengths), None, kv_padding_size, block_table, antiquant_scale, antiquant_offset)
    how = (num_heads, groups, input_layout, input_layout, float(scale_value), core.EVERYTHING, core.EVERYTHING, 0, api)
    return _infer(*tensors, *rest, *how, False)[0]


@faces("ops")
def fused_infer_attention_score(
    query, key, value, *, pse_shift=None, atten_mask=None, actual_seq_lengths=None, actual_seq_lengths_kv=None,
    dequant_scale1=None, quant_scale1=None, dequant_scale2=None, quant_scale2=None, quant_offset2=None,
    antiquant_scale=None, antiquant_offset=None, key_antiquant_scale=None, key_antiquant_offset=None,
    value_antiquant_scale=None, value_antiquant_offset=None, block_table=None, query_padding_size=None,
    kv_padding_size=None, key_shared_prefix=None, value_shared_prefix=None, actual_shared_prefix_len=None, num_heads=1,
    scale=1.0, pre_tokens=core.EVERYTHING, next_tokens=core.EVERYTHING, input_layout="BSH", num_key_value_heads=0,
    sparse_mode=0, inner_precise=1, block_size=0, antiquant_mode=0, key_antiquant_mode=0, value_antiquant_mode=0,
    softmax_lse_flag=False,
):  # fmt: skip
    """Attention for inference, of a prompt or, if `query` has one place, of a new token.

    Args:
        query, key, value, pse_shift, atten_mask, actual_seq_lengths, actual_seq_lengths_kv, num_heads, scale,
            pre_tokens, next_tokens, num_key_value_heads, sparse_mode, inner_precise, block_table, block_size,
            antiquant_scale, antiquant_offset, kv_padding_size: see `prompt_flash_attention` and
            `incre_flash_attention`.
        query_padding_size (Tensor): how many places at the end of the queries are padding.
        input_layout (str): "BSH", "BNSD", "BSND", or "BNSD_BSND" for another layout of the result.
        softmax_lse_flag (bool): also return the logarithms of the softmax's sums.
        dequant_scale1, quant_scale1, dequant_scale2, quant_scale2, quant_offset2, key_antiquant_scale,
            key_antiquant_offset, value_antiquant_scale, value_antiquant_offset, key_shared_prefix, value_shared_prefix,
            actual_shared_prefix_len, antiquant_mode, key_antiquant_mode, value_antiquant_mode: must be None or 0.

    Returns:
        Tuple of the output and the logarithms, Float32 [B, N, S1, 1]; a zero [1] without `softmax_lse_flag`.

    Raises:
        TypeError: types that differ, or a mask of another type.
        ValueError: shapes or a layout that do not fit.
        RuntimeError: numbers of heads or a mode that do not fit.
        UnsupportedError: quantised tensors, a shared prefix.
    """
    api = "fused_infer_attention_score"
    _floats_only(
        api, dequant_scale1=dequant_scale1, quant_scale1=quant_scale1, dequant_scale2=dequant_scale2,
        quant_scale2=quant_scale2, quant_offset2=quant_offset2, key_antiquant_scale=key_antiquant_scale,
        key_antiquant_offset=key_antiquant_offset, value_antiquant_scale=value_antiquant_scale,
        value_antiquant_offset=value_antiquant_offset, key_shared_prefix=key_shared_prefix,
        value_shared_prefix=value_shared_prefix, actual_shared_prefix_len=actual_shared_prefix_len,
        antiquant_mode=antiquant_mode or None, key_antiquant_mode=key_antiquant_mode or None,
        value_antiquant_mode=value_antiquant_mode or None,
    )  # fmt: skip
    _precise(api, inner_precise)
    integer(api, "block_size", block_size, 0)
    check_one_of(api, "input_layout", input_layout, ("BSH", "BNSD", "BSND", "BNSD_BSND"))
    layout, _, out_layout = input_layout.partition("_")
    single = query.shape[2 if layout == "BNSD" else 1] == 1
    groups = integer(api, "num_key_value_heads", num_key_value_heads) or num_heads
    tensors = (query, _one(api, "key", key), _one(api, "value", value), atten_mask, pse_shift)
    lengths = (None if single else _numbers(actual_seq_lengths), _numbers(actual_seq_lengths_kv))
    rest = (query_padding_size, kv_padding_size, block_table, antiquant_scale, antiquant_offset)
    band = (core.EVERYTHING, core.EVERYTHING, 0) if single else (pre_tokens, next_tokens, sparse_mode)
    how = (num_heads, groups, layout, out_layout or layout, float(scale), *band, api)
    out, logsum = _infer(*tensors, *lengths, *rest, *how, bool(softmax_lse_flag))
    return out, logsum if softmax_lse_flag else Tensor(np.zeros(1, np.float32))


# -- pages with a token for each sequence ------------------------------------------------------------------------------
@op(static=("heads", "groups", "scale", "api"), name="PagedAttention")
def paged_attention(
    query, key_cache, value_cache, block_tables, context_lens, encoding, mask, heads, groups, scale, api
):  # fmt: skip
    """Attention of one token per sequence over the pages of its keys.

    Args:
        query (Tensor): [tokens, heads, D] or any shape of as many elements per token.
        key_cache, value_cache (Tensor): [blocks, block_size, groups, D].
        block_tables (Tensor): Int32 [tokens, pages].
        context_lens (Tensor): Int32 [tokens], how many keys are meant.
        encoding (Tensor): added after the scaling: [tokens, keys], [tokens, 1, keys] or [tokens, heads, 1, keys].
        mask (Tensor): likewise.
        heads, groups (int): heads of queries and keys.
        scale (float): the scale.
        api (str): what error messages call it.

    Returns:
        Tensor of the shape and type of `query`.

    Raises:
        TypeError: types that differ.
        ValueError: shapes that do not fit.
    """
    if key_cache.ndim != 4 or key_cache.shape != value_cache.shape or key_cache.shape[2] != groups:
        raise ValueError(
            f"For '{api}', the caches must have shape (blocks, block_size, {groups}, D), but got {key_cache.shape} and "
            f"{value_cache.shape}."
        )
    core.check_inputs(api, query, key_cache, value_cache, heads, "BNSD", ("BNSD",))
    tokens, size = block_tables.shape[0], key_cache.shape[3]
    if query.size != tokens * heads * size:
        raise ValueError(f"For '{api}', the 'query' must hold {tokens} tokens of {heads} heads, but got {query.shape}.")
    pages = [x[jnp.maximum(block_tables, 0)] for x in (key_cache, value_cache)]
    k, v = (x.reshape(tokens, -1, groups, size).transpose(0, 2, 1, 3) for x in pages)
    columns = k.shape[2]
    seen = (jnp.arange(columns) < context_lens.reshape(-1, 1))[:, None, None]
    late = None
    for extra in (encoding, mask):
        if extra is None:
            continue
        extra = jnp.expand_dims(extra, {2: (1, 2), 3: (1,)}.get(extra.ndim, ()))
        short = columns - extra.shape[-1]
        extra = jnp.pad(extra, [(0, 0)] * 3 + [(0, max(short, 0))])[..., :columns].astype(np.float32)
        late = extra if late is None else late + extra
    out = core.attend(query.reshape(tokens, heads, 1, size), k, v, scale, seen, late=late).out
    return out.reshape(query.shape).astype(query.dtype)


@op(name="ReshapeAndCache")
def cached(cache, new, slots):
    """A cache [blocks, block_size, N, D] with new tokens at slots (block * block_size + place); negative ones are not
    stored.
    """
    flat = cache.reshape(cache.shape[0] * cache.shape[1], *cache.shape[2:])
    rows = new.reshape(-1, *cache.shape[2:]).astype(cache.dtype)
    at = slots.reshape(-1)
    if rows.shape[0] != at.shape[0]:
        raise ValueError(f"For 'ReshapeAndCache', there are {rows.shape[0]} tokens, but {at.shape[0]} slots.")
    at = jnp.where(at < 0, flat.shape[0], at)
    return flat.at[at].set(rows, mode="drop").reshape(cache.shape)
