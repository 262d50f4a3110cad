"""Mixtures of experts over processes: each token goes to the processes of its experts, and back.

Each process has `moe_expert_num / ep_world_size` experts, in the order of the processes. All processes run one program
of fixed sizes, so a process gathers all tokens and keeps the ones for its experts. The weighted results are added up
over the processes: sum of `expert_scales[t, k] * expert[expert_ids[t, k]](x[t])` over k.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._core.errors import UnsupportedError, check_int, check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.parallel.processes import AXIS, process_op
from ms_compat._core.tensor import Tensor
from ms_compat.communication.management import get_rank, members
from ms_compat.ops.function.nn.checks import FLOATS

_NO_TP = "Gather the rows over those processes with 'ops.AllGather' after the call."
_NO_SHARED = "Run the shared expert in each process, on the process's own tokens: they need no exchange."


def _padded(x: Any, rows: int, value: int = 0) -> Any:
    return jnp.pad(x, [(0, rows - x.shape[0]), (0, 0)], constant_values=value)


def _all(x: Any, ranks: tuple[int, ...]) -> Any:
    """The arrays of all processes: [W, ...]."""
    return x[None] if len(ranks) == 1 else lax.all_gather(x, AXIS)


def _own_place(ranks: tuple[int, ...]) -> Any:
    return 0 if len(ranks) == 1 else lax.axis_index(AXIS)


def _goes_to(ids: Any, experts: int) -> Any:
    """Whether a token goes to an expert: Bool [..., tokens, experts]."""
    return (ids[..., None] == jnp.arange(experts, dtype=ids.dtype)).any(-2)


@process_op("experts", "rows", "quantised", "counting", name="moe_distribute_dispatch")
def _dispatch(x, ids, weights, smooth, ranks, experts, rows, quantised, counting):
    local, choices, count = experts // len(ranks), ids.shape[1], len(ranks)
    first = _own_place(ranks) * local
    goes = _goes_to(ids, experts)
    before = jnp.cumsum(goes, 0, dtype=np.int32) - goes
    inside = (ids >= 0) & (ids < experts)
    places = jnp.where(inside, jnp.take_along_axis(before, jnp.clip(ids, 0, experts - 1), 1), 0).reshape(-1)
    everywhere = _all(_padded(ids, rows, -1), ranks)
    mine = lax.dynamic_slice_in_dim(_goes_to(everywhere, experts), first, local, 2).transpose(2, 0, 1)
    counts = mine.sum(2, dtype=np.int32)  # [local, W]
    order = jnp.argsort(~mine.reshape(-1), stable=True)[: count * rows * min(local, choices)]
    there, tokens = mine.reshape(-1)[order], order % (count * rows)
    source = _all(_padded(x, rows), ranks).reshape(count * rows, -1)
    out = jnp.where(there[:, None], source[tokens], 0)
    scale = jnp.zeros(order.shape, np.float32)
    if quantised:
        wide = out.astype(np.float32)
        expert = first + order // (count * rows)
        wide = wide if smooth is None else wide * smooth[expert].astype(np.float32)
        scale = jnp.abs(wide).max(1) / 127
        out = jnp.round(wide / jnp.where(scale == 0, 1, scale)[:, None]).astype(np.int8)
    shares = jnp.zeros(order.shape, np.float32)
    if weights is not None:
        named = everywhere.reshape(count * rows, -1)[tokens] == (first + order // (count * rows))[:, None]
        given = _all(_padded(weights.astype(np.float32), rows), ranks).reshape(count * rows, -1)[tokens]
        shares = jnp.where(there, (given * named).sum(1), 0)
    received = counts.sum(1).astype(np.int64)
    received = received if counting else jnp.cumsum(received)
    return out, scale, places, received, jnp.cumsum(counts.reshape(-1)).astype(np.int32), shares


@process_op("experts", "rows", name="moe_distribute_combine")
def _combine(rows_of, ids, places, counts, weights, ranks, experts, rows):
    local, count, size = experts // len(ranks), len(ranks), ids.shape[0]
    everywhere = _all(_padded(ids, rows, -1), ranks)
    at = _all(_padded(places.reshape(ids.shape), rows), ranks)
    given = _all(_padded(weights.astype(np.float32), rows), ranks)
    expert = everywhere - _own_place(ranks) * local
    mine = (expert >= 0) & (expert < local)
    starts = jnp.concatenate([jnp.zeros(1, counts.dtype), counts[:-1]])
    row = starts[jnp.where(mine, expert, 0) * count + jnp.arange(count)[:, None, None]] + at
    found = rows_of[jnp.clip(row, 0, rows_of.shape[0] - 1)].astype(np.float32)
    out = jnp.where(mine[..., None], found * given[..., None], 0).sum(2)
    out = out[0] if count == 1 else lax.psum_scatter(out.reshape(count * rows, -1), AXIS, tiled=True)
    return out[:size].astype(rows_of.dtype)


def _checked(api: str, tokens: Any, ids: Any, world: Any, rank: Any, experts: Any, group: Any, whole: Any, tp: tuple,
             shared: tuple) -> tuple[tuple[int, ...], int]:  # fmt: skip
    """The processes, and how many tokens each of them sends at most."""
    # One check after the other, in the order of the arguments, for both functions.
    check_type(api, "expert_ids", ids, Tensor)
    if tokens.dtype.np_dtype not in FLOATS:
        raise TypeError(f"For '{api}', the tokens must hold floats, but got {tokens.dtype}.")
    if ids.dtype._label not in ("Int32", "Int64"):
        raise TypeError(f"For '{api}', the 'expert_ids' must be Int32 or Int64, but got {ids.dtype}.")
    if tokens.ndim != 2 or ids.ndim != 2:
        raise ValueError(
            f"For '{api}', tokens and 'expert_ids' must have 2 dimensions, but got {tokens.shape} and {ids.shape}."
        )
    numbers = {"ep_world_size": world, "ep_rank_id": rank, "moe_expert_num": experts, "global_bs": whole}
    for name, value in numbers.items():
        check_int(api, name, value)
    group_tp, tp_world, tp_rank = tp
    if group_tp or tp_world not in (0, 1) or tp_rank:
        raise UnsupportedError(f"{api} with tensor parallelism (tp_world_size={tp_world})", _NO_TP)
    if any(shared):
        raise UnsupportedError(f"{api} with shared experts", _NO_SHARED)
    ranks = members(api, group, needs_init=False)
    if world != len(ranks):
        raise RuntimeError(f"For '{api}', 'ep_world_size' must be the group's {len(ranks)}, but got {world}.")
    place = ranks.index(get_rank()) if len(ranks) > 1 else 0
    if rank != place:
        raise RuntimeError(f"For '{api}', 'ep_rank_id' must be this process's {place} in the group, but got {rank}.")
    if experts <= 0 or experts % world:
        raise value_error(api, "moe_expert_num", f"a positive multiple of the {world} processes", experts)
    if whole and (whole % world or whole < world * ids.shape[0]):
        raise value_error(api, "global_bs", f"0 or {world} times the tokens of a process", whole)
    return ranks, whole // world if whole else ids.shape[0]


def _unused(api: str, **given: Any) -> None:
    for name, value in given.items():
        if value is not None and (isinstance(value, Tensor) or value != 0):
            raise UnsupportedError(f"{api}({name}=...)", "MindSpore has reserved this argument.")


@faces("ops")
def moe_distribute_dispatch(
    x, expert_ids, ep_world_size, ep_rank_id, moe_expert_num, expert_scales=None, scales=None, x_active_mask=None,
    group_ep=None, group_tp=None, tp_world_size=0, tp_rank_id=0, expert_shard_type=0, shared_expert_num=0,
    shared_expert_rank_num=0, quant_mode=0, global_bs=0, expert_token_nums_type=0,
):  # fmt: skip
    """Send each token to the processes that have its experts.

    Process r has the experts r * L to (r + 1) * L - 1, where L = moe_expert_num / ep_world_size. A process receives
    rows ordered by expert, then by the sending process, then as they were sent; zeros follow up to the fixed number of
    A = BS * ep_world_size * min(L, K) rows. A token that names an expert twice is sent to it once, and a number outside
    the range names none. `moe_distribute_combine` is the way back. Works in both modes, and has a gradient.

    Args:
        x (Tensor): [BS, H], floating, the tokens of this process.
        expert_ids (Tensor): [BS, K], Int32 or Int64, each token's experts.
        ep_world_size (int): the number of processes in the group.
        ep_rank_id (int): the number of this process in the group.
        moe_expert_num (int): the number of experts, a multiple of `ep_world_size`.
        expert_scales (Tensor): [BS, K], the weights of each token's experts, sent along.
        scales (Tensor): [moe_expert_num, H], what tokens are multiplied with before they are quantized.
        x_active_mask: None.
        group_ep (str): the group's name; None for all processes.
        group_tp, tp_world_size, tp_rank_id: None, 0 or 1, and 0: without tensor parallelism.
        expert_shard_type, shared_expert_num, shared_expert_rank_num (int): 0.
        quant_mode (int): 2 sends Int8: each row divided by its largest absolute value / 127; 0 sends `x` as it is.
        global_bs (int): the largest BS times `ep_world_size` where processes have different BS; 0 if they are equal.
        expert_token_nums_type (int): 0 for sums of the experts' numbers of tokens, 1 for the numbers.

    Returns:
        The rows [A, H]; Float32 [A], what quantized rows were divided by; Int32 [BS * K], how many tokens before went
        to the same expert; Int64 [L], the experts' token counts; Int32 [ep_world_size * L], cumulated row counts by
        expert and sending process; Int32 [tp_world_size], the received rows; and Float32 [A], the rows' weights.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes or numbers that do not fit.
        RuntimeError: `ep_world_size` or `ep_rank_id` differs from the group's.
        UnsupportedError: shared experts or tensor parallelism.

    >>> import ms_compat as ms
    >>> rows, *_ = ms.ops.moe_distribute_dispatch(ms.Tensor([[1.0], [2.0]]), ms.Tensor([[1], [0]]), 1, 0, 2)
    >>> print(rows)
    [[2.]
     [1.]]
    """
    api = "moe_distribute_dispatch"
    check_type(api, "x", x, Tensor)
    tp, shared = (group_tp, tp_world_size, tp_rank_id), (shared_expert_num, shared_expert_rank_num)
    ranks, rows = _checked(
        api, x, expert_ids, ep_world_size, ep_rank_id, moe_expert_num, group_ep, global_bs, tp, shared
    )
    _unused(api, x_active_mask=x_active_mask, expert_shard_type=expert_shard_type)
    if x.shape[0] != expert_ids.shape[0]:
        raise ValueError(f"For '{api}', there are {x.shape[0]} tokens, but 'expert_ids' {expert_ids.shape}.")
    for name, value, allowed in (("quant_mode", quant_mode, (0, 2)),
                                 ("expert_token_nums_type", expert_token_nums_type, (0, 1))):  # fmt: skip
        if check_int(api, name, value) not in allowed:
            raise value_error(api, name, f"in {allowed}", value)
    for name, value, shape in (("expert_scales", expert_scales, expert_ids.shape),
                               ("scales", scales, (moe_expert_num, x.shape[1]))):  # fmt: skip
        if value is not None:
            check_type(api, name, value, Tensor)
            if value.shape != shape:
                raise value_error(api, name, f"of the shape {shape}", value.shape)
    if scales is not None and quant_mode != 2:
        raise value_error(api, "scales", "None where 'quant_mode' is not 2", "a Tensor")
    out, scale, places, received, counts, shares = _dispatch(
        x, expert_ids, expert_scales, scales, ranks, moe_expert_num, rows, quant_mode == 2, expert_token_nums_type
    )
    return out, scale, places, received, counts, counts[-1:][:tp_world_size], shares


@faces("ops")
def moe_distribute_combine(
    expand_x, expert_ids, expand_idx, ep_send_counts, expert_scales, ep_world_size, ep_rank_id, moe_expert_num,
    tp_send_counts=None, x_active_mask=None, activate_scale=None, weight_scale=None, group_list=None,
    expand_scales=None, group_ep=None, group_tp=None, tp_world_size=0, tp_rank_id=0, expert_shard_type=0,
    shared_expert_num=0, shared_export_rank_num=0, global_bs=0, out_dtype=0, common_quant_mode=0, group_list_type=0,
):  # fmt: skip
    """Send the experts' results back to the processes of the tokens, and add them up with weights.

    Args:
        expand_x (Tensor): [A, H], floating, the results for the rows that `moe_distribute_dispatch` gave.
        expert_ids (Tensor): [BS, K], as of the dispatch.
        expand_idx, ep_send_counts (Tensor): the third and fifth result of the dispatch.
        expert_scales (Tensor): [BS, K], the weights of each token's experts.
        ep_world_size, ep_rank_id, moe_expert_num, group_ep, global_bs: as of the dispatch.
        tp_send_counts, expand_scales (Tensor): the sixth and seventh result of the dispatch, or None; not needed.
        x_active_mask, activate_scale, weight_scale, group_list: None.
        group_tp, tp_world_size, tp_rank_id, expert_shard_type, shared_expert_num, shared_export_rank_num: as of the
            dispatch.
        out_dtype, common_quant_mode, group_list_type (int): 0.

    Returns:
        Tensor [BS, H] with the dtype of `expand_x`; sums are in Float32.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: shapes or numbers that do not fit.
        RuntimeError: `ep_world_size` or `ep_rank_id` differs from the group's.
        UnsupportedError: shared experts or tensor parallelism.

    >>> import ms_compat as ms
    >>> x, ids, weights = ms.Tensor([[1.0], [2.0]]), ms.Tensor([[0, 1], [1, 0]]), ms.Tensor([[0.5, 0.5], [1.0, 0.0]])
    >>> rows, _, places, _, counts, _, _ = ms.ops.moe_distribute_dispatch(x, ids, 1, 0, 2)
    >>> print(ms.ops.moe_distribute_combine(rows * 10, ids, places, counts, weights, 1, 0, 2))
    [[10.]
     [20.]]
    """
    api = "moe_distribute_combine"
    given = {"expand_x": expand_x, "expand_idx": expand_idx, "ep_send_counts": ep_send_counts,
             "expert_scales": expert_scales}  # fmt: skip
    for name, value in given.items():
        check_type(api, name, value, Tensor)
    for name, value in (("tp_send_counts", tp_send_counts), ("expand_scales", expand_scales)):
        check_type(api, name, value, (Tensor, type(None)))
    tp, shared = (group_tp, tp_world_size, tp_rank_id), (shared_expert_num, shared_export_rank_num)
    ranks, rows = _checked(
        api, expand_x, expert_ids, ep_world_size, ep_rank_id, moe_expert_num, group_ep, global_bs, tp, shared
    )
    _unused(
        api, x_active_mask=x_active_mask, activate_scale=activate_scale, weight_scale=weight_scale,
        group_list=group_list, expert_shard_type=expert_shard_type, out_dtype=out_dtype,
        common_quant_mode=common_quant_mode, group_list_type=group_list_type,
    )  # fmt: skip
    wanted = {
        "expand_x": (len(ranks) * rows * min(moe_expert_num // len(ranks), expert_ids.shape[1]), expand_x.shape[1]),
        "expand_idx": (expert_ids.size,),
        "ep_send_counts": (moe_expert_num,),
        "expert_scales": expert_ids.shape,
    }
    for name, value in given.items():
        if value.shape != wanted[name]:
            raise value_error(api, name, f"of the shape {wanted[name]}", value.shape)
    return _combine(expand_x, expert_ids, expand_idx, ep_send_counts, expert_scales, ranks, moe_expert_num, rows)
