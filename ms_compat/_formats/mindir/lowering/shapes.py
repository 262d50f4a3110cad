"""Rules for shapes: other views of a tensor, parts of it, and tensors put together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._formats.mindir.lowering.elementwise import out_aval
from ms_compat._formats.mindir.lowering.rules import Lowering, Value, is_constant, rule
from ms_compat._formats.mindir.sizes import count, whole
from ms_compat._formats.mindir.writing import Ref


@rule("reshape", "squeeze", "expand_dims")
def reshape(low: Lowering, eqn: Any, x: Value) -> Value:
    if eqn.params.get("dimensions") is not None and eqn.primitive.name == "reshape":
        x = low.transpose(x, eqn.params["dimensions"])
    return low.reshape(x, out_aval(eqn)[0])


@rule("broadcast_in_dim")
def broadcast_in_dim(low: Lowering, eqn: Any, x: Value) -> Value:
    shape, axes = eqn.params["shape"], eqn.params["broadcast_dimensions"]
    ones = [1] * len(shape)
    for axis, length in zip(axes, x.shape, strict=True):
        ones[axis] = length
    return low.broadcast(low.reshape(x, ones), shape)


@rule("transpose")
def transpose(low: Lowering, eqn: Any, x: Value) -> Value:
    return low.transpose(x, eqn.params["permutation"])


@rule("concatenate")
def concatenate(low: Lowering, eqn: Any, *values: Value) -> Value:
    return low.concatenate(list(values), int(eqn.params["dimension"]))


@rule("stack")
def stack(low: Lowering, eqn: Any, *values: Value) -> Value:
    axis = int(eqn.params["axis"])
    return low.concatenate([low.reshape(v, (*v.shape[:axis], 1, *v.shape[axis:])) for v in values], axis)


@rule("unstack")
def unstack(low: Lowering, eqn: Any, x: Value) -> list[Value]:
    axis = int(eqn.params["axis"])
    rows = _parts(low, x, axis, [1] * x.shape[axis])
    return [low.reshape(row, var.aval.shape) for row, var in zip(rows, eqn.outvars, strict=True)]


@rule("tile")
def tile(low: Lowering, eqn: Any, x: Value) -> Value:
    for axis, times in enumerate(eqn.params["reps"]):
        if is_symbolic_size(times):
            apart = low.reshape(x, (*x.shape[:axis], 1, *x.shape[axis:]))
            wide = low.broadcast(apart, (*x.shape[:axis], times, *x.shape[axis:]))
            x = low.reshape(wide, (*x.shape[:axis], times * x.shape[axis], *x.shape[axis + 1 :]))
        else:
            x = low.concatenate([x] * int(times), axis)
    return x


@rule("iota")
def iota(low: Lowering, eqn: Any) -> Value:
    shape, axis = eqn.params["shape"], int(eqn.params["dimension"])
    along = low.iota(shape[axis], eqn.params["dtype"])
    return low.broadcast(low.reshape(along, [size if a == axis else 1 for a, size in enumerate(shape)]), shape)


@rule("dim_as_value")
def dim_as_value(low: Lowering, eqn: Any) -> Value:
    return low.number(eqn.params["dim"], out_aval(eqn)[1])


@rule("split")
def split(low: Lowering, eqn: Any, x: Value) -> list[Value]:
    return _parts(low, x, int(eqn.params["axis"]), eqn.params["sizes"])


def _parts(low: Lowering, x: Value, axis: int, sizes: Any) -> list[Value]:
    found, at = [], 0
    for size in sizes:
        begin, end = [0] * x.ndim, list(x.shape)
        begin[axis], end[axis] = at, at + whole(size)
        found.append(low.slice(x, begin, end))
        at += whole(size)
    return found


@rule("slice")
def slice_(low: Lowering, eqn: Any, x: Value) -> Value:
    out = low.slice(x, eqn.params["start_indices"], eqn.params["limit_indices"], eqn.params["strides"])
    shape, dtype = out_aval(eqn)
    if isinstance(out, Ref) and out.shape != shape:  # JAX writes a length as no less than 0
        return Ref(out.name, shape, dtype, out.call)
    return out


@rule("pad")
def pad(low: Lowering, eqn: Any, x: Value, fill: Value) -> Value:
    config = eqn.params["padding_config"]
    x = dilate(low, x, [c[2] + 1 for c in config], fill)
    return low.pad(x, [c[0] for c in config], [c[1] for c in config], fill)


def dilate(low: Lowering, x: Value, strides: Any, fill: Value) -> Value:
    """Put `stride - 1` fills between the elements of each axis."""
    for axis, stride in enumerate(strides):
        length = x.shape[axis]
        if stride == 1 or not is_symbolic_size(length) and length < 2:
            continue
        before, after = x.shape[:axis], x.shape[axis + 1 :]
        apart = low.reshape(x, (*before, length, 1, *after))
        gaps = low.broadcast(low.reshape(fill, (1,) * apart.ndim), (*before, length, int(stride) - 1, *after))
        wide = low.reshape(low.concatenate([apart, gaps], axis + 1), (*before, length * int(stride), *after))
        end = list(wide.shape)
        end[axis] -= int(stride) - 1
        x = low.slice(wide, [0] * x.ndim, end)
    return x


@rule("rev")
def rev(low: Lowering, eqn: Any, x: Value) -> Value:
    axes = tuple(int(a) for a in eqn.params["dimensions"] if x.shape[a] != 1)
    return low.call("ReverseV2", (x, axes), x.shape, x.dtype) if axes else x


@rule("dynamic_slice")
def dynamic_slice(low: Lowering, eqn: Any, x: Value, *starts: Value) -> Value:
    sizes = eqn.params["slice_sizes"]
    places = []
    for axis, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        places.append(clipped(low, start, x.shape[axis] - whole(size)))
    if is_constant(*places):
        begin = [int(p) for p in places]
        return low.slice(x, begin, [b + s for b, s in zip(begin, sizes, strict=True)])
    for axis, (place, size) in enumerate(zip(places, sizes, strict=True)):
        if whole(size) != x.shape[axis]:
            rows = low.binary("Add", low.iota(size), low.cast(place, np.int64))
            shape = (*x.shape[:axis], whole(size), *x.shape[axis + 1 :])
            x = low.call("Gather", (x, rows, axis, 0), shape, x.dtype)
    return x


@rule("dynamic_update_slice")
def dynamic_update_slice(low: Lowering, eqn: Any, x: Value, update: Value, *starts: Value) -> Value:
    places = [clipped(low, s, d - u) for s, d, u in zip(starts, x.shape, update.shape, strict=True)]
    if is_constant(*places):
        return put_slice(low, x, update, [int(p) for p in places])
    linear: Value = np.zeros((1,) * x.ndim, np.int64)
    for axis, place in enumerate(places):
        shape = [update.shape[axis] if a == axis else 1 for a in range(x.ndim)]
        along = low.reshape(low.iota(update.shape[axis]), shape)
        here = low.binary("Add", along, low.reshape(low.cast(place, np.int64), (1,) * x.ndim))
        linear = low.binary("Add", linear, low.binary("Mul", here, count(x.shape[axis + 1 :])))
    total = count(update.shape)
    flat = low.reshape(x, (count(x.shape),))
    index = low.reshape(low.broadcast(linear, update.shape), (total, 1))
    out = low.call("TensorScatterUpdate", (flat, index, low.reshape(update, (total,))), flat.shape, x.dtype)
    return low.reshape(out, x.shape)


def clipped(low: Lowering, index: Value, most: int) -> Value:
    """The index moved into 0..most."""
    if most == 0:
        return low.zeros(index.shape, index.dtype)
    return low.binary("Minimum", low.binary("Maximum", index, 0), most)


def put_slice(low: Lowering, x: Value, update: Value, begin: list[int], op: str | None = None) -> Value:
    """`x` with `update` in place of the part that begins there, or combined with it by a primitive."""
    axis = next((a for a in range(x.ndim) if x.shape[a] != update.shape[a]), None)
    if axis is None:
        return update if op is None else low.elementwise(op, (x, update), x.shape, x.dtype)
    at = [begin[axis], begin[axis] + update.shape[axis]]
    parts = _parts(low, x, axis, [at[0], at[1] - at[0], x.shape[axis] - at[1]])
    parts[1] = put_slice(low, parts[1], update, [0 if a == axis else b for a, b in enumerate(begin)], op)
    return low.concatenate(parts, axis)
