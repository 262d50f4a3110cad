"""Primitives for attention and mixtures of experts; MindSpore's in-place ones write into their caches."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import unsupported_argument
from ms_compat._core.faces import table_faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.attention import inference, moe
from ms_compat.ops.function.attention.flash import FlashAttentionScore as FlashAttentionScore
from ms_compat.ops.function.elementwise import activation
from ms_compat.ops.function.update.assign import assign
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives


def _refuse(api: str, **values: Any) -> None:
    for name, value in values.items():
        if value is not None:
            unsupported_argument(api, name, value, "Use ops.incre_flash_attention.")


def _mode(name: str) -> str | None:
    """How a cache is quantized; None if it is not."""
    return None if name == "DEFAULT" else name


def _paged(
    query, key_cache, value_cache, block_tables, context_lens, antiquant_scale, antiquant_offset, attn_mask, q_seq_lens,
    alibi_mask, head_num, scale_value, kv_head_num, kv_cache_quant_mode, mask_mode, mla_v_dim,
):  # fmt: skip
    api = "PagedAttention"
    _refuse(api, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset, attn_mask=attn_mask,
            q_seq_lens=q_seq_lens, mla_v_dim=mla_v_dim or None,
            mask_mode=None if mask_mode == "MASK_DEFAULT" else mask_mode,
            kv_cache_quant_mode=_mode(kv_cache_quant_mode))  # fmt: skip
    caches = (query, key_cache, value_cache, block_tables, context_lens)
    return inference.paged_attention(*caches, alibi_mask, None, head_num, kv_head_num, float(scale_value), api)


def _paged_mask(
    query, key_cache, value_cache, block_tables, context_lens, antiquant_scale, antiquant_offset, alibi_mask, attn_mask,
    head_num, scale_value, kv_head_num, kv_cache_quant_mode,
):  # fmt: skip
    api = "PagedAttentionMask"
    _refuse(api, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset,
            kv_cache_quant_mode=_mode(kv_cache_quant_mode))  # fmt: skip
    caches = (query, key_cache, value_cache, block_tables, context_lens)
    how = (head_num, kv_head_num, float(scale_value), api)
    return inference.paged_attention(*caches, alibi_mask, attn_mask, *how)


def _reshape_and_cache(key, value, key_cache, value_cache, slot_mapping):
    for cache, new in ((key_cache, key), (value_cache, value)):
        if cache is not None and new is not None:
            assign(cache, inference.cached(cache, new, slot_mapping))
    return key


def _group_topk(token, idx_arr, group_num, k, k_inner):
    number = [int(n) if isinstance(n, Tensor) else n for n in (group_num, k, k_inner)]
    return assign(token, moe.group_topk(token, *number))


def _log_softmax(input, dim, dtype):
    if dtype is not None:
        input = input.astype(dtype)
    return activation.log_softmax(input, -1 if dim is None else dim)


_CACHES = (
    "query", "key_cache", "value_cache", "block_tables", "context_lens", ("antiquant_scale", None),
    ("antiquant_offset", None),
)  # fmt: skip
_HEADS = {
    "head_num": REQUIRED, "scale_value": REQUIRED, "kv_head_num": REQUIRED, "kv_cache_quant_mode": "DEFAULT",
}  # fmt: skip

_TABLE = {
    "PagedAttention": Row(
        _paged, (*_CACHES, ("attn_mask", None), ("q_seq_lens", None), ("alibi_mask", None)),
        {**_HEADS, "mask_mode": "MASK_DEFAULT", "mla_v_dim": 0},
    ),
    "PagedAttentionMask": Row(_paged_mask, (*_CACHES, ("alibi_mask", None), ("attn_mask", None)), _HEADS),
    "ReshapeAndCache": Row(_reshape_and_cache, ("key", "value", "key_cache", "value_cache", "slot_mapping")),
    "GroupTopk": Row(_group_topk, ("token", "idx_arr", "group_num", "k", "k_inner")),
    "LogSoftmaxExt": Row(_log_softmax, ("input", ("dim", None), ("dtype", None))),
}  # fmt: skip

PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES)
__all__ = [*PRIMITIVES, "FlashAttentionScore"]
table_faces(__name__, __all__, "ops")
