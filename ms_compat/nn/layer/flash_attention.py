"""`FlashAttention`, a layer of MindSpore 2.2 and 2.3: attention on [B, N, S, D], scaled by 1 / sqrt(D)."""

from __future__ import annotations

import logging
import math

from ms_compat._core.errors import check_bool, check_float_range, check_positive_int
from ms_compat.nn.cell import Cell
from ms_compat.ops.function.attention.flash import flash_attention_score

_LOG = logging.getLogger("ms_compat")


class FlashAttention(Cell):
    """Attention with a mask, a dropout of the weights in training, and a position encoding added to the scores.

    Args:
        head_dim (int): size of a head.
        head_num (int): heads.
        dropout_rate (float): share of the weights that are dropped.
        prev_block_num, next_block_num (int): the band; a mask is needed for it.
        tiling_stgy_name, dp, mp, high_precision: no effect here; JAX tiles and distributes.
        have_attention_mask_batch (bool): whether the mask has a batch axis.
        alibi (bool): whether a position encoding is given.

    Inputs:
        query, key, value (Tensor): [B, N, S, D].
        attn_mask (Tensor): 1 for what is not seen: [B, S, S], or [S, S] without `have_attention_mask_batch`.
        alibi_mask (Tensor): [B or 1, N, S, S], with `alibi`.

    Returns:
        Tensor [B, N, S, D].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value, or shapes that do not fit.

    >>> import ms_compat as ms
    >>> from ms_compat.nn.layer.flash_attention import FlashAttention
    >>> x = ms.ops.ones((1, 2, 4, 8))
    >>> FlashAttention(8, 2)(x, x, x).shape
    (1, 2, 4, 8)
    """

    def __init__(
        self, head_dim, head_num, dropout_rate=0.0, prev_block_num=65536, next_block_num=65536,
        tiling_stgy_name="sparse", dp=1, mp=1, high_precision=False, have_attention_mask_batch=True, alibi=False,
    ):  # fmt: skip
        super().__init__()
        self.head_dim = check_positive_int("FlashAttention", "head_dim", head_dim)
        self.head_num = check_positive_int("FlashAttention", "head_num", head_num)
        self.dropout_rate = check_float_range("FlashAttention", "dropout_rate", dropout_rate, 0.0, 1.0, "[)")
        self.band = (prev_block_num, next_block_num)
        self.have_attention_mask_batch = check_bool(
            "FlashAttention", "have_attention_mask_batch", have_attention_mask_batch
        )
        self.alibi = check_bool("FlashAttention", "alibi", alibi)
        if (tiling_stgy_name, dp, mp, high_precision) != ("sparse", 1, 1, False):
            _LOG.debug("FlashAttention: tiling_stgy_name, dp, mp and high_precision have no effect")

    def construct(self, query, key, value, attn_mask=None, alibi_mask=None):
        if attn_mask is not None:
            attn_mask = attn_mask.astype("bool_") if attn_mask.dtype._label not in ("Bool", "UInt8") else attn_mask
            if self.have_attention_mask_batch and len(attn_mask.shape) == 3:
                attn_mask = attn_mask.expand_dims(1)
        root = math.sqrt(self.head_dim)
        shift = alibi_mask * root if self.alibi and alibi_mask is not None else None
        keep = 1.0 - self.dropout_rate if self.training else 1.0
        return flash_attention_score(
            query, key, value, self.head_num, real_shift=shift, attn_mask=attn_mask, keep_prob=keep,
            scalar_value=1 / root, pre_tokens=self.band[0], next_tokens=self.band[1], input_layout="BNSD",
        )  # fmt: skip
