"""JAX's convolution by oneDNN's kernels, where they are faster than XLA's.

Not served are other dtypes than Float32, sizes that are not fixed, negative padding, small convolutions.
"""

from __future__ import annotations

import ctypes
import functools
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from ms_compat._core.convolution import library as dnnl
from ms_compat._core.convolution import plans

SWITCH = "MS_COMPAT_ONEDNN"  # "0" turns it off
LEAST = 2_000_000  # multiplications; below, XLA's own kernels are as fast as a call
LEAST_IN_GROUPS = 50_000  # for which XLA takes 20 to 600 times as long
_LARGE_KERNEL = 32  # places
_TARGET = "ms_compat_convolution"
F32, U8 = np.dtype(np.float32), np.dtype(np.uint8)


@functools.cache
def _table() -> plans.Table | None:
    """The plans of this process, and XLA's knowledge of the handler; None without oneDNN."""
    held = dnnl.library()
    if held is None:
        return None
    # llvmlite takes 50 ms.
    from ms_compat._core.convolution.handler import Handler

    table = plans.Table(held)

    @ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
    def missing(row: int) -> int:
        """Make the plan of a program that came from disk."""
        convolution = plans.of_row(list((ctypes.c_int64 * plans.GEOMETRY).from_address(row)))
        return table.place(convolution)

    handler = Handler(table, ctypes.cast(missing, ctypes.c_void_p).value or 0)
    table.kept = (handler, missing)
    jax.ffi.register_ffi_target(_TARGET, jax.ffi.pycapsule(handler.address), platform="cpu")
    return table


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


def planned(
    lhs: Sequence[int], rhs: Sequence[int], out: Sequence[int], given: dict[str, Any]
) -> plans.Convolution | None:
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
    if any(step != 1 for step in given["lhs_dilation"]):
        # The gradient by the input of a convolution with a stride.
        if batches != 1 or any(step != 1 for step in strides):
            return None
        weights = _grouped(_array(rhs, _swapped(numbers[1])), groups, 1)
        axes = []
        for (y, kernel, x), stride, dilation, pad in zip(sizes, given["lhs_dilation"], dilations, before, strict=True):
            first = (kernel - 1) * dilation - pad
            axes.append(plans.Axis(stride, dilation, first, _behind(x, y, kernel, stride, dilation, first)))
        found = plans.Convolution(plans.BY_INPUT, a, weights, c, tuple(axes))
    elif batches != 1 or _is_by_weights(b.shape[2:], c.shape[2:], strides, dilations):
        # The kernel is the gradient of the output.
        if groups != 1:
            return None
        order_a, order_b, order_c = (_swapped(order) for order in numbers)
        axes = [
            plans.Axis(dilation, stride, pad, _behind(x, y, kernel, dilation, stride, pad))
            for (x, y, kernel), stride, dilation, pad in zip(sizes, strides, dilations, before, strict=True)
        ]
        found = plans.Convolution(
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
        found = plans.Convolution(plans.FORWARD, a, _grouped(b, groups, 0), c, tuple(axes))
    if any(axis.before < 0 or axis.behind <= -axis.stride for axis in found.axes):
        return None
    return found


def _work(convolution: plans.Convolution) -> int:
    """The multiplications of a convolution."""
    weights, outputs = {
        plans.FORWARD: (convolution.b, convolution.out),
        plans.BY_INPUT: (convolution.b, convolution.a),
        plans.BY_WEIGHTS: (convolution.out, convolution.b),
    }[convolution.kind]
    return math.prod(weights.shape) * outputs.shape[0] * math.prod(outputs.shape[2:])


def function_for(avals: Sequence[Any], out: Any, given: dict[str, Any]) -> Callable | None:
    """The call of the handler for a convolution with fixed sizes; None where JAX's own stays."""
    served = 3 <= len(out.shape) <= 5 and all(aval.dtype == F32 for aval in (*avals, out))
    if not served or (table := _table()) is None:
        return None
    found = planned(avals[0].shape, avals[1].shape, out.shape, given)
    least = LEAST if given["feature_group_count"] == given["batch_group_count"] == 1 else LEAST_IN_GROUPS
    scratch = None if found is None or _work(found) < least else table.scratch_bytes(found)
    if found is None or scratch is None:
        return None
    call = jax.ffi.ffi_call(_TARGET, (jax.ShapeDtypeStruct(out.shape, F32), jax.ShapeDtypeStruct((scratch,), U8)))
    reversed_axes = given["dimension_numbers"].rhs_spec[2:] if found.kind == plans.BY_INPUT else ()
    row = np.array(found.row(), np.int64)
    return lambda lhs, rhs: call(lhs, jax.lax.rev(rhs, reversed_axes), geometry=row)[0]


def why_not() -> str | None:
    """Why convolutions are XLA's; None if they are oneDNN's, or would be where it can be loaded."""
    if os.environ.get(SWITCH) == "0":
        return f"{SWITCH} is 0"
    if dnnl.path() is None:
        return "pip install 'ms-compat[onednn]' has oneDNN for x86-64 Linux"
    if _too_few_threads():
        return "OMP_NUM_THREADS leaves most processors idle"
    return None


def _too_few_threads() -> bool:
    """Whether the user gives OpenMP less than half of the processors, which XLA would all use."""
    text = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return text.isdecimal() and 2 * int(text) < len(os.sched_getaffinity(0))
