"""Batch normalisation with statistics over several processes' batches."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from ms_compat._core.errors import check_int_range
from ms_compat._core.parallel.processes import AXIS, process_op
from ms_compat.communication.management import get_group_size, get_rank, members
from ms_compat.ops.function.nn import normalization


@process_op("momentum", "eps")
def _over_processes(x, weight, bias, running_mean, running_var, ranks, momentum, eps):
    if len(ranks) == 1:
        return normalization.batch_norm_train.fn(x, weight, bias, running_mean, running_var, momentum, eps)
    axes = (0, *range(2, x.ndim))
    shape = (1, -1, *[1] * (x.ndim - 2))
    data = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    count = lax.psum(jnp.asarray(x.size // x.shape[1], data.dtype), AXIS)
    mean = lax.psum(data.sum(axes), AXIS) / count
    deviations = data - mean.reshape(shape)
    variance = lax.psum((deviations * deviations).sum(axes), AXIS) / count
    out = deviations * lax.rsqrt(variance + eps).reshape(shape)
    if weight is not None:
        out = out * weight.reshape(shape)
    if bias is not None:
        out = out + bias.reshape(shape)
    out = out.astype(x.dtype)
    if running_mean is None:
        return out, mean, variance
    unbiased = lax.stop_gradient(variance * (count / jnp.maximum(count - 1, 1)))
    return (
        out,
        running_mean * (1 - momentum) + lax.stop_gradient(mean).astype(running_mean.dtype) * momentum,
        running_var * (1 - momentum) + unbiased.astype(running_var.dtype) * momentum,
    )


def train(
    ranks: tuple[int, ...], x: Any, weight: Any, bias: Any, mean: Any, variance: Any, momentum: float, eps: float
) -> Any:
    """`ops.batch_norm_train` over the batches of several processes.

    Args:
        ranks: the processes; the other arguments and the results are the same as for `batch_norm_train`.
    """
    return _over_processes(x, weight, bias, mean, variance, ranks, momentum, eps)


def ranks_of(process_groups: Any) -> tuple[int, ...]:
    """The processes that `nn.SyncBatchNorm` of this process goes over.

    Args:
        process_groups: a list of process lists; None for all.

    Raises:
        TypeError: a process that is not an int.
        ValueError: no list, a process twice, or one that does not exist.
        RuntimeError: several processes, and `mindspore.communication.init` was not called.
    """
    api = "SyncBatchNorm"
    if process_groups is None:
        return members(api, None, needs_init=False)
    if not isinstance(process_groups, list):
        raise ValueError(f"For '{api}', the 'process_groups' must be a list, but got {process_groups!r}.")
    every = [rank for group in process_groups for rank in group]
    for rank in every:
        check_int_range(api, "rank id in process_groups", rank, 0, get_group_size(), "[)")
    if len(set(every)) != len(every):
        raise ValueError(f"For '{api}', rank id in 'process_groups' must not be duplicated, but got {process_groups}.")
    members(api, None, needs_init=False)
    rank = get_rank()
    return next((tuple(group) for group in process_groups if rank in group), (rank,))
