"""Rules for matrix products and convolutions, by NumPy's BLAS; large ones are left to XLA."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ms_compat._core.compiled.interpreter.rules import HALVES, Equation, Step, rule

_NANOSECONDS_A_PRODUCT = 0.04  # of BLAS on one core, with the addition; integers have no BLAS
_SLOWER_WITHOUT_BLAS = 20
_MOST_ELEMENTS = 25  # of a kernel for one channel
_MOST_PLACES = 64
_MOST_PRODUCTS = 128
_LEAST_WINDOW = 256  # elements


@rule("dot_general")
def _dot(eqn: Equation) -> Step | None:
    (of_left, of_right), (batch_left, batch_right) = eqn.params["dimension_numbers"]
    left, right, out = eqn.ins[0], eqn.ins[1], eqn.outs[0]
    if left.dtype != right.dtype or left.dtype.kind == "b":
        return None
    algorithm = eqn.params.get("precision")
    if algorithm is not None and not isinstance(algorithm, tuple):
        return None
    between = np.dtype(np.float32) if left.dtype in HALVES else left.dtype
    if np.dtype(out.dtype).kind != between.kind and out.dtype not in HALVES:
        return None
    if out.dtype != left.dtype and out.dtype != between:
        return None
    free_left = [i for i in range(len(left.shape)) if i not in (*of_left, *batch_left)]
    free_right = [i for i in range(len(right.shape)) if i not in (*of_right, *batch_right)]
    inner = math.prod([left.shape[i] for i in of_left])
    batch = tuple([left.shape[i] for i in batch_left])
    rows = math.prod([left.shape[i] for i in free_left])
    columns = math.prod([right.shape[i] for i in free_right])
    each = _NANOSECONDS_A_PRODUCT * (1 if between.kind in "fc" else _SLOWER_WITHOUT_BLAS)
    eqn.cost += each * math.prod(batch) * rows * columns * inner
    eqn.product = rows * columns * inner
    order_left, order_right = (*batch_left, *free_left, *of_left), (*batch_right, *of_right, *free_right)
    shape_left, shape_right = (*batch, rows, inner), (*batch, inner, columns)
    shape, dtype = out.shape, out.dtype

    def product(x: Any, y: Any) -> Any:
        x = np.transpose(x, order_left).reshape(shape_left)
        y = np.transpose(y, order_right).reshape(shape_right)
        if x.dtype != between:
            x, y = x.astype(between), y.astype(between)
        found = np.empty(shape, between)  # a reshaped product would be copied once more
        np.matmul(x, y, out=found.reshape(*batch, rows, columns))
        return found.astype(dtype, copy=False)

    return product


@rule("conv_general_dilated")
def _convolution(eqn: Equation) -> Step | None:
    # Each way to compute a convolution has a branch for its cost and one for its step; they share all the sizes.
    params, out = eqn.params, eqn.outs[0]
    if eqn.dtype.kind != "f" and eqn.dtype not in HALVES:
        return None
    numbers = params["dimension_numbers"]
    of_batch = params["batch_group_count"]
    groups = params["feature_group_count"] * of_batch  # only one of them is not 1
    order_x, order_w, order_out = numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec
    strides, padding = params["window_strides"], params["padding"]
    within, apart = params["lhs_dilation"], params["rhs_dilation"]
    between = np.dtype(np.float32) if eqn.dtype in HALVES else eqn.dtype
    kernel = [eqn.ins[1].shape[i] for i in order_w]  # out, in of a group, window
    lengths = [out.shape[i] for i in order_out]
    window, places, batch = tuple(kernel[2:]), tuple(lengths[2:]), lengths[0]
    depth, per_group = kernel[1] * math.prod(window), kernel[0] // groups
    by_places = per_group == 1 and groups > 1 and math.prod(places) <= min(_MOST_PLACES, math.prod(window))
    by_elements = per_group == kernel[1] == 1 and groups > 1 and not by_places and depth <= _MOST_ELEMENTS
    if by_places:
        eqn.cost += 1.5 * math.prod(lengths) * depth
    else:
        eqn.cost += _NANOSECONDS_A_PRODUCT * math.prod(lengths) * depth
        eqn.cost += 1.0 * batch * groups * depth * math.prod(places)  # the windows, written out
        eqn.product = math.prod(lengths) // groups * depth
    back = tuple(np.argsort(order_out))
    spread = tuple([eqn.ins[0].shape[i] for i in order_x[2:]])
    if groups == 1 and not any(map(any, padding)) and {*within, *apart} == {1}:
        of_points, of_whole = math.prod(window) == 1 and places == spread, math.prod(places) == 1 and window == spread
        if of_points or of_whole:
            return _of_one_product(order_x, order_w, back, lengths, kernel, between, out.dtype, not of_points)
    by_products = groups == 1 and math.prod(places) <= _MOST_PRODUCTS and math.prod(window) >= _LEAST_WINDOW
    grown = [(max(low, 0), max(high, 0)) for low, high in padding]
    cut = [slice(max(-low, 0), min(high, 0) or None) for low, high in padding]  # negative padding
    spatial = range(len(window))

    def convolved(x: Any, w: Any) -> Any:
        x = np.transpose(x, order_x)
        w = np.transpose(w, order_w).astype(between, copy=False)
        if of_batch > 1:  # the batch has the groups one after the other
            x = np.swapaxes(x.reshape(of_batch, batch, *x.shape[1:]), 0, 1).reshape(batch, -1, *x.shape[2:])
        ends = [low + (n - 1) * d + 1 for n, d, (low, _) in zip(x.shape[2:], within, grown, strict=True)]
        sizes = [end + high for end, (_, high) in zip(ends, grown, strict=True)]
        padded = np.zeros((*x.shape[:2], *sizes), between)
        put = [slice(low, end, d) for end, d, (low, _) in zip(ends, within, grown, strict=True)]
        padded[(slice(None), slice(None), *put)] = x
        padded = np.ascontiguousarray(padded[(slice(None), slice(None), *cut)])
        padded = padded.reshape(batch, groups, kernel[1], *padded.shape[2:])
        if by_elements:
            return _ordered(_by_elements(padded, w, places, strides, apart), back).astype(out.dtype, copy=False)
        if by_places:
            return _ordered(_of_places(padded, w, places, strides, apart), back).astype(out.dtype, copy=False)
        if by_products:
            return _ordered(_by_products(padded, w, places, strides, apart), back).astype(out.dtype, copy=False)
        moves = padded.strides[3:]
        seen = as_strided(
            padded,
            (groups, kernel[1], *window, batch, *places),
            (
                padded.strides[1],
                padded.strides[2],
                *[moves[i] * apart[i] for i in spatial],
                padded.strides[0],
                *[moves[i] * strides[i] for i in spatial],
            ),
            writeable=False,
        )
        columns = seen.reshape(groups, depth, -1)
        product = np.matmul(w.reshape(groups, per_group, depth), columns)
        product = product.reshape(kernel[0], batch, *places)
        standard = np.swapaxes(product, 0, 1)
        return _ordered(standard, back).astype(out.dtype, copy=False)

    return convolved if 0 not in eqn.ins[0].shape and 0 not in kernel and 0 not in lengths else None


def _ordered(found: Any, axes: tuple[int, ...]) -> Any:
    """A fresh array with other axes. It stays itself where they are its own, as a view of it would be copied later."""
    return found if axes == tuple(range(found.ndim)) else np.transpose(found, axes)


def _of_one_product(
    order_x: Any, order_w: Any, back: Any, lengths: Any, kernel: Any, between: np.dtype, dtype: np.dtype, whole: bool
) -> Step | None:
    """A convolution that is a product of matrices, without copies of windows.

    Args:
        order_x, order_w: the axes of the inputs in the standard order.
        back: the axes of the standard result in the order of the result.
        lengths: the sizes of the standard result.
        kernel: the sizes of the standard kernel.
        between: what it is computed in.
        dtype: of the result.
        whole: the window is as large as the input, as for gradients by kernels of one element. Otherwise it has one
            element, and each element of the batch has a product of its own.
    """
    if 0 in lengths or 0 in kernel:
        return None
    batch, channels, depth = lengths[0], kernel[0], math.prod(kernel[1:])

    def convolved(x: Any, w: Any) -> Any:
        x = np.transpose(x, order_x).astype(between, copy=False).reshape(batch, depth, -1)
        w = np.transpose(w, order_w).astype(between, copy=False).reshape(channels, depth)
        found = np.empty(lengths, between)
        if whole:
            np.matmul(x[..., 0], w.T, out=found.reshape(batch, channels))
        else:
            np.matmul(w, x, out=found.reshape(batch, channels, -1))
        return _ordered(found, back).astype(dtype, copy=False)

    return convolved


def _by_elements(x: Any, w: Any, places: Any, strides: Any, apart: Any) -> Any:
    """A convolution of each channel with one small kernel, as a sum over the kernel's elements.

    `_of_places` describes the arguments; it serves few places and large windows.
    """
    x = x[:, :, 0]
    out, part = np.zeros((*x.shape[:2], *places), x.dtype), np.empty((*x.shape[:2], *places), x.dtype)
    for element in np.ndindex(*w.shape[2:]):
        seen = _window_at(element, places, apart, strides)
        factors = w[(slice(None), 0, *element)].reshape(-1, *(1,) * len(places))
        np.multiply(x[(slice(None), slice(None), *seen)], factors, out=part)
        out += part
    return out


def _by_products(x: Any, w: Any, places: Any, strides: Any, apart: Any) -> Any:
    """A convolution with a large window and few places, as gradients by kernels are: a product of matrices for each.

    `_of_places` describes the arguments; there is one group.
    """
    x, matrix = x[:, 0], w.reshape(w.shape[0], -1).T
    out = np.empty((len(x), len(w), *places), x.dtype)
    for place in np.ndindex(*places):
        out[(..., *place)] = x[(..., *_window_at(place, w.shape[2:], strides, apart))].reshape(len(x), -1) @ matrix
    return out


def _window_at(place: Any, window: Any, strides: Any, apart: Any) -> list[slice]:
    """The part of each spatial axis that a window covers at one place of the result."""
    return [
        slice(at * stride, at * stride + (n - 1) * step + 1, step)
        for at, stride, n, step in zip(place, strides, window, apart, strict=True)
    ]


def _of_places(x: Any, w: Any, places: Any, strides: Any, apart: Any) -> Any:
    """A convolution with one kernel for each group and few places, as gradients by kernels of depthwise ones are.

    Args:
        x: batch, groups, channels of a group, and the padded spatial axes.
        w: groups, channels of a group, and the window.
        places: the sizes of the result's spatial axes.
        strides, apart: between two places, and between two elements of a window.
    """
    axes = list(range(x.ndim))
    out = np.empty((*x.shape[:2], *places), x.dtype)
    for place in np.ndindex(*places):
        seen = x[(..., *_window_at(place, w.shape[2:], strides, apart))]
        out[(..., *place)] = np.einsum(seen, axes, w, axes[1:], [0, 1])
    return out
