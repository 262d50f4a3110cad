"""Rules for primitives that slide a window over an array: pooling and its gradient."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ms_compat._core.compiled.interpreter.reductions import highest, lowest
from ms_compat._core.compiled.interpreter.rules import BFLOAT16, HALVES, Equation, Left, Step, rule


def _padded(x: Any, padding: Any, filler: Any) -> Any:
    if not any(low or high for low, high in padding):
        return np.ascontiguousarray(x)
    sizes = [low + n + high for n, (low, high) in zip(x.shape, padding, strict=True)]
    out = np.full(sizes, filler, x.dtype)
    out[tuple([slice(low, low + n) for n, (low, _) in zip(x.shape, padding, strict=True)])] = x
    return out


def _windows(x: Any, window: Any, strides: Any, apart: Any, places: Any) -> Any:
    """A view of an array: first the places of the windows, then the windows' axes."""
    moves = x.strides
    over = [m * s for m, s in zip(moves, strides, strict=True)]
    inside = [m * a for m, a in zip(moves, apart, strict=True)]
    return as_strided(x, (*places, *window), (*over, *inside), writeable=False)


@rule("reduce_window_max", "reduce_window_min", "reduce_window_sum")
def _reduce_window(eqn: Equation) -> Step | None:
    params, places, dtype = eqn.params, eqn.outs[0].shape, eqn.dtype
    if any(d != 1 for d in params["base_dilation"]) or any(low < 0 or high < 0 for low, high in params["padding"]):
        return None
    if dtype.kind in "cb" or 0 in eqn.ins[0].shape or 0 in places:
        return None
    window, strides = params["window_dimensions"], params["window_strides"]
    apart, padding = params["window_dilation"], params["padding"]
    eqn.cost += 6.0 * math.prod(window) * eqn.outs[0].size
    axes = tuple(range(len(places), 2 * len(places)))
    reduce, filler = {
        "reduce_window_max": (np.maximum.reduce, lowest(dtype)),
        "reduce_window_min": (np.minimum.reduce, highest(dtype)),
        "reduce_window_sum": (np.add.reduce, dtype.type(0)),
    }[eqn.name]
    if dtype == BFLOAT16:
        return None
    between = np.dtype(np.float32) if dtype in HALVES and eqn.name == "reduce_window_sum" else dtype

    def reduced(x: Any) -> Any:
        seen = _windows(_padded(x, padding, filler), window, strides, apart, places)
        return reduce(seen, axes, between).astype(dtype, copy=False)

    return reduced


@rule("select_and_scatter_add")
def _select_and_scatter(eqn: Equation) -> Step | None:
    """The gradient of max pooling: to the first of each window that is at least as large as all others."""
    params, shape, dtype = eqn.params, eqn.ins[1].shape, eqn.dtype
    select = getattr(params["select_prim"], "name", "")
    if select not in ("ge", "le") or dtype in HALVES or dtype.kind != "f":
        return None
    padding, window, strides = params["padding"], params["window_dimensions"], params["window_strides"]
    places = eqn.ins[0].shape
    if 0 in places or any(low < 0 or high < 0 for low, high in padding):
        return None
    eqn.cost += 10.0 * math.prod(window) * eqn.ins[0].size
    count, apart = math.prod(window), (1,) * len(window)
    filler, find = (lowest(dtype), np.argmax) if select == "ge" else (highest(dtype), np.argmin)

    def routed(source: Any, operand: Any) -> Any:
        if np.isnan(operand).any():  # whose order in a window is the compiler's
            raise Left
        padded = _padded(operand, padding, filler)
        seen = _windows(padded, window, strides, apart, places).reshape(*places, count)
        within = np.unravel_index(find(seen, -1), window)
        out = np.zeros(padded.shape, dtype)
        at = []
        for axis, (inside, stride) in enumerate(zip(within, strides, strict=True)):
            between = [1] * len(places)
            between[axis] = places[axis]
            at.append(inside + (np.arange(places[axis]) * stride).reshape(between))
        np.add.at(out, tuple(at), source)
        return out[tuple([slice(low, low + n) for n, (low, _) in zip(shape, padding, strict=True)])]

    return routed
