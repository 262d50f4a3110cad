"""Rules of what moves elements: bitwise the same as XLA's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.compiled.interpreter.rules import BFLOAT16, Equation, Step, rule


@rule("broadcast_in_dim")
def _broadcast(eqn: Equation) -> Step | None:
    if len(eqn.ins) > 1:
        return None
    shape, at = eqn.outs[0].shape, eqn.params["broadcast_dimensions"]
    between = [1] * len(shape)
    for axis, size in zip(at, eqn.ins[0].shape, strict=True):
        between[axis] = size
    eqn.cost /= 4
    given = tuple(between)
    return lambda x: np.broadcast_to(np.reshape(x, given), shape)


@rule("reshape", "squeeze", "expand_dims")
def _reshape(eqn: Equation) -> Step:
    shape = eqn.outs[0].shape
    if eqn.params.get("dimensions") is not None and eqn.name == "reshape":
        order = eqn.params["dimensions"]
        return lambda x: np.reshape(np.transpose(x, order), shape)
    return lambda x: np.reshape(x, shape)


@rule("transpose")
def _transpose(eqn: Equation) -> Step:
    order = eqn.params["permutation"]
    return lambda x: np.transpose(x, order)


@rule("rev")
def _rev(eqn: Equation) -> Step:
    axes = eqn.params["dimensions"]
    return lambda x: np.flip(x, axes)


@rule("iota")
def _iota(eqn: Equation) -> Step:
    axis, out = eqn.params["dimension"], eqn.outs[0]
    size = out.shape[axis]
    between = [1] * len(out.shape)
    between[axis] = size

    def iota() -> Any:
        line = np.arange(size, dtype=np.float64 if out.dtype == BFLOAT16 else np.int64)
        return np.broadcast_to(line.astype(out.dtype).reshape(between), out.shape)

    return iota


@rule("concatenate")
def _concatenate(eqn: Equation) -> Step:
    axis = eqn.params["dimension"]
    return lambda *values: np.concatenate(values, axis)


@rule("stack")
def _stack(eqn: Equation) -> Step:
    axis = eqn.params.get("axis", 0)
    return lambda *values: np.stack(values, axis)


@rule("unstack")
def _unstack(eqn: Equation) -> Step:
    axis = eqn.params.get("axis", 0)
    return lambda x: tuple(np.moveaxis(x, axis, 0))


@rule("split")
def _split(eqn: Equation) -> Step:
    axis, ends = eqn.params["axis"], np.cumsum(eqn.params["sizes"])[:-1]
    return lambda x: np.split(x, ends, axis)


@rule("tile")
def _tile(eqn: Equation) -> Step:
    times = eqn.params["reps"]
    return lambda x: np.tile(x, times)


@rule("slice")
def _slice(eqn: Equation) -> Step:
    strides = eqn.params["strides"] or (None,) * len(eqn.params["start_indices"])
    at = tuple(map(slice, eqn.params["start_indices"], eqn.params["limit_indices"], strides))
    return lambda x: x[at]


@rule("dynamic_slice")
def _dynamic_slice(eqn: Equation) -> Step:
    sizes, of = eqn.outs[0].shape, eqn.ins[0].shape

    def step(x: Any, *starts: Any) -> Any:
        firsts = _clamped(starts, sizes, of)
        return x[tuple([slice(first, first + size) for first, size in zip(firsts, sizes, strict=True)])]

    return step


@rule("dynamic_update_slice")
def _dynamic_update_slice(eqn: Equation) -> Step:
    of, sizes = eqn.ins[0].shape, eqn.ins[1].shape

    def step(x: Any, update: Any, *starts: Any) -> Any:
        out = x.copy()
        firsts = _clamped(starts, sizes, of)
        out[tuple([slice(first, first + size) for first, size in zip(firsts, sizes, strict=True)])] = update
        return out

    return step


def _clamped(starts: Any, sizes: Any, of: Any) -> list[int]:
    return [max(0, min(int(s), have - size)) for s, size, have in zip(starts, sizes, of, strict=True)]


@rule("pad")
def _pad(eqn: Equation) -> Step:
    config, out = eqn.params["padding_config"], eqn.outs[0]
    source, target = [], []
    for (low, _, inner), size, whole in zip(config, eqn.ins[0].shape, out.shape, strict=True):
        step = inner + 1
        first = max(0, -(low // step)) if low < 0 else 0  # negative padding cuts elements off
        last = min(size, max(0, -(-(whole - low) // step)))
        source.append(slice(first, max(first, last)))
        begin = low + first * step
        target.append(slice(begin, begin + max(0, last - first) * step, step))
    taken, put = tuple(source), tuple(target)

    def pad(x: Any, value: Any) -> Any:
        filled = np.empty(out.shape, out.dtype)
        filled[...] = value
        inside = x[taken]
        if inside.size:
            filled[put] = inside
        return filled

    return pad
