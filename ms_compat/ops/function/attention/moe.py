"""Mixtures of experts: the tokens sorted by expert and back, and the choice of expert groups."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.checks import check_dtype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces
from ms_compat.ops.function.nn.checks import integer, tensor


@op(static=("count",), name="moe_token_permute")
def _permute(tokens, indices, count):
    api = "moe_token_permute"
    if tensor(api, "tokens", tokens).ndim != 2 or tensor(api, "indices", indices).ndim not in (1, 2):
        raise ValueError(
            f"For '{api}', 'tokens' must have 2 dimensions and 'indices' 1 or 2, but got {tokens.shape} and "
            f"{indices.shape}."
        )
    check_dtype(api, "indices", indices, np.int32, np.int64)
    if indices.shape[0] != tokens.shape[0]:
        raise RuntimeError(f"For '{api}', {tokens.shape[0]} tokens need as many indices, but got {indices.shape}.")
    if indices.ndim == 2 and indices.shape[1] > 512:
        raise ValueError(f"For '{api}', the second size of 'indices' must be at most 512, but got {indices.shape}.")
    choices = indices.size // indices.shape[0]
    order = jnp.argsort(indices.reshape(-1), stable=True)
    ranks = jnp.argsort(order).astype(np.int32)
    return tokens[order[:count] // choices], ranks


@faces("ops")
def moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    """The tokens in the order of their experts.

    Args:
        tokens (Tensor): [T, H].
        indices (Tensor): [T] or [T, K], Int32 or Int64: the experts of each token.
        num_out_tokens (int): how many of the T * K rows to keep; None for all.
        padded_mode (bool): False.

    Returns:
        Tuple of the rows [T * K, H] and, Int32 [T * K], the place of each token and choice among them.

    Raises:
        TypeError: an argument of another type.
        ValueError: shapes that do not fit, or `padded_mode`.
        RuntimeError: as many indices as tokens are needed.
    """
    _padded("moe_token_permute", padded_mode)
    if num_out_tokens is not None:
        integer("moe_token_permute", "num_out_tokens", num_out_tokens, 0)
    return _permute(tokens, indices, num_out_tokens)


def _padded(api: str, padded_mode: Any) -> None:
    check_bool(api, "padded_mode", padded_mode)
    if padded_mode:
        raise ValueError(f"For '{api}', the 'padded_mode' must be False.")


@op(name="moe_token_unpermute")
def _unpermute(permuted, places, probs):
    choices = 1 if probs is None else probs.shape[1]
    count = permuted.shape[0]
    at = places.reshape(-1)
    rows = jnp.where((at < count)[:, None], permuted[jnp.minimum(at, count - 1)], 0)
    rows = rows.reshape(-1, choices, permuted.shape[1])
    if probs is not None:
        rows = rows.astype(np.float32) * probs.astype(np.float32)[..., None]
    return rows.sum(1).astype(permuted.dtype)


@faces("ops")
def moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    """The tokens in their own order again, the rows of one token added up with weights.

    Args:
        permuted_tokens (Tensor): [T * K, H], or fewer rows; those that were left out count as zero.
        sorted_indices (Tensor): Int32 [T * K], from `moe_token_permute`.
        probs (Tensor): [T, K], the weights; None for K = 1.
        padded_mode (bool): False.
        restore_shape: for `padded_mode` only.

    Returns:
        Tensor [T, H].

    Raises:
        TypeError: an argument of another type.
        ValueError: `padded_mode`.
    """
    _padded("moe_token_unpermute", padded_mode)
    if restore_shape is not None:
        raise ValueError("For 'moe_token_unpermute', the 'restore_shape' needs the 'padded_mode'.")
    return _unpermute(permuted_tokens, sorted_indices, probs)


@op(static=("active", "capacity", "experts", "drop_pad", "counting"), name="moe_init_routing_v2")
def _routing(x, expert_idx, active, capacity, experts, drop_pad, counting):
    api = "moe_init_routing_v2"
    if x.ndim != 2 or expert_idx.ndim != 2 or x.shape[0] != expert_idx.shape[0]:
        raise ValueError(f"For '{api}', the shapes must be (T, H) and (T, K), but got {x.shape}, {expert_idx.shape}.")
    flat = expert_idx.reshape(-1)
    choices, total = expert_idx.shape[1], flat.shape[0]
    order = jnp.argsort(flat, stable=True)
    ranks = jnp.argsort(order).astype(np.int32)
    counts = jnp.zeros(max(experts, 1), np.int32).at[flat].add(1, mode="drop")
    if drop_pad:
        starts = jnp.cumsum(counts) - counts
        within = ranks - starts[flat]
        slots = jnp.where(within < capacity, flat * capacity + within, -1).astype(np.int32)
        rows = jnp.zeros((experts * capacity, x.shape[1]), x.dtype)
        source = x[jnp.arange(total) // choices]
        rows = rows.at[jnp.where(slots < 0, experts * capacity, slots)].set(source, mode="drop")
        return rows.reshape(experts, capacity, -1), slots, jnp.zeros_like(counts), counts
    kept = min(active, total) if active else total
    shown = jnp.cumsum(counts).astype(np.int32) if counting == 1 else counts
    return x[order[:kept] // choices], ranks, shown if counting else jnp.zeros_like(counts), jnp.zeros_like(counts)


@faces("ops")
def moe_init_routing_v2(
    x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode, expert_tokens_count_or_cumsum_flag,
    expert_tokens_before_capacity_flag,
):  # fmt: skip
    """The tokens sorted by expert, or placed into each expert's slots.

    Args:
        x (Tensor): [T, H].
        expert_idx (Tensor): Int32 [T, K], the experts of each token.
        active_num (int): without slots, how many rows to keep; 0 for all.
        expert_capacity (int): slots of an expert.
        expert_num (int): experts.
        drop_pad_mode (int): 0: sorted rows; 1: slots, with tokens beyond them dropped and zeros in the rest.
        expert_tokens_count_or_cumsum_flag (int): for sorted rows: 1: sums of the experts' numbers of tokens; 2: the
            numbers.
        expert_tokens_before_capacity_flag (bool): for slots: the numbers before dropping.

    Returns:
        Tuple of the rows, [T * K, H] or [experts, slots, H]; the place of each token and choice, Int32 [T * K], -1 if
        dropped; and the two counts, Int32 [experts], zeros where they are not requested.

    Raises:
        TypeError: a number of another type.
        ValueError: shapes or numbers that do not fit.
    """
    api = "moe_init_routing_v2"
    for name, value in (("active_num", active_num), ("expert_capacity", expert_capacity), ("expert_num", expert_num)):
        integer(api, name, value, 0)
    if integer(api, "drop_pad_mode", drop_pad_mode) not in (0, 1):
        raise ValueError(f"For '{api}', the 'drop_pad_mode' must be 0 or 1, but got {drop_pad_mode}.")
    counting = integer(api, "expert_tokens_count_or_cumsum_flag", expert_tokens_count_or_cumsum_flag)
    if counting not in (0, 1, 2):
        raise ValueError(f"For '{api}', the 'expert_tokens_count_or_cumsum_flag' must be in [0, 2], got {counting}.")
    if drop_pad_mode and not (0 < expert_capacity <= x.shape[0] and expert_num):
        raise ValueError(
            f"For '{api}', slots need experts and a capacity in (0, {x.shape[0]}], but got {expert_num} and "
            f"{expert_capacity}."
        )
    out = _routing(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode, counting)
    if drop_pad_mode and not expert_tokens_before_capacity_flag:
        return (*out[:3], out[2])
    return out


@op(static=("groups", "chosen", "inner"), name="GroupTopk")
def group_topk(token, groups, chosen, inner):
    """Scores [T, experts] in which all outside the best expert groups are zero.

    A group counts as the sum of its `inner` best scores.

    Args:
        token (Tensor): [T, experts].
        groups (int): groups, of neighbouring experts.
        chosen (int): how many groups remain.
        inner (int): how many experts of a group count.

    Raises:
        ValueError: numbers that do not fit.
    """
    api = "GroupTopk"
    if token.ndim != 2 or groups < 1 or token.shape[1] % groups or not 0 < chosen <= groups:
        raise ValueError(f"For '{api}', {groups} groups, {chosen} of them chosen, do not fit the shape {token.shape}.")
    size = token.shape[1] // groups
    if not 0 < inner <= size:
        raise ValueError(f"For '{api}', the 'k_inner' must be in [1, {size}], but got {inner}.")
    parts = token.reshape(-1, groups, size)
    scores = lax.top_k(parts, inner)[0].astype(np.float32).sum(-1)
    best = lax.top_k(scores, chosen)[1]
    stays = jnp.zeros(scores.shape, bool).at[jnp.arange(scores.shape[0])[:, None], best].set(True)
    return jnp.where(stays[..., None], parts, 0).reshape(token.shape)


@faces("ops")
@op
def multi_scale_deformable_attn_function(value, shape, offset, locations, weight):
    """Weighted bilinear samples from feature maps in several sizes. Zhu et al., arXiv:2010.04159.

    Args:
        value (Tensor): [B, keys, N, D], the maps' pixels behind each other.
        shape (Tensor): [L, 2], height and width of each map.
        offset (Tensor): [L], where each map begins.
        locations (Tensor): [B, Q, N, L, P, 2], x and y as shares of the map.
        weight (Tensor): [B, Q, N, L, P].

    Returns:
        Tensor [B, Q, N * D].

    Raises:
        RuntimeError: another type.
        ValueError: shapes that do not fit.
    """
    api = "multi_scale_deformable_attn_function"
    for name, array, kinds in (
        ("value", value, (np.float32, np.float16)), ("shape", shape, (np.int32, np.int64)),
        ("offset", offset, (np.int32, np.int64)), ("locations", locations, (np.float32, np.float16)),
        ("weight", weight, (np.float32, np.float16)),
    ):  # fmt: skip
        if array.dtype not in kinds:
            names = " or ".join(np.dtype(kind).name for kind in kinds)
            raise RuntimeError(f"For '{api}', the dtype of '{name}' must be {names}, but got {array.dtype}.")
    if value.ndim != 4 or locations.ndim != 6 or locations.shape[:5] != weight.shape or shape.ndim != 2:
        raise ValueError(
            f"For '{api}', the shapes do not fit: {value.shape}, {shape.shape}, {locations.shape}, {weight.shape}."
        )
    batch, keys, heads, size = value.shape
    height, width = (shape[:, i][:, None].astype(np.float32) for i in (0, 1))  # [L, 1]
    x = locations[..., 0].astype(np.float32) * width - 0.5
    y = locations[..., 1].astype(np.float32) * height - 0.5
    left, top = jnp.floor(x), jnp.floor(y)
    table = value.astype(np.float32).transpose(0, 2, 1, 3)  # [B, N, keys, D]
    first, n = jnp.arange(batch)[:, None, None, None, None], jnp.arange(heads)[:, None, None]
    out: Any = 0
    for down in (0, 1):
        for right in (0, 1):
            row, column = top + down, left + right
            share = (1 - jnp.abs(y - row)) * (1 - jnp.abs(x - column)) * weight.astype(np.float32)
            share = jnp.where((row >= 0) & (row < height) & (column >= 0) & (column < width), share, 0)
            at = offset[:, None] + jnp.clip(row, 0, height - 1) * width + jnp.clip(column, 0, width - 1)
            at = jnp.clip(at.astype(np.int32), 0, keys - 1)
            out = out + jnp.sum(table[first, n, at] * share[..., None], (3, 4))
    return out.reshape(batch, -1, heads * size).astype(value.dtype)
