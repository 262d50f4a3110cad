"""Attention for training: `flash_attention_score`, its primitive `FlashAttentionScore`, `speed_fusion_attention`,
and `ring_attention_update`, which joins the results over two parts of the keys.
"""

from __future__ import annotations

import logging
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from ms_compat._core.checks import check_shape
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.random import random_op
from ms_compat._core.errors import check_one_of
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.ops import _strategies
from ms_compat.ops.function.attention import fused
from ms_compat.ops.function.attention import scaled_dot_product as core
from ms_compat.ops.function.attention.bands import band_of
from ms_compat.ops.function.nn.checks import integer
from ms_compat.ops.primitive import Primitive

_LOG = logging.getLogger("ms_compat")
_STATIC = ("heads", "layout", "scale", "keep_prob", "before", "behind", "mode", "api", "encoding", "starts",
           "sums", "lying")  # fmt: skip

_PLACES = {"BNSD": (0, 1, 2), "BSH": (0, 2, 1), "SBH": (1, 2, 0), "BSND": (0, 2, 1)}  # of B, N and S


def _encoded(api, pse, encoding, sizes, starts):
    """The position encoding before and after the scaling."""
    if pse is None:
        return None, None
    if encoding in (0, 1):
        if pse.ndim != 4 or pse.shape[2] not in (1, sizes[0]) or pse.shape[3] not in (1, sizes[1]):
            raise ValueError(
                f"For '{api}', the position encoding must have shape (B or 1, N, {sizes[0]}, {sizes[1]}), but got "
                f"{pse.shape}. The compressed form of 1024 rows is not served; give all rows."
            )
        return (pse, None) if encoding == 1 else (None, pse)
    slopes = pse.reshape(-1, pse.shape[-1])[:, :, None, None]

    def distances(start: Any, count: int) -> Any:
        queries = start + jnp.arange(count)[:, None] + starts[0]
        distance = jnp.abs(queries - jnp.arange(sizes[1]) - starts[1]).astype(np.float32)
        return -slopes * (distance if encoding == 2 else jnp.sqrt(distance))

    return None, distances


def _flash(
    key, query, keys, values, pse, drop, mask, prefix, query_ends, key_ends, heads, layout, scale, keep_prob, before,
    behind, mode, api, encoding, starts, sums, lying,
):  # fmt: skip
    core.check_inputs(api, query, keys, values, heads, layout, core.LAYOUTS)
    q = core.split_heads(api, query, layout, heads)
    groups = core.key_heads(api, keys, layout, q.shape[-1], heads)
    k, v = (core.split_heads(api, x, layout, groups) for x in (keys, values))
    sizes = (q.shape[2], k.shape[2])
    hidden = core.hidden_by(api, mask)
    by_kernel = None
    if pse is None and drop is None and key is None and layout != "TND" and sums is not True:
        by_kernel = fused.attend(q, k, v, scale, band_of(mode, mask, before, behind, sizes), lying)
    if by_kernel is not None and not sums:
        return core.join_heads(by_kernel, layout)
    if layout == "TND":
        places = core.packed_places(api, query_ends, key_ends, *sizes)
    else:
        places = core.plain_places(*sizes)
    hidden = core.grown(api, hidden, sizes) if mode in (0, 1, 5) else None

    def seen(start: Any, count: int) -> Any:
        there = core.rows_of(hidden, start, count)
        return core.visible(api, places.of_queries(start, count), there, mode, before, behind, prefix)

    early, late = _encoded(api, pse, encoding, sizes, starts)
    shape = (q.shape[0], heads, *sizes)
    keep = None
    if drop is not None:
        keep = core.kept_bits(api, drop, shape)
    elif key is not None:
        keep = core.drawn_bits(key, keep_prob, shape)
    out, high, total = core.attend(q, k, v, scale, seen, early, late, keep, keep_prob)
    out = out if by_kernel is None else by_kernel
    if not sums:
        return core.join_heads(out, layout).astype(query.dtype)
    high, total = (jnp.broadcast_to(x, (*x.shape[:-1], 8)) for x in (high, total))
    if layout == "TND":
        high, total = (x[0].transpose(1, 0, 2) for x in (high, total))
    return core.join_heads(out, layout).astype(query.dtype), high, total


@op(static=_STATIC, name="flash_attention_score")
def _plain(
    query, keys, values, pse, drop, mask, prefix, query_ends, key_ends, heads, layout, scale, keep_prob, before, behind,
    mode, api, encoding, starts, sums, lying,
):  # fmt: skip
    tensors = (query, keys, values, pse, drop, mask, prefix, query_ends, key_ends)
    return _flash(
        None, *tensors, heads, layout, scale, keep_prob, before, behind, mode, api, encoding, starts, sums, lying
    )


@random_op(static=_STATIC)
def _dropped(
    key, query, keys, values, pse, mask, prefix, query_ends, key_ends, heads, layout, scale, keep_prob, before, behind,
    mode, api, encoding, starts, sums, lying,
):  # fmt: skip
    tensors = (query, keys, values, pse, None, mask, prefix, query_ends, key_ends)
    return _flash(
        key, *tensors, heads, layout, scale, keep_prob, before, behind, mode, api, encoding, starts, sums, lying
    )


def _by_heads(lying: Any, layout: str) -> Any:
    """The device layout of [B, N, S, D], from the layout of an array in another order."""
    if lying is None or layout == "TND":
        return None
    spec = [*lying.spec, *[None] * (4 - len(lying.spec))]
    return NamedSharding(lying.mesh, PartitionSpec(*[spec[i] for i in _PLACES[layout]]))


def _ends(value: Any) -> Any:
    return Tensor(np.array(value, np.int32)) if isinstance(value, (tuple, list)) else value


def _run(api, tensors, drop, mask, prefix, ends, settings, encoding=1, starts=(0, 0), sums=True, lying=None):
    query, keys, values, pse = tensors
    rest = (mask, _ends(prefix), *map(_ends, ends))
    heads, layout, scale, keep_prob, before, behind, mode = settings
    core.check_keep_prob(api, keep_prob)
    if sums and isinstance(query, Tensor) and isinstance(query._v, Tracer):
        sums = "apart"  # no kernel returns them, but a compiled program drops unused results
    numbers = (float(scale), float(keep_prob), before, behind, mode)
    static = (heads, layout, *numbers, api, encoding, starts, sums, _by_heads(lying, layout))
    if keep_prob < 1 and drop is None:
        return _dropped(query, keys, values, pse, *rest, *static)
    return _plain(query, keys, values, pse, drop, *rest, *static)


@faces("ops")
def flash_attention_score(
    query, key, value, head_num, real_shift=None, drop_mask=None, padding_mask=None, attn_mask=None, prefix=None,
    actual_seq_qlen=None, actual_seq_kvlen=None, keep_prob=1.0, scalar_value=1.0, pre_tokens=core.EVERYTHING,
    next_tokens=core.EVERYTHING, inner_precise=0, input_layout="BSH", sparse_mode=0,
):  # fmt: skip
    """Attention: Dropout(Softmax(Mask(scalar_value * (Q K^T + real_shift)))) V.

    It takes any floating type. The position encoding is added before the scaling, as the kernel does.

    Args:
        query (Tensor): [B, S1, H], [B, N, S1, D], [S1, B, H], [B, S1, N, D] or [T1, N, D], as `input_layout` says.
        key, value (Tensor): likewise, with S2; the number of heads divides `query`'s.
        head_num (int): heads of `query`.
        real_shift (Tensor): [B or 1, N, S1, S2].
        drop_mask (Tensor): UInt8, a bit for each weight that is kept; without it `keep_prob` draws one.
        padding_mask: must be None.
        attn_mask (Tensor): Bool or UInt8, True for what is not seen: [S1, S2], [B, 1, S1, S2] or [B, N, S1, S2]. The
            modes 2 to 4 have their own triangle and take any.
        prefix (Union[Tensor, tuple, list]): [B], for the mode 5.
        actual_seq_qlen, actual_seq_kvlen (Union[Tensor, tuple, list]): TND's sequence ends.
        keep_prob (float): share of the weights that a dropout keeps.
        scalar_value (float): the scale.
        pre_tokens, next_tokens (int): the band, for the modes 0 (with a mask) and 4.
        inner_precise (int): no effect, as in MindSpore.
        input_layout (str): "BSH", "BNSD", "SBH", "BSND" or "TND".
        sparse_mode (int): 0: mask within the band; 1: mask; 2: causal; 3: causal, counted from the ends; 4: band,
            counted from the ends; 5: as 3, and the first `prefix` keys.

    Returns:
        Tensor of the shape and type of `query`; zeros where a query sees no key.

    Raises:
        TypeError: types that differ, or a mask of another type.
        ValueError: shapes or a layout that do not fit.
        RuntimeError: numbers of heads or a mode that do not fit.

    >>> from ms_compat import ops
    >>> x = ops.ones((2, 4, 64))
    >>> ops.flash_attention_score(x, x, x, 4, scalar_value=0.25, sparse_mode=2).shape
    (2, 4, 64)
    """
    api = "flash_attention_score"
    _unused(api, padding_mask, inner_precise)
    settings = (head_num, input_layout, scalar_value, keep_prob, pre_tokens, next_tokens, sparse_mode)
    tensors = (query, key, value, real_shift)
    ends = (actual_seq_qlen, actual_seq_kvlen)
    return _run(api, tensors, drop_mask, attn_mask, prefix, ends, settings, sums=False)


def _unused(api: str, padding_mask: Any, inner_precise: Any) -> None:
    if padding_mask is not None:
        raise ValueError(f"For '{api}', the 'padding_mask' must be None.")
    if inner_precise:
        _LOG.debug("%s: inner_precise=%s has no effect", api, inner_precise)


class FlashAttentionScore(Primitive):
    """`ops.flash_attention_score` as a primitive, with the softmax's maxima and sums.

    Args:
        head_num, keep_prob, scale_value, pre_tokens, next_tokens, inner_precise, input_layout, sparse_mode: as there.

    Returns:
        Tuple of the maxima and the sums, Float32 [B, N, S1, 8] or [T1, N, 8] (eight times the same), an empty Tensor
        and the output.
    """

    def __init__(
        self, head_num, keep_prob=1.0, scale_value=1.0, pre_tokens=core.EVERYTHING, next_tokens=core.EVERYTHING,
        inner_precise=0, input_layout="BSH", sparse_mode=0,
    ):  # fmt: skip
        super().__init__("FlashAttentionScore")
        integer(self.name, "head_num", head_num, 1), integer(self.name, "sparse_mode", sparse_mode)
        core.check_keep_prob(self.name, keep_prob)
        check_one_of(self.name, "input_layout", input_layout, core.LAYOUTS)
        _unused(self.name, None, inner_precise)
        self.settings = (head_num, input_layout, scale_value, keep_prob, pre_tokens, next_tokens, sparse_mode)

    def __call__(
        self, query, key, value, real_shift=None, drop_mask=None, padding_mask=None, attn_mask=None, prefix=None,
        actual_seq_qlen=None, actual_seq_kvlen=None,
    ):  # fmt: skip
        _unused(self.name, padding_mask, 0)
        ends = (actual_seq_qlen, actual_seq_kvlen)
        tensors = (query, key, value, real_shift)
        lying = _strategies.sharding_of_first(self, (query, key, value))
        out, high, total = _run(self.name, tensors, drop_mask, attn_mask, prefix, ends, self.settings, lying=lying)
        return high, total, Tensor(np.zeros((), query.dtype.np_dtype)), out


@faces("ops")
def speed_fusion_attention(
    query, key, value, head_num, input_layout, *, pse=None, padding_mask=None, atten_mask=None, scale=1.0,
    keep_prob=1.0, pre_tokens=core.EVERYTHING, next_tokens=core.EVERYTHING, inner_precise=0, prefix=None,
    actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, gen_mask_parallel=True, sync=False, pse_type=1,
    q_start_idx=None, kv_start_idx=None,
):  # fmt: skip
    """`flash_attention_score` with more position encodings and all its results.

    Args:
        query, key, value, head_num, input_layout, atten_mask, scale, keep_prob, pre_tokens, next_tokens, prefix,
            actual_seq_qlen, actual_seq_kvlen, sparse_mode: as there.
        pse (Tensor): [B or 1, N, S1, S2], or Float32 slopes [N] or [B, N] for the types 2 and 3.
        padding_mask: must be None.
        inner_precise, gen_mask_parallel, sync: no effect, as in MindSpore.
        pse_type (int): 0: added after the scaling; 1: before it; 2: minus the slope times the distance; 3: times the
            distance's root.
        q_start_idx, kv_start_idx (Union[tuple, list]): one int each, where queries and keys begin, for the types 2, 3.

    Returns:
        Tuple of the output, the softmax's maxima and sums, an empty Tensor, and seed, offset and length of the
        dropout's mask, which JAX keeps: 0, 0 and the number of weights.

    Raises:
        TypeError: types that differ, or a mask of another type.
        ValueError: shapes, a layout, a mode or a `pse_type` that do not fit.
    """
    api = "speed_fusion_attention"
    _unused(api, padding_mask, inner_precise)
    if gen_mask_parallel is not True or sync is not False:
        _LOG.debug("%s: gen_mask_parallel and sync have no effect", api)
    if integer(api, "pse_type", pse_type) not in (0, 1, 2, 3):
        raise ValueError(f"For '{api}', the 'pse_type' must be in [0, 3], but got {pse_type}.")
    if integer(api, "sparse_mode", sparse_mode) not in range(9):
        raise ValueError(f"For '{api}', the 'sparse_mode' must be in [0, 8], but got {sparse_mode}.")
    starts = tuple(0 if i is None else int(i[0]) for i in (q_start_idx, kv_start_idx))
    settings = (head_num, input_layout, scale, keep_prob, pre_tokens, next_tokens, sparse_mode)
    ends = (actual_seq_qlen, actual_seq_kvlen)
    out, high, total = _run(
        api, (query, key, value, pse), None, atten_mask, prefix, ends, settings, pse_type, starts
    )  # fmt: skip
    count = int(np.prod(high.shape[:-1])) * (key.shape[0 if input_layout in ("SBH", "TND") else 1])
    if input_layout == "BNSD":
        count = int(np.prod(high.shape[:-1])) * key.shape[2]
    numbers = [Tensor(np.array(n, np.int64)) for n in (0, 0, count if keep_prob < 1 else 0)]
    return out, high, total, Tensor(np.zeros((), query.dtype.np_dtype)), *numbers


@op(static=("layout",), name="ring_attention_update")
def _ring(prev, prev_high, prev_sum, cur, cur_high, cur_sum, layout):
    api = "ring_attention_update"
    for name, value, like in (
        ("cur_attn_out", cur, prev), ("cur_softmax_max", cur_high, prev_high), ("cur_softmax_sum", cur_sum, prev_sum),
        ("prev_softmax_sum", prev_sum, prev_high),
    ):  # fmt: skip
        check_shape(api, name, value, like.shape)
    high = jnp.maximum(prev_high, cur_high)
    shares = [total * jnp.exp(own - high) for own, total in ((prev_high, prev_sum), (cur_high, cur_sum))]
    total = shares[0] + shares[1]

    def weight(share):
        one = (share / total)[..., :1]
        if layout == "TND":
            return one
        heads = one.shape[1]
        return jnp.repeat(one[..., 0].transpose(2, 0, 1), prev.shape[2] // heads, -1)

    out = prev.astype(np.float32) * weight(shares[0]) + cur.astype(np.float32) * weight(shares[1])
    return out.astype(prev.dtype), high, total


@faces("ops")
def ring_attention_update(
    prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max, cur_softmax_sum,
    actual_seq_qlen=None, layout="SBH",
):  # fmt: skip
    """Attention over all keys from the results over two parts of them.

    Args:
        prev_attn_out, cur_attn_out (Tensor): [S, B, H], or [T, N, D].
        prev_softmax_max, cur_softmax_max (Tensor): Float32 [B, N, S, 8], or [T, N, 8].
        prev_softmax_sum, cur_softmax_sum (Tensor): likewise.
        actual_seq_qlen (Tensor): ends of the sequences, from 0 on; TND needs it. They do not change the result.
        layout (str): "SBH" or "TND".

    Returns:
        Tuple of the output, the maxima and the sums.

    Raises:
        ValueError: shapes or a layout that do not fit.
        RuntimeError: TND without `actual_seq_qlen`.
    """
    check_one_of("ring_attention_update", "layout", layout, ("SBH", "TND"))
    if layout == "TND" and actual_seq_qlen is None:
        raise RuntimeError("For 'ring_attention_update', the layout TND needs 'actual_seq_qlen'.")
    parts = (prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max, cur_softmax_sum)
    return _ring(*parts, layout)
