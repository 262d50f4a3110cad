"""Rules for reductions, cumulations and sorting. Sums of 16-bit floats are computed in Float32."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.compiled.interpreter.rules import BFLOAT16, HALVES, Equation, Left, Step, is_inexact, rule


def lowest(dtype: np.dtype) -> Any:
    """The maximum over no elements."""
    if dtype.kind == "b":
        return np.False_
    if is_inexact(dtype):
        return np.array(-np.inf, dtype)[()]
    return dtype.type(np.iinfo(dtype).min)


def highest(dtype: np.dtype) -> Any:
    """The minimum over no elements."""
    if dtype.kind == "b":
        return np.True_
    if is_inexact(dtype):
        return np.array(np.inf, dtype)[()]
    return dtype.type(np.iinfo(dtype).max)


@rule("reduce_sum", "reduce_prod")
def _sum(eqn: Equation) -> Step | None:
    axes, dtype = tuple(eqn.params["axes"]), eqn.dtype
    reduce = np.add.reduce if eqn.name == "reduce_sum" else np.multiply.reduce
    between = np.dtype(np.float32) if dtype in HALVES else dtype
    eqn.cost += 1.0 * eqn.ins[0].size
    if dtype.kind == "b":
        return None
    if between == dtype:
        return lambda x: reduce(x, axes, dtype)
    return lambda x: reduce(x.astype(between), axes).astype(dtype)


@rule("reduce_max", "reduce_min")
def _extremum(eqn: Equation) -> Step | None:
    dtype, axes = eqn.dtype, tuple(eqn.params["axes"])
    if dtype.kind == "c":
        return None
    eqn.cost += 1.0 * eqn.ins[0].size
    reduce = np.maximum.reduce if eqn.name == "reduce_max" else np.minimum.reduce
    first = lowest(dtype) if eqn.name == "reduce_max" else highest(dtype)
    if dtype == BFLOAT16:
        first = np.float32(first)
        return lambda x: reduce(x.astype(np.float32), axes, initial=first).astype(dtype)
    return lambda x: reduce(x, axes, initial=first)


@rule("reduce_and", "reduce_or", "reduce_xor")
def _logical(eqn: Equation) -> Step:
    axes, dtype = tuple(eqn.params["axes"]), eqn.dtype
    reduce = {"reduce_and": np.bitwise_and, "reduce_or": np.bitwise_or, "reduce_xor": np.bitwise_xor}[eqn.name].reduce
    eqn.cost += eqn.ins[0].size
    return lambda x: reduce(x, axes, dtype)


@rule("argmax", "argmin")
def _arg(eqn: Equation) -> Step | None:
    (axis,), dtype = eqn.params["axes"], eqn.params["index_dtype"]
    if eqn.ins[0].shape[axis] == 0 or eqn.dtype.kind == "c":
        return None
    eqn.cost += 2.0 * eqn.ins[0].size
    find = np.argmax if eqn.name == "argmax" else np.argmin
    if eqn.dtype == BFLOAT16:
        return lambda x: find(x.astype(np.float32), axis).astype(dtype)
    return lambda x: find(x, axis).astype(dtype)


@rule("cumsum", "cumprod", "cummax", "cummin")
def _cumulation(eqn: Equation) -> Step | None:
    dtype, axis, backwards = eqn.dtype, eqn.params["axis"], eqn.params["reverse"]
    function = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum}[eqn.name]
    if dtype.kind == "c" and eqn.name in ("cummax", "cummin") or dtype in HALVES:
        return None
    eqn.cost *= 3

    def accumulated(x: Any) -> Any:
        if backwards:
            x = np.flip(x, axis)
        out = function.accumulate(x, axis, dtype)
        return np.flip(out, axis) if backwards else out

    return accumulated


@rule("sort")
def _sort(eqn: Equation) -> Step | None:
    """Stable, NaN last, as XLA orders; only whole orders of real numbers without the difference of zeros."""
    axis, keys = eqn.params["dimension"], eqn.params["num_keys"]
    dtype = eqn.dtype
    if keys != 1 or dtype.kind in "c" or dtype == BFLOAT16:
        return None
    eqn.cost *= 100

    def ordered(*values: Any) -> tuple:
        order = np.argsort(values[0], axis, kind="stable")
        return tuple([np.take_along_axis(value, order, axis) for value in values])

    return ordered


@rule("top_k")
def _top_k(eqn: Equation) -> Step | None:
    dtype, k = eqn.dtype, eqn.params["k"]
    axis = eqn.params.get("axis", -1)
    index = eqn.outs[1].dtype
    if dtype.kind in "bc":
        return None
    axis = axis % len(eqn.ins[0].shape)
    eqn.cost += 40 * eqn.ins[0].size
    floats = is_inexact(dtype)
    bits = np.dtype(f"i{dtype.itemsize}")

    def largest(x: Any) -> tuple:
        ordered = x
        if floats:  # by their bits, as XLA orders them: -0 is below +0
            if (x != x).any():
                raise Left  # NaN, whose order is XLA's own
            seen = np.ascontiguousarray(x).view(bits)
            ordered = np.where(seen < 0, seen ^ np.iinfo(bits).max, seen)
        keyed = np.invert(ordered)  # turns the order round, without overflow
        order = np.argsort(keyed, axis, kind="stable")
        order = np.take(order, np.arange(k), axis)
        return np.take_along_axis(x, order, axis), order.astype(index)

    return largest
