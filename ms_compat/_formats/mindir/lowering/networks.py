"""Rules for products of matrices and for convolutions."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._formats.mindir.lowering.elementwise import out_aval
from ms_compat._formats.mindir.lowering.rules import Lowering, Value, rule
from ms_compat._formats.mindir.lowering.shapes import dilate
from ms_compat._formats.mindir.writing import Ref


# -- products ----------------------------------------------------------------------------------------------------------
@rule("dot_general")
def dot_general(low: Lowering, eqn: Any, a: Value, b: Value) -> Value:
    (a_contract, b_contract), (a_batch, b_batch) = eqn.params["dimension_numbers"]
    shape, dtype = out_aval(eqn)
    if 0 in (*a.shape, *b.shape):
        return low.zeros(shape, dtype)  # a sum of nothing
    a, b = low.cast(a, dtype), low.cast(b, dtype)
    batch = [a.shape[i] for i in a_batch]
    a_free = [i for i in range(a.ndim) if i not in (*a_batch, *a_contract)]
    b_free = [i for i in range(b.ndim) if i not in (*b_batch, *b_contract)]
    rows, columns = math.prod(a.shape[i] for i in a_free), math.prod(b.shape[i] for i in b_free)
    inner = math.prod(a.shape[i] for i in a_contract)
    if not jnp.issubdtype(dtype, np.inexact):
        left = low.reshape(low.transpose(a, [*a_batch, *a_free, *a_contract]), (*batch, rows, 1, inner))
        right = low.reshape(low.transpose(b, [*b_batch, *b_free, *b_contract]), (*batch, 1, columns, inner))
        products = low.elementwise("Mul", (left, right), (*batch, rows, columns, inner), dtype)
        total = low.call("ReduceSum", (products, (len(batch) + 2,), False, False), (*batch, rows, columns), dtype)
        return low.reshape(total, shape)
    left, a_turned = _matrices(low, a, a_batch, a_free, a_contract, (*batch, rows, inner))
    right, b_turned = _matrices(low, b, b_batch, b_contract, b_free, (*batch, inner, columns))
    op = "BatchMatMul" if batch else "MatMul"
    out = low.call(op, (left, right, a_turned, b_turned), (*batch, rows, columns), dtype)
    return low.reshape(out, shape)


def _matrices(
    low: Lowering, x: Value, batch: Any, rows: Any, columns: Any, shape: tuple[int, ...]
) -> tuple[Value, bool]:
    """`x` as matrices, and whether they are the transposed ones, which costs nothing."""
    turned = [*batch, *columns, *rows]
    if turned == list(range(x.ndim)) and [*batch, *rows, *columns] != turned:
        return low.reshape(x, (*shape[:-2], shape[-1], shape[-2])), True
    return low.reshape(low.transpose(x, [*batch, *rows, *columns]), shape), False


# -- convolutions ------------------------------------------------------------------------------------------------------
@rule("conv_general_dilated")
def convolution(low: Lowering, eqn: Any, x: Value, w: Value) -> Value:
    params = eqn.params
    numbers = params["dimension_numbers"]
    shape, dtype = out_aval(eqn)
    if params["batch_group_count"] != 1:
        raise low.unsupported(eqn, "groups the batch, which no primitive does")
    if np.issubdtype(dtype, np.complexfloating) or not jnp.issubdtype(dtype, np.inexact):
        raise low.unsupported(eqn, f"is a convolution of {dtype}, which no primitive computes")
    x = low.cast(low.transpose(x, numbers.lhs_spec), dtype)
    w = low.cast(low.transpose(w, numbers.rhs_spec), dtype)
    padding = [(int(a), int(b)) for a, b in params["padding"]]
    strides, spread, holes = (list(map(int, params[k])) for k in ("window_strides", "lhs_dilation", "rhs_dilation"))
    out_shape = tuple(shape[a] for a in numbers.out_spec)
    spatial = x.ndim - 2
    if spatial not in (1, 2, 3):
        raise low.unsupported(eqn, f"is a convolution over {spatial} axes; primitives have 1 to 3")
    if spatial == 1:  # one axis of length one more
        x = low.reshape(x, (*x.shape[:2], 1, x.shape[2]))
        w = low.reshape(w, (*w.shape[:2], 1, w.shape[2]))
        padding, strides, spread, holes = [(0, 0), *padding], [1, *strides], [1, *spread], [1, *holes]
        wide = (*out_shape[:2], 1, out_shape[2])
    else:
        wide = out_shape
    out = _convolved(low, x, w, wide, padding, strides, spread, holes, params["feature_group_count"])
    return low.transpose(low.reshape(out, out_shape), np.argsort(numbers.out_spec))


def _convolved(
    low: Lowering, x: Value, w: Value, shape: tuple[int, ...], padding: list, strides: list, spread: list, holes: list,
    groups: int,
) -> Value:  # fmt: skip
    if any(s != 1 for s in spread):
        if x.ndim == 4 and all(s == 1 for s in strides):
            out = _transposed(low, x, w, shape, padding, spread, holes, groups)
            if out is not None:
                return out
        x = dilate(low, x, [1, 1, *spread], np.zeros((), x.dtype))
    cut = [(min(a, 0), min(b, 0)) for a, b in padding]
    x = low.pad(x, [0, 0, *[a for a, _ in cut]], [0, 0, *[b for _, b in cut]], np.zeros((), x.dtype))
    pads = tuple(max(p, 0) for pair in padding for p in pair)
    kernel = tuple(w.shape[2:])
    attributes: dict[str, Any] = {
        "out_channel": w.shape[0], "kernel_size": kernel, "mode": 1, "pad_mode": "pad", "pad": pads, "pad_list": pads,
        "group": groups, "groups": groups,
    }  # fmt: skip
    if x.ndim == 4:
        attributes |= {"format": "NCHW", "stride": (1, 1, *strides), "dilation": (1, 1, *holes)}
        return low.call("Conv2D", (x, w), shape, x.dtype, **attributes)
    attributes |= {"format": "NCDHW", "stride": (1, 1, *strides), "strides": (1, 1, *strides), "offset_x": 0,
                   "dilation": (1, 1, *holes), "dilations": (1, 1, *holes)}  # fmt: skip
    if groups == 1:
        return low.call("Conv3D", (x, w), shape, x.dtype, **attributes)
    attributes |= {"group": 1, "groups": 1, "out_channel": w.shape[0] // groups}
    parts = []
    for group in range(groups):
        one, kernels = _group(low, x, 1, group, groups), _group(low, w, 0, group, groups)
        parts.append(low.call("Conv3D", (one, kernels), (shape[0], shape[1] // groups, *shape[2:]), x.dtype,
                              **attributes))  # fmt: skip
    return low.concatenate(parts, 1)


def _group(low: Lowering, x: Value, axis: int, group: int, groups: int) -> Value:
    size = x.shape[axis] // groups
    begin, end = [0] * x.ndim, list(x.shape)
    begin[axis], end[axis] = group * size, (group + 1) * size
    return low.slice(x, begin, end)


def _transposed(
    low: Lowering, x: Value, w: Value, shape: tuple[int, ...], padding: list, spread: list, holes: list, groups: int
) -> Value | None:
    """A convolution over a spread input as the gradient of one with strides, or None where that has no such padding."""
    pads = []
    for (before, after), length, stride, hole in zip(padding, w.shape[2:], spread, holes, strict=True):
        reach = hole * (length - 1)
        first, last = reach - before, reach - after
        if first < 0 or last <= -stride:
            return None
        pads += [first, max(last, 0)]
    out_channels, in_each = w.shape[0], w.shape[1]
    each = out_channels // groups
    axes = (2, 3)
    if groups == 1:
        w = low.transpose(w, (1, 0, 2, 3))
    else:
        apart = low.reshape(w, (groups, each, in_each, *w.shape[2:]))
        w = low.reshape(low.transpose(apart, (0, 2, 1, 3, 4)), (groups * in_each, each, *w.shape[2:]))
    w = _flipped(low, w, axes)
    return low.call(
        "Conv2DTranspose", (x, w, shape), shape, x.dtype,
        out_channel=x.shape[1], kernel_size=tuple(w.shape[2:]), mode=1, pad_mode="PAD", pad=tuple(pads),
        pad_list=tuple(pads), format="NCHW", stride=(1, 1, *spread), dilation=(1, 1, *holes), group=groups,
        groups=groups,
    )  # fmt: skip


def _flipped(low: Lowering, w: Value, axes: tuple[int, ...]) -> Value:
    """`w` reversed along these axes; a second reversal cancels the first."""
    if isinstance(w, np.ndarray):
        return np.flip(w, axes)
    long = tuple(a for a in axes if w.shape[a] != 1)
    if not long:
        return w
    if isinstance(w, Ref) and w.call and w.call.op == "ReverseV2" and w.call.inputs[1] == long:
        return w.call.inputs[0]
    return low.call("ReverseV2", (w, long), w.shape, w.dtype)
