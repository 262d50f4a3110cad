"""Which program computes a convolution on a processor: oneDNN's kernel, XLA's own, or one of ours.

Ours are for groups, for few inputs, for kernels of 3 places and for three axes.

JAX derives gradients, batches and tangents of a convolution as further convolutions, so only its lowering is replaced,
for the CPU and in this process; every transformation stays JAX's own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from ms_compat._core.convolution import few_inputs, grouped, onednn, three_axes, winograd
from ms_compat._core.jax_compat.capabilities import HAS_LOWERINGS
from ms_compat._core.jax_compat.lowering import offer_on_cpu
from ms_compat._core.onednn import calls

_OPERATIONS = 30  # that take XLA as long to compile as a convolution, with the copies around it


@functools.cache
def use() -> None:
    """Let JAX compute convolutions by these programs from now on."""
    if HAS_LOWERINGS:
        by_onednn = calls.why_not() is None
        offer_on_cpu(lax.conv_general_dilated_p, functools.partial(_function_for, by_onednn))


def operations(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> int:
    """About how many operations take XLA as long to compile as a convolution on a processor.

    Args:
        avals: the operands' abstract values.
        out: the abstract value of its result.
        given: the primitive's parameters.
    """
    if not HAS_LOWERINGS or not _is_fixed(avals, out):
        return _OPERATIONS
    if calls.why_not() is None and onednn.function_for(avals, out, given) is not None:
        return 1  # a call
    return getattr(_function_for(False, avals, out, given), "operations", _OPERATIONS)


def _is_fixed(avals: Sequence[Any], out: Any) -> bool:
    """Whether there are values, and their number is known."""
    return all(type(size) is int and size > 0 for aval in (*avals, out) for size in aval.shape)


def _function_for(by_onednn: bool, avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    if not _is_fixed(avals, out):
        return None
    found = onednn.function_for(avals, out, given) if by_onednn else None
    for program in (grouped, few_inputs, winograd, three_axes):
        found = found or program.function_for(avals, out, given)
    return found or _cut(avals, given) or _spread(avals, given)


def _cut(avals: Sequence[Any], given: dict[str, Any]) -> Callable | None:
    """A program for negative padding, such as the gradient by an input with more padding than the kernel is long.

    XLA's kernels give wrong values for some of these, so the input is cut before, where XLA cannot see it.
    """
    if all(pad >= 0 for pair in given["padding"] for pad in pair):
        return None
    edges = [(0, 0, 0)] * len(avals[0].shape)
    for axis, pair, step in zip(
        given["dimension_numbers"].lhs_spec[2:], given["padding"], given["lhs_dilation"], strict=True
    ):
        edges[axis] = (min(pair[0], 0), min(pair[1], 0), step - 1)
    kept = tuple((max(low, 0), max(high, 0)) for low, high in given["padding"])

    def program(lhs: Any, rhs: Any) -> Any:
        cut = lax.optimization_barrier(lax.pad(lhs, jnp.zeros((), lhs.dtype), edges))
        return grouped.conv(cut, rhs, {**given, "padding": kept, "lhs_dilation": None})

    return program


def _spread(avals: Sequence[Any], given: dict[str, Any]) -> Callable | None:
    """A program for what ends the process in XLA's compiler, if it is that.

    XLA swaps the operands if the kernel is longer than the input along some axes. An axis with a kernel of 2, which a
    stride of 2 spreads the input along, it takes for one that needs no change, and then finds that the sizes differ.
    So the input is spread before, where XLA cannot see it.
    """
    lhs_axes, rhs_axes = (numbers[2:] for numbers in given["dimension_numbers"][:2])
    steps = given["lhs_dilation"]
    kept, longer = False, 1.0
    for lhs, rhs, step, stride, dilation, pads in zip(
        lhs_axes, rhs_axes, steps, given["window_strides"], given["rhs_dilation"], given["padding"], strict=True
    ):
        kernel, size = avals[1].shape[rhs], avals[0].shape[lhs]
        if tuple(pads) == (0, 0) and dilation == 1 and step == kernel == stride + 1:
            kept = True
        else:
            longer *= kernel / size
    if not kept or longer <= 1:
        return None
    padding = [(0, 0, 0)] * len(avals[0].shape)
    for axis, step in zip(lhs_axes, steps, strict=True):
        padding[axis] = (0, 0, step - 1)

    def program(lhs: Any, rhs: Any) -> Any:
        spread = lax.optimization_barrier(lax.pad(lhs, jnp.zeros((), lhs.dtype), padding))
        return grouped.conv(spread, rhs, {**given, "lhs_dilation": None})

    return program
