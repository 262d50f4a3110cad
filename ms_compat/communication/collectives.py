"""The collectives as operations: pure functions over `lax.psum` & co, with MindSpore's gradients.

Each takes arrays, the tuple `ranks` of the processes, and constants. With one process they compute the results for a
group of one, without any axis. All processes run the same program, so code here may depend on the rank only through
`lax.axis_index`; `uneven.py` pads sizes that differ between processes to the largest, and cuts them afterwards.

Where JAX's derivative equals MindSpore's (sum, gather, scatter, exchange are linear, and transpose into each other),
JAX's applies; reductions by maximum, minimum and product, `broadcast` and `reduce` follow MindSpore's rules.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._core.parallel.processes import AXIS, process_op
from ms_compat._core.tensor import Tensor

OPS = ("sum", "max", "min", "prod", "avg")


def _accumulator(dtype: Any) -> Any:
    """The dtype in which small integers and bools are combined: the libraries do not support all dtypes."""
    return jnp.int32 if dtype == jnp.bool_ or (jnp.issubdtype(dtype, jnp.integer) and dtype.itemsize < 4) else dtype


def _combine(x: Any, ranks: tuple[int, ...], op: str) -> Any:
    if len(ranks) == 1:
        return x
    wide = x.astype(_accumulator(x.dtype))
    if op in ("sum", "avg"):
        out = lax.psum(wide, AXIS)
        if op == "avg":
            out = out / len(ranks) if jnp.issubdtype(x.dtype, jnp.inexact) else out // len(ranks)
    elif op == "max":
        out = lax.pmax(wide, AXIS)
    elif op == "min":
        out = lax.pmin(wide, AXIS)
    else:
        out = jnp.prod(lax.all_gather(wide, AXIS), axis=0, dtype=wide.dtype)
    return (out != 0 if x.dtype == jnp.bool_ else out).astype(x.dtype)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _reduced(x: Any, ranks: tuple[int, ...], op: str) -> Any:
    return _combine(x, ranks, op)


def _reduced_forward(x: Any, ranks: tuple[int, ...], op: str) -> Any:
    out = _reduced(x, ranks, op)
    return out, (None, None) if op in ("sum", "avg") else (x, out)


def _reduced_backward(ranks: tuple[int, ...], op: str, residuals: Any, ct: Any) -> tuple[Any]:
    x, out = residuals
    if len(ranks) == 1:
        return (ct,)
    if op == "prod":
        return (_combine(ct * out, ranks, "sum") / x,)
    ct = _combine(ct, ranks, "avg" if op == "avg" else "sum")
    return (ct if op in ("sum", "avg") else ct * (x == out).astype(ct.dtype),)


_reduced.defvjp(_reduced_forward, _reduced_backward)


def _from_root(x: Any, ranks: tuple[int, ...], root: int) -> Any:
    """The root's array in every process; adding -0.0 changes no float, not even -0.0."""
    if len(ranks) == 1:
        return x
    wide = x.astype(_accumulator(x.dtype))
    nothing = jnp.full_like(wide, -0.0 if jnp.issubdtype(wide.dtype, jnp.floating) else 0)
    out = lax.psum(jnp.where(lax.axis_index(AXIS) == root, wide, nothing), AXIS)
    return out.astype(x.dtype)


def _gathered(x: Any, ranks: tuple[int, ...]) -> Any:
    """The arrays of all processes under a new first dimension."""
    if len(ranks) == 1:
        return x[None]
    small = x.dtype == jnp.bool_ or _accumulator(x.dtype) != x.dtype and x.dtype.itemsize == 2
    return lax.all_gather(x.astype(jnp.int32) if small else x, AXIS).astype(x.dtype)


def _joined(x: Any) -> Any:
    """(n, a, ...) -> (n * a, ...), and (n,) for numbers."""
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:]) if x.ndim > 1 else x


def _check_divisible(api: str, x: Any, ranks: tuple[int, ...]) -> None:
    if not x.ndim or x.shape[0] % len(ranks):
        raise ValueError(
            f"For '{api}', the first dimension of the input must be divisible by the {len(ranks)} processes of the "
            f"group, but got the shape {x.shape}."
        )


@process_op("op")
def all_reduce(x: Any, ranks: Any, op: Any) -> Any:
    """The elementwise sum, maximum, minimum, product or mean over the processes, in each process.

    Args:
        x: an array of the same shape and dtype everywhere.
        ranks: the processes.
        op: "sum", "max", "min", "prod" or "avg".
    """
    return _reduced(x, ranks, op)


@process_op("op")
def all_reduce_many(xs: Any, ranks: Any, op: Any) -> Any:
    """`all_reduce` of several arrays in one program, which XLA combines."""
    return tuple([_reduced(x, ranks, op) for x in xs])


@process_op()
def all_gather(x: Any, ranks: Any) -> Any:
    """The arrays of all processes joined along the first dimension."""
    return _joined(_gathered(x, ranks))


@process_op("op")
def reduce_scatter(x: Any, ranks: Any, op: Any) -> Any:
    """The combined array sharded along the first dimension: each process gets the part of its number.

    Raises:
        ValueError: the first dimension cannot be cut so.
    """
    _check_divisible("ReduceScatter", x, ranks)
    if len(ranks) == 1:
        return x
    if op in ("sum", "avg") and jnp.issubdtype(x.dtype, jnp.inexact):
        out = lax.psum_scatter(x, AXIS, tiled=True)
        return out / len(ranks) if op == "avg" else out
    part = x.shape[0] // len(ranks)
    return lax.dynamic_slice_in_dim(_combine(x, ranks, op), lax.axis_index(AXIS) * part, part)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _broadcast(x: Any, ranks: tuple[int, ...], root: int) -> Any:
    return _from_root(x, ranks, root)


_broadcast.defvjp(lambda x, ranks, root: (_broadcast(x, ranks, root), None), lambda ranks, root, _, ct: (ct,))


@process_op("root")
def broadcast(xs: Any, ranks: Any, root: Any) -> Any:
    """The root's arrays in every process. The cotangent passes unchanged, as in MindSpore.

    Args:
        xs: a tuple of arrays, with the same shapes everywhere.
        ranks: the processes.
        root: the number in the group of the one that sends.
    """
    return tuple([_broadcast(x, ranks, root) for x in xs])


@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2, 3))
def _reduce(x: Any, ranks: tuple[int, ...], op: str, root: int) -> Any:
    return _combine(x, ranks, op)


_reduce.defvjp(
    lambda x, ranks, op, root: (_reduce(x, ranks, op, root), None),
    lambda ranks, op, root, _, ct: (_from_root(ct, ranks, root),),
)


@process_op("op", "root")
def reduce(x: Any, ranks: Any, op: Any, root: Any) -> Any:
    """`all_reduce` whose result counts in the process `root` only; its gradient is the root's."""
    return _reduce(x, ranks, op, root)


@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def _gather(x: Any, ranks: tuple[int, ...], root: int) -> Any:
    return _joined(_gathered(x, ranks))


def _gather_backward(ranks: tuple[int, ...], root: int, shape: tuple[int, ...], ct: Any) -> tuple[Any]:
    ct = _from_root(ct, ranks, root).reshape(len(ranks), *shape)
    return (ct[0] if len(ranks) == 1 else lax.dynamic_index_in_dim(ct, lax.axis_index(AXIS), 0, False),)


_gather.defvjp(lambda x, ranks, root: (_gather(x, ranks, root), x.shape), _gather_backward)


@process_op("root")
def gather(x: Any, ranks: Any, root: Any) -> Any:
    """`all_gather` whose result counts in the process `root` only; its gradient is the root's."""
    return _gather(x, ranks, root)


@process_op("root")
def scatter(x: Any, ranks: Any, root: Any) -> Any:
    """The root's array sharded along the first dimension: each process gets the part of its number.

    Raises:
        ValueError: the first dimension cannot be cut so.
    """
    _check_divisible("CollectiveScatter", x, ranks)
    if len(ranks) == 1:
        return x
    parts = x.reshape(len(ranks), -1, *x.shape[1:])
    return _exchanged(parts, ranks)[root]


def _exchanged(x: Any, ranks: tuple[int, ...]) -> Any:
    """(n, ...) -> (n, ...): row i goes to process i, and arrives as row of the sender's number."""
    if len(ranks) == 1:
        return x
    small = x.dtype == jnp.bool_ or _accumulator(x.dtype) != x.dtype and x.dtype.itemsize == 2
    return lax.all_to_all(x.astype(jnp.int32) if small else x, AXIS, 0, 0, tiled=True).astype(x.dtype)


@process_op()
def exchange(x: Any, ranks: Any) -> Any:
    """Row i of the first dimension goes to process i; what comes from process j becomes row j."""
    return _exchanged(x, ranks)


@process_op("split_dim", "concat_dim")
def all_to_all(x: Any, ranks: Any, split_dim: Any, concat_dim: Any) -> Any:
    """Cut along one dimension, exchange the parts, join them along another.

    Raises:
        ValueError: the dimension cannot be cut into as many parts as there are processes.
    """
    count = len(ranks)
    if x.shape[split_dim] % count:
        raise ValueError(
            f"For 'AlltoAll', the dimension {split_dim} of the input must be divisible by the {count} processes of the "
            f"group, but got the shape {x.shape}."
        )
    parts = jnp.stack(jnp.split(x, count, axis=split_dim))
    return jnp.concatenate(list(_exchanged(parts, ranks)), axis=concat_dim)


def complete(tensors: Any) -> None:
    """Waits until tensors are computed."""
    jax.block_until_ready([t._v for t in tensors])


def barrier(ranks: tuple[int, ...], make: Callable[[Any], Tensor] = Tensor) -> None:
    """Returns when every process of the group has come here."""
    complete([all_reduce(make([0]), ranks, "sum")])
