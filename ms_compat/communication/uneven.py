"""Collectives whose parts differ in size from process to process.

All processes run one program, so this module pads the parts to the largest and cuts them afterwards. Inside a compiled
function the cut would be a different program in each process, which JAX does not allow; there only equal sizes work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.parallel.processes import in_trace
from ms_compat._core.tensor import Tensor
from ms_compat.communication import collectives
from ms_compat.communication.management import get_rank


@op(static=("size",))
def _padded(x: Any, size: Any) -> Any:
    return jnp.pad(x, [(0, size - x.shape[0]), *[(0, 0)] * (x.ndim - 1)])


@op
def _stacked(xs: Any) -> Any:
    return jnp.stack(xs)


@op
def _concatenated(xs: Any) -> Any:
    return jnp.concatenate(xs)


@op(static=("start", "stop"))
def _rows(x: Any, start: Any, stop: Any) -> Any:
    return x[start:stop]


@op(static=("index", "size"))
def _row(x: Any, index: Any, size: Any) -> Any:
    return x[index, :size]


def integers(api: str, name: str, value: Any) -> list[int]:
    """The sizes in a list, tuple or Tensor.

    Raises:
        TypeError: it is something else.
    """
    value = value.asnumpy().reshape(-1).tolist() if isinstance(value, Tensor) else value
    if not isinstance(value, (list, tuple)) or any(isinstance(n, bool) or not isinstance(n, int) for n in value):
        raise TypeError(f"For '{api}', the '{name}' must be a list or tuple of int or a Tensor, but got {value!r:.80}.")
    return list(value)


def _check(api: str, sizes: Sequence[int], count: int, total: int | None = None) -> None:
    if len(sizes) != count or any(n < 0 for n in sizes) or total is not None and sum(sizes) != total:
        wanted = f"{count} numbers that are not negative" + ("" if total is None else f" and add up to {total}")
        raise ValueError(f"For '{api}', the sizes must be {wanted}, but got {list(sizes)}.")
    if in_trace() and len(set(sizes)) > 1:
        raise UnsupportedError(
            f"{api} of different sizes inside a compiled function",
            "Each process would need another program. Call it in PYNATIVE_MODE, or pad to equal sizes.",
        )


def split(x: Tensor, sizes: Sequence[int]) -> list[Any]:
    """The parts of a tensor along its first dimension."""
    out, start = [], 0
    for size in sizes:
        out.append(_rows(x, start, start + size))
        start += size
    return out


def all_gather(api: str, x: Tensor, sizes: Sequence[int], ranks: tuple[int, ...]) -> Tensor:
    """The tensors of all processes joined along the first dimension.

    Args:
        api: the name for messages.
        x: this process's tensor.
        sizes: the length of each process's tensor.
        ranks: the processes.

    Raises:
        ValueError: there is not one size for each process, or this process's size is wrong.
    """
    _check(api, sizes, len(ranks))
    if x.shape[0] != sizes[ranks.index(get_rank())]:
        raise ValueError(f"For '{api}', the sizes {list(sizes)} do not fit this process's shape {x.shape}.")
    if len(ranks) == 1:
        return x
    longest = max(sizes)
    gathered = collectives.all_gather(_padded(x, longest), ranks)
    return _concatenated([_rows(gathered, i * longest, i * longest + n) for i, n in enumerate(sizes)])


def reduce_scatter(api: str, x: Tensor, sizes: Sequence[int], ranks: tuple[int, ...], op: str) -> Tensor:
    """The combined tensor sharded along the first dimension into parts of these sizes; arguments as of `all_gather`."""
    _check(api, sizes, len(ranks), x.shape[0])
    if len(ranks) == 1:
        return x
    longest = max(sizes)
    padded = _concatenated([_padded(part, longest) for part in split(x, sizes)])
    return _rows(collectives.reduce_scatter(padded, ranks, op), 0, sizes[ranks.index(get_rank())])


def agreed_maximum(value: int, ranks: tuple[int, ...]) -> int:
    """The maximum of all processes' numbers."""
    return int(collectives.all_reduce(Tensor(value), ranks, "max"))


def exchange(
    api: str, parts: Sequence[Tensor], sizes: Sequence[int], ranks: tuple[int, ...], longest: int | None = None
) -> list[Any]:
    """Sends part i to process i; returns the parts from each process, in these sizes.

    Args:
        api: the name for messages.
        parts: a 1-d tensor of the same dtype for each process.
        sizes: how many numbers come from each process.
        ranks: the processes.
        longest: the largest size anywhere; agreed upon if it is not known.

    Raises:
        ValueError: there is not one part and one size for each process.
        UnsupportedError: inside a compiled function.
    """
    if len(parts) != len(ranks):
        raise ValueError(f"For '{api}', there must be {len(ranks)} parts, but got {len(parts)}.")
    _check(api, sizes, len(ranks))
    if len(ranks) == 1:
        if parts[0].shape[0] != sizes[0]:
            raise ValueError(f"For '{api}', {parts[0].shape[0]} numbers are sent, but {sizes[0]} are to be received.")
        return list(parts)
    if in_trace() and longest is None:
        raise UnsupportedError(f"{api} inside a compiled function", "Use ops.AlltoAll there, or PYNATIVE_MODE.")
    if longest is None:
        longest = agreed_maximum(max(*[p.shape[0] for p in parts], *sizes), ranks)
    out = collectives.exchange(_stacked([_padded(part, longest) for part in parts]), ranks)
    return [_row(out, i, n) for i, n in enumerate(sizes)]


def joined(parts: Sequence[Tensor]) -> Any:
    """Tensors joined along the first dimension."""
    return parts[0] if len(parts) == 1 else _concatenated(list(parts))
