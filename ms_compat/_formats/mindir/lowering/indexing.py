"""Rules for gather and scatter.

Both are reduced to one index per window: the axes that are indexed come first and count as one, whose index is the
linear one. Windows that cover whole axes are then rows of a Gather or TensorScatter; other windows are taken element
by element. Indices out of bounds do what the operation's mode says: they are clipped, filled, or dropped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ms_compat._formats.mindir.lowering.elementwise import out_aval
from ms_compat._formats.mindir.lowering.rules import Lowering, Value, is_constant, rule
from ms_compat._formats.mindir.lowering.shapes import clipped, put_slice
from ms_compat._formats.mindir.sizes import count, whole

_SCATTERS = {"scatter": "TensorScatterUpdate", "scatter-add": "TensorScatterAdd",
             "scatter-sub": "TensorScatterAdd", "scatter-mul": "TensorScatterMul", "scatter-min": "TensorScatterMin",
             "scatter-max": "TensorScatterMax"}  # fmt: skip
_OF_SLICES = {"TensorScatterUpdate": None, "TensorScatterAdd": "Add", "TensorScatterMul": "Mul",
              "TensorScatterMin": "Minimum", "TensorScatterMax": "Maximum"}  # fmt: skip


class _Windows(NamedTuple):
    """Which part of an operand each index names, however gather or scatter says so."""

    shape: tuple[int, ...]  # of the operand
    sizes: tuple[int, ...]  # of the window, along every axis of the operand
    indexed: tuple[int, ...]  # axes that the components of an index are for
    batched: dict[int, int]  # axis of the operand -> axis of the indices, where both run together
    kept: tuple[int, ...]  # axes of the operand that are axes of the window
    offsets: tuple[int, ...]  # where they are in the output of a gather or the updates of a scatter

    def places(self, low: Lowering, index: Value, clip: bool) -> tuple[list[Value], Value]:
        """For each axis where the window starts (in the shape of the indices without the last axis), clipped into the
        operand; and whether it was within it."""
        batch = index.shape[:-1]
        inside: Value = np.ones((), np.bool_)
        starts: list[Value] = []
        for axis, (length, size) in enumerate(zip(self.shape, self.sizes, strict=True)):
            if axis in self.batched:
                along = self.batched[axis]
                sizes = [length if a == along else 1 for a in range(len(batch))]
                starts.append(low.reshape(low.iota(length), sizes))
            elif axis not in self.indexed:
                starts.append(np.zeros((), np.int64))
            else:
                at = self.indexed.index(axis)
                one = low.slice(index, (*[0] * len(batch), at), (*batch, at + 1))
                start = low.cast(low.reshape(one, batch), np.int64)
                within = low.binary("LogicalAnd", low.binary("GreaterEqual", start, 0, np.bool_),
                                    low.binary("LessEqual", start, length - size, np.bool_))  # fmt: skip
                if is_constant(within) and np.all(within):
                    starts.append(start)
                    continue
                inside = low.binary("LogicalAnd", within, inside)
                starts.append(clipped(low, start, length - size) if clip else start)
        return starts, inside

    def whole(self) -> bool:
        """Whether windows are one element long along the axes that are indexed, if any is, and cover the others."""
        fixed = (*self.indexed, *self.batched)
        return bool(fixed) and all(
            self.sizes[a] == (1 if a in fixed else self.shape[a]) for a in range(len(self.shape))
        )


def _linear(low: Lowering, starts: list[Value], axes: list[int], shape: tuple[int, ...]) -> Value:
    """The linear index into the axes, taken as one."""
    found: Value | None = None
    for at, axis in enumerate(axes):
        step = count([shape[a] for a in axes[at + 1 :]])
        term = low.binary("Mul", starts[axis], step) if step != 1 else starts[axis]
        found = term if found is None else low.binary("Add", found, term)
    return np.zeros((), np.int64) if found is None else found


@rule("gather")
def gather(low: Lowering, eqn: Any, x: Value, index: Value) -> Value:
    numbers, mode = eqn.params["dimension_numbers"], eqn.params["mode"].name
    shape, dtype = out_aval(eqn)
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = _Windows(
        x.shape,
        tuple(whole(s) for s in eqn.params["slice_sizes"]),
        numbers.start_index_map,
        dict(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)),
        tuple(a for a in range(x.ndim) if a not in gone),
        numbers.offset_dims,
    )
    if 0 in shape:
        return low.zeros(shape, dtype)
    starts, inside = windows.places(low, index, mode != "PROMISE_IN_BOUNDS")
    batch = index.shape[:-1]
    if is_constant(*starts) and not windows.batched and all(d == 1 for d in batch):
        begin = [int(np.ravel(s)[0]) for s in starts]
        out = low.reshape(low.slice(x, begin, [b + s for b, s in zip(begin, windows.sizes, strict=True)]), shape)
    elif windows.whole():
        out = _rows(low, x, windows, starts, batch, shape)
    else:
        out = low.take_flat(x, _elements(low, windows, starts, shape))
    if mode != "FILL_OR_DROP" or (is_constant(inside) and np.all(inside)):
        return out
    fill = np.asarray(_fill(eqn.params["fill_value"], dtype), dtype)
    return low.select(_spread(low, inside, windows.offsets, shape), out, fill, shape)


def _fill(value: Any, dtype: np.dtype) -> Any:
    if value is not None:
        return value
    if dtype == np.bool_:
        return True
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        return info.min if info.min else info.max
    return np.nan


def _spread(low: Lowering, value: Value, offsets: tuple[int, ...], shape: tuple[int, ...]) -> Value:
    """A value per window, in the rank of the windows' elements."""
    if value.ndim == 0:
        return low.reshape(value, (1,) * len(shape))
    lengths = iter(value.shape)
    return low.reshape(value, [1 if a in offsets else next(lengths) for a in range(len(shape))])


def _elements(low: Lowering, windows: _Windows, starts: list[Value], shape: tuple[int, ...]) -> Value:
    """Where every window's elements are in the flattened operand."""
    within = [_spread(low, start, windows.offsets, shape) for start in starts]
    for axis, at in zip(windows.kept, windows.offsets, strict=True):
        iota = low.reshape(low.iota(shape[at]), [shape[at] if a == at else 1 for a in range(len(shape))])
        within[axis] = low.binary("Add", within[axis], iota)
    return low.broadcast(_linear(low, within, list(range(len(starts))), windows.shape), shape)


def _rows(
    low: Lowering, x: Value, windows: _Windows, starts: list[Value], batch: tuple[int, ...], shape: tuple[int, ...]
) -> Value:
    """A gather of whole rows: the indexed axes as one axis, which stays where it is if they are next to each other."""
    axes = sorted((*windows.indexed, *windows.batched))
    others = [a for a in range(x.ndim) if a not in axes]
    if axes != list(range(axes[0], axes[0] + len(axes))):
        x = low.transpose(x, [*axes, *others])
        at = 0
    else:
        at = axes[0]
    rest = [windows.shape[a] for a in others]
    length = count([windows.shape[a] for a in axes])
    merged = low.reshape(x, (*rest[:at], length, *rest[at:]))
    index = low.ref(low.broadcast(_linear(low, starts, axes, windows.shape), batch))
    out = low.call("Gather", (merged, index, at, 0), (*rest[:at], *batch, *rest[at:]), x.dtype)
    # the axes of a window come in order, among the batch axes where the operation says
    offset_of = {axis: at for axis, at in zip(windows.kept, windows.offsets, strict=True) if axis in others}
    places = [a for a in range(len(shape)) if a not in windows.offsets]
    order = [offset_of[a] for a in others]
    order[at:at] = places
    return low.reshape(low.transpose(out, np.argsort(order)), shape)


@rule(*_SCATTERS)
def scatter(low: Lowering, eqn: Any, x: Value, index: Value, updates: Value) -> Value:
    numbers, mode = eqn.params["dimension_numbers"], eqn.params["mode"].name
    op = _SCATTERS[eqn.primitive.name]
    if eqn.primitive.name == "scatter-sub":
        updates = low.unary("Neg", updates)
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    kept = tuple(a for a in range(x.ndim) if a not in gone)
    lengths = dict(zip(kept, numbers.update_window_dims, strict=True))
    windows = _Windows(
        x.shape,
        tuple(updates.shape[lengths[a]] if a in lengths else 1 for a in range(x.ndim)),
        numbers.scatter_dims_to_operand_dims,
        dict(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True)),
        kept,
        numbers.update_window_dims,
    )
    if 0 in updates.shape:
        return x
    starts, inside = windows.places(low, index, mode == "CLIP")
    safe = mode != "FILL_OR_DROP" or (is_constant(inside) and bool(np.all(inside)))
    batch = index.shape[:-1]
    if safe and is_constant(*starts) and not windows.batched and all(d == 1 for d in batch):
        begin = [int(np.ravel(s)[0]) for s in starts]
        return put_slice(low, x, low.reshape(updates, windows.sizes), begin, _OF_SLICES[op])
    if windows.whole():
        axes = sorted((*windows.indexed, *windows.batched))
        linear = low.broadcast(_linear(low, starts, axes, windows.shape), batch)
    else:
        axes = list(range(x.ndim))
        linear = _elements(low, windows, starts, updates.shape)
    others = [a for a in range(x.ndim) if a not in axes]
    rows, rest = count([x.shape[a] for a in axes]), tuple(x.shape[a] for a in others)
    total = count(linear.shape)
    table = low.reshape(low.transpose(x, [*axes, *others]), (rows, *rest))
    if others:
        first = [a for a in range(updates.ndim) if a not in numbers.update_window_dims]
        first += [lengths[a] for a in kept if a not in others]  # one long
        updates = low.transpose(updates, [*first, *[lengths[a] for a in others]])
    if not safe:  # values outside go to an extra row, which is cut off at the end
        if linear.shape != batch:
            inside = _spread(low, inside, windows.offsets, updates.shape)
        linear = low.select(inside, linear, low.number(rows, np.int64), linear.shape)
        table = low.concatenate([table, low.zeros((1, *rest), x.dtype)], 0)
    index = low.reshape(linear, (total, 1))
    out: Value = low.call(op, (table, index, low.reshape(updates, (total, *rest))), table.shape, x.dtype)
    out = low.slice(out, [0] * out.ndim, (rows, *rest))
    order = np.argsort([*axes, *others])
    return low.transpose(low.reshape(out, [x.shape[a] for a in (*axes, *others)]), order)
