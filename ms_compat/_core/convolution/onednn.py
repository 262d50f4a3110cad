"""JAX's convolution by oneDNN's kernels, where they are faster than XLA's.

Not served are other dtypes than Float32, sizes that are not fixed, negative padding, small convolutions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from ms_compat._core.onednn import calls, plans

LEAST = 2_000_000  # multiplications; below, XLA's own kernels are as fast as a call
LEAST_IN_GROUPS = 50_000  # for which XLA takes 20 to 600 times as long
_LARGE_KERNEL = 32  # places
F32 = np.dtype(np.float32)


def _array(shape: Sequence[int], order: Sequence[int]) -> plans.Array:
    """An array that has its values in rows, with its axes in another order."""
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return plans.Array(tuple(shape[axis] for axis in order), tuple(strides[axis] for axis in order))


def _grouped(weights: plans.Array, groups: int, axis: int) -> plans.Array:
    """Weights whose axis 0 or 1 has the groups first, with the groups as an axis of their own before the others."""
    if groups == 1:
        return weights
    shape, strides = list(weights.shape), list(weights.strides)
    shape[axis] //= groups
    return plans.Array((groups, *shape), (shape[axis] * strides[axis], *strides))


def _swapped(order: Sequence[int]) -> tuple[int, ...]:
    return (order[1], order[0], *order[2:])


def _behind(size: int, out: int, kernel: int, stride: int, dilation: int, before: int) -> int:
    """The padding behind an axis with which a convolution of `size` gives `out`."""
    return (out - 1) * stride + (kernel - 1) * dilation + 1 - size - before


def _is_by_weights(kernel: Sequence[int], out: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> bool:
    """Whether a convolution is rather the gradient of another one by its weights; oneDNN can compute it either way.

    The kernel is large then and the output small; the strides of the other one are dilations, and its dilations are
    strides. An image that is cut into patches has a large kernel, too, but the patches do not overlap.
    """
    places, found = math.prod(kernel), math.prod(out)
    overlap = all(step == 1 or 2 * step <= size for step, size in zip(strides, kernel, strict=True))
    if places > found and overlap:
        return True
    return places > _LARGE_KERNEL and places * math.prod(dilations) > found * math.prod(strides)


def _is_by_input(order: Sequence[int], kernel: Sequence[int], given: dict[str, Any]) -> bool:
    """Whether a convolution without strides is rather another one's gradient by its input.

    JAX then exchanges the weights' axes of outputs and inputs, and reverses the kernel. oneDNN needs it as it was, so
    XLA removes the reversal. A convolution in the usual order has the outputs first or last.

    Args:
        order: the weights' axes: for outputs, for inputs, for the kernel.
        kernel: its size.
        given: the primitive's parameters.
    """
    outputs, inputs = order[:2]
    exchanged = inputs == 0 or (inputs == len(order) - 1 and outputs != 0)
    sizes = zip(kernel, given["rhs_dilation"], given["padding"], strict=True)
    fits = all(0 <= min(pair) and max(pair) <= (size - 1) * dilation for size, dilation, pair in sizes)
    return exchanged and fits and all(step == 1 for step in given["window_strides"])


def planned(
    lhs: Sequence[int], rhs: Sequence[int], out: Sequence[int], given: dict[str, Any]
) -> plans.Computation | None:
    """The convolution that oneDNN computes; None if it has none.

    The gradient by the input takes the second operand reversed: JAX reverses the kernel, and oneDNN does not.

    Args:
        lhs: the shape of the first operand, as `lax.conv_general_dilated` takes it.
        rhs: the shape of the second one.
        out: the shape of the result.
        given: the primitive's parameters.
    """
    numbers = given["dimension_numbers"]
    strides, dilations = given["window_strides"], given["rhs_dilation"]
    before = [pair[0] for pair in given["padding"]]
    a, b, c = (_array(shape, order) for shape, order in zip((lhs, rhs, out), numbers, strict=True))
    sizes = list(zip(a.shape[2:], b.shape[2:], c.shape[2:], strict=True))
    groups, batches = given["feature_group_count"], given["batch_group_count"]
    by_weights = batches != 1 or _is_by_weights(b.shape[2:], c.shape[2:], strides, dilations)
    spread = any(step != 1 for step in given["lhs_dilation"])
    if spread or not by_weights and _is_by_input(numbers.rhs_spec, b.shape[2:], given):
        if batches != 1 or any(step != 1 for step in strides):
            return None
        weights = _grouped(_array(rhs, _swapped(numbers[1])), groups, 1)
        axes = []
        for (y, kernel, x), stride, dilation, pad in zip(sizes, given["lhs_dilation"], dilations, before, strict=True):
            first = (kernel - 1) * dilation - pad
            axes.append(plans.Axis(stride, dilation, first, _behind(x, y, kernel, stride, dilation, first)))
        ends = [(kernel - 1) * dilation for (_, kernel, _), dilation in zip(sizes, dilations, strict=True)]
        if any(max(axis.before, axis.behind) > end for axis, end in zip(axes, ends, strict=True)):
            return None  # padding wider than the kernel is rare, and was not compared with oneDNN
        found = plans.Computation(plans.BY_INPUT, a, weights, c, tuple(axes))
    elif by_weights:
        # The kernel is the gradient of the output.
        if groups != 1:
            return None
        order_a, order_b, order_c = (_swapped(order) for order in numbers)
        axes = [
            plans.Axis(dilation, stride, pad, _behind(x, y, kernel, dilation, stride, pad))
            for (x, y, kernel), stride, dilation, pad in zip(sizes, strides, dilations, before, strict=True)
        ]
        found = plans.Computation(
            plans.BY_WEIGHTS,
            _array(lhs, order_a),
            _array(rhs, order_b),
            _grouped(_array(out, order_c), batches, 0),
            tuple(axes),
        )
    else:
        axes = [
            plans.Axis(stride, dilation, pad, _behind(x, y, kernel, stride, dilation, pad))
            for (x, kernel, y), stride, dilation, pad in zip(sizes, strides, dilations, before, strict=True)
        ]
        found = plans.Computation(plans.FORWARD, a, _grouped(b, groups, 0), c, tuple(axes))
    if any(axis.before < 0 or axis.behind <= -axis.stride for axis in found.axes):
        return None
    return found


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The call of the handler for a convolution with fixed sizes; None where JAX's own stays."""
    if not 3 <= len(out.shape) <= 5 or any(aval.dtype != F32 for aval in (*avals, out)):
        return None
    found = planned(avals[0].shape, avals[1].shape, out.shape, given)
    least = LEAST if given["feature_group_count"] == given["batch_group_count"] == 1 else LEAST_IN_GROUPS
    call = None if found is None or found.work() < least else calls.call(found, out.shape)
    if found is None or call is None:
        return None
    reversed_axes = given["dimension_numbers"].rhs_spec[2:] if found.kind == plans.BY_INPUT else ()
    return lambda lhs, rhs: call(lhs, jax.lax.rev(rhs, reversed_axes))
